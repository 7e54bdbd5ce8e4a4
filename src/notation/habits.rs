//! What one hand does and another does not, learned from a sheet.

/// A way to write moves that a player has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Long form: Ng1-f3.
    Long,
    /// Letters of men in lower case: nf3.
    SmallLetter,
    /// Files in upper case: CF3, E4.
    CapitalFile,
    /// A printed sign drawn by hand.
    Figurine,
    /// The pawn's letter: Pe4.
    PawnLetter,
    /// No mark of a capture: Nxe5 written Ne5.
    NoTake,
    /// A colon for a capture: N:e5.
    Colon,
    /// What is taken, by its letter: QxQ, 2 % of all moves and a tenth of the captures.
    NamesVictim,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Long,
        Self::SmallLetter,
        Self::CapitalFile,
        Self::Figurine,
        Self::PawnLetter,
        Self::NoTake,
        Self::Colon,
        Self::NamesVictim,
    ];

    /// Nats of a move written so by a player of whom nothing is known.
    const fn usual(self) -> f32 {
        match self {
            Self::Long | Self::NamesVictim => 3.5,
            Self::SmallLetter => 4.5,
            Self::CapitalFile | Self::PawnLetter => 4.0,
            Self::Figurine => 5.0,
            Self::NoTake => 2.5,
            Self::Colon => 3.0,
        }
    }
}

/// Some ways to write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ways(u8);

impl Ways {
    /// None of them.
    pub const NONE: Self = Self(0);

    /// These and one more.
    #[must_use]
    pub const fn and(self, way: Way) -> Self {
        Self(self.0 | 1 << way as u8)
    }

    /// These and those.
    #[must_use]
    pub const fn with(self, ways: Self) -> Self {
        Self(self.0 | ways.0)
    }

    /// Whether a way is among them.
    pub const fn has(self, way: Way) -> bool {
        self.0 & 1 << way as u8 != 0
    }
}

/// Moves that a player is taken to have written before the sheet begins, in the usual ways: who writes two moves in
/// another way may have slipped, who writes ten of ten so always does.
const BEFORE: f32 = 4.0;

/// How many of the moves that could be written in each way are not and are, in the order of [`Way::ALL`].
pub type Counts = [[u16; 2]; Way::ALL.len()];

/// What it costs a player to write in each way, and not to, in nats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Habits([[f32; 2]; Way::ALL.len()]);

impl Default for Habits {
    /// Those of a player of whom nothing is known.
    fn default() -> Self {
        Self(Way::ALL.map(|way| [0.0, way.usual()]))
    }
}

impl Habits {
    /// Those of a player who has written moves in these ways; a beta prior stands for other players.
    pub fn learned(counts: &Counts) -> Self {
        let mut habits = Self::default();
        for ((costs, &[without, with]), way) in habits.0.iter_mut().zip(counts).zip(Way::ALL) {
            let usual = (-way.usual()).exp();
            let moves = f32::from(without) + f32::from(with);
            let share = (f32::from(with) + BEFORE * usual) / (moves + BEFORE);
            *costs = [
                ((1.0 - usual).ln() - (1.0 - share).ln()).max(0.0),
                -share.ln(),
            ];
        }
        habits
    }

    /// Nats of writing in none of the ways that are possible.
    pub fn plain(&self, possible: Ways) -> f32 {
        let costs = Way::ALL.iter().zip(&self.0);
        let missed = costs.filter(|(way, _)| possible.has(**way));
        missed.map(|(_, [without, _])| without).sum()
    }

    /// Nats of writing in some ways, over [`Habits::plain`].
    pub fn extra(&self, ways: Ways) -> f32 {
        if ways == Ways::NONE {
            return 0.0;
        }
        let costs = Way::ALL.iter().zip(&self.0);
        let taken = costs.filter(|(way, _)| ways.has(**way));
        taken.map(|(_, [without, with])| with - without).sum()
    }

    /// By how many nats at most writing in one of the ways comes easier than to other players.
    pub fn oddity(&self) -> f32 {
        let easier = Way::ALL
            .iter()
            .zip(&self.0)
            .map(|(way, [_, with])| way.usual() - with);
        easier.fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Ways = Ways::NONE.and(Way::Long);

    #[test]
    fn who_always_writes_so_pays_nothing_for_it_and_much_for_not() {
        let mut counts = Counts::default();
        assert_eq!(Habits::learned(&counts), Habits::default());
        counts[0] = [0, 50];
        let habits = Habits::learned(&counts);
        assert!(habits.plain(LONG) > 2.0 && habits.plain(LONG) + habits.extra(LONG) < 0.1);
        assert!(habits.oddity() > 3.0);
        counts[0] = [50, 0];
        let habits = Habits::learned(&counts);
        assert!(habits.plain(LONG) == 0.0 && habits.extra(LONG) > 5.0);
        assert_eq!(habits.oddity(), 0.0);
        assert_eq!(
            (habits.plain(Ways::NONE), habits.extra(Ways::NONE)),
            (0.0, 0.0)
        );
    }
}
