//! What a person is told when something is wrong, and that the good sheets are still read.

mod common;

use std::fs;
use std::path::Path;

use image::imageops::{crop_imm, thumbnail};
use image::{GrayImage, Luma};
use imageproc::drawing::draw_line_segment_mut;
use imageproc::filter::gaussian_blur_f32;

use common::{Desk, games, samples, short_sample};

/// Scans a file between two good sheets; gives the line about it.
fn line_for(desk: &Desk, bad: &str) -> String {
    let good = short_sample();
    let run = desk.run(&[
        "scan",
        &good,
        bad,
        &good,
        "--no-pair",
        "-o",
        "games.pgn",
        "--quiet",
    ]);
    assert_eq!(run.status, 2, "{:#?}", run.said);
    assert_eq!(
        games(&desk.text("games.pgn")).len(),
        2,
        "the good sheets are read"
    );
    let line = run.line_about(bad);
    assert!(line.starts_with(&format!("sheetscan: {bad}: ")), "{line}");
    assert!(line.contains("; "), "a remedy: {line}");
    line.to_owned()
}

#[test]
fn an_empty_file() {
    let desk = Desk::new();
    desk.write("empty.jpg", "");
    assert!(line_for(&desk, "empty.jpg").contains("empty"));
}

#[test]
fn a_truncated_jpeg() {
    let desk = Desk::new();
    let whole = fs::read(short_sample()).expect("the sample");
    desk.write("half.jpg", &whole[..whole.len() / 2]);
    assert!(line_for(&desk, "half.jpg").contains("cut short"));
}

#[test]
fn a_text_named_like_a_picture() {
    let desk = Desk::new();
    desk.write("notes.jpg", "1. e4 e5 2. Nf3 Nc6\n");
    assert!(line_for(&desk, "notes.jpg").contains("it is text"));
}

#[test]
fn a_png_of_sixteen_hundred_megapixels() {
    let desk = Desk::new();
    // The header and the start of nothing: nobody should read further.
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 40_000, 40_000);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().expect("a header");
    writer
        .write_chunk(png::chunk::IDAT, &[0x78, 0x9c])
        .expect("a chunk");
    drop(writer);
    desk.write("huge.png", file);
    assert!(line_for(&desk, "huge.png").contains("40000 x 40000"));
}

#[test]
fn a_photograph_without_a_table() {
    let desk = Desk::new();
    let sky = image::GrayImage::from_fn(1200, 900, |x, y| {
        image::Luma([(120 + x / 20 + y / 30) as u8])
    });
    sky.save(desk.path("sky.png")).expect("saved");
    assert!(line_for(&desk, "sky.png").contains("no move table"));
}

#[test]
fn what_is_wrong_with_a_photograph_is_told() {
    let desk = Desk::new();
    let sheet =
        image::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/02_exemplo_1_pt.jpg"))
            .expect("a sample")
            .to_luma8();
    let longer = sheet.width().max(sheet.height()) as f32;
    let save =
        |name: &str, picture: &image::GrayImage| picture.save(desk.path(name)).expect("saved");
    save(
        "blurred.png",
        &gaussian_blur_f32(&sheet, 10.0 * longer / 2000.0),
    );
    save("small.png", &thumbnail(&sheet, 120, 140));
    save(
        "faint.png",
        &image::GrayImage::from_fn(900, 1200, |x, _| image::Luma([200 + (x % 9) as u8])),
    );
    for (name, told) in [
        ("blurred.png", "the picture is blurred"),
        ("small.png", "has only 120 x 140 pixels"),
        ("faint.png", "in more light"),
    ] {
        let line = line_for(&desk, name);
        assert!(line.contains(told), "{line}");
    }
}

