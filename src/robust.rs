//! Statistics that outliers hardly move.

use std::cmp::Ordering;

/// The median by an order, of an even count the upper one of the two in the middle; None of
/// nothing.
pub(crate) fn median<T: Copy>(
    values: impl IntoIterator<Item = T>,
    order: impl FnMut(&T, &T) -> Ordering,
) -> Option<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    let half = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(half, order).1)
}
