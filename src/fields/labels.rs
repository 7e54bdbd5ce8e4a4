//! What forms print beside their fields.

use super::Field;

/// Labels without case and accents, in the languages of notation.tsv.
const LABELS: [(Field, &str); 5] = [
    (
        Field::White,
        "white whites brancas branco blancas blanco blanques bianco blanc blancs weiss weiser wit hvit hvid vit valkea valkoinen bily biely \
         biale bialy vilagos alb bijeli beli beyaz belye beli",
    ),
    (
        Field::Black,
        "black blacks pretas preto negras negre negres nero noir noirs schwarz zwart svart sort musta cerny cierny czarne czarny \
         sotet negru crni siyah chernye cherni",
    ),
    (
        Field::Round,
        "round rd rnd ronda rodada turno ronde runde runda rond umferd kierros kolo fordulo tur tour voor",
    ),
    (
        Field::Board,
        "board bd mesa tabuleiro tavolo scacchiera brett tablero tauler echiquier bord brad braet lauta poyta sachovnice stolik \
         szachownica tabla masa table tisch",
    ),
    (
        Field::Date,
        "date data fecha datum dato pvm dagsetning kelt tarih",
    ),
];

/// Other labels: what stands behind them is none of these.
const OTHERS: &str = "event prova torneo torneio tournoi turnier veranstaltung toernooi turniej result resultado risultato resultat ergebnis \
     uitslag wynik signature assinatura firma unterschrift handtekening podpis opening abertura apertura ouverture eroffnung debiut \
     site local luogo lugar lieu ort plaats team equipe squadra equipo mannschaft club clube circolo verein rating elo section title time name";

/// Every label with its field; none for those of other fields.
pub(super) fn labels() -> impl Iterator<Item = (Option<Field>, &'static str)> {
    let known = LABELS.into_iter();
    let known =
        known.flat_map(|(field, words)| words.split_whitespace().map(move |w| (Some(field), w)));
    known.chain(OTHERS.split_whitespace().map(|word| (None, word)))
}
