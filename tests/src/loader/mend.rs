//! What Claude Code does to calls and results that do not add up, before it sends them.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::Turn;

/// Mends turns and notes what was mended.
///
/// A call without a result goes, a second result goes, a result without a call and the second call
/// of one id become texts. Results stand before whatever else the user says.
pub(super) fn mend(turns: Vec<Turn>, notes: &mut Vec<String>) -> Vec<Turn> {
    let mut seen = HashSet::new();
    let mut mended: Vec<Turn> = Vec::new();
    for mut turn in turns {
        if turn.role == "assistant" {
            for block in &mut turn.blocks {
                replace_repeated_call(block, &mut seen, notes);
            }
            mended.push(turn);
            continue;
        }
        // Neighbours are one turn, so that every result of a response is in one place.
        match mended.last_mut().filter(|last| last.role == "user") {
            Some(last) => last.blocks.extend(turn.blocks),
            None => mended.push(turn),
        }
    }
    for index in 0..mended.len() {
        if mended[index].role == "user" {
            let asked = match index.checked_sub(1) {
                Some(before) => calls_back_to_user(&mended[..=before]),
                None => HashSet::new(),
            };
            answer(&mut mended[index], &asked, notes);
        }
    }
    drop_unanswered(&mut mended, notes);
    mended.retain(|turn| !turn.blocks.is_empty());
    mended
}

fn replace_repeated_call(block: &mut Value, seen: &mut HashSet<String>, notes: &mut Vec<String>) {
    let Some(id) = id_of(block, "tool_use", "id") else {
        return;
    };
    if !seen.insert(id.clone()) {
        notes.push(format!("a second call {id}"));
        *block = json!({ "type": "text", "text": "[Tool use interrupted]" });
    }
}

/// Calls of the assistant turns at the end.
fn calls_back_to_user(turns: &[Turn]) -> HashSet<String> {
    let assistants = turns
        .iter()
        .rev()
        .take_while(|turn| turn.role == "assistant");
    assistants
        .flat_map(|turn| &turn.blocks)
        .filter_map(|block| id_of(block, "tool_use", "id"))
        .collect()
}

fn answer(turn: &mut Turn, asked: &HashSet<String>, notes: &mut Vec<String>) {
    let mut answered = HashSet::new();
    let (mut results, mut rest) = (Vec::new(), Vec::new());
    for block in turn.blocks.drain(..) {
        let Some(id) = id_of(&block, "tool_result", "tool_use_id") else {
            rest.push(block);
            continue;
        };
        if !asked.contains(&id) {
            notes.push(format!("a result without a call {id}"));
            rest.push(json!({ "type": "text", "text": "(no content)" }));
        } else if answered.insert(id.clone()) {
            results.push(block);
        } else {
            notes.push(format!("a second result {id}"));
        }
    }
    turn.blocks = results;
    turn.blocks.extend(rest);
}

fn drop_unanswered(turns: &mut [Turn], notes: &mut Vec<String>) {
    let mut answered = HashSet::new();
    for turn in turns.iter_mut().rev() {
        if turn.role == "user" {
            answered = turn
                .blocks
                .iter()
                .filter_map(|block| id_of(block, "tool_result", "tool_use_id"))
                .collect();
            continue;
        }
        turn.blocks.retain(|block| {
            let unanswered = id_of(block, "tool_use", "id").filter(|id| !answered.contains(id));
            if let Some(id) = &unanswered {
                notes.push(format!("a call without a result {id}"));
            }
            unanswered.is_none()
        });
    }
}

fn id_of(block: &Value, kind: &str, key: &str) -> Option<String> {
    (block["type"] == kind).then(|| block[key].as_str().unwrap_or_default().to_owned())
}
