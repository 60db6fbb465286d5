REPLACE INTO calibrations (
    model, dense_weight, gain, gain_low, gain_high, k, threshold, threshold_low, threshold_high,
    coverage, cosine, pairs, at_ms
) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
