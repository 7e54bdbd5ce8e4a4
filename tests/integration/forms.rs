//! Printed sheets: what stands on the pages, and what `sheetscan forms` refuses.
#![cfg(feature = "forms")]

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{TestDir, skip_without};
use image::GrayImage;
use sheetscan::form::{FormCode, Rect, SheetForm, SheetSide, SheetSize};
use sheetscan::page;

/// A tournament with a round of two games and a forfeit; the second game has no board.
fn write_event(dir: &TestDir) {
    let player = |rank, title, name, rating, federation, round| {
        format!(
            "001 {rank:>4}  {title:>3} {name:<33}{rating:>5} {federation:<3}{:35}{round}\n",
            ""
        )
    };
    let lines = [
        "012 Torneo de Primavera\n022 Logroño\n042 2026/05/02\n052 2026/05/03\n".to_owned(),
        player(1, "WGM", "Ávila, Begoña", 2345, "ESP", "   2 b 1"),
        player(2, "", "Đặng, Hoàng Sơn", 2100, "VIE", "   1 w 0"),
        player(3, "", "Чёрный, Пётр", 1900, "UKR", "   4 w  "),
        player(4, "", "Şahin, Ömer", 1850, "TUR", "   3 b  "),
        player(5, "", "Forfeit, Ana", 1800, "ESP", "   6 w +"),
        player(6, "", "Absent, Bo", 1750, "ESP", "   5 b -"),
    ];
    dir.write("event.trf", lines.concat());
    let tags = "[White \"Đặng, Hoàng Sơn\"]\n[Black \"Ávila, Begoña\"]\n[Round \"1.7\"]\n\n*\n";
    dir.write("round1.pgn", tags);
}

/// Prints sheets, which must succeed in silence, and opens the pages.
fn print(dir: &TestDir, arguments: &[&str]) -> Vec<GrayImage> {
    let all = [&["forms", "-o", "sheets.pdf"], arguments].concat();
    let run = dir.run(&all);
    assert_eq!((run.status, run.stderr.len()), (0, 0), "{:#?}", run.stderr);
    let pages = page::open(&dir.path("sheets.pdf")).expect("a PDF file");
    let pages = pages.map(|page| page.expect("a page can be drawn").luma);
    pages.collect()
}

/// The codes on a page, from left to right.
fn codes(page: &GrayImage) -> Vec<FormCode> {
    let (width, height) = page.dimensions();
    let mut image =
        rqrr::PreparedImage::prepare_from_greyscale(width as usize, height as usize, |x, y| {
            page.get_pixel(x as u32, y as u32).0[0]
        });
    let mut grids = image.detect_grids();
    grids.sort_by_key(|grid| grid.bounds[0].x);
    let texts = grids
        .iter()
        .map(|grid| grid.decode().expect("a clean code").1);
    texts
        .map(|text| FormCode::parse(&text).expect("a code of a sheet"))
        .collect()
}

#[test]
fn each_sheet_carries_the_code_of_its_game_and_side() {
    let dir = TestDir::new();
    write_event(&dir);
    let trf = [
        "--trf",
        "event.trf",
        "--pairings",
        "round1.pgn",
        "--copies",
        "2",
    ];
    let pages = print(&dir, &trf);
    let codes: Vec<FormCode> = pages.iter().flat_map(codes).collect();
    let games = codes
        .iter()
        .map(|code| (code.board, code.white, code.copy, code.side));
    let (white, black) = (Some(SheetSide::White), Some(SheetSide::Black));
    let expected = [
        (Some(7), Some(2), 1, white),
        (Some(7), Some(2), 1, black),
        (Some(7), Some(2), 2, white),
        (Some(7), Some(2), 2, black),
        (None, Some(3), 1, white),
        (None, Some(3), 1, black),
        (None, Some(3), 2, white),
        (None, Some(3), 2, black),
    ];
    assert_eq!(games.collect::<Vec<_>>(), expected);
    assert!(
        codes
            .iter()
            .all(|code| code.round == Some(1) && code.event == codes[0].event)
    );
    assert!(codes[0].event.is_some());
}

