//! What is wrong with a sheet is reported with a remedy, and the good sheets are still read.

use std::fs;
use std::path::Path;

use image::imageops::{crop_imm, thumbnail};
use image::{GrayImage, Luma};
use imageproc::drawing::draw_line_segment_mut;
use imageproc::filter::gaussian_blur_f32;

use crate::common::{TestDir, games, samples, short_sample, sky};

/// Scans a file between two good sheets, and gives the line on standard error about it.
fn line_for(dir: &TestDir, bad: &str) -> String {
    let good = short_sample();
    let run = dir.run(&[
        "scan",
        &good,
        bad,
        &good,
        "--no-pair",
        "-o",
        "games.pgn",
        "--quiet",
    ]);
    assert_eq!(run.status, 2, "{:#?}", run.stderr);
    assert_eq!(
        games(&dir.text("games.pgn")).len(),
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
    let dir = TestDir::new();
    dir.write("empty.jpg", "");
    assert!(line_for(&dir, "empty.jpg").contains("empty"));
}

#[test]
fn letters_that_the_reader_does_not_know() {
    let dir = TestDir::new();
    let run = dir.run(&["scan", &short_sample(), "--letters", "MDTOЖ"]);
    assert_eq!(run.status, 1);
    let stderr = run.stderr.join("\n");
    assert!(stderr.contains("does not know the letter Ж; "), "{stderr}");
}

#[test]
fn a_truncated_jpeg() {
    let dir = TestDir::new();
    let whole = fs::read(short_sample()).expect("the sample");
    dir.write("half.jpg", &whole[..whole.len() / 2]);
    assert!(line_for(&dir, "half.jpg").contains("cut short"));
}

#[test]
fn a_jpeg_that_lost_its_end_behind_the_table_is_read_with_a_warning() {
    let dir = TestDir::new();
    let sample = image::open(&samples()[1]).expect("a sample").to_luma8();
    let (width, height) = sample.dimensions();
    // Below the sheet lies a table with a grain that takes most bytes of the file.
    let page = GrayImage::from_fn(width, height + 500, |x, y| {
        if y < height {
            *sample.get_pixel(x, y)
        } else {
            Luma([(70 + x.wrapping_mul(2_654_435_761).wrapping_add(y * 40_503) % 61) as u8])
        }
    });
    page.save(dir.path("whole.jpg")).expect("saved");
    let whole = fs::read(dir.path("whole.jpg")).expect("the picture");
    let scan = |name: &str| {
        let run = dir.run(&["scan", name, "-o", "games.pgn", "--quiet"]);
        (run.status, dir.text("games.pgn"), run.stderr)
    };
    let (status, expected, stderr) = scan("whole.jpg");
    assert_eq!((status, stderr.len()), (0, 0), "{stderr:#?}");
    dir.write("no_mark.jpg", &whole[..whole.len() - 2]);
    dir.write("no_end.jpg", &whole[..whole.len() * 9 / 10]);
    for name in ["no_mark.jpg", "no_end.jpg", "no_end.jpg"] {
        let (status, pgn, stderr) = scan(name);
        assert_eq!((status, &pgn), (0, &expected), "{name}: {stderr:#?}");
        assert!(
            stderr[0].contains(&format!("{name}: the end of the file is missing")),
            "{stderr:#?}"
        );
    }
}

#[test]
fn a_text_named_like_a_picture() {
    let dir = TestDir::new();
    dir.write("notes.jpg", "1. e4 e5 2. Nf3 Nc6\n");
    assert!(line_for(&dir, "notes.jpg").contains("it is text"));
}

#[test]
fn a_png_of_sixteen_hundred_megapixels() {
    let dir = TestDir::new();
    // A header, and the start of data that does not come: nothing should be read after the header.
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 40_000, 40_000);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().expect("a header");
    writer
        .write_chunk(png::chunk::IDAT, &[0x78, 0x9c])
        .expect("a chunk");
    drop(writer);
    dir.write("huge.png", file);
    assert!(line_for(&dir, "huge.png").contains("40000 x 40000"));
}

#[test]
fn a_photograph_without_a_table() {
    let dir = TestDir::new();
    sky().save(dir.path("sky.png")).expect("saved");
    assert!(line_for(&dir, "sky.png").contains("no move table"));
}

