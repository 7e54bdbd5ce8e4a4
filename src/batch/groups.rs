//! Which sheets make one game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::cache::Digest;
use crate::copies::{self, TextFingerprint};
use crate::scan::{ScannedGame, Sheet};

use super::pages::{join_fingerprints, join_pages, last_page_continues};
use super::{BatchError, Parameters, SheetId, SheetSummary};

/// The sheets of one game, as indices among all sheets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetGroup {
    /// The sheets whose pictures differ: for every copy its pages in playing order.
    pub copies: Vec<Vec<usize>>,
    /// Further sheets that show the picture of one of these, and which of the pages, counted
    /// through all copies. They are no evidence of their own.
    pub same: Vec<(usize, usize)>,
}

impl SheetGroup {
    fn new(copies: Vec<Vec<usize>>, pictures: &Pictures) -> Self {
        let pages = copies.iter().flatten().enumerate();
        let same = pages.flat_map(|(at, page)| {
            let others = pictures.repeats.get(page).into_iter().flatten();
            others.map(move |&i| (i, at))
        });
        let mut same: Vec<(usize, usize)> = same.collect();
        same.sort_unstable();
        Self { copies, same }
    }

    /// All sheets of the group, in the order of the input.
    pub fn members(&self) -> Vec<usize> {
        let pages = self.copies.iter().flatten().copied();
        let mut members: Vec<usize> = pages.chain(self.same.iter().map(|s| s.0)).collect();
        members.sort_unstable();
        members
    }

    /// The names of the sheets for messages, with ` + ` between them.
    pub fn name(&self, summaries: &[SheetSummary]) -> String {
        let members = self.members();
        let names: Vec<&str> = members
            .iter()
            .map(|&i| summaries[i].name.as_str())
            .collect();
        names.join(" + ")
    }

    /// The identities of the sheets.
    pub fn ids(&self, summaries: &[SheetSummary]) -> Vec<SheetId> {
        let members = self.members().into_iter();
        members.map(|i| summaries[i].id.clone()).collect()
    }

    /// The further sheets of [`Self::same`], without cells, and the page that each repeats.
    pub fn same_sheets(&self, summaries: &[SheetSummary]) -> Vec<(Sheet, usize)> {
        let sheet = |&(i, page): &(usize, usize)| {
            let id = &summaries[i].id;
            let sheet = Sheet {
                path: id.path.clone(),
                page: id.page,
                sha256: id.sha256.clone(),
                cells: Vec::new(),
                cut_short: false,
                words: Vec::new(),
            };
            (sheet, page)
        };
        self.same.iter().map(sheet).collect()
    }
}

/// Groups sheets by what is read on them: pages that continue each other and make one record, and
/// copies that record the same moves. The groups are in the order of their first sheets.
///
/// `decode` gives the game of some copies, each a list of its pages; none where that fails. It is
/// called where the texts alone do not decide.
pub fn group_by_content(
    summaries: &[SheetSummary],
    parameters: &Parameters,
    copy_parameters: &copies::Parameters,
    decode: impl Fn(&[&[usize]]) -> Option<ScannedGame> + Sync,
) -> Vec<SheetGroup> {
    let pictures = Pictures::new(summaries, 0..summaries.len());
    let continues = |pages: &[usize]| {
        decode(&[pages]).is_some_and(|game| last_page_continues(&game, parameters))
    };
    let parameters = (parameters, copy_parameters);
    let mut records = join_pages(summaries, &pictures.first, parameters, continues);
    records.sort();
    let fingerprints: Vec<TextFingerprint> = records
        .iter()
        .map(|pages| join_fingerprints(summaries, pages))
        .collect();
    let fingerprints: Vec<&TextFingerprint> = fingerprints.iter().collect();
    // Copies of one game are explained better by it than each by a game of its own.
    let weight = |copies: &[&[usize]]| decode(copies).map(|scanned| scanned.game.weight);
    let confirm = |a: usize, b: usize| {
        let (a, b) = (records[a].as_slice(), records[b].as_slice());
        let weights = weight(&[a, b]).zip(weight(&[a]).zip(weight(&[b])));
        weights.is_some_and(|(both, (a, b))| both >= a + b)
    };
    let groups = copies::group(&fingerprints, copy_parameters, confirm);
    let groups = groups.into_iter().map(|group| {
        let copies = group.into_iter().map(|i| records[i].clone());
        SheetGroup::new(copies.collect(), &pictures)
    });
    groups.collect()
}

/// Groups sheets as the caller says: the sheets of the two files of a pair are of one game, as
/// copies, or as pages where their numbers say so. A sheet that no pair names is by itself.
///
/// # Errors
/// [`BatchError::UnmatchedPair`] where no sheet is of a file that a pair names.
pub fn group_by_pairs(
    summaries: &[SheetSummary],
    pairs: &[(PathBuf, PathBuf)],
    parameters: &Parameters,
    copy_parameters: &copies::Parameters,
) -> Result<Vec<SheetGroup>, BatchError> {
    let sheet = |path: &Path| {
        let i = summaries.iter().position(|sheet| sheet.id.path == path);
        i.ok_or_else(|| BatchError::UnmatchedPair(path.to_owned()))
    };
    let mut groups: Vec<Vec<usize>> = (0..summaries.len()).map(|i| vec![i]).collect();
    for (a, b) in pairs {
        let (a, b) = (sheet(a)?, sheet(b)?);
        let group_of = |i: usize| groups.iter().position(|g| g.contains(&i)).unwrap_or(i);
        let (a, b) = (group_of(a), group_of(b));
        let (a, b) = (a.min(b), a.max(b));
        if a != b {
            let more = groups.remove(b);
            groups[a].extend(more);
            groups[a].sort_unstable();
        }
    }
    let parameters = (parameters, copy_parameters);
    let groups = groups.into_iter().map(|members| {
        let pictures = Pictures::new(summaries, members);
        let copies = join_pages(summaries, &pictures.first, parameters, |_| true);
        SheetGroup::new(copies, &pictures)
    });
    Ok(groups.collect())
}

/// Some sheets by their pictures.
struct Pictures {
    /// The first sheet with each picture, in the order of the sheets.
    first: Vec<usize>,
    /// The further sheets with the picture of a first one.
    repeats: HashMap<usize, Vec<usize>>,
}

impl Pictures {
    fn new(summaries: &[SheetSummary], sheets: impl IntoIterator<Item = usize>) -> Self {
        let mut first_with: HashMap<Digest, usize> = HashMap::new();
        let mut pictures = Self {
            first: Vec::new(),
            repeats: HashMap::new(),
        };
        for i in sheets {
            let first = *first_with.entry(summaries[i].digest).or_insert(i);
            if first == i {
                pictures.first.push(i);
            } else {
                pictures.repeats.entry(first).or_default().push(i);
            }
        }
        pictures
    }
}
