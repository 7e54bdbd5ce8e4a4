//! The words that forms print as labels of their header fields.

use std::sync::LazyLock;

use super::Field;
use crate::reader::KnownString;

/// Labels of the fields that are used, in the languages of the notation, without case and accents.
const LABELS: [(Field, &str); 6] = [
    (
        Field::White,
        "white whites brancas branco blancas blanco blanques bianco blanc blancs weiss weiser wit \
         hvit hvid vit valkea valkoinen bily biely biale bialy vilagos alb bijeli beli beyaz belye \
         beli",
    ),
    (
        Field::Black,
        "black blacks pretas preto negras negre negres nero noir noirs schwarz zwart svart sort \
         musta cerny cierny czarne czarny sotet negru crni siyah chernye cherni",
    ),
    (
        Field::Round,
        "round rd rnd ronda rodada turno ronde runde runda rond umferd kierros kolo fordulo tur \
         tour voor",
    ),
    (
        Field::Board,
        "board bd mesa tabuleiro tavolo scacchiera brett tablero tauler echiquier bord brad braet \
         lauta poyta sachovnice stolik szachownica tabla masa table tisch",
    ),
    (
        Field::Date,
        "date data fecha datum dato pvm dagsetning kelt tarih",
    ),
    (
        Field::Result,
        "result resultado risultato resultat ergebnis uitslag wynik",
    ),
];

/// Labels of other fields: the words that follow them belong to none of [`LABELS`].
const OTHER_LABELS: &str = "event prova torneo torneio tournoi turnier veranstaltung toernooi \
    turniej signature assinatura firma unterschrift handtekening podpis opening abertura apertura \
    ouverture eroffnung debiut site local luogo lugar lieu ort plaats team equipe squadra \
    equipo mannschaft club clube circolo verein rating elo section title time name";

/// Words that forms print beside their labels, as hints or below the table.
const OTHER_PRINT: &str = "name player of won win draw lost move moves no notes note winner \
    spieler gewonnen remis zug jogador empate venceu tempo hora giocatore patta mossa jugador \
    tablas gana joueur nulle coup blitz rapid chess schach xadrez scacchi ajedrez echecs";

/// Whether a word, without case and accents, is one that forms print.
pub(crate) fn is_printed_word(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let labels = known_labels().map(|(_, label)| label);
    let mut printed = labels.chain(OTHER_PRINT.split_whitespace());
    printed.any(|known| known == word)
}

/// A label as it is printed, and the field that it names; none for the labels of other fields.
type PrintedLabel = (Option<Field>, KnownString);

/// Every label as forms print it: alone, or with a colon or a full stop behind it.
pub(super) fn printed_labels() -> &'static [PrintedLabel] {
    static PRINTED_LABELS: LazyLock<Vec<PrintedLabel>> = LazyLock::new(|| {
        let with_sign = |(field, label)| {
            ["", ":", "."].map(|sign| (field, KnownString::new(format!("{label}{sign}"))))
        };
        known_labels().flat_map(with_sign).collect()
    });
    &PRINTED_LABELS
}

/// Every known label with the field that it names; none for the labels of other fields.
fn known_labels() -> impl Iterator<Item = (Option<Field>, &'static str)> {
    let used = LABELS.into_iter();
    let used =
        used.flat_map(|(field, words)| words.split_whitespace().map(move |w| (Some(field), w)));
    used.chain(OTHER_LABELS.split_whitespace().map(|word| (None, word)))
}
