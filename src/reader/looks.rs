//! The posteriors of a sheet's cells, those that leave doubts from more than one look.
//!
//! A cell whose string is not certain at a glance is looked at by the model's more careful means. Players write across the lines,
//! above or below them, and a whole sheet in the same way: what leaves larger doubts is first glanced at higher up and lower down
//! too. What all these glances say alike is believed, as a careful look knows no better there; for the others the careful look is taken
//! at the height that is clearest, to the cell and to the sheet's other such cells.

use std::collections::BTreeMap;

use image::GrayImage;
use rayon::prelude::*;

use crate::cell::{Cell, CellState, REACH};

use super::best_string::{best_strings, certainty};
use super::{Model, ModelError, Posteriors};

/// Cells whose string is less likely than this at a glance, e^-0.14, are looked at carefully.
const CERTAIN: f32 = -0.14;
/// Cells whose string is less likely than this, e^-0.3, are glanced at from other heights.
const LIKELY: f32 = -0.3;
/// What glances from all heights say alike is believed where it is as likely as this on (geometric) average, e^-0.5.
const ALIKE: f32 = -0.5;
/// Rows by which a doubtful patch is taken lower down.
const HEIGHTS: [i32; 3] = [0, -(REACH as i32), REACH as i32];
/// Nats that a row off the line must be worth.
const OFF_THE_LINE: f32 = 0.1;
/// Weight of what the sheet's doubtful cells have on average at a height, beside the cell's own.
const SHEET: f32 = 3.0;
/// Best paths less likely than this say nothing more about a sheet's height.
const NOT_READ: f32 = -3.0;

/// Best paths' log-probabilities of a cell at each of [`HEIGHTS`].
type Clear = [f32; HEIGHTS.len()];

/// Log-posteriors of the cells, in their order; none for those that are blank by their ink.
///
/// # Errors
/// [`ModelError`] of the first cell on which the model fails.
pub(super) fn posteriors(
    model: &dyn Model,
    cells: &[Cell],
) -> Result<Vec<Option<Posteriors>>, ModelError> {
    let inked = cells.iter().enumerate();
    let inked = inked.filter(|(_, cell)| cell.state != CellState::Blank);
    let (inked, patches): (Vec<usize>, Vec<GrayImage>) =
        inked.map(|(i, cell)| (i, cell.patch(0))).unzip();
    let mut read: Vec<Option<Posteriors>> = vec![None; cells.len()];
    for (i, posteriors) in inked.into_iter().zip(model.log_posteriors(&patches)?) {
        read[i] = Some(posteriors);
    }
    let certainties = read.par_iter().map(|glance| glance.as_ref().map(certainty));
    let certainties: Vec<Option<f32>> = certainties.collect();
    let under = |least: f32| -> Vec<usize> {
        let doubtful = |&i: &usize| certainties[i].is_some_and(|certainty| certainty < least);
        (0..cells.len()).filter(doubtful).collect()
    };

    let heights = Heights::glanced(model, cells, &read, &under(LIKELY))?;
    let mut doubtful = under(CERTAIN);
    doubtful.retain(|i| !heights.alike.contains_key(i));
    let clearest = |&i: &usize| cells[i].patch(HEIGHTS[heights.clearest(i)]);
    let patches: Vec<GrayImage> = doubtful.iter().map(clearest).collect();
    for (i, posteriors) in doubtful
        .into_iter()
        .zip(model.careful_log_posteriors(&patches)?)
    {
        read[i] = Some(posteriors);
    }
    for (i, posteriors) in heights.alike {
        read[i] = Some(posteriors);
    }
    Ok(read)
}

/// How clear the doubtful cells of a sheet are at each of [`HEIGHTS`], at a glance.
struct Heights {
    cells: BTreeMap<usize, Clear>,
    /// On average.
    sheet: Clear,
    /// What glances from all heights say alike.
    alike: BTreeMap<usize, Posteriors>,
}

impl Heights {
    fn glanced(
        model: &dyn Model,
        cells: &[Cell],
        on_the_line: &[Option<Posteriors>],
        doubtful: &[usize],
    ) -> Result<Self, ModelError> {
        let off_the_line = || HEIGHTS.iter().skip(1);
        let at_heights = |&i: &usize| off_the_line().map(move |&rows| cells[i].patch(rows));
        let patches: Vec<GrayImage> = doubtful.iter().flat_map(at_heights).collect();
        let looks = model.log_posteriors(&patches)?;
        let looks = looks.chunks_exact(off_the_line().len());
        let looks = doubtful.iter().zip(looks).map(|(&i, looks)| {
            let looks = on_the_line[i].iter().chain(looks);
            (i, looks.collect::<Vec<_>>())
        });
        let looks: Vec<(usize, Vec<&Posteriors>)> = looks.collect();
        let clear = |(i, looks): &(usize, Vec<&Posteriors>)| {
            let mut clear = [0.0; HEIGHTS.len()];
            for (clear, look) in clear.iter_mut().zip(looks) {
                *clear = look.best_path();
            }
            (*i, clear)
        };
        let cells: BTreeMap<usize, Clear> = looks.iter().map(clear).collect();
        let alike = looks
            .par_iter()
            .filter_map(|(i, looks)| Some((*i, alike(looks, model.alphabet())?.clone())));
        let alike = alike.collect();
        let sheet = std::array::from_fn(|height| {
            let clear = cells.values().map(|clear| clear[height].max(NOT_READ));
            clear.sum::<f32>() / cells.len().max(1) as f32
        });
        Ok(Self {
            cells,
            sheet,
            alike,
        })
    }

