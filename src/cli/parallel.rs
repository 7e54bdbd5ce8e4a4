//! Work on many items at a time, results in the order of the items.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Result;

/// How many sheets to work on at a time, and cells to read: one a core where nothing is asked for. To be called before a model is
/// loaded: one from a file is tried on a patch.
///
/// The sheets have threads of their own and leave rayon to the cells. As rayon tasks, a sheet that waits for its
/// cells would start another sheet on the same stack, and memory would grow with the number of sheets.
pub fn set_up(jobs: Option<NonZeroUsize>) -> Result<usize> {
    let jobs = match jobs {
        Some(jobs) => jobs.get(),
        None => thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build_global()?;
    Ok(jobs)
}

/// Hands `sink` the result of `work` for every item, first item first. An error of `sink` ends the work early.
pub fn in_order<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(usize, &T) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        // A bounded channel holds the workers back where the sink is slow.
        let (sender, results) = mpsc::sync_channel(jobs);
        for _ in 0..jobs.min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    // The receiver is gone where the sink failed.
                    if sender.send((i, work(i, item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut wanted = 0;
        for (i, result) in results {
            waiting.insert(i, result);
            while let Some(result) = waiting.remove(&wanted) {
                wanted += 1;
                sink(result)?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items = (0..50).collect::<Vec<u64>>();
        let slow_start = |_: usize, &n: &u64| {
            thread::sleep(std::time::Duration::from_millis(if n % 7 == 0 {
                5
            } else {
                0
            }));
            n
        };
        let mut seen = Vec::new();
        let sink = |n| {
            seen.push(n);
            Ok(())
        };
        in_order(&items, 4, slow_start, sink).unwrap();
        assert_eq!(seen, items);
    }

    #[test]
    fn a_failing_sink_ends_the_work() {
        let items = (0..1000).collect::<Vec<u64>>();
        let done = AtomicUsize::new(0);
        let count = |_: usize, _: &u64| done.fetch_add(1, Ordering::Relaxed);
        assert!(in_order(&items, 2, count, |_| anyhow::bail!("full")).is_err());
        assert!(done.into_inner() < 1000);
    }
}
