use proptest::prelude::*;

use super::*;

fn sizes() -> impl Strategy<Value = SheetSize> {
    prop::sample::select(SheetSize::ALL.to_vec())
}

/// Any form that has room for its rows.
fn forms() -> impl Strategy<Value = SheetForm> {
    let parts = (
        sizes(),
        1..=MAX_BLOCKS,
        10_u8..=40,
        any::<bool>(),
        1_u16..800,
    );
    parts.prop_filter_map("no room", |(size, blocks, rows, has_clocks, first_row)| {
        SheetForm::new(size, blocks, rows, has_clocks, first_row).ok()
    })
}

fn codes() -> impl Strategy<Value = FormCode> {
    let event = prop::option::of(".*".prop_map(|name| EventHash::new(&name, "", None)));
    let side = prop::sample::select(vec![None, Some(SheetSide::White), Some(SheetSide::Black)]);
    let round = prop::option::of(1..=MAX_ROUND);
    let board = prop::option::of(1..=MAX_BOARD);
    let white = prop::option::of(1..=MAX_BOARD);
    let parts = (
        event,
        round,
        board,
        white,
        side,
        1..=MAX_PAGE,
        1..=MAX_PAGE,
        forms(),
    );
    parts.prop_map(
        |(event, round, board, white, side, page, copy, form)| FormCode {
            event,
            round,
            board,
            white,
            side,
            page,
            copy,
            form,
        },
    )
}

proptest! {
    #[test]
    fn a_code_is_read_as_it_was_written(code in codes()) {
        prop_assert_eq!(FormCode::parse(&code.to_text()), Ok(code));
    }

    /// The smallest QR codes in alphanumeric mode that survive the loss of 15 % of their modules:
    /// version 2 at level M holds 38 characters (ISO/IEC 18004, table 7).
    #[test]
    fn the_text_fits_a_code_of_25_modules(code in codes()) {
        let text = code.to_text();
        prop_assert!(text.len() <= 38, "{}", text);
        let is_stored_well = |c: char| "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 $%*+-./:".contains(c);
        prop_assert!(text.chars().all(is_stored_well), "{}", text);
    }

    #[test]
    fn a_code_with_another_character_is_damaged_or_foreign(
        code in codes(),
        place in any::<prop::sample::Index>(),
        character in "[A-Z0-9-]",
    ) {
        let text = code.to_text();
        let at = place.index(text.len());
        let mut changed = text.clone();
        changed.replace_range(at..=at, &character);
        prop_assume!(changed != text);
        prop_assert!(FormCode::parse(&changed).is_err(), "{} for {}", changed, text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,40}|SSF1.{0,40}") {
        let _ = FormCode::parse(&text);
    }

    #[test]
    fn nothing_on_a_sheet_overlaps_or_lies_outside(form in forms()) {
        let [width, height] = form.size().dimensions();
        let mark = |mark: Mark| Rect {
            left: mark.centre[0] - mark.ring,
            top: mark.centre[1] - mark.ring,
            right: mark.centre[0] + mark.ring,
            bottom: mark.centre[1] + mark.ring,
        };
        let parts: Vec<Rect> = form.marks().map(mark).into_iter()
            .chain([form.code_square(), form.event_area(), form.heading(), form.table()])
            .chain(form.players())
            .chain(form.result_boxes())
            .chain(form.signatures())
            .collect();
        for (i, a) in parts.iter().enumerate() {
            prop_assert!(a.width() > 0.0 && a.height() > 0.0, "{:?}", a);
            prop_assert!(a.left >= 5.0 && a.right <= width - 5.0, "{:?}", a);
            prop_assert!(a.top >= 5.0 && a.bottom <= height - 5.0, "{:?}", a);
            for b in &parts[..i] {
                let apart = a.right <= b.left + 1e-9 || b.right <= a.left + 1e-9
                    || a.bottom <= b.top + 1e-9 || b.bottom <= a.top + 1e-9;
                prop_assert!(apart, "{:?} {:?}", a, b);
            }
        }
    }

    #[test]
    fn the_columns_of_all_blocks_fill_the_table_from_left_to_right(form in forms()) {
        let mut right = form.table().left;
        let mut number = form.first_row();
        for block in form.blocks() {
            prop_assert_eq!(block.first_row, number);
            number += u16::from(block.rows);
            let columns = [Some(block.numbers), Some(block.white), block.white_clock,
                Some(block.black), block.black_clock];
            for [left, next] in columns.into_iter().flatten() {
                prop_assert!(left > right - 1e-9 && left < right + 4.0);
                prop_assert!(next > left);
                right = next;
            }
        }
        prop_assert!((right - form.table().right).abs() < 1e-9);
        prop_assert_eq!(number, form.first_row() + form.row_count());
    }
}

