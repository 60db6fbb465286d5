//! Originals by their refs.

use std::borrow::Cow;

use base64::Engine as _;
use epitome_core::id::{ConversationId, FullRef, ShortRef};
use epitome_core::json;
use epitome_core::occurrence::OccurrenceKey;
use epitome_core::transcript::decode_content;
use epitome_index::Store;
use epitome_index::model::{Conversation, StoredCall, StoredFate};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Result;
use crate::error::ErrorKind;
use crate::state::{defines_its_ref, lineage};

/// Which calls are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// A ref, in one conversation or in the only one that has it.
    Ref {
        /// The conversation, where one was named.
        conversation: Option<ConversationId>,
        /// The ref.
        short: ShortRef,
    },
    /// A provider's id: every occurrence, or the one of this time.
    Provider {
        /// The conversation, where one was named.
        conversation: Option<ConversationId>,
        /// The id.
        id: String,
        /// Time of the result in milliseconds since the epoch.
        timestamp: Option<i64>,
    },
}

impl Selector {
    /// Reads `t12`, `S/t12`, a provider's id or an occurrence key `id@time`.
    pub fn parse(text: &str, session: Option<&ConversationId>) -> Self {
        let text = text.trim().trim_matches('`');
        if let Ok(FullRef {
            conversation,
            short,
        }) = text.parse()
        {
            return Self::Ref {
                conversation: Some(conversation),
                short,
            };
        }
        let conversation = session.cloned();
        if let Ok(short) = text.parse() {
            return Self::Ref {
                conversation,
                short,
            };
        }
        let Ok(OccurrenceKey { id, timestamp }) = text.parse();
        Self::Provider {
            conversation,
            id,
            timestamp,
        }
    }
}

/// A call with its original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Its full ref.
    pub full_ref: FullRef,
    /// Id that the provider issued.
    pub provider_id: String,
    /// Occurrence of that id in the conversation, from 1.
    pub occurrence: u32,
    /// Name of the tool.
    pub tool: String,
    /// Arguments as raw JSON text; empty where the call had none.
    pub args: String,
    /// Whether the result was flagged as an error.
    pub is_error: bool,
    /// Time of the result in milliseconds since the epoch, where known.
    pub timestamp: Option<i64>,
    /// Position of the assistant message among all assistant messages, from 0.
    pub turn: u32,
    /// Lines of the text.
    pub lines: u64,
    /// UTF-8 bytes of the text.
    pub bytes: u64,
    /// Raw JSON of the result's content, byte for byte as in the source; empty when absent.
    pub raw: Vec<u8>,
}

/// One part of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// `text/plain` or the media type of an image.
    pub media_type: String,
    /// The decoded bytes.
    pub bytes: Vec<u8>,
}

impl Recovered {
    /// The decoded text of the result.
    pub fn text(&self) -> String {
        decode_content(self.raw_text()).text.into_owned()
    }

    fn raw_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.raw)
            .ok()
            .filter(|raw| !raw.is_empty())
    }

    /// Media types of the parts, in order; a plain text is one part.
    pub fn parts(&self) -> Vec<Part> {
        let Some(raw) = self.raw_text() else {
            return Vec::new();
        };
        if let Some(text) = json::decode_string(raw) {
            return vec![plain(text.into_owned())];
        }
        let blocks: Vec<RawPart<'_>> = serde_json::from_str(raw).unwrap_or_default();
        blocks.iter().map(RawPart::decode).collect()
    }
}

fn plain(text: String) -> Part {
    Part {
        media_type: "text/plain".to_owned(),
        bytes: text.into_bytes(),
    }
}

#[derive(Deserialize)]
struct RawPart<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow, rename = "mimeType")]
    mime_type: Option<&'a RawValue>,
    source: Option<PartSource<'a>>,
}

#[derive(Deserialize)]
struct PartSource<'a> {
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    media_type: Option<&'a RawValue>,
}

impl RawPart<'_> {
    fn decode(&self) -> Part {
        if let Some(text) = self.text.and_then(json::string_of) {
            return plain(text.into_owned());
        }
        let source = self.source.as_ref();
        let data = self.data.or(source.and_then(|source| source.data));
        let media_type = self
            .mime_type
            .or(source.and_then(|source| source.media_type));
        let encoded = data.and_then(json::string_of).unwrap_or_default();
        let engine = base64::engine::general_purpose::STANDARD;
        Part {
            media_type: media_type
                .and_then(json::string_of)
                .map_or_else(|| "application/octet-stream".to_owned(), Cow::into_owned),
            // What is not base64 is handed out as it stands rather than lost.
            bytes: engine
                .decode(encoded.as_bytes())
                .unwrap_or_else(|_| encoded.into_owned().into_bytes()),
        }
    }
}

