//! Which coefficients of a picture the scans of a JPEG file have (ITU T.81, annexes B and G).

/// Number of coefficients of a block.
const COEFFICIENTS: usize = 64;

/// For each component of a picture, how far each coefficient of its blocks is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coefficients {
    /// Number of pixels of the picture.
    pixels: u64,
    components: Vec<Component>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Component {
    id: u8,
    /// Number of its samples in the area in which the finest component has most.
    samples: u64,
    /// Number of low bits of each coefficient that are not known yet; none before its first scan.
    missing_bits: [Option<u8>; COEFFICIENTS],
}

impl Coefficients {
    /// Those of a picture before its first scan, by its frame header.
    pub(super) fn of_frame(header: &[u8]) -> Self {
        // Precision, height, width and the number of components; then three bytes for each.
        let components = header.get(6..).unwrap_or_default().chunks_exact(3);
        let components = components.map(|component| Component {
            id: component[0],
            samples: u64::from(component[1] >> 4) * u64::from(component[1] & 0x0f),
            missing_bits: [None; COEFFICIENTS],
        });
        let side = |at: usize| {
            header
                .get(at..at + 2)
                .map_or(0, |side| u64::from(side[0]) << 8 | u64::from(side[1]))
        };
        Self {
            pixels: side(1) * side(3),
            components: components.collect(),
        }
    }

    /// Number of coefficients of all components.
    pub(super) fn count(&self) -> u64 {
        let samples = self.components.iter().map(|component| component.samples);
        let most = samples.clone().max().unwrap_or(0).max(1);
        self.pixels * samples.sum::<u64>() / most
    }

    /// Adds a scan by its header.
    pub(super) fn add_scan(&mut self, header: &[u8]) {
        let Some((&count, rest)) = header.split_first() else {
            return;
        };
        // Two bytes for each component: its id and its tables.
        let ids = rest.chunks(2).take(usize::from(count));
        let ids: Vec<u8> = ids.map(|id| id[0]).collect();
        let Some(&[first, last, bits]) = rest.get(2 * usize::from(count)..) else {
            return;
        };
        let range = usize::from(first)..usize::from(last) + 1;
        for component in &mut self.components {
            if ids.contains(&component.id)
                && let Some(missing) = component.missing_bits.get_mut(range.clone())
            {
                missing.fill(Some(bits & 0x0f));
            }
        }
    }

    /// Whether all bits of all coefficients have a scan.
    pub(super) fn are_complete(&self) -> bool {
        let mut components = self.components.iter();
        let is_complete = |c: &Component| c.missing_bits.iter().all(|bits| *bits == Some(0));
        !self.components.is_empty() && components.all(is_complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_complete_once_the_last_bits_of_all_coefficients_have_a_scan() {
        // Two components, numbered 1 and 2.
        let frame = [8, 0, 16, 0, 16, 2, 1, 0x11, 0, 2, 0x11, 1];
        let mut coefficients = Coefficients::of_frame(&frame);
        for scan in [
            &[2, 1, 0, 2, 0, 0, 0, 0x01][..],
            &[1, 1, 0, 1, 63, 0x02],
            &[1, 2, 0, 1, 63, 0x00],
            &[2, 1, 0, 2, 0, 0, 0, 0x10],
            &[1, 1, 0, 1, 63, 0x21],
        ] {
            coefficients.add_scan(scan);
            assert!(!coefficients.are_complete());
        }
        coefficients.add_scan(&[1, 1, 0, 1, 63, 0x10]);
        assert!(coefficients.are_complete());
    }

    #[test]
    fn colours_at_half_the_resolution_have_a_quarter_of_the_coefficients() {
        // 32 rows of 16 pixels: luma, and two components of half the resolution.
        let frame = [8, 0, 32, 0, 16, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
        assert_eq!(Coefficients::of_frame(&frame).count(), 32 * 16 * 3 / 2);
    }
}
