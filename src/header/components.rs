//! Connected components of ink.

use std::cmp::Reverse;

use image::GrayImage;
use serde::{Deserialize, Serialize};

use super::binarize::find_runs;

/// Tuned numbers of the components, chosen by eye on the development pages; lengths in pixels where
/// small letters are 16 high.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ComponentParameters {
    /// Smallest component, by its longer side; a smaller one is grain or the dot of a dotted line.
    pub min_size_px: u32,
    /// Largest width of a component; a wider one is a picture.
    pub max_width_px: u32,
    /// Largest height of a component, and of a word.
    pub max_height_px: u32,
    /// Largest number of components that are kept, those with the largest boxes.
    pub max_count: usize,
    /// Largest width of a bar: an upright that may be the side of a box.
    pub max_bar_width_px: u32,
    /// Smallest height of a bar, which is also at least three times as high as wide.
    pub min_bar_height_px: u32,
    /// Smallest share of a bar's box that is ink.
    pub min_bar_fill: f32,
    /// A component that is cut in two is cut between this share of its height from the top and
    /// [`Self::max_cut_height`].
    pub min_cut_height: f64,
    /// Lower end of the range in which a component is cut, as a share of its height from the top.
    pub max_cut_height: f64,
    /// Most ink in the row at which a component is cut, as a share of the mean over its rows.
    pub max_cut_ink: f64,
}

impl Default for ComponentParameters {
    fn default() -> Self {
        Self {
            min_size_px: 5,
            max_width_px: 300,
            max_height_px: 84,
            max_count: 1500,
            max_bar_width_px: 6,
            min_bar_height_px: 12,
            min_bar_fill: 0.8,
            min_cut_height: 0.3,
            max_cut_height: 0.7,
            max_cut_ink: 0.4,
        }
    }
}

/// A rectangle of pixels; `right` and `bottom` are inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelRect {
    pub left: u32,
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
}

impl PixelRect {
    pub fn width(&self) -> u32 {
        self.right - self.left + 1
    }

    pub fn height(&self) -> u32 {
        self.bottom - self.top + 1
    }

    /// The smallest rectangle that holds both.
    pub fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// The ink of a component in one row of pixels.
#[derive(Debug, Clone, Copy)]
struct RowExtent {
    /// Its leftmost pixel.
    left: u32,
    /// Its rightmost pixel.
    right: u32,
    /// Number of its pixels.
    count: u32,
}

/// A connected component of ink, or a part of one.
#[derive(Debug, Clone)]
pub struct InkComponent {
    pub bounds: PixelRect,
    /// A straight upright that may be the side of a box as well as a letter.
    pub is_bar: bool,
    /// Every row of `bounds` from the top; there is ink in each.
    rows: Vec<RowExtent>,
}

impl InkComponent {
    /// The component whose first row is `top`.
    fn new(top: u32, rows: &[RowExtent], parameters: &ComponentParameters) -> Self {
        let bounds = PixelRect {
            left: rows.iter().map(|row| row.left).min().unwrap_or(0),
            top,
            right: rows.iter().map(|row| row.right).max().unwrap_or(0),
            bottom: top + rows.len() as u32 - 1,
        };
        let (wide, high) = (bounds.width(), bounds.height());
        let area = rows.iter().map(|row| row.count).sum::<u32>();
        let is_thin = wide <= parameters.max_bar_width_px
            && high >= parameters.min_bar_height_px.max(3 * wide);
        Self {
            bounds,
            is_bar: is_thin && area as f32 >= parameters.min_bar_fill * (wide * high) as f32,
            rows: rows.to_vec(),
        }
    }

