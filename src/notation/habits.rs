//! Which styles of notation a writer uses, learned from the moves of a sheet.

/// A style of notation that a writer uses or does not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotationStyle {
    /// Long algebraic notation: `Ng1-f3`.
    LongAlgebraic,
    /// Piece letters in lower case: `nf3`.
    LowercasePiece,
    /// Files in upper case: `CF3`, `E4`.
    UppercaseFile,
    /// Figurines drawn by hand: `♘f3`.
    Figurine,
    /// The pawn's letter: `Pe4`.
    PawnLetter,
    /// No mark of a capture: `Ne5` for `Nxe5`.
    NoCaptureMark,
    /// A colon as the mark of a capture: `N:e5`.
    ColonCapture,
    /// The captured piece by its letter: `QxQ`. 2 % of all moves and a tenth of the captures are
    /// written so.
    NamesCaptured,
}

impl NotationStyle {
    /// All styles.
    pub const ALL: [Self; 8] = [
        Self::LongAlgebraic,
        Self::LowercasePiece,
        Self::UppercaseFile,
        Self::Figurine,
        Self::PawnLetter,
        Self::NoCaptureMark,
        Self::ColonCapture,
        Self::NamesCaptured,
    ];

    /// Cost in nats of a move in this style by a writer of whom nothing is known.
    const fn default_cost(self) -> f32 {
        match self {
            Self::LongAlgebraic | Self::NamesCaptured => 3.5,
            Self::LowercasePiece => 4.5,
            Self::UppercaseFile | Self::PawnLetter => 4.0,
            Self::Figurine => 5.0,
            Self::NoCaptureMark => 2.5,
            Self::ColonCapture => 3.0,
        }
    }
}

/// A set of styles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NotationStyles(u8);

impl NotationStyles {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// This set with one more style.
    #[must_use]
    pub const fn and(self, style: NotationStyle) -> Self {
        Self(self.0 | 1 << style as u8)
    }

    /// The union of two sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a style is in the set.
    pub const fn has(self, style: NotationStyle) -> bool {
        self.0 & 1 << style as u8 != 0
    }
}

/// Weight of the beta prior in moves: a writer is taken to have written this many moves with the
/// default frequencies before the sheet begins. Two moves in another style may be slips, ten of ten
/// are a habit. Chosen by eye.
const PRIOR_MOVES: f32 = 4.0;

/// For each style, in the order of [`NotationStyle::ALL`], among the moves that could be written in
/// it: how many are not, and how many are.
pub type StyleCounts = [[u16; 2]; NotationStyle::ALL.len()];

/// For each style, what it costs a writer in nats not to use it and to use it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Habits([[f32; 2]; NotationStyle::ALL.len()]);

impl Default for Habits {
    /// The habits of a writer of whom nothing is known.
    fn default() -> Self {
        Self(NotationStyle::ALL.map(|style| [0.0, style.default_cost()]))
    }
}

impl Habits {
    /// The habits of a writer by the moves that he has written.
    ///
    /// With `p` the default frequency of a style, `n` moves that could be written in it and `k`
    /// that are, its frequency is `q = (k + 4 p) / (n + 4)`. The style then costs `-ln q`, and not
    /// to use it costs `max(0, ln(1 - p) - ln(1 - q))`.
    pub fn from_counts(counts: &StyleCounts) -> Self {
        let mut habits = Self::default();
        let styles = counts.iter().zip(NotationStyle::ALL);
        for (costs, (&[without, with], style)) in habits.0.iter_mut().zip(styles) {
            let default = (-style.default_cost()).exp();
            let moves = f32::from(without) + f32::from(with);
            let frequency = (f32::from(with) + PRIOR_MOVES * default) / (moves + PRIOR_MOVES);
            *costs = [
                ((1.0 - default).ln() - (1.0 - frequency).ln()).max(0.0),
                -frequency.ln(),
            ];
        }
        habits
    }

    /// Cost in nats of using none of the styles that are possible for a move.
    pub fn plain_cost(&self, possible: NotationStyles) -> f32 {
        self.costs(possible).map(|[without, _]| without).sum()
    }

    /// Cost in nats of using these styles, on top of [`Habits::plain_cost`].
    pub fn surcharge(&self, styles: NotationStyles) -> f32 {
        if styles == NotationStyles::NONE {
            return 0.0;
        }
        self.costs(styles)
            .map(|[without, with]| with - without)
            .sum()
    }

    /// By how many nats, at most over the styles, a style costs this writer less than others.
    pub fn max_discount(&self) -> f32 {
        let discounts = NotationStyle::ALL
            .iter()
            .zip(&self.0)
            .map(|(style, [_, with])| style.default_cost() - with);
        discounts.fold(0.0, f32::max)
    }

    /// The costs of the styles in a set.
    fn costs(&self, styles: NotationStyles) -> impl Iterator<Item = &[f32; 2]> {
        let costs = NotationStyle::ALL.into_iter().zip(&self.0);
        costs
            .filter(move |(style, _)| styles.has(*style))
            .map(|(_, costs)| costs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: NotationStyles = NotationStyles::NONE.and(NotationStyle::LongAlgebraic);

    #[test]
    fn a_writer_pays_for_what_he_never_does_and_not_for_what_he_always_does() {
        let mut counts = StyleCounts::default();
        assert_eq!(Habits::from_counts(&counts), Habits::default());
        counts[0] = [0, 50];
        let habits = Habits::from_counts(&counts);
        assert!(habits.plain_cost(LONG) > 2.0);
        assert!(habits.plain_cost(LONG) + habits.surcharge(LONG) < 0.1);
        assert!(habits.max_discount() > 3.0);
        counts[0] = [50, 0];
        let habits = Habits::from_counts(&counts);
        assert!(habits.plain_cost(LONG) == 0.0 && habits.surcharge(LONG) > 5.0);
        assert_eq!(habits.max_discount(), 0.0);
    }
}