#[test]
fn blank_and_continuation_sheets_carry_no_game() {
    let dir = TestDir::new();
    let pages = print(&dir, &["--blank", "3", "--paper", "letter", "--page", "2"]);
    assert_eq!(pages.len(), 3);
    let [code] = codes(&pages[2])[..] else {
        panic!("one sheet a page")
    };
    let game = (code.event, code.round, code.board, code.side);
    assert_eq!(
        (game, code.page, code.form.first_row()),
        ((None, None, None, None), 2, 61)
    );
}

/// The page is measured where the form says that things are.
#[test]
fn marks_rulings_and_cells_are_where_the_form_says() {
    let dir = TestDir::new();
    for (paper, size) in [
        ("a4", SheetSize::A4),
        ("a5", SheetSize::A5),
        ("letter", SheetSize::Letter),
        ("half-letter", SheetSize::HalfLetter),
    ] {
        for clock in [false, true] {
            let more: &[&str] = if clock { &["--clock"] } else { &[] };
            let pages = print(&dir, &[&["--blank", "1", "--paper", paper], more].concat());
            let sheet = PrintedSheet::new(&pages[0], SheetForm::standard(size, clock));
            sheet.check_marks();
            sheet.check_cells();
        }
    }
}

/// A page with one sheet.
struct PrintedSheet<'p> {
    page: &'p GrayImage,
    form: SheetForm,
    /// Pixels a millimetre.
    scale: f64,
}

impl<'p> PrintedSheet<'p> {
    fn new(page: &'p GrayImage, form: SheetForm) -> Self {
        let scale = f64::from(page.width()) / form.size().dimensions()[0];
        Self { page, form, scale }
    }

    /// Brightness at a place in millimetres.
    fn at(&self, x: f64, y: f64) -> u8 {
        let [x, y] = [x, y].map(|mm| (mm * self.scale) as u32);
        self.page.get_pixel(x, y).0[0]
    }

    fn check_marks(&self) {
        for (i, mark) in self.form.marks().into_iter().enumerate() {
            let [x, y] = mark.centre;
            let is_dark = |radius: f64| {
                let directions = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
                directions.map(|(dx, dy)| self.at(x + dx * radius, y + dy * radius) < 128)
            };
            assert_eq!(is_dark(0.0), [true; 4], "mark {i}");
            assert_eq!(is_dark((mark.dot + mark.gap) / 2.0), [false; 4], "mark {i}");
            assert_eq!(is_dark((mark.gap + mark.ring) / 2.0), [true; 4], "mark {i}");
            assert_eq!(is_dark(mark.ring * 1.1), [false; 4], "mark {i}");
            // The one at the top left tells the way up.
            assert_eq!(is_dark(mark.ring * 0.5), [i == 0; 4], "mark {i}");
        }
    }

    /// The inside of every cell is blank, and there is a line around it.
    fn check_cells(&self) {
        for block in self.form.blocks() {
            for row in 0..block.rows {
                for [left, right] in [block.white, block.black] {
                    let (top, bottom) = (block.row_edge(row), block.row_edge(row + 1));
                    let inside = Rect {
                        left: left + 0.4,
                        top: top + 0.4,
                        right: right - 0.4,
                        bottom: bottom - 0.4,
                    };
                    assert!(self.darkest(inside) > 250, "row {row}: {inside:?}");
                    let middle = [(left + right) / 2.0, (top + bottom) / 2.0];
                    for [x, y] in [[middle[0], top], [middle[0], bottom], [left, middle[1]]] {
                        let edge = Rect {
                            left: x - 0.15,
                            top: y - 0.15,
                            right: x + 0.15,
                            bottom: y + 0.15,
                        };
                        assert!(self.darkest(edge) < 100, "row {row}: {edge:?}");
                    }
                }
            }
        }
    }

    fn darkest(&self, rect: Rect) -> u8 {
        let pixels = |from: f64, to: f64| (from * self.scale) as u32..=(to * self.scale) as u32;
        let columns = pixels(rect.left, rect.right);
        let places =
            pixels(rect.top, rect.bottom).flat_map(|y| columns.clone().map(move |x| (x, y)));
        let brightness = places.map(|(x, y)| self.page.get_pixel(x, y).0[0]);
        brightness.min().unwrap_or(u8::MAX)
    }
}

