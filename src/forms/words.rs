//! The words that are printed on a sheet, in all languages of the notation.

/// The words of one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Words {
    /// What the sheet is: the title of the file.
    pub(super) sheet: &'static str,
    /// The player of the white pieces.
    pub(super) white: &'static str,
    /// The player of the black pieces.
    pub(super) black: &'static str,
    pub(super) event: &'static str,
    pub(super) date: &'static str,
    pub(super) round: &'static str,
    pub(super) board: &'static str,
    pub(super) result: &'static str,
    pub(super) signature: &'static str,
    /// What the clock shows.
    pub(super) time: &'static str,
    pub(super) page: &'static str,
    pub(super) copy: &'static str,
}

/// The words of the language with an ISO 639-1 code.
pub(super) fn words(code: &str) -> Option<Words> {
    let (_, words) = WORDS.iter().find(|(known, _)| *known == code)?;
    let mut words = words.split('|');
    let mut next = || words.next();
    Some(Words {
        sheet: next()?,
        white: next()?,
        black: next()?,
        event: next()?,
        date: next()?,
        round: next()?,
        board: next()?,
        result: next()?,
        signature: next()?,
        time: next()?,
        page: next()?,
        copy: next()?,
    })
}

/// Sheet, White, Black, event, date, round, board, result, signature, time, page and copy.
const WORDS: &[(&str, &str)] = &[
    (
        "en",
        "Scoresheet|White|Black|Event|Date|Round|\
         Board|Result|Signature|Time|Page|Copy",
    ),
    (
        "pt",
        "Planilha|Brancas|Pretas|Prova|Data|Ronda|\
         Mesa|Resultado|Assinatura|Tempo|Página|Cópia",
    ),
    (
        "it",
        "Formulario|Bianco|Nero|Torneo|Data|Turno|\
         Tavolo|Risultato|Firma|Tempo|Pagina|Copia",
    ),
    (
        "es",
        "Planilla|Blancas|Negras|Torneo|Fecha|Ronda|\
         Mesa|Resultado|Firma|Tiempo|Página|Copia",
    ),
    (
        "ca",
        "Planella|Blanques|Negres|Torneig|Data|Ronda|\
         Taula|Resultat|Signatura|Temps|Pàgina|Còpia",
    ),
    (
        "gl",
        "Planilla|Brancas|Negras|Torneo|Data|Rolda|\
         Mesa|Resultado|Sinatura|Tempo|Páxina|Copia",
    ),
    (
        "fr",
        "Feuille de partie|Blancs|Noirs|Tournoi|Date|Ronde|\
         Table|Résultat|Signature|Temps|Page|Copie",
    ),
    (
        "de",
        "Partieformular|Weiß|Schwarz|Turnier|Datum|Runde|\
         Brett|Ergebnis|Unterschrift|Zeit|Seite|Kopie",
    ),
    (
        "sv",
        "Partiprotokoll|Vit|Svart|Tävling|Datum|Rond|\
         Bord|Resultat|Underskrift|Tid|Sida|Kopia",
    ),
    (
        "no",
        "Partiskjema|Hvit|Svart|Turnering|Dato|Runde|\
         Bord|Resultat|Underskrift|Tid|Side|Kopi",
    ),
    (
        "da",
        "Partiliste|Hvid|Sort|Turnering|Dato|Runde|\
         Bræt|Resultat|Underskrift|Tid|Side|Kopi",
    ),
    (
        "hr",
        "Partijar|Bijeli|Crni|Turnir|Datum|Kolo|\
         Ploča|Rezultat|Potpis|Vrijeme|Stranica|Kopija",
    ),
    (
        "sr",
        "Formular partije|Beli|Crni|Turnir|Datum|Kolo|\
         Tabla|Rezultat|Potpis|Vreme|Strana|Kopija",
    ),
    (
        "sl",
        "Zapisnik partije|Beli|Črni|Turnir|Datum|Kolo|\
         Deska|Rezultat|Podpis|Čas|Stran|Kopija",
    ),
    (
        "nl",
        "Notatieformulier|Wit|Zwart|Toernooi|Datum|Ronde|\
         Bord|Uitslag|Handtekening|Tijd|Pagina|Kopie",
    ),
    (
        "fi",
        "Pelipöytäkirja|Valkea|Musta|Turnaus|Päivä|Kierros|\
         Pöytä|Tulos|Allekirjoitus|Aika|Sivu|Kopio",
    ),
    (
        "is",
        "Skorblað|Hvítt|Svart|Mót|Dagsetning|Umferð|\
         Borð|Úrslit|Undirskrift|Tími|Síða|Afrit",
    ),
    (
        "cs",
        "Partiář|Bílý|Černý|Turnaj|Datum|Kolo|\
         Šachovnice|Výsledek|Podpis|Čas|Strana|Kopie",
    ),
    (
        "sk",
        "Partiár|Biely|Čierny|Turnaj|Dátum|Kolo|\
         Šachovnica|Výsledok|Podpis|Čas|Strana|Kópia",
    ),
    (
        "pl",
        "Zapis partii|Białe|Czarne|Turniej|Data|Runda|\
         Stolik|Wynik|Podpis|Czas|Strona|Kopia",
    ),
    (
        "hu",
        "Játszmalap|Világos|Sötét|Verseny|Dátum|Forduló|\
         Tábla|Eredmény|Aláírás|Idő|Oldal|Másolat",
    ),
    (
        "ro",
        "Foaie de concurs|Alb|Negru|Turneu|Data|Runda|\
         Masa|Rezultat|Semnătura|Timp|Pagina|Copia",
    ),
    (
        "tr",
        "Notasyon kâğıdı|Beyaz|Siyah|Turnuva|Tarih|Tur|\
         Masa|Sonuç|İmza|Süre|Sayfa|Kopya",
    ),
    (
        "az",
        "Partiya vərəqi|Ağlar|Qaralar|Turnir|Tarix|Tur|\
         Masa|Nəticə|İmza|Vaxt|Səhifə|Surət",
    ),
    (
        "et",
        "Partiileht|Valge|Must|Turniir|Kuupäev|Voor|\
         Laud|Tulemus|Allkiri|Aeg|Lehekülg|Koopia",
    ),
    (
        "lv",
        "Partijas protokols|Baltie|Melnie|Turnīrs|Datums|Kārta|\
         Galds|Rezultāts|Paraksts|Laiks|Lapa|Kopija",
    ),
    (
        "lt",
        "Partijos lapas|Baltieji|Juodieji|Turnyras|Data|Ratas|\
         Lenta|Rezultatas|Parašas|Laikas|Puslapis|Kopija",
    ),
    (
        "id",
        "Lembar notasi|Putih|Hitam|Turnamen|Tanggal|Babak|\
         Meja|Hasil|Tanda tangan|Waktu|Halaman|Salinan",
    ),
    (
        "eu",
        "Partida-orria|Zuriak|Beltzak|Txapelketa|Data|Txanda|\
         Mahaia|Emaitza|Sinadura|Denbora|Orria|Kopia",
    ),
    (
        "ga",
        "Scórbhileog|Bán|Dubh|Comórtas|Dáta|Babhta|\
         Clár|Toradh|Síniú|Am|Leathanach|Cóip",
    ),
    (
        "eo",
        "Partifolio|Blanka|Nigra|Turniro|Dato|Rondo|\
         Tabulo|Rezulto|Subskribo|Tempo|Paĝo|Kopio",
    ),
    (
        "fo",
        "Talvblað|Hvítt|Svart|Kapping|Dagur|Umfar|\
         Borð|Úrslit|Undirskrift|Tíð|Síða|Avrit",
    ),
    (
        "vi",
        "Biên bản ván cờ|Trắng|Đen|Giải đấu|Ngày|Ván|\
         Bàn|Kết quả|Chữ ký|Thời gian|Trang|Bản sao",
    ),
    (
        "ru",
        "Бланк партии|Белые|Чёрные|Турнир|Дата|Тур|\
         Доска|Результат|Подпись|Время|Страница|Копия",
    ),
    (
        "uk",
        "Бланк партії|Білі|Чорні|Турнір|Дата|Тур|\
         Дошка|Результат|Підпис|Час|Сторінка|Копія",
    ),
    (
        "bg",
        "Бланка за партия|Бели|Черни|Турнир|Дата|Кръг|\
         Дъска|Резултат|Подпис|Време|Страница|Копие",
    ),
    (
        "el",
        "Παρτιδόφυλλο|Λευκά|Μαύρα|Τουρνουά|Ημερομηνία|Γύρος|\
         Σκακιέρα|Αποτέλεσμα|Υπογραφή|Χρόνος|Σελίδα|Αντίγραφο",
    ),
];

#[cfg(test)]
impl Words {
    /// All words.
    pub(super) fn all(&self) -> [&'static str; 12] {
        [
            self.sheet,
            self.white,
            self.black,
            self.event,
            self.date,
            self.round,
            self.board,
            self.result,
            self.signature,
            self.time,
            self.page,
            self.copy,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_language_has_a_word_too_many_or_an_empty_one() {
        for (code, line) in WORDS {
            let words = words(code).expect("twelve words");
            assert_eq!(words.all().join("|"), *line, "{code}");
            assert!(words.all().iter().all(|word| !word.is_empty()), "{code}");
        }
    }
}
