//! The lexical leg: the index proposes chunks, their own texts decide their order.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use epitome_core::lexical::{Kind, Plan, Question, Role, Term, read};
use epitome_core::rank::{Candidate, RankedChunk, rescore};
use epitome_index::Result;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{ChunkId, DocumentId, LexicalHit, LexicalQuery};

use super::SearchRequest;

/// Chunks that the index is asked for at first.
const FIRST_LIMIT: usize = 100;

/// Most chunks that it is asked for when a few documents fill the first ones.
const LAST_LIMIT: usize = 1600;

/// Chunks of the lexical leg.
#[derive(Debug)]
pub(crate) struct Candidates {
    /// The query's terms.
    pub(crate) plan: Plan,
    /// Weight of each term.
    pub(crate) weights: Vec<f64>,
    /// The chunks, best first.
    pub(crate) ranked: Vec<RankedChunk>,
    /// Share of the query's weight in each of them.
    pub(crate) coverages: Vec<f64>,
    /// Where each chunk stands in its document.
    pub(crate) ranges: HashMap<ChunkId, Range<usize>>,
    /// Share of the query's weight in the best document.
    pub(crate) coverage: f64,
}

/// Finds and orders the chunks that the words of a query lead to.
pub(super) fn find_candidates(
    store: &dyn DocumentStore,
    request: &SearchRequest<'_>,
) -> Result<Candidates> {
    let plan = make_plan(store, request.query)?;
    let hits = ask(store, &plan, request)?;
    let ids: Vec<_> = hits.iter().map(|hit| hit.chunk).collect();
    let chunks = store.chunks_by_id(&ids)?;
    let documents: Vec<_> = distinct(&hits).into_iter().collect();
    let documents = store.documents_by_id(&documents)?;
    let titles: HashMap<_, _> = documents
        .iter()
        .map(|document| (document.id, document.title.as_str()))
        .collect();
    let candidates: Vec<_> = chunks
        .iter()
        .map(|chunk| Candidate {
            chunk: chunk.id,
            document: chunk.document,
            position: chunk.position,
            title: titles.get(&chunk.document).copied().unwrap_or_default(),
            trail: &chunk.trail,
            text: &chunk.text,
        })
        .collect();
    let rescored = rescore(&plan, &candidates);
    Ok(Candidates {
        coverage: rescored.chunks.first().map_or(0.0, |best| best.coverage),
        ranges: chunks
            .iter()
            .map(|chunk| (chunk.id, chunk.range.clone()))
            .collect(),
        ranked: rescored.chunks.iter().map(|chunk| chunk.ranked).collect(),
        coverages: rescored.chunks.iter().map(|chunk| chunk.coverage).collect(),
        weights: rescored.weights,
        plan,
    })
}

fn make_plan(store: &dyn DocumentStore, query: &str) -> Result<Plan> {
    let terms = read(query);
    let counted: Vec<_> = terms.iter().filter(|term| is_counted(term)).collect();
    let texts: Vec<_> = counted.iter().map(|term| term.text.clone()).collect();
    let frequencies = store.chunk_frequencies(&texts)?;
    let known: HashMap<_, _> = texts.into_iter().zip(frequencies).collect();
    Ok(Plan::new(terms, store.chunk_count(None)?, |term| {
        is_counted(term).then(|| known.get(&term.text).copied())?
    }))
}

/// Whether the index is asked how many chunks a term stands in. Stop words are in so many that
/// counting them costs more than it tells; phrases are counted in the candidates.
fn is_counted(term: &Term) -> bool {
    term.kind == Kind::Word && term.role != Role::Stop
}

/// Asks for the content of the query, for more chunks where few documents fill them, and for all
/// terms where the content finds too few documents.
fn ask(
    store: &dyn DocumentStore,
    plan: &Plan,
    request: &SearchRequest<'_>,
) -> Result<Vec<LexicalHit>> {
    let (mut question, all) = (plan.first(), plan.all());
    let mut limit = FIRST_LIMIT.max(request.limit);
    loop {
        let hits = store.search_lexical(&lexical_query(&question, request.source, limit))?;
        let is_full = hits.len() >= limit;
        if distinct(&hits).len() >= request.limit {
            return Ok(hits);
        }
        if is_full && limit < LAST_LIMIT {
            limit *= 4;
        } else if question != all {
            question.clone_from(&all);
        } else {
            return Ok(hits);
        }
    }
}

fn lexical_query(question: &Question, source: Option<&str>, limit: usize) -> LexicalQuery {
    LexicalQuery {
        words: question.words.clone(),
        bigrams: question.bigrams.clone(),
        trigrams: question.trigrams.clone(),
        substrings: question.substrings.clone(),
        source: source.map(str::to_owned),
        limit,
    }
}

fn distinct(hits: &[LexicalHit]) -> HashSet<DocumentId> {
    hits.iter().map(|hit| hit.document).collect()
}