    /// The height at which to look at a cell.
    fn clearest(&self, cell: usize) -> usize {
        let Some(clear) = self.cells.get(&cell) else {
            return 0;
        };
        let off = |height: usize| OFF_THE_LINE * HEIGHTS[height].unsigned_abs() as f32;
        let worth = |height: usize| clear[height] + SHEET * self.sheet[height] - off(height);
        (1..HEIGHTS.len()).fold(0, |a, b| if worth(b) > worth(a) { b } else { a })
    }
}

/// The clearest of some looks that say the same string, where it is likely enough. Nothing more is searched once they do not.
fn alike<'a>(looks: &[&'a Posteriors], alphabet: &[char]) -> Option<&'a Posteriors> {
    let mut said: Vec<(String, f32)> = Vec::new();
    let mut sum = 0.0;
    for look in looks {
        let (string, log) = best_strings(look, alphabet).into_iter().next()?;
        sum += log;
        let same = said.first().is_none_or(|(first, _)| *first == string);
        if string.is_empty() || !same || sum < ALIKE * looks.len() as f32 {
            return None;
        }
        said.push((string, log));
    }
    let clearest = looks.iter().zip(&said);
    let clearest = clearest.max_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b));
    clearest.map(|(look, _)| *look)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use image::Luma;

    use super::*;
    use crate::cell::{PATCH_WIDTH, TALL_HEIGHT};
    use crate::geometry::Point;
    use crate::grid::{CellId, Side};

    /// How a cell is written.
    #[derive(Clone, Copy)]
    enum Written {
        Clearly,
        Poorly,
        /// More poorly, and the same from all heights.
        Alike,
        /// So far below the line that nothing else shows it whole.
        Below,
    }
    use Written::{Alike, Below, Clearly, Poorly};

    /// A cell whose pixels say how it is written and in which row they are.
    fn cell(written: Written) -> Cell {
        Cell {
            id: CellId {
                number: 1,
                side: Side::White,
            },
            quad: [Point::new(0.0, 0.0); 4],
            tall: GrayImage::from_fn(PATCH_WIDTH, TALL_HEIGHT, |_, y| {
                Luma([written as u8 * TALL_HEIGHT as u8 + y as u8])
            }),
            ink: 0.1,
            state: CellState::Written,
        }
    }

    /// Reads such cells, and keeps the heights of its careful looks.
    #[derive(Default)]
    struct Reader(Mutex<Vec<i32>>);

    /// Probability of the letter at a glance and at a careful look.
    fn said(patch: &GrayImage) -> (i32, f32, f32) {
        let value = i32::from(patch.get_pixel(0, 0).0[0]);
        let rows = value % TALL_HEIGHT as i32 - REACH as i32;
        match value / TALL_HEIGHT as i32 {
            0 => (rows, 0.99, 0.98),
            1 => (rows, 0.8, 0.97),
            2 => (rows, 0.7 - 0.01 * rows.signum() as f32, 0.97),
            _ if rows > 0 => (rows, 0.9, 0.96),
            _ => (rows, 0.3, 0.4),
        }
    }

    fn letter(probability: f32) -> Posteriors {
        Posteriors {
            frames: 1,
            classes: 3,
            log: [0.01, probability, 0.99 - probability]
                .map(f32::ln)
                .to_vec(),
        }
    }

    impl Model for Reader {
        fn alphabet(&self) -> &[char] {
            &['a', 'b']
        }

        fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
            Ok(patches.iter().map(|patch| letter(said(patch).1)).collect())
        }

        fn careful_log_posteriors(
            &self,
            patches: &[GrayImage],
        ) -> Result<Vec<Posteriors>, ModelError> {
            let look = |patch| {
                let (rows, _, careful) = said(patch);
                self.0.lock().unwrap().push(rows);
                letter(careful)
            };
            Ok(patches.iter().map(look).collect())
        }
    }

    /// The probabilities that count for cells so written, and the heights of the careful looks, in order.
    fn looked(written: &[Written]) -> (Vec<f32>, Vec<i32>) {
        let (reader, cells) = (Reader::default(), written.iter().map(|&w| cell(w)));
        let read = posteriors(&reader, &cells.collect::<Vec<_>>()).unwrap();
        let mut looks = reader.0.into_inner().unwrap();
        looks.sort_unstable();
        let read = read
            .iter()
            .map(|p| (p.as_ref().unwrap().log[1].exp() * 100.0).round() / 100.0);
        (read.collect(), looks)
    }

    #[test]
    fn only_doubtful_cells_are_looked_at_carefully() {
        assert_eq!(looked(&[Clearly; 3]), (vec![0.99; 3], vec![]));
        assert_eq!(looked(&[Clearly, Poorly]), (vec![0.99, 0.97], vec![0]));
    }

    #[test]
    fn what_is_written_below_the_line_is_read_there() {
        let (read, looks) = looked(&[Below, Clearly, Below]);
        assert_eq!(read, [0.96, 0.99, 0.96]);
        assert_eq!(looks, [REACH as i32, REACH as i32]);
    }

    #[test]
    fn what_all_heights_say_alike_is_believed() {
        assert_eq!(looked(&[Alike, Clearly]), (vec![0.71, 0.99], vec![]));
    }

    #[test]
    fn a_cell_without_ink_is_not_read() {
        let mut blank = cell(Poorly);
        blank.state = CellState::Blank;
        assert_eq!(posteriors(&Reader::default(), &[blank]).unwrap(), [None]);
    }
}
