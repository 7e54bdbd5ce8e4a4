//! What is printed on each sheet of a round.

use crate::event::{Date, Event, Pairing, PairingKind, Player};
use crate::form::{FormCode, SheetForm, SheetSide};

/// A player as the head of a sheet names one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SheetPlayer {
    /// The name as the pairing program writes it.
    pub name: String,
    /// Title, rating and federation, as far as they are known.
    pub facts: Vec<String>,
}

/// A sheet: its code, and what is printed for people to read. What is empty or none is left for the
/// players to fill in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The code, from which the form of the sheet follows too.
    pub code: FormCode,
    /// Name of the event.
    pub event: String,
    /// City of the event.
    pub place: String,
    /// Date of the round.
    pub date: Date,
    /// White and Black.
    pub players: [Option<SheetPlayer>; 2],
}

/// Which of the sheets of a game are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetSet {
    /// The form of the first page.
    pub form: SheetForm,
    /// The page of the game's record, from 1; from 2 on they are continuation sheets.
    pub page: u8,
    /// How many copies of every sheet, from 1.
    pub copies: u8,
}

/// The sheets of both players for every game of a round that is played, by board; games without a
/// number of a board follow in the order of the report file. All sheets of a board stand together,
/// copy by copy, so that printed two on a page each page holds both players' sheets.
pub fn round_sheets(event: &Event, round: u32, set: &SheetSet) -> Vec<Sheet> {
    let is_played = |p: &&Pairing| p.round == round && p.kind != PairingKind::Forfeit;
    let mut pairings: Vec<&Pairing> = event.pairings.iter().filter(is_played).collect();
    pairings.sort_by_key(|pairing| pairing.board.unwrap_or(u32::MAX));
    let sheets = pairings.into_iter().flat_map(|pairing| {
        let players = [pairing.white, pairing.black].map(|player| &event.players[player]);
        let blank = blank_sheet(Some(event), Some(round), set);
        let sheet = Sheet {
            code: FormCode {
                board: pairing.board,
                white: Some(players[0].rank),
                ..blank.code
            },
            date: pairing.date,
            players: players.map(|player| Some(SheetPlayer::new(player))),
            ..blank
        };
        let copies = (1..=set.copies)
            .flat_map(|copy| [SheetSide::White, SheetSide::Black].map(|side| (copy, Some(side))));
        copies.map(move |(copy, side)| {
            let code = FormCode {
                copy,
                side,
                ..sheet.code
            };
            Sheet {
                code,
                ..sheet.clone()
            }
        })
    });
    sheets.collect()
}

/// Sheets without players, `count` of them with all their copies.
pub fn blank_sheets(
    event: Option<&Event>,
    round: Option<u32>,
    count: u32,
    set: &SheetSet,
) -> Vec<Sheet> {
    let sheet = blank_sheet(event, round, set);
    let copies = (0..count).flat_map(|_| 1..=set.copies);
    let sheets = copies.map(|copy| {
        let code = FormCode { copy, ..sheet.code };
        Sheet {
            code,
            ..sheet.clone()
        }
    });
    sheets.collect()
}

/// A sheet of which only the event and the round are known.
fn blank_sheet(event: Option<&Event>, round: Option<u32>, set: &SheetSet) -> Sheet {
    let is_address = |city: &str| city.contains("://") || city.contains("www.");
    let place = event.map_or("", |event| event.city.as_str());
    let dates = event.map(|event| event.round_dates.clone());
    let date = dates.unwrap_or_default();
    Sheet {
        code: FormCode {
            event: event.map(Event::hash),
            round,
            board: None,
            white: None,
            side: None,
            page: set.page,
            copy: 1,
            form: set.form,
        },
        event: event.map_or_else(String::new, |event| event.name.clone()),
        place: if is_address(place) { "" } else { place }.to_owned(),
        date: round
            .and_then(|round| date.get(&round).copied())
            .unwrap_or_default(),
        players: [None, None],
    }
}

impl SheetPlayer {
    fn new(player: &Player) -> Self {
        let title = player.title.map(str::to_owned);
        let rating = player.rating.map(|rating| rating.to_string());
        let facts = title
            .into_iter()
            .chain(rating)
            .chain(player.federation.clone());
        Self {
            name: player.name.clone(),
            facts: facts.collect(),
        }
    }
}
