//! The players of an event, with what the PGN tags need of them.

/// A player of the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// Starting rank, by which the report file names opponents.
    pub rank: u32,
    /// The name as the file has it, with one space behind a comma and no doubled spaces.
    pub name: String,
    /// FIDE title in capitals.
    pub title: Option<&'static str>,
    /// Rating; `None` for an unrated player.
    pub rating: Option<u32>,
    /// Three-letter code of the federation.
    pub federation: Option<String>,
    /// FIDE identity number.
    pub fide_id: Option<u64>,
    /// Name of the team.
    pub team: Option<String>,
}

/// Puts one space behind every comma of a name and removes all other superfluous spaces.
pub(super) fn normalize_spaces(name: &str) -> String {
    let spaced = name.replace(',', ", ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.join(" ").replace(" ,", ",")
}

/// Reads a title in the capitals of the standard, or in the short form of older programs:
/// `g m f c`, for women `wg wm wf wc`. Arena titles count as FIDE's other titles do.
pub(super) fn parse_title(text: &str) -> Option<&'static str> {
    const TITLES: [(&str, &str); 12] = [
        ("GM", "G"),
        ("IM", "M"),
        ("FM", "F"),
        ("CM", "C"),
        ("WGM", "WG"),
        ("WIM", "WM"),
        ("WFM", "WF"),
        ("WCM", "WC"),
        ("AGM", "AGM"),
        ("AIM", "AIM"),
        ("AFM", "AFM"),
        ("ACM", "ACM"),
    ];
    let text = text.to_uppercase();
    let title = TITLES
        .iter()
        .find(|(long, short)| text == *long || text == *short);
    title.map(|(long, _)| *long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_read_in_the_old_and_the_new_form() {
        for (text, title) in [
            ("g", "GM"),
            ("m", "IM"),
            ("f", "FM"),
            ("c", "CM"),
            ("wg", "WGM"),
            ("WIM", "WIM"),
        ] {
            assert_eq!(parse_title(text), Some(title));
        }
        assert_eq!(parse_title(""), None);
        assert_eq!(parse_title("NM"), None);
        assert_eq!(parse_title("AFM"), Some("AFM"));
    }

    #[test]
    fn names_get_a_space_behind_the_comma() {
        assert_eq!(normalize_spaces("Vasquez,Rodrigo"), "Vasquez, Rodrigo");
        assert_eq!(
            normalize_spaces("Garcia  De La Fuente , Jose"),
            "Garcia De La Fuente, Jose"
        );
        assert_eq!(normalize_spaces("Sanz Perez Eduardo"), "Sanz Perez Eduardo");
    }
}
