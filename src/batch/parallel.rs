//! Work on many items at a time, with the results in the order of the items.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Calls `work` for every item on `jobs` threads, and `sink` with the results on this thread, in
/// the order of the items.
///
/// The threads are no rayon tasks: a rayon task that waits for the cells of its sheet would start
/// another sheet on the same stack, and memory would grow with the number of sheets.
///
/// # Errors
/// The first error of `sink`, which ends the work early.
pub fn process_in_order<T: Sync, R: Send, E>(
    items: &[T],
    jobs: usize,
    work: impl Fn(usize, &T) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
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
                    // The receiver is dropped once the sink fails.
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
        let items: Vec<u64> = (0..50).collect();
        let work = |_: usize, &n: &u64| {
            let slow = n % 7 == 0;
            thread::sleep(std::time::Duration::from_millis(if slow { 5 } else { 0 }));
            n
        };
        let mut results = Vec::new();
        let sink = |n| {
            results.push(n);
            Ok::<_, ()>(())
        };
        process_in_order(&items, 4, work, sink).unwrap();
        assert_eq!(results, items);
    }

    #[test]
    fn a_failing_sink_ends_the_work() {
        let items: Vec<u64> = (0..1000).collect();
        let done = AtomicUsize::new(0);
        let work = |_: usize, _: &u64| done.fetch_add(1, Ordering::Relaxed);
        assert!(process_in_order(&items, 2, work, |_| Err("full")).is_err());
        assert!(done.into_inner() < 1000);
    }
}
