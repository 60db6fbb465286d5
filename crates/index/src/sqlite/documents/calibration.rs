//! Calibrations of embedders.

use rusqlite::{Connection, OptionalExtension, params};

use super::super::failure::Attempt;
use super::super::row::execute;
use super::queries;
use crate::documents::model::Calibration;

/// The calibration of a model.
pub(super) fn find(connection: &Connection, model: &str) -> Attempt<Option<Calibration>> {
    let mut statement = connection.prepare_cached(queries::CALIBRATION_FIND)?;
    let found = statement.query_row([model], |row| {
        Ok(Calibration {
            dense_weight: row.get(0)?,
            gain: (row.get(1)?, row.get(2)?, row.get(3)?),
            k: row.get(4)?,
            threshold: (row.get(5)?, row.get(6)?, row.get(7)?),
            coverage: numbers(row.get_ref(8)?.as_blob()?),
            cosine: numbers(row.get_ref(9)?.as_blob()?),
            pairs: row.get(10)?,
            at_ms: row.get(11)?,
        })
    });
    Ok(found.optional()?)
}

/// Sets the calibration of a model.
pub(super) fn put(connection: &Connection, model: &str, new: &Calibration) -> Attempt<()> {
    let (gain, gain_low, gain_high) = new.gain;
    let (threshold, threshold_low, threshold_high) = new.threshold;
    let values = params![
        model,
        new.dense_weight,
        gain,
        gain_low,
        gain_high,
        new.k,
        threshold,
        threshold_low,
        threshold_high,
        bytes(&new.coverage),
        bytes(&new.cosine),
        new.pairs,
        new.at_ms
    ];
    execute(connection, queries::CALIBRATION_PUT, values)?;
    Ok(())
}

fn bytes(numbers: &[f64]) -> Vec<u8> {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    bytes.collect()
}

fn numbers(bytes: &[u8]) -> Vec<f64> {
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers
        .iter()
        .map(|bytes| f64::from_le_bytes(*bytes))
        .collect()
}
