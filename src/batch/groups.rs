//! Which sheets make one game.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::cache::Digest;
use crate::copies::{self, Doubt, TextFingerprint};
use crate::decode::Agreement;
use crate::scan::{ScannedGame, Sheet};

use super::agreement::GamesOfRecords;
use super::pages::{PageFit, count_continued_moves, join_fingerprints, join_pages};
use super::{BatchError, Parameters, SheetId, SheetSummary};

/// The sheets of one game, as indices among all sheets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetGroup {
    /// The sheets whose pictures differ: for every copy its pages in playing order.
    pub copies: Vec<Vec<usize>>,
    /// Further sheets that show the picture of one of these, and which of the pages, counted
    /// through all copies. They are no evidence of their own.
    pub same: Vec<(usize, usize)>,
    /// A sheet of another group that begins with the same moves, where it is not certain enough
    /// that both record one game.
    pub begins_like: Option<usize>,
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
        Self {
            copies,
            same,
            begins_like: None,
        }
    }

    /// A sheet by itself.
    pub(super) fn of_one(sheet: usize) -> Self {
        Self {
            copies: vec![vec![sheet]],
            same: Vec::new(),
            begins_like: None,
        }
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
                width: 0,
                height: 0,
                cut_short: false,
                code: None,
                words: Vec::new(),
                header: Vec::new(),
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
    let weights = RefCell::new(HashMap::<Vec<usize>, Option<f32>>::new());
    let fit_last_page = |pages: &[usize]| {
        let joint = decode(&[pages])?;
        let read_moves = count_continued_moves(&joint, parameters)?;
        let before = &pages[..pages.len() - 1];
        let weigh = || decode(&[before]).map(|before| before.game.weight);
        let mut weights = weights.borrow_mut();
        let weight = *weights.entry(before.to_vec()).or_insert_with(weigh);
        Some(PageFit {
            nats: joint.game.weight - weight?,
            read_moves,
        })
    };
    let both = (parameters, copy_parameters);
    let mut records = join_pages(summaries, &pictures.first, both, fit_last_page);
    records.sort_by_key(|pages| pages.iter().min().copied());
    let fingerprints: Vec<TextFingerprint> = records
        .iter()
        .map(|pages| join_fingerprints(summaries, pages))
        .collect();
    let fingerprints: Vec<&TextFingerprint> = fingerprints.iter().collect();
    // Copies of one game are explained better by it than each by a game of its own.
    let weight = |copies: &[&[usize]]| decode(copies).map(|scanned| scanned.game.weight);
    let is_explained_better = |a: usize, b: usize| {
        let (a, b) = (records[a].as_slice(), records[b].as_slice());
        let weights = weight(&[a, b]).zip(weight(&[a]).zip(weight(&[b])));
        weights.is_some_and(|(both, (a, b))| both >= a + b)
    };
    let games = GamesOfRecords::new(&records, |pages: &[usize]| decode(&[pages]));
    let confirm = |a: usize, b: usize, doubt: Doubt| match doubt {
        Doubt::Legibility => is_explained_better(a, b),
        Doubt::Length => {
            let agreement = games.agreement(a, b, copy_parameters);
            agreement.is_some_and(|agreement| agreement.is_of_one_game(copy_parameters))
        }
    };
    let printed = |a: usize, b: usize| {
        let code = |record: usize| summaries[records[record][0]].code;
        code(a)?.is_of_same_game(&code(b)?)
    };
    let groups = copies::group(&fingerprints, copy_parameters, printed, confirm);
    let mut pairs = copies::find_same_beginnings(&fingerprints, copy_parameters);
    pairs.retain(|&(a, b)| printed(a, b).is_none());
    let (groups, alike) = join_stopped_copies(groups, &pairs, copy_parameters, |a, b| {
        games.agreement(a, b, copy_parameters)
    });
    let groups = groups.into_iter().map(|group| {
        let other = group.iter().find_map(|record| alike.get(record));
        let copies = group.iter().map(|&i| records[i].clone());
        SheetGroup {
            begins_like: other.map(|&other| records[other][0]),
            ..SheetGroup::new(copies.collect(), &pictures)
        }
    });
    groups.collect()
}

/// Adds records with few cells to the group of the longer record whose beginning they are. `pairs`
/// are those whose texts allow it, the shorter record first. A record is added only where its moves
/// are the beginning of those of one other record alone, each in a group by itself: both players'
/// copies of a game are two sheets.
///
/// Gives the groups, and for each record that is not added but begins like another one, that other.
fn join_stopped_copies(
    mut groups: Vec<Vec<usize>>,
    pairs: &[(usize, usize)],
    parameters: &copies::Parameters,
    agreement: impl Fn(usize, usize) -> Option<Agreement>,
) -> (Vec<Vec<usize>>, BTreeMap<usize, usize>) {
    let group_of = |groups: &[Vec<usize>], record: usize| {
        let at = groups.iter().position(|group| group.contains(&record));
        at.unwrap_or(record)
    };
    let mut longer: BTreeMap<usize, Vec<(usize, Agreement)>> = BTreeMap::new();
    for &(short, long) in pairs {
        if group_of(&groups, short) == group_of(&groups, long) {
            continue;
        }
        let found = agreement(short, long);
        let is_reported = |a: &Agreement| a.nats >= parameters.min_reported_agreement_nats;
        if let Some(found) = found.filter(is_reported) {
            longer.entry(short).or_default().push((long, found));
        }
    }
    let mut alike = BTreeMap::new();
    for (short, others) in longer {
        let (long, found) = others[0];
        let (a, b) = (group_of(&groups, short), group_of(&groups, long));
        let are_single = groups[a].len() == 1 && groups[b].len() == 1;
        if others.len() == 1 && are_single && a != b && found.is_of_one_game(parameters) {
            let more = groups.remove(a.max(b));
            let group = &mut groups[a.min(b)];
            group.extend(more);
            group.sort_unstable();
        } else if a != b {
            alike.insert(short, long);
        }
    }
    (groups, alike)
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
    let groups = groups.into_iter();
    let groups =
        groups.map(|members| group_of_sheets(summaries, members, parameters, copy_parameters));
    Ok(groups.collect())
}

/// Some sheets that the caller says are of one game, as copies, or as pages where their numbers say
/// so.
pub(super) fn group_of_sheets(
    summaries: &[SheetSummary],
    members: Vec<usize>,
    parameters: &Parameters,
    copy_parameters: &copies::Parameters,
) -> SheetGroup {
    // The caller has said which pages belong together, so that none fits better than another one.
    let equal_fit = |_: &[usize]| {
        Some(PageFit {
            nats: 0.0,
            read_moves: 0,
        })
    };
    let pictures = Pictures::new(summaries, members);
    let parameters = (parameters, copy_parameters);
    let copies = join_pages(summaries, &pictures.first, parameters, equal_fit);
    SheetGroup::new(copies, &pictures)
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