    /// The component, or its two parts above and below its thinnest row where it is higher than
    /// `max_height` pixels and that row is thin enough.
    pub fn split(&self, max_height: f64, parameters: &ComponentParameters) -> Vec<Self> {
        let high = f64::from(self.bounds.height());
        let rows_of = |share: f64| (share * high) as usize;
        let middle = rows_of(parameters.min_cut_height)..rows_of(parameters.max_cut_height);
        let mean = self.rows.iter().map(|row| row.count).sum::<u32>();
        let mean = f64::from(mean) / high;
        let is_thin = |y: usize| {
            high > max_height && f64::from(self.rows[y].count) <= parameters.max_cut_ink * mean
        };
        let thinnest = middle.min_by_key(|&y| self.rows[y].count);
        match thinnest.filter(|&y| is_thin(y)) {
            Some(y) => {
                let (upper, lower) = self.rows.split_at(y);
                let top = self.bounds.top;
                vec![
                    Self::new(top, upper, parameters),
                    Self::new(top + y as u32, lower, parameters),
                ]
            }
            None => vec![self.clone()],
        }
    }
}

/// A run of ink in one row of pixels.
struct InkRun {
    y: u32,
    left: u32,
    /// Its rightmost pixel.
    right: u32,
}

/// The components (8-connectivity) of a binary picture that are neither too small nor too large,
/// from left to right.
pub fn find_components(ink: &GrayImage, parameters: &ComponentParameters) -> Vec<InkComponent> {
    let (runs, mut parents) = connect_runs(ink);
    // The first row of each component and the extents of its rows, which have no gaps.
    let mut by_root: Vec<(u32, Vec<RowExtent>)> = Vec::new();
    let mut index_of_root: Vec<Option<usize>> = vec![None; runs.len()];
    for (i, run) in runs.iter().enumerate() {
        let root = find_root(&mut parents, i);
        let index = *index_of_root[root].get_or_insert_with(|| {
            by_root.push((run.y, Vec::new()));
            by_root.len() - 1
        });
        let (top, rows) = &mut by_root[index];
        let count = run.right - run.left + 1;
        match rows.get_mut((run.y - *top) as usize) {
            Some(row) => (row.right, row.count) = (run.right, row.count + count),
            None => rows.push(RowExtent {
                left: run.left,
                right: run.right,
                count,
            }),
        }
    }
    let component = |(top, rows): (u32, Vec<RowExtent>)| {
        let component = InkComponent::new(top, &rows, parameters);
        let (wide, high) = (component.bounds.width(), component.bounds.height());
        let fits = wide.max(high) >= parameters.min_size_px
            && wide <= parameters.max_width_px
            && high <= parameters.max_height_px;
        fits.then_some(component)
    };
    let mut components: Vec<InkComponent> = by_root.into_iter().filter_map(component).collect();
    if components.len() > parameters.max_count {
        components.sort_by_key(|c| Reverse(c.bounds.width() * c.bounds.height()));
        components.truncate(parameters.max_count);
    }
    components.sort_by_key(|c| (c.bounds.left, c.bounds.top));
    components
}

/// The runs of ink of all rows, from top to bottom, and for each a run before it, or itself, with
/// which it is connected: a forest with one tree for each component.
fn connect_runs(ink: &GrayImage) -> (Vec<InkRun>, Vec<usize>) {
    let mut runs: Vec<InkRun> = Vec::new();
    let mut parents: Vec<usize> = Vec::new();
    let mut above = 0..0;
    for (y, row) in (0..).zip(ink.as_raw().chunks_exact(ink.width().max(1) as usize)) {
        let first = runs.len();
        let mut upper = above.start;
        for run in find_runs(row) {
            let (left, right) = (run.start as u32, run.end as u32 - 1);
            let i = runs.len();
            runs.push(InkRun { y, left, right });
            parents.push(i);
            while upper < above.end && runs[upper].right + 1 < left {
                upper += 1;
            }
            // A run above may reach beyond this one and touch the next as well.
            let touching = (upper..above.end).take_while(|&k| runs[k].left <= right + 1);
            for k in touching {
                let (a, b) = (find_root(&mut parents, i), find_root(&mut parents, k));
                parents[a.max(b)] = a.min(b);
            }
        }
        above = first..runs.len();
    }
    (runs, parents)
}

/// The root of a union-find tree, with path halving.
pub fn find_root(parents: &mut [usize], mut i: usize) -> usize {
    while parents[i] != i {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;
    use imageproc::region_labelling::{Connectivity, connected_components};

    #[test]
    fn the_components_are_those_of_another_program() {
        // Noise of which two in five pixels are ink has components of all shapes.
        let mut state = 1u32;
        let ink = GrayImage::from_fn(80, 60, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Luma([if state >> 24 < 102 { 255 } else { 0 }])
        });
        let labels = connected_components(&ink, Connectivity::Eight, Luma([0]));
        let count = labels.pixels().map(|p| p.0[0]).max().unwrap_or(0);
        let mut expected: Vec<PixelRect> = (1..=count)
            .map(|label| {
                let pixels = labels.enumerate_pixels();
                let pixels = pixels.filter(|(_, _, p)| p.0[0] == label);
                let rects = pixels.map(|(x, y, _)| PixelRect {
                    left: x,
                    top: y,
                    right: x,
                    bottom: y,
                });
                rects.reduce(PixelRect::union).expect("a pixel")
            })
            .collect();
        let parameters = ComponentParameters {
            min_size_px: 0,
            ..ComponentParameters::default()
        };
        let components = find_components(&ink, &parameters);
        let mut found: Vec<PixelRect> = components.iter().map(|c| c.bounds).collect();
        let order = |r: &PixelRect| (r.left, r.top, r.right, r.bottom);
        expected.sort_by_key(order);
        found.sort_by_key(order);
        assert!(count > 50);
        assert_eq!(found, expected);
    }
}
