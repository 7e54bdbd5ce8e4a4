//! Files that are made to do harm, or look like it: each is one sheet that cannot be read, with a
//! line that says why, and the others are read.

use std::fs;
use std::path::Path;

use crate::common::{self, TestDir, games, short_sample};

/// A PDF of one page with this content, and further objects from number 5 on.
fn pdf(content: &str, resources: &str, objects: &[String]) -> Vec<u8> {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 4 0 R \
         /Resources << {resources} >> >>"
    );
    let content = stream("", content);
    let head = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        &page,
        &content,
    ];
    let objects = head.into_iter().chain(objects.iter().map(String::as_str));
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = String::new();
    let mut count = 0;
    for (object, number) in objects.zip(1..) {
        table += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
        count = number;
    }
    let start = file.len();
    file += &format!(
        "xref\n0 {}\n0000000000 65535 f \n{table}trailer << /Size {} /Root 1 0 R >>\n\
         startxref\n{start}\n%%EOF\n",
        count + 1,
        count + 1
    );
    file.into_bytes()
}

fn stream(facts: &str, data: &str) -> String {
    format!(
        "<< {facts} /Length {} >>\nstream\n{data}\nendstream",
        data.len()
    )
}

/// Scans a file between two good sheets, and gives the line on standard error about it.
fn line_for(dir: &TestDir, bad: &str) -> String {
    let good = short_sample();
    let sheets = [good.as_str(), bad, good.as_str()];
    let options = ["--no-pair", "-o", "games.pgn", "--quiet"];
    let run = dir.run(&[&["scan"], &sheets[..], &options].concat());
    assert_eq!(run.status, 2, "{:#?}", run.stderr);
    assert_eq!(games(&dir.text("games.pgn")).len(), 2, "the good sheets");
    run.line_about(bad).to_owned()
}

#[test]
fn a_pdf_that_would_draw_for_ever_is_stopped() {
    let dir = TestDir::new();
    // Twelve levels of forms, each of which draws the next ten times.
    let form = |level: usize| {
        let (facts, data) = if level < 12 {
            let next = format!("/Resources << /XObject << /F {} 0 R >> >>", level + 6);
            (next, "/F Do ".repeat(10))
        } else {
            (String::new(), "0 0 9 9 re f".to_owned())
        };
        stream(
            &format!("/Type /XObject /Subtype /Form /BBox [0 0 300 400] {facts}"),
            &data,
        )
    };
    let forms: Vec<String> = (0..=12).map(form).collect();
    dir.write("slow.pdf", pdf("/F Do", "/XObject << /F 5 0 R >>", &forms));
    let line = line_for(&dir, "slow.pdf");
    assert!(
        line.contains("took more than 6 s to draw; print it to a picture"),
        "{line}"
    );
}

#[test]
fn a_pdf_that_would_fill_the_memory_is_stopped() {
    let dir = TestDir::new();
    // A fax of white rows, each of one bit: more than a gigabyte of pixels.
    let facts = "/Type /XObject /Subtype /Image /Width 40000 /Height 40000 /ColorSpace /DeviceGray \
                 /BitsPerComponent 1 /Filter [/ASCIIHexDecode /CCITTFaxDecode] \
                 /DecodeParms [null << /K -1 /Columns 40000 /Rows 40000 >>]";
    let picture = stream(facts, &("ff".repeat(5000) + ">"));
    let content = "q 300 0 0 400 0 0 cm /P Do Q";
    dir.write(
        "large.pdf",
        pdf(content, "/XObject << /P 5 0 R >>", &[picture]),
    );
    let line = line_for(&dir, "large.pdf");
    let told = "took more than 560 MiB of memory to draw; print it to a picture";
    assert!(line.contains(told), "{line}");
}

