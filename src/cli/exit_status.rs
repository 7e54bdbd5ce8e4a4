//! The exit statuses of the program.

use sheetscan::event::Level;

/// What a run reports to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Every sheet was read and no move needs a look.
    AllRead = 0,
    /// Wrong usage, or an input or output that stopped the run.
    Failed = 1,
    /// The run finished; some sheet could not be read or has moves to look at.
    NeedsReview = 2,
    /// The run finished; the report file, the sheets and the games contradict each other.
    Conflicts = 3,
}

impl ExitStatus {
    /// The status of a run that finished, by whether anything is left for a person to look at.
    pub fn finished(is_all_read: bool) -> Self {
        if is_all_read {
            Self::AllRead
        } else {
            Self::NeedsReview
        }
    }

    /// The same where the checks of an event found something, at worst of this level.
    pub fn of_event(worst: Option<Level>, is_all_read: bool) -> Self {
        match worst {
            Some(Level::Error) => Self::Conflicts,
            Some(Level::Warning) => Self::NeedsReview,
            _ => Self::finished(is_all_read),
        }
    }
}
