//! The game that the sheets of one record hold, and facts about it that the writers need.

use shakmaty::{Chess, Position};

use super::{HeaderField, Sheet};
use crate::decode::{
    self, Answer, Candidate, Decoder, Effort, Game, GameSearch, Ply, ReviewReason, SheetReadings,
    UnreadReason,
};
use crate::grid::CellId;
use crate::notation::{Language, Outcome, parse_terminator};
use crate::prior::LastMoves;
use crate::reader::Reading;

/// A game with the sheets that it was read from.
#[derive(Debug, Clone)]
pub struct ScannedGame {
    /// The sheets of the game, copy by copy, page by page. The sheet indices in [`Game`] count in
    /// this order.
    pub sheets: Vec<Sheet>,
    /// Indices of the sheets that continue the sheet before them.
    pub continued: Vec<usize>,
    /// The moves.
    pub game: Game,
    /// Where the record breaks off, the likeliest moves there, best first, by the writing of that
    /// one cell and the prior alone; at most four. None in a game of [`Effort::Quick`].
    pub break_candidates: Vec<Candidate>,
    /// What a person has read in the header, in the order of the fields.
    pub fields: Vec<(HeaderField, String)>,
    /// Further files with the same picture as a sheet, which are no further evidence, and the index
    /// of that sheet.
    pub same: Vec<(Sheet, usize)>,
    /// The games that stand below this one on the same sheets, from the top. Their sheets have no
    /// words, since the words outside the table belong to the first game.
    pub below: Vec<ScannedGame>,
}

/// Largest number of moves that are proposed where a record breaks off: as many as a move has
/// alternatives.
const MAX_BREAK_CANDIDATES: usize = 4;

/// Smallest share of the written cells, each weighted by the confidence of its move, that a game
/// from the initial position must use if the printed numbers say that the first page is missing.
/// A game that uses more shows that the numbers were misread. Chosen by eye.
const MIN_USED_SHARE_WITHOUT_FIRST_PAGE: f32 = 0.5;

/// The sheets of one record, whose game can be searched for any number of times.
#[derive(Debug, Clone)]
pub struct RecordSheets {
    /// The sheets copy by copy, page by page, without the posteriors of their readings.
    sheets: Vec<Sheet>,
    /// Number of pages of each copy.
    page_counts: Vec<usize>,
    /// The readings of each copy with their posteriors.
    readings: Vec<SheetReadings>,
}

impl RecordSheets {
    /// The sheets of some copies. A copy is one sheet, or the pages that continue each other;
    /// posteriors are over `alphabet`.
    pub fn new(copies: Vec<Vec<Sheet>>, alphabet: &[char]) -> Self {
        let page_counts: Vec<usize> = copies.iter().map(Vec::len).collect();
        let readings = copies.iter().map(|pages| SheetReadings {
            alphabet: alphabet.to_vec(),
            readings: pages.iter().flat_map(|page| page.cells.clone()).collect(),
        });
        let readings = readings.collect();
        let mut sheets: Vec<Sheet> = copies.into_iter().flatten().collect();
        // The posteriors are by far the largest part.
        let cells = sheets.iter_mut().flat_map(|sheet| &mut sheet.cells);
        cells.for_each(|reading| reading.mixture = Vec::new());
        Self {
            sheets,
            page_counts,
            readings,
        }
    }

    /// The sheets, without the posteriors of their readings.
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The game that the sheets record, with what a person has read on them: the `sheet` of an
    /// answer is an index among [`Self::sheets`]. Also gives the indices of the answers that no
    /// game can keep to.
    ///
    /// The game has no moves if no copy has a first page and the moves cannot be followed from the
    /// initial position either, since its beginning is not known then.
    pub fn decode(&self, decoder: &Decoder, answers: &[Answer]) -> (ScannedGame, Vec<usize>) {
        let effort = Effort::Full(None);
        self.decode_again(&mut GameSearch::default(), decoder, answers, effort)
    }

    /// The same with the searches of earlier calls, all of which must be with the same decoder.
    pub fn decode_again(
        &self,
        search: &mut GameSearch,
        decoder: &Decoder,
        answers: &[Answer],
        effort: Effort,
    ) -> (ScannedGame, Vec<usize>) {
        let answers = self.answers_of_copies(answers);
        let found = search.games(decoder, &self.readings, &answers, effort);
        let mut games = found.games;
        let without_first_page = first_pages(&self.page_counts)
            .into_iter()
            .all(|first| self.sheets[first].continues_from().is_some());
        if without_first_page && !uses_most_cells(&games[0], &self.readings) {
            games = vec![decode::game_without_moves(
                &self.readings,
                &games[0].languages,
            )];
        }
        let wordless = |sheet: &Sheet| Sheet {
            words: Vec::new(),
            header: Vec::new(),
            ..sheet.clone()
        };
        let below = games.split_off(1).into_iter().map(|game| {
            let sheets = self.sheets.iter().map(wordless).collect();
            ScannedGame::new(game, sheets, &self.page_counts)
        });
        let below = below.collect();
        let mut scanned = ScannedGame {
            below,
            ..ScannedGame::new(games.remove(0), self.sheets.clone(), &self.page_counts)
        };
        if scanned.game.outcome == Outcome::Unknown
            && let Some(result) = scanned.sure_field(HeaderField::Result)
        {
            scanned.game.outcome = parse_terminator(result).unwrap_or(Outcome::Unknown);
        }
        // A quick game is shown for a moment, and whoever asks for a cell gets its candidates anew.
        let at = scanned.break_off();
        if let Some(at) = at.filter(|_| !matches!(effort, Effort::Quick)) {
            let before = PlyPosition::after(&scanned.game, scanned.game.plies.len());
            let languages = &scanned.game.languages;
            let mut candidates = self.candidates(decoder, &before, languages, &[at]);
            candidates.truncate(MAX_BREAK_CANDIDATES);
            scanned.break_candidates = candidates;
        }
        (scanned, found.refused)
    }
}