#[test]
fn what_is_wrong_with_a_photograph_is_named() {
    let dir = TestDir::new();
    let sheet =
        image::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/02_exemplo_1_pt.jpg"))
            .expect("a sample")
            .to_luma8();
    let longer = sheet.width().max(sheet.height()) as f32;
    let save =
        |name: &str, picture: &image::GrayImage| picture.save(dir.path(name)).expect("saved");
    save(
        "blurred.png",
        &gaussian_blur_f32(&sheet, 10.0 * longer / 2000.0),
    );
    save("small.png", &thumbnail(&sheet, 120, 140));
    save(
        "faint.png",
        &image::GrayImage::from_fn(900, 1200, |x, _| image::Luma([200 + (x % 9) as u8])),
    );
    for (name, fault) in [
        ("blurred.png", "the picture is blurred"),
        ("small.png", "has only 120 x 140 pixels"),
        ("faint.png", "the page is blank"),
    ] {
        let line = line_for(&dir, name);
        assert!(line.contains(fault), "{line}");
    }
}

#[test]
fn a_sheet_that_can_hardly_be_seen_wants_more_light() {
    let dir = TestDir::new();
    let sheet = image::open(&samples()[4]).expect("a sample").to_luma8();
    // The grey levels 0 to 255 of the sample, reduced to the levels 168 to 180.
    let faint = GrayImage::from_fn(sheet.width(), sheet.height(), |x, y| {
        let level = 168.0 + 12.0 * f32::from(sheet.get_pixel(x, y).0[0]) / 255.0;
        Luma([level.round() as u8])
    });
    faint.save(dir.path("faint.png")).expect("saved");
    let line = line_for(&dir, "faint.png");
    assert!(
        line.contains("ink and paper are hardly told apart"),
        "{line}"
    );
}

#[test]
fn a_table_whose_written_half_is_not_in_the_picture_is_reported_as_cut_off() {
    let dir = TestDir::new();
    let sheet = image::open(&samples()[4]).expect("a sample").to_luma8();
    let (width, height) = sheet.dimensions();
    let from = width * 6 / 10;
    let rest = crop_imm(&sheet, from, 0, width - from, height).to_image();
    rest.save(dir.path("cut.png")).expect("saved");
    let line = line_for(&dir, "cut.png");
    assert!(line.contains("the table is cut off on the left"), "{line}");
}

#[test]
fn rows_too_low_to_read_are_reported_with_their_height() {
    let dir = TestDir::new();
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
    form.save(dir.path("low.png")).expect("saved");
    let line = line_for(&dir, "low.png");
    assert!(line.contains("its rows are only 10 pixels high"), "{line}");
}

#[test]
fn a_missing_file_and_an_empty_folder() {
    let dir = TestDir::new();
    assert!(line_for(&dir, "gone.jpg").contains("cannot be read"));
    fs::create_dir(dir.path("nothing")).expect("a folder");
    assert!(line_for(&dir, "nothing").contains("holds no pictures"));
}

#[cfg(unix)]
#[test]
fn a_folder_without_rights() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TestDir::new();
    fs::create_dir(dir.path("closed")).expect("a folder");
    let mode = |bits| {
        fs::set_permissions(dir.path("closed"), fs::Permissions::from_mode(bits)).expect("ours")
    };
    mode(0o000);
    let rights_bite = fs::read_dir(dir.path("closed")).is_err();
    if rights_bite {
        assert!(line_for(&dir, "closed").contains("cannot be opened"));
    } else {
        println!("skipped: this user (root?) may open every folder");
    }
    mode(0o755);
}

#[test]
fn an_unwritable_output_is_reported_before_any_sheet_is_read() {
    let dir = TestDir::new();
    dir.write("file", "");
    fs::create_dir(dir.path("folder")).expect("a folder");
    for place in ["missing/games.pgn", "file/games.pgn", "folder", "new/"] {
        for option in ["-o", "--json"] {
            // If the empty file were read too, there would be a line about it.
            let run = dir.run(&["scan", "file", option, place]);
            assert_eq!(run.status, 1, "{place}");
            assert_eq!(run.stderr.len(), 1, "{:#?}", run.stderr);
            assert!(run.line_about(place).contains("cannot be written"));
        }
    }
    for arguments in [
        ["scan", "file", "--debug-dir", "file/x"],
        ["cells", "file", "-o", "file/x"],
    ] {
        let run = dir.run(&arguments);
        assert_eq!((run.status, run.stderr.len()), (1, 1), "{:#?}", run.stderr);
    }
}