/// Finds the calls that are meant, in order; none is no error.
///
/// A bare ref that several conversations have is an error that lists the candidates: there is no
/// "latest" conversation.
pub fn recover(store: &dyn Store, selector: &Selector) -> Result<Vec<Recovered>> {
    let calls = match selector {
        Selector::Ref {
            conversation: Some(conversation),
            short,
        } => by_ref(store, conversation, *short)?,
        Selector::Ref {
            conversation: None,
            short,
        } => {
            let calls = store.calls_by_ref(None, *short)?;
            match only_lineage(store, &calls, *short)? {
                Some(youngest) => by_ref(store, &youngest, *short)?,
                None => calls,
            }
        }
        Selector::Provider {
            conversation,
            id,
            timestamp,
        } => {
            let mut calls = Vec::new();
            match conversation {
                Some(conversation) => {
                    for ancestor in lineage(store, conversation)?.iter().rev() {
                        calls.extend(store.calls_by_provider_id(Some(ancestor), id)?);
                    }
                }
                None => calls = store.calls_by_provider_id(None, id)?,
            }
            calls.retain(|call| timestamp.is_none() || call.timestamp == *timestamp);
            calls
        }
    };
    if let (
        Selector::Provider {
            conversation,
            id,
            timestamp: Some(time),
        },
        [],
    ) = (selector, calls.as_slice())
    {
        // An id may itself end like an occurrence key.
        let whole = Selector::Provider {
            conversation: conversation.clone(),
            id: format!("{id}@{time}"),
            timestamp: None,
        };
        return recover(store, &whole);
    }
    calls
        .into_iter()
        .filter_map(|call| original(store, call).transpose())
        .collect()
}

/// Calls with this ref in a conversation or those that it was resumed from, oldest first.
///
/// The youngest conversation that defines the ref decides what it means: a conversation that went on
/// after another was resumed from it gives the same numbers to other calls.
fn by_ref(
    store: &dyn Store,
    conversation: &ConversationId,
    short: ShortRef,
) -> Result<Vec<StoredCall>> {
    let mut calls = Vec::new();
    for ancestor in lineage(store, conversation)? {
        let found = store.calls_by_ref(Some(&ancestor), short)?;
        let defined = found.iter().any(defines_its_ref);
        calls.splice(0..0, found);
        if defined {
            break;
        }
    }
    Ok(calls)
}

/// The youngest conversation of the one line of descent that has this ref.
fn only_lineage(
    store: &dyn Store,
    calls: &[StoredCall],
    short: ShortRef,
) -> Result<Option<ConversationId>> {
    let mut holders: Vec<ConversationId> = Vec::new();
    let mut definers: Vec<&ConversationId> = Vec::new();
    for call in calls {
        if !holders.contains(&call.conversation) {
            holders.push(call.conversation.clone());
        }
        if defines_its_ref(call) && !definers.contains(&&call.conversation) {
            definers.push(&call.conversation);
        }
    }
    if holders.is_empty() {
        return Ok(None);
    }
    if definers.len() < 2 {
        for holder in &holders {
            let line = lineage(store, holder)?;
            if holders.iter().all(|other| line.contains(other)) {
                return Ok(Some(holder.clone()));
            }
        }
    }
    let candidates = holders
        .into_iter()
        .map(|conversation| FullRef {
            conversation,
            short,
        })
        .collect();
    Err(ErrorKind::AmbiguousRef { short, candidates }.into())
}

fn original(store: &dyn Store, call: StoredCall) -> Result<Option<Recovered>> {
    let StoredFate::Kept {
        short,
        args,
        result,
        ..
    } = call.fate
    else {
        return Ok(None);
    };
    Ok(Some(Recovered {
        full_ref: FullRef {
            conversation: call.conversation,
            short,
        },
        provider_id: call.key.id,
        occurrence: call.key.occurrence,
        tool: call.tool,
        args: String::from_utf8_lossy(&store.original(&args)?).into_owned(),
        is_error: call.is_error,
        timestamp: call.timestamp,
        turn: call.turn,
        lines: call.lines,
        bytes: call.bytes,
        raw: store.original(&result)?,
    }))
}

/// The conversation with this id, or of the session with this id of its own.
pub fn find_conversation(store: &dyn Store, text: &str) -> Result<Option<Conversation>> {
    if let Ok(id) = text.parse::<ConversationId>()
        && let Some(found) = store.conversation(&id)?
    {
        return Ok(Some(found));
    }
    for format in ["pi", "claude-code"] {
        let id = ConversationId::of_session(format, text);
        if let Some(found) = store.conversation(&id)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