impl RecordSheets {
    /// Whether the game with these answers is known from earlier searches alone.
    pub fn knows(&self, search: &GameSearch, answers: &[Answer]) -> bool {
        search.knows(&self.answers_of_copies(answers))
    }

    /// Answers whose sheets are counted by copies, as the decoder does, in place of pages.
    fn answers_of_copies(&self, answers: &[Answer]) -> Vec<Answer> {
        let firsts = first_pages(&self.page_counts);
        let copy_of = |sheet: usize| firsts.partition_point(|&first| first <= sheet) - 1;
        let answers = answers.iter().map(|answer| match answer.clone() {
            Answer::Cell {
                sheet,
                cell,
                content,
            } => Answer::Cell {
                sheet: copy_of(sheet),
                cell,
                content,
            },
            other => other,
        });
        answers.collect()
    }
}

/// The position before a ply of a game, counted from 0, or after its last one.
#[derive(Debug, Clone)]
pub struct PlyPosition {
    /// The position.
    pub position: Chess,
    /// The moves before it.
    last_moves: LastMoves,
}

impl PlyPosition {
    /// The position after so many plies of a game.
    pub fn after(game: &Game, plies: usize) -> Self {
        let (mut position, mut last_moves) = (Chess::default(), LastMoves::default());
        for (before, m) in game.moves().take(plies) {
            position = before;
            last_moves = last_moves.after(m);
            position.play_unchecked(m);
        }
        Self {
            position,
            last_moves,
        }
    }
}

impl RecordSheets {
    /// The legal moves of a position, likeliest first by what stands in some cells of one ply, each
    /// with the index of its sheet, in the languages of a game's sheets ([`Decoder::candidates`]).
    pub fn candidates(
        &self,
        decoder: &Decoder,
        before: &PlyPosition,
        languages: &[String],
        cells: &[(usize, CellId)],
    ) -> Vec<Candidate> {
        let readings = self.readings.iter().flat_map(|copy| &copy.readings);
        let firsts = self.sheets.iter().scan(0, |next, sheet| {
            let first = *next;
            *next += sheet.cells.len();
            Some(first)
        });
        let firsts: Vec<usize> = firsts.collect();
        let readings: Vec<&Reading> = readings.collect();
        let cells: Vec<(Reading, &'static Language)> = cells
            .iter()
            .filter_map(|&(sheet, cell)| {
                let cells = &self.sheets.get(sheet)?.cells;
                let at = cells.iter().position(|reading| reading.id == cell)?;
                let reading = readings[firsts[sheet] + at].clone();
                Some((reading, Language::of_sheet(languages.get(sheet)?)?))
            })
            .collect();
        let alphabet = self.readings.first().map_or(&[][..], |copy| &copy.alphabet);
        decoder.candidates(&before.position, before.last_moves, alphabet, &cells)
    }
}

/// Whether a game is made of most of what is written, each cell weighted by its move's confidence.
fn uses_most_cells(game: &Game, copies: &[SheetReadings]) -> bool {
    let readings = copies.iter().flat_map(|copy| &copy.readings);
    let written = readings.filter(|r| r.state.has_ink()).count();
    game.sure_cells() >= MIN_USED_SHARE_WITHOUT_FIRST_PAGE * written as f32
}

/// The index of each copy's first page among the sheets of all copies.
fn first_pages(page_counts: &[usize]) -> Vec<usize> {
    let mut next = 0;
    let first = |&pages: &usize| {
        let first = next;
        next += pages;
        first
    };
    page_counts.iter().map(first).collect()
}

impl ScannedGame {
    /// A game whose sheet indices count copies, as the decoder does, and which count pages then.
    fn new(game: Game, sheets: Vec<Sheet>, page_counts: &[usize]) -> Self {
        let firsts = first_pages(page_counts);
        let mut scanned = Self {
            continued: (0..sheets.len()).filter(|i| !firsts.contains(i)).collect(),
            sheets,
            game,
            break_candidates: Vec::new(),
            fields: Vec::new(),
            same: Vec::new(),
            below: Vec::new(),
        };
        scanned.number_pages(page_counts, &firsts);
        scanned
    }

