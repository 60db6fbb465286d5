//! Numbers that look random and come back with their seed.

/// A generator after `SplitMix64`: the next state is the last one plus an odd constant, mixed.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, 0 where that is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits().checked_rem(limit).unwrap_or(0)
    }

    /// A number from 0 up to, not including, 1.
    pub fn fraction(&mut self) -> f64 {
        // 53 bits fill the fraction of a double.
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
