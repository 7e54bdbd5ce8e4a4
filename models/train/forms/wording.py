"""The words that are printed on forms, by language."""

# Words of each language for White, Black, event, date, round, board, result, signature, opening and
# title.
WORDS = {
    "en": ("WHITE|BLACK|Event|Date|Round|Board|Result|Signature|Opening|Score Sheet").split("|"),
    "pt": (
        "Brancas|Pretas|Prova|Data|Ronda|Mesa|Resultado|Assinatura|Abertura|Planilha de anotação"
    ).split("|"),
    "it": (
        "Bianco|Nero|Torneo|Data|Turno|Tavolo|Risultato|Firma|Apertura|Formulario di gara"
    ).split("|"),
    "de": (
        "Weiß|Schwarz|Veranstaltung|Datum|Runde|Brett|Ergebnis|Unterschrift|Eröffnung|"
        "Partieformular"
    ).split("|"),
    "es": (
        "Blancas|Negras|Torneo|Fecha|Ronda|Mesa|Resultado|Firma|Apertura|Planilla oficial"
    ).split("|"),
    "fr": (
        "BLANCS|NOIRS|Tournoi|Date|Ronde|Échiquier|Résultat|Signature|Ouverture|Feuille de partie"
    ).split("|"),
    "nl": (
        "Wit|Zwart|Toernooi|Datum|Ronde|Bord|Uitslag|Handtekening|Opening|Notatieformulier"
    ).split("|"),
    "pl": ("Białe|Czarne|Turniej|Data|Runda|Stolik|Wynik|Podpis|Debiut|Zapis partii").split("|"),
}
TIMES = {
    "en": "Time",
    "pt": "Tempo",
    "it": "Tempo",
    "de": "Zeit",
    "es": "Tiempo",
    "fr": "Temps",
    "nl": "Tijd",
    "pl": "Czas",
}
SPONSORS = (
    "CHESS SHOP|Banco Norte|www.chess-club.org|SPORTLAND|Ville de Lyon|FIDE|Hotel Aurora|"
    "Stadtwerke|Druck & Papier|ELO|KLUB 64"
).split("|")