    /// Replaces the index of each copy in the game by that of the page that holds the cell; every
    /// row of a copy has a number of its own.
    fn number_pages(&mut self, page_counts: &[usize], firsts: &[usize]) {
        let sheets = &self.sheets;
        let page_of = |copy: usize, cell: CellId| {
            let mut pages = firsts[copy]..firsts[copy] + page_counts[copy];
            let holds = |&i: &usize| sheets[i].cells.iter().any(|reading| reading.id == cell);
            pages.find(holds).unwrap_or(firsts[copy])
        };
        let game = &mut self.game;
        let cells = game.plies.iter_mut().flat_map(|ply| &mut ply.cells);
        for (sheet, cell) in cells {
            *sheet = page_of(*sheet, *cell);
        }
        for unread in &mut game.unread {
            unread.sheet = page_of(unread.sheet, unread.cell);
        }
        if let Some(gap) = &mut game.gap {
            let cells = gap.resumed.iter_mut().flatten().chain([&mut gap.first]);
            for (sheet, cell) in cells {
                *sheet = page_of(*sheet, *cell);
            }
        }
        let languages = page_counts.iter().zip(&game.languages);
        game.languages = languages
            .flat_map(|(&n, language)| std::iter::repeat_n(language.clone(), n))
            .collect();
    }

    /// The number of the first row, where the page before it is missing and the game has no moves
    /// for that reason.
    pub fn missing_page_before(&self) -> Option<u32> {
        let first = self.sheets.first()?.continues_from()?;
        self.game.plies.is_empty().then_some(first)
    }

    /// What was read in a cell of a sheet.
    pub fn reading(&self, sheet: usize, cell: CellId) -> Option<&Reading> {
        let readings = &self.sheets.get(sheet)?.cells;
        readings.iter().find(|reading| reading.id == cell)
    }

    /// The sheet and the first cell that could not be followed, where the record breaks off before
    /// its end.
    pub fn break_off(&self) -> Option<(usize, CellId)> {
        if self.game.complete {
            return None;
        }
        let gap = self.game.gap.map(|gap| gap.first);
        gap.or_else(|| self.unfollowed().min())
    }

    /// On each sheet with writing that could not be followed, the first such cell behind the last
    /// move.
    pub fn unfollowed_by_sheet(&self) -> Vec<(usize, CellId)> {
        let sheets = 0..self.sheets.len();
        let first = |sheet| self.unfollowed().filter(|at| at.0 == sheet).min();
        sheets.filter_map(first).collect()
    }

    /// The cells with writing that stand behind the last move on the sheet on which the record
    /// breaks off, and on the pages that continue it.
    pub fn rest_of_sheet(&self) -> Vec<(usize, CellId)> {
        let Some((sheet, cell)) = self.break_off() else {
            return Vec::new();
        };
        let is_continued = |page: &usize| (sheet + 1..=*page).all(|i| self.continued.contains(&i));
        let behind = self.unfollowed().filter(|at| *at >= (sheet, cell));
        let mut rest: Vec<_> = behind.filter(|(page, _)| is_continued(page)).collect();
        rest.sort_unstable();
        rest
    }

    /// The cells with writing behind the last move of their sheet that belong to the game.
    fn unfollowed(&self) -> impl Iterator<Item = (usize, CellId)> {
        let last_used = |sheet: usize| {
            let used = self.game.plies.iter().flat_map(|ply| &ply.cells);
            used.filter(|cell| cell.0 == sheet).map(|cell| cell.1).max()
        };
        let unread = self.game.unread.iter().filter(move |unread| {
            let is_outside = matches!(
                unread.reason,
                UnreadReason::AfterTheEnd | UnreadReason::SecondGame
            );
            !is_outside && Some(unread.cell) > last_used(unread.sheet)
        });
        unread.map(|unread| (unread.sheet, unread.cell))
    }

    /// Why a person should look at a move of the game; none where nobody need.
    pub fn review_reason(&self, ply: &Ply) -> Option<ReviewReason> {
        if !ply.review {
            return None;
        }
        let mut texts = ply.cells.iter().filter_map(|&(sheet, cell)| {
            let text = &self.reading(sheet, cell)?.text;
            (!text.is_empty()).then_some(text)
        });
        let Some(first) = texts.next() else {
            let has_cells = !ply.cells.is_empty();
            return Some(if has_cells {
                ReviewReason::CellUnread
            } else {
                ReviewReason::NoCell
            });
        };
        Some(if texts.any(|text| text != first) {
            ReviewReason::CopiesDiffer
        } else if ply.features.is_unexplained() {
            ReviewReason::CellUnread
        } else {
            ReviewReason::Low
        })
    }

    /// Number of moves that a person should look at.
    pub fn asks(&self) -> usize {
        self.game.plies.iter().filter(|ply| ply.review).count()
    }
}
