//! The whole original session back from a condensed one.

use epitome_core::edit::{self, Edit};
use epitome_core::id::{BlobId, CallKey};
use epitome_core::stub;
use epitome_core::transcript::decode_content;
use epitome_core::wire;
use epitome_index::Store;
use epitome_index::model::{StoredFate, StoredRendering};
use sha2::{Digest as _, Sha256};

use crate::Result;
use crate::error::ErrorKind;
use crate::state::lineage;

/// A session put together again.
#[derive(Debug)]
pub struct Expanded {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How it was done.
    pub manner: Manner,
}

/// How exact an expansion is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Manner {
    /// The source, byte for byte.
    Whole,
    /// The source, byte for byte, then the lines that were added to the condensed file.
    Grown {
        /// Bytes that were added.
        added_bytes: usize,
    },
    /// The file was changed since it was condensed: results are back where stubs stand, the rest
    /// is as found.
    ByStubs {
        /// Results put back.
        restored: usize,
        /// Stubs whose originals this store does not have.
        missing: usize,
    },
}

/// Puts the source of a condensed session together again.
pub fn expand(condensed: &[u8], store: &dyn Store) -> Result<Expanded> {
    for rendering in matching_renderings(condensed, store)? {
        let length = rendering.output_length as usize;
        let mut bytes = undo(&condensed[..length], &rendering, store)?;
        if BlobId::of(&bytes) != rendering.source {
            continue;
        }
        let added = &condensed[length..];
        bytes.extend_from_slice(added);
        let manner = if added.is_empty() {
            Manner::Whole
        } else {
            Manner::Grown {
                added_bytes: added.len(),
            }
        };
        return Ok(Expanded { bytes, manner });
    }
    by_stubs(condensed, store)
}

/// Whether these bytes are, to the last one, an output that the store can expand.
pub fn is_output(bytes: &[u8], store: &dyn Store) -> Result<bool> {
    let renderings = matching_renderings(bytes, store)?;
    Ok(renderings
        .iter()
        .any(|rendering| rendering.output_length == bytes.len() as u64))
}

/// Renderings whose whole output stands at the start of the file, longest first.
fn matching_renderings(condensed: &[u8], store: &dyn Store) -> Result<Vec<StoredRendering>> {
    let mut candidates = store.renderings(condensed.len() as u64)?;
    candidates.sort_by_key(|rendering| rendering.output_length);
    let mut hasher = Sha256::new();
    let mut done = 0;
    let mut matching = Vec::new();
    for rendering in candidates {
        let length = rendering.output_length as usize;
        hasher.update(&condensed[done..length]);
        done = length;
        if BlobId::from_bytes(hasher.clone().finalize().into()) == rendering.output {
            matching.push(rendering);
        }
    }
    matching.reverse();
    Ok(matching)
}

fn undo(output: &[u8], rendering: &StoredRendering, store: &dyn Store) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(rendering.source_length as usize);
    let mut done = 0;
    for edit in store.rendering_edits(&rendering.output)? {
        let start = (edit.offset as usize).clamp(done, output.len());
        bytes.extend_from_slice(&output[done..start]);
        bytes.extend_from_slice(&store.original(&edit.original)?);
        done = (start + edit.length as usize).min(output.len());
    }
    bytes.extend_from_slice(&output[done..]);
    Ok(bytes)
}

/// Puts results back where stubs of ours stand.
fn by_stubs(condensed: &[u8], store: &dyn Store) -> Result<Expanded> {
    let transcript = wire::read(condensed)?;
    let mut edits = Vec::new();
    let (mut restored, mut missing) = (0, 0);
    for call in &transcript.calls {
        for result in &call.results {
            let Some(span) = result.content.clone() else {
                continue;
            };
            let raw = std::str::from_utf8(&condensed[span.clone()]).ok();
            let Some(full_ref) = stub::parse(&decode_content(raw).text) else {
                continue;
            };
            match stored_result(store, &full_ref, &call.key)? {
                Some(original) => {
                    restored += 1;
                    let replacement = String::from_utf8_lossy(&original).into_owned();
                    edits.push(Edit { span, replacement });
                }
                None => missing += 1,
            }
        }
    }
    if restored == 0 {
        return Err(ErrorKind::NotCondensed { missing }.into());
    }
    let edits = edit::normalize(condensed, edits);
    let bytes = edit::apply(condensed, &edits).bytes;
    Ok(Expanded {
        bytes,
        manner: Manner::ByStubs { restored, missing },
    })
}

/// The raw content of the occurrence that a stub stands for.
fn stored_result(
    store: &dyn Store,
    full_ref: &epitome_core::id::FullRef,
    key: &CallKey,
) -> Result<Option<Vec<u8>>> {
    for conversation in lineage(store, &full_ref.conversation)? {
        for call in store.calls_by_ref(Some(&conversation), full_ref.short)? {
            if let StoredFate::Kept { result, .. } = &call.fate
                && call.key == *key
            {
                return Ok(Some(store.original(result)?));
            }
        }
    }
    Ok(None)
}
