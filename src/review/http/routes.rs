//! Which path and method ask for what.

use hyper::Method;

use super::query::malformed;
use crate::review::backend::{CellSide, GameId, Refusal, SheetId};

/// Longest name of a place in a game.
const MAX_PLACE_BYTES: usize = 24;

/// What can be asked below `/api/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// The whole run.
    Run,
    /// All rows.
    Games,
    /// One game.
    Game(GameId),
    /// The legal moves at a place.
    Candidates(GameId, String),
    /// Answers to a game.
    Answers(GameId),
    /// The event with its boards.
    Event,
    /// The place of a game in the event.
    Assign(GameId),
    /// Another game with the same moves.
    Join(GameId),
    /// A sheet of another game.
    Part(GameId),
    /// The last step back.
    Undo,
    /// The last step again.
    Redo,
    /// A picture of the upright page.
    Page(SheetId),
    /// The close-up of a cell.
    Cell(SheetId, u32, CellSide),
    /// All cells of a sheet.
    Strips(SheetId),
    /// A part of the upright page.
    Region(SheetId),
    /// Writing what the review gives out.
    Export,
    /// A new picture.
    Pictures,
    /// What happens.
    Events,
    /// Whether phones may send pictures.
    Phones,
    /// From now on phones may.
    StartPhones,
    /// No phone may any more.
    StopPhones,
    /// A phone that waits may, or may not.
    AdmitPhone(u32),
}

impl Route {
    /// The route of a path below `/api/`, with its method. Paths are compared byte by byte; what
    /// has a `%` or `..` is no path of any route.
    #[must_use]
    pub fn parse(path: &[&str]) -> Option<(Method, Self)> {
        let get = |route| Some((Method::GET, route));
        let post = |route| Some((Method::POST, route));
        match path {
            ["run"] => get(Self::Run),
            ["games"] => get(Self::Games),
            ["games", game] => get(Self::Game(GameId::parse(game)?)),
            ["games", game, "at", place] => {
                get(Self::Candidates(GameId::parse(game)?, parse_place(place)?))
            }
            ["games", game, "answers"] => post(Self::Answers(GameId::parse(game)?)),
            ["games", game, "assign"] => post(Self::Assign(GameId::parse(game)?)),
            ["games", game, "join"] => post(Self::Join(GameId::parse(game)?)),
            ["games", game, "part"] => post(Self::Part(GameId::parse(game)?)),
            ["event"] => get(Self::Event),
            ["undo"] => post(Self::Undo),
            ["redo"] => post(Self::Redo),
            ["sheets", sheet, "page.jpg"] => get(Self::Page(SheetId::parse(sheet)?)),
            ["sheets", sheet, "cells", cell] => {
                let (row, side) = parse_cell(cell)?;
                get(Self::Cell(SheetId::parse(sheet)?, row, side))
            }
            ["sheets", sheet, "strips.jpg"] => get(Self::Strips(SheetId::parse(sheet)?)),
            ["sheets", sheet, "region.jpg"] => get(Self::Region(SheetId::parse(sheet)?)),
            ["export"] => post(Self::Export),
            ["pictures"] => post(Self::Pictures),
            ["events"] => get(Self::Events),
            ["phones"] => get(Self::Phones),
            ["phones", "start"] => post(Self::StartPhones),
            ["phones", "stop"] => post(Self::StopPhones),
            ["phones", phone] => post(Self::AdmitPhone(parse_number(phone)?)),
            _ => None,
        }
    }
}

/// Checks the longer side of a page that is asked for.
///
/// # Errors
/// 400 if it is none of the three sizes that are kept.
pub fn check_page_size(longest_side: Option<u32>) -> Result<u32, Refusal> {
    match longest_side {
        None => Ok(1600),
        Some(side @ (800 | 1600 | 3200)) => Ok(side),
        Some(_) => Err(malformed("w is 800, 1600 or 3200")),
    }
}

fn parse_place(text: &str) -> Option<String> {
    let is_plain = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'z' | b'-');
    let fits = (1..=MAX_PLACE_BYTES).contains(&text.len()) && text.bytes().all(is_plain);
    fits.then(|| text.to_owned())
}

/// A row's number and a side, as in `11w.jpg`.
fn parse_cell(text: &str) -> Option<(u32, CellSide)> {
    let cell = text.strip_suffix(".jpg")?;
    let (row, side) = match cell.strip_suffix('w') {
        Some(row) => (row, CellSide::White),
        None => (cell.strip_suffix('b')?, CellSide::Black),
    };
    Some((parse_number(row)?, side))
}

/// A number of at most four digits and nothing else.
fn parse_number(text: &str) -> Option<u32> {
    let fits = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(path: &str) -> Option<(Method, Route)> {
        Route::parse(&path.split('/').collect::<Vec<_>>())
    }

    #[test]
    fn a_path_has_one_method() {
        let id = "9f2c0a77d1b3";
        let (game, sheet) = (
            GameId::parse(id).expect("an id"),
            SheetId::parse(id).expect("an id"),
        );
        let at = parse(&format!("games/{id}/at/0-11w"));
        assert_eq!(
            at,
            Some((
                Method::GET,
                Route::Candidates(game.clone(), "0-11w".to_owned())
            ))
        );
        let answers = parse(&format!("games/{id}/answers"));
        assert_eq!(answers, Some((Method::POST, Route::Answers(game))));
        let cell = parse(&format!("sheets/{id}/cells/11b.jpg"));
        assert_eq!(
            cell,
            Some((Method::GET, Route::Cell(sheet, 11, CellSide::Black)))
        );
    }

    #[test]
    fn other_paths_have_no_route() {
        for path in [
            "",
            "runs",
            "run/",
            "/run",
            "games/9F2C0A77D1B3",
            "games/9f2c0a77d1b",
            "games/..",
            "games/9f2c0a77d1b3/",
            "games/9f2c0a77d1b3/at/",
            "games/9f2c0a77d1b3/at/0%2f1",
            "games/9f2c0a77d1b3/at/aaaaaaaaaaaaaaaaaaaaaaaaa",
            "sheets/9f2c0a77d1b3/cells/w.jpg",
            "sheets/9f2c0a77d1b3/cells/+1w.jpg",
            "sheets/9f2c0a77d1b3/cells/12345w.jpg",
            "sheets/9f2c0a77d1b3/cells/11x.jpg",
            "sheets/9f2c0a77d1b3/page.png",
            "phones/-1",
        ] {
            assert_eq!(parse(path), None, "{path}");
        }
    }
}
