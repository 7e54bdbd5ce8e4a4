//! Players: what a PGN tag needs of them.

/// A player of the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// Start rank, by which the file names opponents.
    pub rank: u32,
    /// The name as it is written, but for blanks: one behind a comma, never two.
    pub name: String,
    /// FIDE title in capitals.
    pub title: Option<&'static str>,
    /// Rating; none for an unrated player.
    pub rating: Option<u32>,
    /// FIDE identity number.
    pub fide_id: Option<u64>,
    /// Name of the team.
    pub team: Option<String>,
}

/// A name with one blank behind a comma and none doubled.
pub(super) fn tidy(name: &str) -> String {
    let spaced = name.replace(',', ", ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.join(" ").replace(" ,", ",")
}

/// A title in the standard's capitals or in the short form of older programs: `g m f c`, for women `wg wm wf wc`.
pub(super) fn title(text: &str) -> Option<&'static str> {
    const TITLES: [(&str, &str); 8] = [
        ("GM", "G"),
        ("IM", "M"),
        ("FM", "F"),
        ("CM", "C"),
        ("WGM", "WG"),
        ("WIM", "WM"),
        ("WFM", "WF"),
        ("WCM", "WC"),
    ];
    let text = text.to_uppercase();
    let found = TITLES
        .iter()
        .find(|(long, short)| text == *long || text == *short);
    found.map(|(long, _)| *long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_old_and_new() {
        for (text, is) in [
            ("g", "GM"),
            ("m", "IM"),
            ("f", "FM"),
            ("c", "CM"),
            ("wg", "WGM"),
            ("WIM", "WIM"),
        ] {
            assert_eq!(title(text), Some(is));
        }
        assert_eq!(title(""), None);
        assert_eq!(title("NM"), None);
    }

    #[test]
    fn names_get_a_blank_behind_the_comma() {
        assert_eq!(tidy("Vasquez,Rodrigo"), "Vasquez, Rodrigo");
        assert_eq!(
            tidy("Garcia  De La Fuente , Jose"),
            "Garcia De La Fuente, Jose"
        );
        assert_eq!(tidy("Sanz Perez Eduardo"), "Sanz Perez Eduardo");
    }
}