#[test]
fn a_pdf_nested_too_deeply_takes_no_other_sheet_with_it() {
    let dir = TestDir::new();
    let depth = 2_000_000;
    let content = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    dir.write("deep.pdf", pdf(&content, "", &[]));
    line_for(&dir, "deep.pdf");
    let function = "/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]";
    let braces = format!("{{{}{}}}", "{".repeat(100_000), "}".repeat(100_000));
    let shading = "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 300 400] /Function 6 0 R \
                   /Extend [true true] >>";
    let objects = [shading.to_owned(), stream(function, &braces)];
    dir.write(
        "braces.pdf",
        pdf("/S sh", "/Shading << /S 5 0 R >>", &objects),
    );
    line_for(&dir, "braces.pdf");
}

#[test]
fn a_pdf_that_cannot_be_opened_is_told_once() {
    let dir = TestDir::new();
    dir.write("damaged.pdf", "%PDF-1.7\nand nothing else");
    assert!(line_for(&dir, "damaged.pdf").contains("damaged.pdf: the PDF file is cut short"));
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_opened() {
    let dir = TestDir::new();
    fs::create_dir(dir.path("round")).expect("a folder");
    fs::copy(short_sample(), dir.path("round/a.jpg")).expect("a copy");
    let made = std::process::Command::new("mkfifo")
        .arg(dir.path("round/b.jpg"))
        .status();
    if !made.is_ok_and(|status| status.success()) {
        common::skip_without("mkfifo");
        return;
    }
    let run = dir.run(&["scan", "round", "-o", "games.pgn"]);
    assert_eq!(run.status, 0, "{:#?}", run.stderr);
    assert_eq!(
        run.line_about("b.jpg"),
        "round: 1 is a pipe or a device: b.jpg"
    );
    let line = line_for(&dir, "round/b.jpg");
    assert!(line.contains("is a pipe or a device"), "{line}");
    assert!(line_for(&dir, "/dev/zero").contains("is a pipe or a device"));
}

#[cfg(unix)]
#[test]
fn a_name_with_control_characters_is_shown_by_their_codes() {
    let dir = TestDir::new();
    dir.write("a\u{1b}[31m\nb\u{202e}.jpg", "");
    let run = dir.run(&[
        "scan",
        "a\u{1b}[31m\nb\u{202e}.jpg",
        "-o",
        "games.pgn",
        "--quiet",
    ]);
    assert_eq!((run.status, run.stderr.len()), (2, 1), "{:#?}", run.stderr);
    assert!(run.stderr[0].contains(r"a\u{1b}[31m\u{a}b\u{202e}.jpg: the file is empty"));
}

#[test]
fn a_name_of_the_greatest_length_gets_its_drawing_and_its_cells() {
    let dir = TestDir::new();
    let name = format!("{}.jpg", "a".repeat(251));
    fs::copy(short_sample(), dir.path(&name)).expect("a copy");
    let drawn = dir.run(&["scan", &name, "-o", "games.pgn", "--debug-dir", "drawn"]);
    assert_eq!(drawn.status, 0, "{:#?}", drawn.stderr);
    let drawing = dir.path(&format!("drawn/{}-p1.png", "a".repeat(200)));
    assert!(image::open(drawing).is_ok());
    let cut = dir.run(&["cells", &name, "-o", "cells"]);
    assert_eq!(cut.status, 0, "{:#?}", cut.stderr);
}

#[test]
fn a_picture_is_not_drawn_over() {
    let dir = TestDir::new();
    for name in ["a.jpg", "a-p1.png"] {
        fs::copy(short_sample(), dir.path(name)).expect("a copy");
    }
    for arguments in [
        ["scan", "a.jpg", "a-p1.png", "--debug-dir", "."],
        ["cells", "a.jpg", "a-p1.png", "-o", "."],
    ] {
        let run = dir.run(&arguments);
        assert_eq!(run.status, 1, "{:#?}", run.stderr);
        assert!(run.line_about("a-p1.png").contains("may be written over"));
    }
    assert_eq!(
        fs::read(dir.path("a-p1.png")).ok(),
        fs::read(Path::new(&short_sample())).ok()
    );
}