#[test]
fn standard_forms_have_sixty_rows_of_seven_millimetres() {
    for size in SheetSize::ALL {
        let form = SheetForm::standard(size, false);
        let same = SheetForm::new(size, form.blocks, form.rows, false, 1);
        assert_eq!(same, Ok(form));
        assert_eq!(form.row_count(), 60);
        assert!(form.row_height() > COMFORTABLE_ROW_MM - 1e-6, "{size:?}");
        assert!(form.cell_width() > 17.0, "{size:?}: {}", form.cell_width());
        let with_clocks = SheetForm::standard(size, true);
        assert!(
            with_clocks.row_height() > COMFORTABLE_ROW_MM - 1e-6,
            "{size:?}"
        );
        assert!(
            with_clocks.cell_width() > 17.0,
            "{size:?}: {}",
            with_clocks.cell_width()
        );
    }
}

#[test]
fn a_game_of_61_moves_goes_on_at_61() {
    let form = SheetForm::standard(SheetSize::A4, false);
    let next = form.continuation().expect("a continuation sheet");
    assert_eq!(next.first_row(), 61);
    assert_eq!(next.blocks()[1].first_row, 91);
}

#[test]
fn forms_without_room_are_refused() {
    let form = |size, blocks, rows, clocks| SheetForm::new(size, blocks, rows, clocks, 1);
    assert!(form(SheetSize::A5, 2, 30, false).is_ok());
    assert!(form(SheetSize::A4, 2, 40, false).is_ok());
    assert!(matches!(
        form(SheetSize::A5, 2, 40, false),
        Err(FormError::LowRows(_))
    ));
    assert!(matches!(
        form(SheetSize::A5, 4, 20, false),
        Err(FormError::NarrowCells(_))
    ));
    assert_eq!(form(SheetSize::A4, 0, 30, false), Err(FormError::Blocks(0)));
    assert_eq!(form(SheetSize::A4, 2, 41, false), Err(FormError::Rows(41)));
    let far = SheetForm::new(SheetSize::A4, 2, 30, false, 990);
    assert_eq!(far, Err(FormError::RowNumber(990)));
}

#[test]
fn newer_and_foreign_texts_are_told_apart_from_damage() {
    let code = FormCode {
        event: None,
        round: Some(3),
        board: Some(7),
        white: Some(31),
        side: Some(SheetSide::Black),
        page: 1,
        copy: 2,
        form: SheetForm::standard(SheetSize::A5, false),
    };
    let text = code.to_text();
    assert_eq!(
        FormCode::parse("https://example.org"),
        Err(FormCodeError::Foreign)
    );
    let newer = text.replacen("SSF1", "SSF2", 1);
    assert_eq!(FormCode::parse(&newer), Err(FormCodeError::Newer(2)));
    let cut = FormCode::parse(&text[..text.len() - 1]);
    assert!(matches!(cut, Err(FormCodeError::Damaged(_))), "{cut:?}");
    let other_board = text.replacen("0007", "0008", 1);
    assert_ne!(other_board, text);
    let damaged = FormCode::parse(&other_board);
    assert!(
        matches!(damaged, Err(FormCodeError::Damaged(_))),
        "{damaged:?}"
    );
}

/// Sheets that are printed already carry this text.
#[test]
fn the_text_stays_as_it_is_from_one_version_to_the_next() {
    let code = FormCode {
        event: Some(EventHash::new("Club Open", "", None)),
        round: Some(4),
        board: Some(12),
        white: Some(31),
        side: Some(SheetSide::White),
        page: 1,
        copy: 1,
        form: SheetForm::standard(SheetSize::A5, false),
    };
    insta::assert_snapshot!(code.to_text(), @"SSF17BC20G080400120031W11B320N001N4");
}
