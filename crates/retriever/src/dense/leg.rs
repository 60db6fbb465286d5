//! From a query to the dense leg of its search.

use std::collections::HashSet;

use epitome_core::gate::{Spread, Spreads};
use epitome_core::id::DocumentId;
use epitome_core::rank::{FusionOptions, RankedChunk};
use epitome_index::Result;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::Calibration;

use super::DenseIndex;
use crate::search::DenseLeg;

/// Chunks of the dense leg.
const LIMIT: usize = 100;

/// Share of the chunks that need a vector before the dense leg counts. Below it most of what is
/// close to a query has no vector yet, and the words alone rank better.
const FEWEST_VECTORS: f64 = 0.9;

/// Documents that are asked for at a time.
const PAGE: usize = 1000;

/// The dense leg of one query with how it counts.
#[derive(Debug, Clone)]
pub struct QueryLeg {
    /// Best first, each with its cosine.
    pub chunks: Vec<RankedChunk>,
    /// How it is fused.
    pub fusion: FusionOptions,
    /// The gate's threshold on the signal that this leg takes part in.
    pub threshold: f64,
    /// How the gate's signals are spread, where the cosine has a part in it.
    pub spreads: Option<Spreads>,
}

impl QueryLeg {
    /// The leg as a search takes it.
    pub fn as_leg(&self) -> DenseLeg<'_> {
        DenseLeg {
            chunks: &self.chunks,
            fusion: self.fusion,
        }
    }
}

/// Finds the chunks close to the vector of a query. `None` where the words should rank alone: too
/// few chunks have a vector of the model, or the calibration gives it no weight.
pub fn find_close(
    store: &dyn DocumentStore,
    index: &DenseIndex,
    vector: &[f32],
    source: Option<&str>,
) -> Result<Option<QueryLeg>> {
    let Some(calibration) = store.calibration(index.model())? else {
        return Ok(None);
    };
    let chunks = store.chunk_count(None)?;
    let has_enough = index.vectors() as f64 >= FEWEST_VECTORS * chunks as f64;
    if !has_enough || calibration.dense_weight <= 0.0 {
        return Ok(None);
    }
    let documents = source.map(|source| ids(store, source)).transpose()?;
    Ok(Some(QueryLeg {
        chunks: index.closest(vector, LIMIT, documents.as_ref()),
        fusion: FusionOptions {
            k: calibration.k,
            dense_weight: calibration.dense_weight,
        },
        threshold: calibration.threshold.0,
        spreads: spreads(calibration),
    }))
}

fn spreads(calibration: Calibration) -> Option<Spreads> {
    Some(Spreads {
        coverage: Spread::from_quantiles(calibration.coverage)?,
        cosine: Spread::from_quantiles(calibration.cosine)?,
    })
}

fn ids(store: &dyn DocumentStore, source: &str) -> Result<HashSet<DocumentId>> {
    let mut ids = HashSet::new();
    let mut after = None;
    loop {
        let page = store.documents(Some(source), after.as_ref(), PAGE)?;
        let Some(last) = page.last() else {
            return Ok(ids);
        };
        after = Some(last.path.clone());
        ids.extend(page.iter().map(|document| document.id));
    }
}
