//! Which sheets make one game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use sheetscan::cache::Digest;
use sheetscan::copies::{self, Gist};

use sheetscan::scan::{ScannedGame, Sheet};

use super::fixes::SheetName;
use super::pages::{self, Reach};
use super::pile::Table;

/// What a run remembers of a sheet that was read: a kilobyte or two.
pub struct Known {
    /// For messages.
    pub name: String,
    /// What it goes by.
    pub sheet: SheetName,
    /// For finding its copies.
    pub gist: Gist,
    /// For finding the same picture under another name.
    pub digest: Digest,
    /// For finding the page before it and the one behind it.
    pub reach: Reach,
    /// For finding sheets whose tables were taken for others than they are.
    pub table: Table,
    /// The form of the pile that its table was laid as, where it was not found.
    pub form: Option<usize>,
}

impl Known {
    /// What is remembered of a sheet; it has no name yet.
    pub fn of(sheet: &Sheet, digest: Digest) -> Self {
        Self {
            name: String::new(),
            sheet: SheetName::of(sheet),
            gist: Gist::of(&sheet.cells),
            digest,
            reach: Reach::of(sheet),
            table: Table::of(sheet),
            form: None,
        }
    }
}

/// The sheets of one game, by their places among all.
pub struct Group {
    /// Those whose pictures differ: for every copy its pages.
    pub copies: Vec<Vec<usize>>,
    /// Further sheets with the same picture as one of these, and which of the pages, copy by copy: a picture is
    /// evidence once.
    pub same: Vec<(usize, usize)>,
}

impl Group {
    /// The group of some copies; `alike` has the other sheets with the picture of a page.
    fn of(copies: Vec<Vec<usize>>, alike: &HashMap<usize, Vec<usize>>) -> Self {
        let pages = copies.iter().flatten().enumerate();
        let same = pages.flat_map(|(at, page)| {
            let others = alike.get(page).into_iter().flatten();
            others.map(move |&i| (i, at))
        });
        let mut same: Vec<(usize, usize)> = same.collect();
        same.sort_unstable();
        Self { copies, same }
    }

    /// All its sheets, in their order.
    pub fn members(&self) -> Vec<usize> {
        let pages = self.copies.iter().flatten().copied();
        let mut members: Vec<usize> = pages.chain(self.same.iter().map(|s| s.0)).collect();
        members.sort_unstable();
        members
    }

    /// Its name for messages.
    pub fn name(&self, known: &[Known]) -> String {
        let members = self.members();
        let names: Vec<&str> = members.iter().map(|&i| known[i].name.as_str()).collect();
        names.join(" + ")
    }

    /// The sheets that show a picture once more, without cells.
    pub fn same(&self, known: &[Known]) -> Vec<(Sheet, usize)> {
        let blank = |&(i, as_which): &(usize, usize)| {
            let sheet = Sheet {
                path: PathBuf::new(),
                page: 0,
                sha256: String::new(),
                cells: Vec::new(),
                words: Vec::new(),
            };
            (known[i].sheet.given_to(sheet), as_which)
        };
        self.same.iter().map(blank).collect()
    }

    /// What its sheets go by.
    pub fn sheets(&self, known: &[Known]) -> Vec<SheetName> {
        let members = self.members().into_iter();
        members.map(|i| known[i].sheet.clone()).collect()
    }
}

/// Sheets whose writing says that they are copies, and pages that continue each other and make one record; games in the order
/// of their first sheets. `decoded` gives the game of some copies, each of its pages, where that can be had.
pub fn found(
    known: &[Known],
    decoded: impl Fn(&[&[usize]]) -> Option<ScannedGame> + Sync,
) -> Vec<Group> {
    let joins = |pages: &[usize]| decoded(&[pages]).is_some_and(|game| pages::goes_on(&game));
    // The same picture belongs to the same game without being compared.
    let (pictures, alike) = pictures(known, 0..known.len());
    let mut copies = pages::joined(known, &pictures, joins);
    copies.sort();
    let gists: Vec<Gist> = copies
        .iter()
        .map(|pages| pages::gist(known, pages))
        .collect();
    let gists: Vec<&Gist> = gists.iter().collect();
    // Copies of one game are explained better by it than each by a game of its own.
    let weight = |copies: &[&[usize]]| decoded(copies).map(|scanned| scanned.game.weight);
    let confirms = |a: usize, b: usize| {
        let (a, b) = (copies[a].as_slice(), copies[b].as_slice());
        let weights = weight(&[a, b]).zip(weight(&[a]).zip(weight(&[b])));
        weights.is_some_and(|(both, (a, b))| both >= a + b)
    };
    let groups = copies::group(&gists, confirms).into_iter().map(|group| {
        let members = group.into_iter().map(|i| copies[i].clone());
        Group::of(members.collect(), &alike)
    });
    groups.collect()
}

/// The first sheet with each picture among some, and for such a one the others with its picture.
fn pictures(
    known: &[Known],
    sheets: impl IntoIterator<Item = usize>,
) -> (Vec<usize>, HashMap<usize, Vec<usize>>) {
    let mut first: HashMap<Digest, usize> = HashMap::new();
    let mut pictures: Vec<usize> = Vec::new();
    let mut alike: HashMap<usize, Vec<usize>> = HashMap::new();
    for i in sheets {
        let picture = *first.entry(known[i].digest).or_insert(i);
        if picture == i {
            pictures.push(i);
        } else {
            alike.entry(picture).or_default().push(i);
        }
    }
    (pictures, alike)
}

/// Sheets that the caller says are of one game: copies, or pages where their numbers say so.
pub fn said(known: &[Known], pairs: &[(PathBuf, PathBuf)]) -> Result<Vec<Group>> {
    let at = |path: &Path| {
        let place = known.iter().position(|known| known.sheet.path == path);
        place.with_context(|| {
            format!(
                "--pair names {}, of which no sheet was read",
                path.display()
            )
        })
    };
    let mut groups: Vec<Vec<usize>> = (0..known.len()).map(|i| vec![i]).collect();
    for (a, b) in pairs {
        let (a, b) = (at(a)?, at(b)?);
        let home = |i: usize| groups.iter().position(|g| g.contains(&i)).unwrap_or(i);
        let (a, b) = (home(a).min(home(b)), home(a).max(home(b)));
        if a != b {
            let more = groups.remove(b);
            groups[a].extend(more);
            groups[a].sort_unstable();
        }
    }
    let groups = groups.into_iter().map(|members| {
        let (pictures, alike) = pictures(known, members);
        Group::of(pages::joined(known, &pictures, |_| true), &alike)
    });
    Ok(groups.collect())
}
