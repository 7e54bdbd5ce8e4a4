//! Which states a layer has room for.

use rustc_hash::FxHashMap;

use super::beam::{Beam, BeamParameters};

/// Games of one layer that may fail in the same way: the layer in which they left the reference
/// path, and that of their last unexplained step.
pub(super) type DiversityBucket = (u16, u16);

/// The room that a layer has left while its states are taken in, best first.
pub(super) struct LayerRoom<'a> {
    parameters: &'a BeamParameters,
    /// Largest number of states that are not in the room for close ones.
    room: usize,
    /// Number of states that are not in the room for close ones.
    taken: usize,
    /// Log-weight, in nats, from which a state is close to the best one.
    min_close_total: f32,
    /// How many close states may still be taken beyond the room.
    close_left: usize,
    /// How many states of each bucket asked for room, refused ones included.
    buckets: FxHashMap<DiversityBucket, usize>,
}

impl<'a> LayerRoom<'a> {
    /// The room of a layer that holds `taken` states and may hold `room`, close ones beyond it not
    /// counted. `top` is the log-weight of the best state that it holds or is proposed.
    pub(super) fn new(
        parameters: &'a BeamParameters,
        beam: &Beam,
        room: usize,
        taken: usize,
        top: f32,
    ) -> Self {
        Self {
            parameters,
            room,
            taken,
            min_close_total: top - beam.close_window,
            close_left: beam.close_room,
            buckets: FxHashMap::default(),
        }
    }

    /// Whether there is room for states of this log-weight.
    pub(super) fn has_room(&self, total: f32) -> bool {
        self.taken < self.room || self.has_close_room(total)
    }

    /// Takes a state of this log-weight and bucket in, if there is room for it. A state on the
    /// reference path has no bucket. A close state for which its bucket has no room takes some of
    /// that for close ones.
    pub(super) fn try_take(&mut self, total: f32, bucket: Option<DiversityBucket>) -> bool {
        let is_bucket_full = bucket.is_some_and(|bucket| {
            let size = self.buckets.entry(bucket).or_default();
            *size += 1;
            let open_states = self.parameters.open_share * self.room as f32;
            self.taken as f32 >= open_states && *size > self.parameters.max_bucket_states
        });
        if self.taken < self.room && !is_bucket_full {
            self.taken += 1;
            return true;
        }
        let is_taken = self.has_close_room(total);
        self.close_left -= usize::from(is_taken);
        is_taken
    }

    /// Whether a state of this log-weight may be taken beyond the room.
    fn has_close_room(&self, total: f32) -> bool {
        self.close_left > 0 && total >= self.min_close_total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of 20 states, each one nat behind the one before, a layer takes in.
    fn count_taken(beam: Beam, bucket: Option<DiversityBucket>) -> usize {
        let parameters = BeamParameters {
            open_share: 0.5,
            max_bucket_states: 2,
            ..BeamParameters::default()
        };
        let mut room = LayerRoom::new(&parameters, &beam, beam.width, 0, 0.0);
        let totals = (0u8..20).map(|i| -f32::from(i));
        totals.filter(|&total| room.try_take(total, bucket)).count()
    }

    /// A beam of 8 states without room for close ones.
    const EIGHT_STATES: Beam = Beam {
        width: 8,
        window: 100.0,
        close_window: 0.0,
        close_room: 0,
    };

    #[test]
    fn a_layer_takes_its_width_and_of_one_bucket_no_more_than_the_open_share() {
        assert_eq!(count_taken(EIGHT_STATES, None), 8);
        assert_eq!(count_taken(EIGHT_STATES, Some((1, 1))), 4);
    }

    #[test]
    fn close_states_are_taken_beyond_the_width_and_the_bucket() {
        let close = |close_window, close_room| Beam {
            close_window,
            close_room,
            ..EIGHT_STATES
        };
        // 0 to 10 nats behind: 11 states, of which 3 need close room.
        assert_eq!(count_taken(close(10.0, 100), None), 11);
        assert_eq!(count_taken(close(10.0, 2), None), 10);
        // 0 to 5 nats behind: six states, for which the width of 8 is enough.
        assert_eq!(count_taken(close(5.0, 100), None), 8);
        assert_eq!(count_taken(close(10.0, 100), Some((1, 1))), 11);
    }
}
