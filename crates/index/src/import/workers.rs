//! Runs work on threads and hands the results over in order.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;
use std::thread;

/// Results that a thread may be ahead; bounds the memory that waiting results take.
const AHEAD: usize = 4;

/// Converters walk nested documents by recursion.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Does `work` for each job on threads and calls `each` with its result, in the order of the jobs,
/// until it breaks. Fails when threads cannot be made.
pub(super) fn in_order<T: Sync, R: Send, B>(
    jobs: &[T],
    workers: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    mut each: impl FnMut(&T, R) -> ControlFlow<B>,
) -> io::Result<Option<B>> {
    let work = &work;
    let count = workers.get().min(jobs.len().max(1));
    thread::scope(|scope| {
        let mut receivers = Vec::with_capacity(count);
        for first in 0..count {
            let (sender, receiver) = sync_channel(AHEAD);
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || {
                    for job in jobs.iter().skip(first).step_by(count) {
                        if sender.send(work(job)).is_err() {
                            break;
                        }
                    }
                })?;
            receivers.push(receiver);
        }
        for (job, receiver) in jobs.iter().zip(receivers.iter().cycle()) {
            // A thread that is gone has panicked; the scope passes that on.
            let Ok(result) = receiver.recv() else { break };
            if let ControlFlow::Break(value) = each(job, result) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let check = |jobs: usize, workers: usize, stop: usize| {
            let jobs: Vec<usize> = (0..jobs).collect();
            let mut seen = Vec::new();
            let workers = NonZeroUsize::new(workers).unwrap();
            let broke = in_order(
                &jobs,
                workers,
                |job| job * 2,
                |job, double| {
                    seen.push((*job, double));
                    if *job == stop {
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
            let expected: Vec<_> = jobs
                .iter()
                .take(stop.saturating_add(1))
                .map(|&job| (job, job * 2))
                .collect();
            assert_eq!(seen, expected);
            assert_eq!(broke.is_some(), stop < jobs.len());
        };
        check(0, 2, usize::MAX);
        check(1, 8, usize::MAX);
        check(100, 1, usize::MAX);
        check(101, 3, usize::MAX);
        check(100, 3, 10);
    }
}