#[test]
fn the_text_of_a_sheet_can_be_selected_and_is_that_of_the_event() {
    let dir = TestDir::new();
    write_event(&dir);
    print(
        &dir,
        &[
            "--trf",
            "event.trf",
            "--pairings",
            "round1.pgn",
            "--lang",
            "uk",
        ],
    );
    let text = Command::new("pdftotext")
        .arg(dir.path("sheets.pdf"))
        .arg("-")
        .output();
    let Ok(text) = text else {
        return skip_without("pdftotext");
    };
    let text = String::from_utf8(text.stdout).expect("UTF-8");
    for expected in [
        "Torneo de Primavera",
        "Logroño",
        "Ávila, Begoña",
        "WGM · 2345 · ESP",
        "Đặng, Hoàng Sơn",
        "Чёрный, Пётр",
        "Şahin, Ömer",
        "Білі",
        "Підпис · Чорні",
        "½–½",
        "Кр",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(
        !text.contains("Forfeit"),
        "a game that is not played has no sheet"
    );
}

#[test]
fn the_same_sheets_are_the_same_bytes_and_a_sound_file() {
    let dir = TestDir::new();
    write_event(&dir);
    dir.write(
        "logo.png",
        fs::read("docs/images/forms.png").expect("a picture"),
    );
    let command = [
        "forms",
        "--trf",
        "event.trf",
        "--clock",
        "--logo",
        "logo.png",
        "-o",
    ];
    for name in ["a.pdf", "b.pdf"] {
        let run = dir.run(&[&command[..], &[name]].concat());
        assert_eq!(run.status, 0, "{:#?}", run.stderr);
    }
    let [a, b] = ["a.pdf", "b.pdf"].map(|name| fs::read(dir.path(name)).expect("the file"));
    assert!(a == b, "two runs give two files");
    let mut check = Command::new("qpdf");
    let check = check
        .arg("--check")
        .arg(dir.path("a.pdf"))
        .stdout(Stdio::null())
        .status();
    let Ok(check) = check else {
        return skip_without("qpdf");
    };
    assert!(check.success(), "qpdf --check: {check}");
}

#[test]
fn sheets_are_printed_in_every_language() {
    let dir = TestDir::new();
    for language in sheetscan::notation::LANGUAGES {
        for code in [language.code].iter().chain(language.also) {
            let run = dir.run(&[
                "forms", "--blank", "1", "--clock", "--lang", code, "-o", "x.pdf",
            ]);
            assert_eq!(
                (run.status, run.stderr.len()),
                (0, 0),
                "{code}: {:#?}",
                run.stderr
            );
        }
    }
}

#[test]
fn what_cannot_be_printed_is_refused_with_a_remedy_and_leaves_no_file() {
    let dir = TestDir::new();
    write_event(&dir);
    for (arguments, told) in [
        (
            &["--blank", "1", "--rows", "40", "--blocks", "2"][..],
            "fewer rows",
        ),
        (&["--blank", "1", "--blocks", "4"], "fewer blocks"),
        (&["--blank", "1", "--lang", "xx"], "pl, pt, ro"),
        (
            &["--trf", "event.trf", "--round", "2"],
            "no pairing in that round",
        ),
        (&["--trf", "nowhere.trf"], "nowhere.trf"),
        (&["--trf", "event.trf", "--logo", "event.trf"], "event.trf"),
        (&[], "--blank"),
    ] {
        let run = dir.run(&[&["forms", "-o", "sheets.pdf"], arguments].concat());
        let stderr = run.stderr.join("\n");
        assert_eq!(run.status, 1, "{arguments:?}: {stderr}");
        assert!(stderr.contains(told), "{arguments:?}: {stderr}");
        assert!(!dir.path("sheets.pdf").exists(), "{arguments:?}");
    }
    let run = dir.run(&["forms", "--trf", "event.trf", "-o", "event.trf"]);
    assert_eq!(run.status, 1);
    assert!(
        dir.text("event.trf").starts_with("012"),
        "the report file is kept"
    );
}

#[test]
fn rows_that_are_low_are_printed_and_told() {
    let dir = TestDir::new();
    let run = dir.run(&[
        "forms", "--blank", "1", "--blocks", "2", "--rows", "30", "-o", "x.pdf",
    ]);
    assert_eq!(run.status, 0);
    assert!(
        run.line_about("mm high").contains("4.8 mm"),
        "{:#?}",
        run.stderr
    );
}
