//! Slips of players: what stands on a sheet in the place of the game that was played.

use crate::simulated::{ILLEGIBLE, Random, STRUCK_OUT};

/// Where and how large a slip is.
#[derive(Clone, Copy)]
pub struct Place {
    /// Number of rows that it takes, from 1.
    pub rows: usize,
    /// Whether it is in the second half of the game.
    pub late: bool,
}

/// A player's slip: it changes the texts of a game's cells, row by row and White before Black.
pub type Slip = fn(&mut Vec<String>, Place, &mut Random);

/// The slips of players by name. Those that take one row or move whatever the place asks for come
/// first.
pub const SLIPS: [(&str, Slip); 14] = [
    ("none", |_, _, _| {}),
    ("half a row off", |cells, place, random| {
        let at = random_row(cells, place, random);
        cells.insert(at, String::new());
    }),
    ("move left out", |cells, place, random| {
        let at = random_row(cells, place, random) + random.below(2);
        cells.remove(at);
    }),
    ("row left out", |cells, place, random| {
        let at = random_row(cells, place, random);
        cells.drain(at..at + 2);
    }),
    ("illegal move kept", |cells, place, random| {
        let at = random_row(cells, place, random) + random.below(2);
        cells[at] = ["Qa9", "Kxh0", "Nj4", "Rd0"][random.below(4)].to_owned();
    }),
    ("two moves swapped", |cells, place, random| {
        let at = random_row(cells, place, random) + random.below(2);
        cells.swap(at, at + 2);
    }),
    ("columns swapped from a row on", |cells, place, random| {
        let at = random_row(cells, place, random);
        let rows = cells[at..].chunks_exact_mut(2);
        rows.for_each(|row| row.swap(0, 1));
    }),
    ("rows left empty, nothing lost", |cells, place, random| {
        let at = random_row(cells, place, random);
        let empty = vec![String::new(); 2 * place.rows];
        cells.splice(at..at, empty);
    }),
    ("rows left empty, moves lost", |cells, place, random| {
        replace_rows(cells, place, random, |_| String::new());
    }),
    ("rows ticked", |cells, place, random| {
        replace_rows(cells, place, random, |random| {
            ["V", "v", "/", ILLEGIBLE][random.below(4)].to_owned()
        });
    }),
    ("rows scribbled", |cells, place, random| {
        replace_rows(cells, place, random, scribble);
    }),
    ("rows written twice", |cells, place, random| {
        let at = random_row(cells, place, random);
        let repeated = cells[at..at + 2 * place.rows].to_vec();
        cells.splice(at..at, repeated);
    }),
    ("rows struck out, right below", |cells, place, random| {
        let at = random_row(cells, place, random);
        let struck: Vec<String> = (0..2 * place.rows)
            .map(|_| format!("{STRUCK_OUT}{}", scribble(random)))
            .collect();
        cells.splice(at..at, struck);
    }),
    ("rows begun and written again", |cells, place, random| {
        let at = random_row(cells, place, random);
        let begun = (0..2 * place.rows).map(|i| match i % 2 {
            0 => cells[at + i].clone(),
            _ => String::new(),
        });
        let begun: Vec<String> = begun.collect();
        cells.splice(at..at, begun);
    }),
];

/// Index of the first cell of a random row in the second or third quarter of the game, with as many
/// rows below it as the place takes.
fn random_row(cells: &[String], place: Place, random: &mut Random) -> usize {
    let rows = cells.len() / 2;
    let quarter = rows / 4;
    let first = if place.late { 2 * quarter } else { quarter };
    let last = rows.saturating_sub(place.rows);
    (first + random.below(quarter.max(1))).min(last) * 2
}

/// Writes something else in the place of some rows.
fn replace_rows(
    cells: &mut [String],
    place: Place,
    random: &mut Random,
    write: fn(&mut Random) -> String,
) {
    let at = random_row(cells, place, random);
    for cell in &mut cells[at..at + 2 * place.rows] {
        *cell = write(random);
    }
}

/// Two to four letters and digits as moves have them, in no order.
fn scribble(random: &mut Random) -> String {
    const SCRIBBLE_CHARACTERS: &[u8] = b"KQRBNabcdefgh12345678x";
    let length = 2 + random.below(3);
    (0..length)
        .map(|_| char::from(SCRIBBLE_CHARACTERS[random.below(SCRIBBLE_CHARACTERS.len())]))
        .collect()
}
