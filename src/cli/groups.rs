//! Which sheets make one game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use sheetscan::cache::Digest;
use sheetscan::copies::{self, Gist};

use sheetscan::scan::Sheet;

use super::fixes::SheetName;

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
}

impl Known {
    /// What is remembered of a sheet; it has no name yet.
    pub fn of(sheet: &Sheet, digest: Digest) -> Self {
        Self {
            name: String::new(),
            sheet: SheetName::of(sheet),
            gist: Gist::of(&sheet.cells),
            digest,
        }
    }
}

/// The sheets of one game, by their places among all.
pub struct Group {
    /// Those whose pictures differ.
    pub sheets: Vec<usize>,
    /// Further sheets with the same picture as one of these, and which: a picture is evidence once.
    pub same: Vec<(usize, usize)>,
}

impl Group {
    fn of(members: Vec<usize>, known: &[Known]) -> Self {
        let mut group = Self {
            sheets: Vec::new(),
            same: Vec::new(),
        };
        for i in members {
            let alike = |&j: &usize| known[j].digest == known[i].digest;
            match group.sheets.iter().position(alike) {
                Some(j) => group.same.push((i, j)),
                None => group.sheets.push(i),
            }
        }
        group
    }

    /// All its sheets, in their order.
    pub fn members(&self) -> Vec<usize> {
        let same = self.same.iter().map(|&(i, _)| i);
        let mut members: Vec<usize> = self.sheets.iter().copied().chain(same).collect();
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

/// Sheets whose writing says that they are copies; games in the order of their first sheets.
pub fn found(known: &[Known]) -> Vec<Group> {
    // The same picture belongs to the same game without being compared.
    let mut first: HashMap<Digest, usize> = HashMap::new();
    let mut pictures: Vec<Vec<usize>> = Vec::new();
    for (i, sheet) in known.iter().enumerate() {
        let place = *first.entry(sheet.digest).or_insert(pictures.len());
        if place == pictures.len() {
            pictures.push(Vec::new());
        }
        pictures[place].push(i);
    }
    let gists: Vec<&Gist> = pictures.iter().map(|alike| &known[alike[0]].gist).collect();
    let groups = copies::group(&gists).into_iter().map(|group| {
        let mut members: Vec<usize> = group
            .into_iter()
            .flat_map(|picture| pictures[picture].iter().copied())
            .collect();
        members.sort_unstable();
        Group::of(members, known)
    });
    groups.collect()
}

/// Sheets that the caller says are copies.
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
    let groups = groups.into_iter().map(|members| Group::of(members, known));
    Ok(groups.collect())
}