#[test]
fn a_sheet_that_can_hardly_be_seen_wants_more_light() {
    let desk = Desk::new();
    let sheet = image::open(&samples()[4]).expect("a sample").to_luma8();
    // All that the sample has between black and white, in twelve grey levels.
    let faint = GrayImage::from_fn(sheet.width(), sheet.height(), |x, y| {
        let level = 168.0 + 12.0 * f32::from(sheet.get_pixel(x, y).0[0]) / 255.0;
        Luma([level.round() as u8])
    });
    faint.save(desk.path("faint.png")).expect("saved");
    let line = line_for(&desk, "faint.png");
    assert!(
        line.contains("ink and paper are hardly told apart"),
        "{line}"
    );
}

#[test]
fn a_table_whose_written_half_is_not_in_the_picture_is_told_as_cut_off() {
    let desk = Desk::new();
    let sheet = image::open(&samples()[4]).expect("a sample").to_luma8();
    let (width, height) = sheet.dimensions();
    let from = width * 6 / 10;
    let rest = crop_imm(&sheet, from, 0, width - from, height).to_image();
    rest.save(desk.path("cut.png")).expect("saved");
    let line = line_for(&desk, "cut.png");
    assert!(line.contains("the table is cut off on the left"), "{line}");
}

#[test]
fn a_form_with_rows_too_low_to_read_is_told_how_low_they_are() {
    let desk = Desk::new();
    let mut form = GrayImage::from_pixel(560, 700, Luma([225]));
    for left in [60.0, 280.0] {
        for row in 0..=40 {
            let y = (120 + 10 * row) as f32;
            draw_line_segment_mut(&mut form, (left, y), (left + 216.0, y), Luma([60]));
        }
        for x in [0.0, 24.0, 120.0, 216.0].map(|x| left + x) {
            draw_line_segment_mut(&mut form, (x, 120.0), (x, 520.0), Luma([60]));
        }
    }
    form.save(desk.path("low.png")).expect("saved");
    let line = line_for(&desk, "low.png");
    assert!(line.contains("its rows are only 10 pixels high"), "{line}");
}

#[test]
fn a_missing_file_and_an_empty_folder() {
    let desk = Desk::new();
    assert!(line_for(&desk, "gone.jpg").contains("cannot be read"));
    fs::create_dir(desk.path("nothing")).expect("a folder");
    assert!(line_for(&desk, "nothing").contains("holds no pictures"));
}

#[cfg(unix)]
#[test]
fn a_folder_without_rights() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    fs::create_dir(desk.path("closed")).expect("a folder");
    let mode = |bits| {
        fs::set_permissions(desk.path("closed"), fs::Permissions::from_mode(bits)).expect("ours")
    };
    mode(0o000);
    let rights_bite = fs::read_dir(desk.path("closed")).is_err();
    if rights_bite {
        assert!(line_for(&desk, "closed").contains("cannot be opened"));
    } else {
        println!("skipped: this user (root?) may open every folder");
    }
    mode(0o755);
}

#[test]
fn an_unwritable_output_is_told_before_any_sheet_is_read() {
    let desk = Desk::new();
    desk.write("file", "");
    fs::create_dir(desk.path("folder")).expect("a folder");
    for place in ["missing/games.pgn", "file/games.pgn", "folder", "new/"] {
        for option in ["-o", "--json"] {
            // The bad picture would be told of if it were looked at.
            let run = desk.run(&["scan", "file", option, place]);
            assert_eq!(run.status, 1, "{place}");
            assert_eq!(run.said.len(), 1, "{:#?}", run.said);
            assert!(run.line_about(place).contains("cannot be written"));
        }
    }
    for arguments in [
        ["scan", "file", "--debug-dir", "file/x"],
        ["cells", "file", "-o", "file/x"],
    ] {
        let run = desk.run(&arguments);
        assert_eq!((run.status, run.said.len()), (1, 1), "{:#?}", run.said);
    }
}

