//! Pure domain of epitome.
//!
//! Core performs no I/O, reads no clock, spawns nothing and never panics on input. Time, ids and
//! randomness come in as values.
//!
//! ```
//! use epitome_core::condense::{Condensed, Extent, plan_edits, replay};
//! use epitome_core::id::ShortRef;
//! use epitome_core::{edit, wire};
//!
//! let source = br#"{"type":"session","version":3,"id":"s","cwd":"/p"}
//! {"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"read","arguments":{"path":"a.rs"}}]}}
//! {"type":"message","id":"b","parentId":"a","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"fn a() {}"}]}}
//! {"type":"message","id":"d","parentId":"b","message":{"role":"assistant","content":[{"type":"text","text":"Done."}]}}
//! "#;
//! let transcript = wire::read(source)?;
//! let plan = replay(&transcript, Extent::Context, 3);
//! let call = plan.flushes[0].turns[0].calls[0];
//! assert_eq!(transcript.calls[call].tool, "read");
//!
//! let stub = Condensed { short: ShortRef::FIRST, replacement: r#"["…"]"#.to_owned() };
//! let edits = plan_edits(source, &transcript, [(call, stub)]);
//! let output = edit::apply(source, &edit::normalize(source, edits));
//! assert!(String::from_utf8_lossy(&output.bytes).contains(r#""toolCallId":"c","content":["…"]}"#));
//! # Ok::<(), wire::WireError>(())
//! ```
//!
//! What a module is for:
//! - identity: [`id`], [`call`], [`occurrence`], [`hash`], [`time`];
//! - session files: [`wire`] reads them into a [`transcript`], [`json`] finds values in raw text,
//!   [`edit`] changes byte ranges and nothing else;
//! - condensing: [`condense`] plans it, [`batch`] groups turns, [`capture`] takes calls from live
//!   messages, [`protect`] and [`mod@glob`] keep calls raw, [`serialize`], [`label`] and [`footer`]
//!   are what summarizers read and write, [`stub`] and [`details`] are what stands in the output,
//!   [`capability`] knows models, [`tokens`] estimates;
//! - recovery: [`answer`] lays out what the recovery tool says, [`truncate`] pages it, [`pretty`]
//!   prints arguments;
//! - documents: [`front_matter`] and [`chunk`] cut them, [`lexical`], [`bigram`] and [`quantize`]
//!   make them comparable, [`rank`], [`select`], [`gate`] and [`snippet`] choose, [`evaluate`]
//!   measures, [`mask`] hides secrets;
//! - [`text`]: lengths, cuts and white space as the reference system counts them.

#![forbid(unsafe_code)]

pub mod answer;
pub mod batch;
pub mod bigram;
pub mod call;
pub mod capability;
pub mod capture;
pub mod chunk;
pub mod condense;
pub mod details;
pub mod edit;
pub mod evaluate;
pub mod footer;
pub mod front_matter;
pub mod gate;
pub mod glob;
pub mod hash;
pub mod id;
pub mod json;
pub mod label;
pub mod lexical;
pub mod mask;
pub mod occurrence;
pub mod pretty;
pub mod protect;
pub mod quantize;
pub mod rank;
pub mod select;
pub mod serialize;
pub mod snippet;
pub mod stub;
pub mod text;
pub mod time;
pub mod tokens;
pub mod transcript;
pub mod truncate;
pub mod wire;
