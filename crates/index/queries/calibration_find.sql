SELECT dense_weight, gain, gain_low, gain_high, k, threshold, threshold_low, threshold_high,
    coverage, cosine, pairs, at_ms
FROM calibrations WHERE model = ?1
