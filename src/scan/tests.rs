//! The scanner on a model without a network, and sheets for the tests of other modules.

use image::GrayImage;

use super::*;
use crate::cell::{PICTURE_HEIGHT, PICTURE_WIDTH};
use crate::decode::Game;
use crate::geometry::Point;
use crate::grid::{CellId, Side};
use crate::ink::CellState;
use crate::notation::Outcome;
use crate::reader::{Posteriors, Reading};

pub(crate) fn cell(number: u32, side: Side) -> CellId {
    CellId { number, side }
}

pub(crate) fn reading(id: CellId, text: &str) -> Reading {
    let quad =
        [(1.26, 2.0), (11.26, 2.0), (11.26, 7.0), (1.26, 7.0)].map(|(x, y)| Point::new(x, y));
    let state = CellState::Written;
    Reading {
        id,
        quad,
        state,
        text: text.to_owned(),
        confidence: 0.95,
        mixture: Vec::new(),
    }
}

/// A sheet and a complete game without moves.
pub(crate) fn scanned() -> ScannedGame {
    let sheet = Sheet {
        path: "a/b.jpg".into(),
        page: 2,
        sha256: "00ff".to_owned(),
        cells: Vec::new(),
        width: 0,
        height: 0,
        cut_short: false,
        code: None,
        words: Vec::new(),
        header: Vec::new(),
    };
    let game = Game {
        plies: Vec::new(),
        complete: true,
        languages: Vec::new(),
        writers: Vec::new(),
        has_asides: false,
        outcome: Outcome::Unknown,
        unread: Vec::new(),
        gap: None,
        runners_up: Vec::new(),
        weight: 0.0,
    };
    ScannedGame {
        sheets: vec![sheet],
        continued: Vec::new(),
        game,
        break_candidates: Vec::new(),
        fields: Vec::new(),
        same: Vec::new(),
        below: Vec::new(),
    }
}

/// A model without a network: sure that every cell says `e4`.
struct Fixed;

impl Model for Fixed {
    fn alphabet(&self) -> &[char] {
        &['e', '4']
    }

    fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
        let sure = Posteriors {
            frames: 2,
            classes: 3,
            log: vec![-9.2, -0.0002, -9.2, -9.2, -9.2, -0.0002],
        };
        Ok(vec![sure; patches.len()])
    }
}

#[test]
fn a_table_without_ink_gives_no_game() {
    let page = Page::new("a.jpg".into(), 1, String::new(), GrayImage::new(8, 8));
    let table = |state| {
        let cells = vec![Cell {
            id: cell(1, Side::White),
            quad: [Point::new(0.0, 0.0); 4],
            picture: GrayImage::new(PICTURE_WIDTH, PICTURE_HEIGHT),
            ink: 0.0,
            state,
        }];
        let grid = Grid {
            blocks: Vec::new(),
            header: None,
            result: None,
        };
        Table {
            code: None,
            readings: reader::read(&Fixed, &cells).unwrap(),
            grid,
            cells,
        }
    };
    let scanner = Scanner::new(Box::new(Fixed), decode::Options::default());
    assert!(matches!(
        scanner.read(&page, table(CellState::Blank)),
        Err(SheetError::NoWriting(_))
    ));
    let sheet = scanner.read(&page, table(CellState::Written)).unwrap();
    assert_eq!(
        scanner.decode(vec![vec![sheet]]).sheets[0].cells[0].text,
        "e4"
    );
}