#[test]
fn what_was_there_stays_until_the_new_file_is_whole() {
    let dir = TestDir::new();
    dir.write("games.pgn", "old");
    dir.write("x.jpg", "");
    let run = dir.run(&["scan", "x.jpg", "-o", "games.pgn", "--model", "gone.onnx"]);
    assert_eq!(run.status, 1);
    assert!(run.line_about("gone.onnx").contains("model"));
    assert_eq!(dir.text("games.pgn"), "old");
    assert_eq!(
        fs::read_dir(dir.path("")).expect("the folder").count(),
        2,
        "no temporary file is left"
    );
}

#[test]
fn a_mistyped_name_leaves_the_games_of_an_earlier_run() {
    let dir = TestDir::new();
    dir.write("games.pgn", "old");
    let run = dir.run(&["scan", "mistyped.jpg", "b.jpg", "c.jpg", "-o", "games.pgn"]);
    assert_eq!(run.status, 1);
    let line = run.line_about("mistyped.jpg");
    assert!(
        line.contains("does not exist, nor do the 2 others"),
        "{line}"
    );
    assert_eq!(dir.text("games.pgn"), "old");
}

#[test]
fn wrong_usage_exits_with_one_and_help_with_zero() {
    let dir = TestDir::new();
    for arguments in [
        &["scan"][..],
        &["scan", "a.jpg", "--jobs", "0"],
        &["scan", "a.jpg", "--lang", "Portuguese"],
        &["scn"],
        &["cells", "a"],
    ] {
        let run = dir.run(arguments);
        assert_eq!(run.status, 1, "{arguments:?}");
        assert!(run.stdout.is_empty() && !run.stderr.is_empty());
    }
    for arguments in [
        &["--help"][..],
        &["scan", "--help"],
        &["cells", "--help"],
        &["--version"],
    ] {
        let run = dir.run(arguments);
        assert_eq!((run.status, run.stderr.len()), (0, 0), "{arguments:?}");
        assert!(run.stdout.contains("sheetscan"));
    }
}

#[test]
fn folders_and_lists_are_read_in_order() {
    let dir = TestDir::new();
    fs::create_dir(dir.path("round")).expect("a folder");
    for name in ["round/b.jpg", "round/a.JPG", "last.jpg"] {
        fs::copy(short_sample(), dir.path(name)).expect("copied");
    }
    dir.write("round/notes.txt", "not a picture, and not looked at");
    let list = "\nlast.jpg\r\n";
    let run = dir.run_with_input(
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
    assert_ne!(run.status, 1, "{:#?}", run.stderr);
    let path = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        line["sheets"][0]["path"]
            .as_str()
            .expect("a string")
            .to_owned()
    };
    assert_eq!(
        run.stdout.lines().map(path).collect::<Vec<_>>(),
        ["round/a.JPG", "round/b.jpg", "last.jpg"]
    );
}

#[test]
fn the_closing_table_counts() {
    let dir = TestDir::new();
    dir.write("empty.jpg", "");
    let run = dir.run(&["scan", &short_sample(), "empty.jpg", "-o", "games.pgn"]);
    let [.., head, figures] = run.stderr.as_slice() else {
        panic!("{:#?}", run.stderr)
    };
    assert!(
        head.contains("sheets") && head.contains("moves to look at") && head.contains("seconds")
    );
    let figures = figures.split_whitespace().collect::<Vec<_>>();
    assert_eq!(figures[..2], ["2", "1"], "two sheets, one game");
    let quiet = dir.run(&["scan", &short_sample(), "-o", "games.pgn", "--quiet"]);
    assert!(quiet.stderr.is_empty(), "{:#?}", quiet.stderr);
}

#[cfg(unix)]
#[test]
fn a_closed_standard_output_is_no_fault() {
    let dir = TestDir::new();
    let mut child = dir.command(&["scan", &short_sample(), "--quiet"]);
    let mut child = child
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("sheetscan starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn debug_pictures_are_drawn_under_names_that_do_not_collide() {
    let dir = TestDir::new();
    for folder in ["one", "two"] {
        fs::create_dir(dir.path(folder)).expect("a folder");
        fs::copy(short_sample(), dir.path(folder).join("sheet.jpg")).expect("copied");
    }
    dir.run(&[
        "scan",
        "one",
        "two",
        "-o",
        "games.pgn",
        "--debug-dir",
        "drawn/today",
        "--quiet",
    ]);
    for name in ["sheet-p1.png", "sheet~2-p1.png"] {
        assert!(
            image::open(dir.path("drawn/today").join(name)).is_ok(),
            "{name}"
        );
    }
}
