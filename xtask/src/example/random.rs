//! Repeatable pseudo-random values: the same seed gives the same session on every machine.

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A stream of numbers after the `SplitMix64` recipe.
///
/// Kept here, since a crate may change its stream between versions and the committed examples must not.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` up to, not including, `high`.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low)
    }

    /// One of the values.
    pub(crate) fn pick<'a, T: ?Sized>(&mut self, values: &[&'a T]) -> &'a T {
        values[self.between(0, values.len() as u64) as usize]
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.between(0, 100) < percent
    }

    pub(crate) fn uuid(&mut self) -> String {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.next().to_le_bytes());
        bytes[8..].copy_from_slice(&self.next().to_le_bytes());
        uuid::Builder::from_random_bytes(bytes)
            .into_uuid()
            .to_string()
    }

    /// Eight lower-case hexadecimal digits.
    pub(crate) fn hex8(&mut self) -> String {
        format!("{:08x}", self.next() as u32)
    }

    /// An id as the Messages API issues them: the prefix and 22 letters and digits.
    pub(crate) fn api_id(&mut self, prefix: &str) -> String {
        format!("{prefix}01{}", self.text(BASE62, 22))
    }

    /// Looks like a signature of a thinking block, is none.
    pub(crate) fn signature(&mut self) -> String {
        let length = self.between(60, 120) as usize * 4;
        self.text(BASE64, length)
    }

    fn text(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length)
            .map(|_| char::from(alphabet[self.between(0, alphabet.len() as u64) as usize]))
            .collect()
    }
}
