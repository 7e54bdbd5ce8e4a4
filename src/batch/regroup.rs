//! Sheets that a person has said to record one game, or none with others.

use crate::copies;

use super::groups::group_of_sheets;
use super::{Fixes, Parameters, SheetGroup, SheetSummary};

/// Groups sheets anew where a person has said so: first takes every sheet of which something is
/// said out of its group, and then joins those that are copies or pages with the group of the other
/// sheet. The groups are in the order of their first sheets.
pub fn regroup(
    groups: &[SheetGroup],
    summaries: &[SheetSummary],
    fixes: &Fixes,
    parameters: &Parameters,
    copy_parameters: &copies::Parameters,
) -> Vec<SheetGroup> {
    let find = |name: &str| summaries.iter().position(|sheet| sheet.id.has_name(name));
    // The members of each group, and the group itself as long as nobody says otherwise.
    let mut parts: Vec<(Vec<usize>, Option<&SheetGroup>)> = groups
        .iter()
        .map(|group| (group.members(), Some(group)))
        .collect();
    for fix in fixes.of_copies() {
        let Some(sheet) = find(&fix.sheet) else {
            continue;
        };
        // The same picture under another name stays with it.
        let is_apart = |i: &usize| summaries[*i].digest == summaries[sheet].digest;
        let at = part_of(&parts, sheet);
        let (apart, others): (Vec<usize>, Vec<usize>) =
            parts[at].0.iter().partition(|i| is_apart(i));
        if !others.is_empty() {
            parts[at] = (others, None);
            parts.push((apart, None));
        }
    }
    for fix in fixes.of_copies() {
        let other = fix.copy_of().and_then(find);
        let Some((sheet, other)) = find(&fix.sheet).zip(other) else {
            continue;
        };
        let (a, b) = (part_of(&parts, sheet), part_of(&parts, other));
        if a != b {
            let (more, _) = parts.remove(a.max(b));
            let joined = &mut parts[a.min(b)];
            joined.0.extend(more);
            joined.0.sort_unstable();
            joined.1 = None;
        }
    }
    parts.sort_by_key(|(members, _)| members.first().copied());
    let group = |(members, kept): (Vec<usize>, Option<&SheetGroup>)| match kept {
        Some(group) => group.clone(),
        None => group_of_sheets(summaries, members, parameters, copy_parameters),
    };
    parts.into_iter().map(group).collect()
}

/// Index of the part with a sheet. Every sheet is in one.
fn part_of(parts: &[(Vec<usize>, Option<&SheetGroup>)], sheet: usize) -> usize {
    let at = parts
        .iter()
        .position(|(members, _)| members.contains(&sheet));
    at.unwrap_or_default()
}
