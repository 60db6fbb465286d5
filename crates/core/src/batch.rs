//! Grouping of batches before they are summarized.

use crate::call::CapturedBatch;

/// How many turns share one summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Batching {
    /// Every turn has its own.
    Turn,
    /// Consecutive turns after one user message share one.
    AgentMessage,
}

/// Groups batches, condense specification 2.3.
///
/// A batch that knows no user message stands alone and parts its neighbours.
pub fn group_batches(batches: Vec<CapturedBatch>, batching: Batching) -> Vec<CapturedBatch> {
    match batching {
        Batching::Turn => batches,
        Batching::AgentMessage => merge_runs(batches),
    }
}

fn merge_runs(batches: Vec<CapturedBatch>) -> Vec<CapturedBatch> {
    let mut merged: Vec<CapturedBatch> = Vec::with_capacity(batches.len());
    for batch in batches {
        match merged.last_mut() {
            Some(last) if share_a_group(last, &batch) => append(last, batch),
            _ => merged.push(batch),
        }
    }
    merged
}

fn share_a_group(left: &CapturedBatch, right: &CapturedBatch) -> bool {
    left.user_turn_group.is_some() && left.user_turn_group == right.user_turn_group
}

/// Adds a later turn; its position and time count for the whole.
fn append(batch: &mut CapturedBatch, later: CapturedBatch) {
    batch.turn = later.turn;
    batch.timestamp = later.timestamp;
    if !batch.assistant_text.is_empty() && !later.assistant_text.is_empty() {
        batch.assistant_text.push_str("\n\n");
    }
    batch.assistant_text.push_str(&later.assistant_text);
    batch.calls.extend(later.calls);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::CapturedCall;
    use proptest::prelude::*;

    fn batch(turn: usize, text: &str, group: Option<usize>, calls: &[&str]) -> CapturedBatch {
        CapturedBatch {
            turn,
            timestamp: i64::try_from(turn).unwrap(),
            assistant_text: text.to_owned(),
            user_turn_group: group,
            calls: calls
                .iter()
                .map(|id| CapturedCall {
                    id: (*id).to_owned(),
                    ..CapturedCall::default()
                })
                .collect(),
        }
    }

    #[test]
    fn turns_stay_apart() {
        let batches = vec![
            batch(0, "a", Some(1), &["x"]),
            batch(1, "b", Some(1), &["y"]),
        ];
        assert_eq!(group_batches(batches.clone(), Batching::Turn), batches);
    }

    #[test]
    fn neighbours_of_one_user_message_merge() {
        let batches = vec![
            batch(0, "a", Some(1), &["x"]),
            batch(1, "", Some(1), &["y", "z"]),
            batch(2, "c", Some(1), &[]),
            batch(3, "d", Some(2), &["u"]),
        ];
        let expected = vec![
            batch(2, "a\n\nc", Some(1), &["x", "y", "z"]),
            batch(3, "d", Some(2), &["u"]),
        ];
        assert_eq!(group_batches(batches, Batching::AgentMessage), expected);
    }

    #[test]
    fn a_batch_without_a_group_parts_its_neighbours() {
        let batches = vec![
            batch(0, "a", Some(1), &["x"]),
            batch(1, "b", None, &["y"]),
            batch(2, "c", None, &["z"]),
            batch(3, "d", Some(1), &["u"]),
        ];
        assert_eq!(
            group_batches(batches.clone(), Batching::AgentMessage),
            batches
        );
    }

    proptest! {
        #[test]
        fn grouping_keeps_every_call_in_order(groups in prop::collection::vec(any::<Option<bool>>(), 0..12)) {
            let ids: Vec<String> = (0..groups.len()).map(|n| n.to_string()).collect();
            let batches: Vec<_> = groups
                .iter()
                .zip(&ids)
                .enumerate()
                .map(|(turn, (group, id))| batch(turn, "", group.map(usize::from), &[id]))
                .collect();
            let grouped = group_batches(batches, Batching::AgentMessage);
            let after: Vec<String> = grouped.into_iter().flat_map(|b| b.calls).map(|c| c.id).collect();
            prop_assert_eq!(after, ids);
        }
    }
}
