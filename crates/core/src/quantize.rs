//! Vectors in one byte per number, for a fast scan.
//!
//! A vector is scaled to length 1, so that a product of two is their cosine. The largest number
//! becomes 127; the scale brings a product of bytes back to a cosine, off by about one percent.

/// The vector scaled to length 1; `None` for one without a direction: empty, all zero, or with what
/// is no number.
///
/// ```
/// use epitome_core::quantize::unit;
/// assert_eq!(unit(&[3.0, 4.0]), Some(vec![0.6, 0.8]));
/// assert_eq!(unit(&[0.0, 0.0]), None);
/// ```
pub fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    let square: f64 = vector
        .iter()
        .map(|number| f64::from(*number) * f64::from(*number))
        .sum();
    let length = square.sqrt();
    if !length.is_finite() || length <= 0.0 {
        return None;
    }
    let scaled = vector
        .iter()
        .map(|number| (f64::from(*number) / length) as f32);
    Some(scaled.collect())
}

/// Appends a vector of length 1 in bytes and returns its scale: a byte times the scale is about the
/// number.
pub fn quantize_into(unit: &[f32], bytes: &mut Vec<i8>) -> f32 {
    let largest = unit
        .iter()
        .fold(0.0_f32, |most, number| most.max(number.abs()));
    if largest <= 0.0 {
        bytes.resize(bytes.len() + unit.len(), 0);
        return 0.0;
    }
    let steps = 127.0 / largest;
    bytes.extend(unit.iter().map(|number| (number * steps).round() as i8));
    largest / 127.0
}

/// The product of two vectors in bytes; of the shorter length where they differ.
pub fn dot_bytes(a: &[i8], b: &[i8]) -> i32 {
    // Products of bytes fit 16 bits, and pairs of them are what vector units add up.
    a.iter()
        .zip(b)
        .map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b)))
        .sum()
}

/// The product of two vectors; of the shorter length where they differ.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    // Sums of their own for each lane: one sum would be one long chain of additions.
    let mut sums = [0.0_f32; LANES];
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn vectors_without_a_direction_have_no_unit() {
        let check = |vector: &[f32], expected| assert_eq!(unit(vector).is_some(), expected);
        check(&[], false);
        check(&[0.0, -0.0], false);
        check(&[f32::NAN, 1.0], false);
        check(&[f32::INFINITY], false);
        check(&[f32::MAX, f32::MAX], true);
        check(&[1e-30], true);
    }

    #[test]
    fn bytes_keep_the_largest_number() {
        let check = |vector: &[f32], expected: &[i8]| {
            let mut bytes = vec![7];
            quantize_into(vector, &mut bytes);
            assert_eq!(bytes[1..], *expected);
        };
        check(&[1.0, -0.5, 0.0], &[127, -64, 0]);
        check(&[-0.2, 0.1], &[-127, 64]);
        check(&[0.0, 0.0], &[0, 0]);
        check(&[], &[]);
    }

    fn vector() -> impl Strategy<Value = Vec<f32>> {
        prop::collection::vec(-1.0_f32..1.0, 20)
    }

    proptest! {
        #[test]
        fn bytes_are_close_to_the_cosine(a in vector(), b in vector()) {
            let (Some(a), Some(b)) = (unit(&a), unit(&b)) else { return Ok(()) };
            let (mut a_bytes, mut b_bytes) = (Vec::new(), Vec::new());
            let scale = quantize_into(&a, &mut a_bytes) * quantize_into(&b, &mut b_bytes);
            let exact: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
            prop_assert!((dot(&a, &b) - exact).abs() < 1e-5);
            let rough = dot_bytes(&a_bytes, &b_bytes) as f32 * scale;
            prop_assert!((rough - exact).abs() < 0.03, "{rough} {exact}");
        }
    }
}