#[test]
fn what_was_there_stays_until_the_new_file_is_whole() {
    let desk = Desk::new();
    desk.write("games.pgn", "old");
    let run = desk.run(&["scan", "x.jpg", "-o", "games.pgn", "--model", "gone.onnx"]);
    assert_eq!(run.status, 1);
    assert!(run.line_about("gone.onnx").contains("model"));
    assert_eq!(desk.text("games.pgn"), "old");
    assert_eq!(
        fs::read_dir(desk.path("")).expect("the folder").count(),
        1,
        "no temporary file is left"
    );
}

#[test]
fn wrong_usage_exits_with_one_and_help_with_zero() {
    let desk = Desk::new();
    for arguments in [
        &["scan"][..],
        &["scan", "a.jpg", "--jobs", "0"],
        &["scan", "a.jpg", "--lang", "Portuguese"],
        &["scn"],
        &["cells", "a"],
    ] {
        let run = desk.run(arguments);
        assert_eq!(run.status, 1, "{arguments:?}");
        assert!(run.out.is_empty() && !run.said.is_empty());
    }
    for arguments in [
        &["--help"][..],
        &["scan", "--help"],
        &["cells", "--help"],
        &["--version"],
    ] {
        let run = desk.run(arguments);
        assert_eq!((run.status, run.said.len()), (0, 0), "{arguments:?}");
        assert!(run.out.contains("sheetscan"));
    }
}

#[test]
fn folders_and_lists_are_read_in_order() {
    let desk = Desk::new();
    fs::create_dir(desk.path("round")).expect("a folder");
    for name in ["round/b.jpg", "round/a.JPG", "last.jpg"] {
        fs::copy(short_sample(), desk.path(name)).expect("copied");
    }
    desk.write("round/notes.txt", "not a picture, and not looked at");
    let list = "\nlast.jpg\r\n";
    let run = desk.run_with_input(
        &[
            "scan",
            "round",
            "--files-from",
            "-",
            "--no-pair",
            "--json",
            "-",
            "--quiet",
        ],
        list,
    );
    assert_ne!(run.status, 1, "{:#?}", run.said);
    let path = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        line["sheets"][0]["path"]
            .as_str()
            .expect("a string")
            .to_owned()
    };
    assert_eq!(
        run.out.lines().map(path).collect::<Vec<_>>(),
        ["round/a.JPG", "round/b.jpg", "last.jpg"]
    );
}

#[test]
fn the_closing_table_counts() {
    let desk = Desk::new();
    desk.write("empty.jpg", "");
    let run = desk.run(&["scan", &short_sample(), "empty.jpg", "-o", "games.pgn"]);
    let [.., head, figures] = run.said.as_slice() else {
        panic!("{:#?}", run.said)
    };
    assert!(
        head.contains("sheets") && head.contains("moves to look at") && head.contains("seconds")
    );
    let figures = figures.split_whitespace().collect::<Vec<_>>();
    assert_eq!(figures[..2], ["2", "1"], "two sheets, one game");
    let quiet = desk.run(&["scan", &short_sample(), "-o", "games.pgn", "--quiet"]);
    assert!(quiet.said.is_empty(), "{:#?}", quiet.said);
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_early_is_no_fault() {
    let desk = Desk::new();
    let mut child = desk.command(&["scan", &short_sample(), "--quiet"]);
    let mut child = child
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("sheetscan starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn debug_pictures_are_drawn_under_names_that_do_not_collide() {
    let desk = Desk::new();
    for folder in ["one", "two"] {
        fs::create_dir(desk.path(folder)).expect("a folder");
        fs::copy(short_sample(), desk.path(folder).join("sheet.jpg")).expect("copied");
    }
    desk.run(&[
        "scan",
        "one",
        "two",
        "-o",
        "games.pgn",
        "--debug-dir",
        "seen/today",
        "--quiet",
    ]);
    for name in ["sheet-p1.png", "sheet~2-p1.png"] {
        assert!(
            image::open(desk.path("seen/today").join(name)).is_ok(),
            "{name}"
        );
    }
}
