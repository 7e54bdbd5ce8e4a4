//! A QR code (ISO/IEC 18004) of one size: version 6, level M, bytes. That holds the longest address
//! that a phone is shown, with 15 % of the code unreadable.

/// Modules along a side.
pub const QR_SIZE: usize = 41;

/// Blocks of codewords (table 9).
const BLOCKS: usize = 4;

/// Codewords of a block that hold data.
const DATA_CODEWORDS: usize = 27;

/// Codewords of a block that correct errors.
const CHECK_CODEWORDS: usize = 16;

/// Longest text in bytes: what is left beside four bits of mode and eight of length.
pub const MAX_QR_BYTES: usize = BLOCKS * DATA_CODEWORDS - 2;

/// Centre of the alignment pattern in both directions (annex E).
const ALIGNMENT: usize = 34;

/// The bits that say "level M, mask 0", from the highest on (annex C). Each mask is valid; that of
/// a random text makes little difference.
const FORMAT: u16 = 0b101_0100_0001_0010;

/// Which modules are dark, by row and column.
type Modules = [[bool; QR_SIZE]; QR_SIZE];

/// The dark modules of a code as the path of an SVG in units of modules, from the upper left module
/// on; around them belong four units of white. `None` if the text is too long.
#[must_use]
pub fn qr_path(text: &str) -> Option<String> {
    let modules = encode(text.as_bytes())?;
    let mut path = String::new();
    for (y, row) in modules.iter().enumerate() {
        let mut x = 0;
        while x < QR_SIZE {
            let run = row[x..].iter().take_while(|dark| **dark).count();
            if run > 0 {
                path += &format!("M{x} {y}h{run}v1h-{run}z");
            }
            x += run.max(1);
        }
    }
    Some(path)
}

fn encode(text: &[u8]) -> Option<Modules> {
    let data = data_codewords(text)?;
    let (mut modules, is_function) = function_patterns();
    let codewords = interleave(&data);
    let bits = codewords
        .iter()
        .flat_map(|codeword| (0..8).rev().map(move |i| codeword >> i & 1));
    // Seven modules are left over, which stay light before the mask.
    let mut bits = bits.map(|bit| bit == 1).chain(std::iter::repeat(false));
    for (y, x) in data_positions() {
        if !is_function[y][x] {
            let is_masked = (y + x) % 2 == 0;
            modules[y][x] = bits.next()? != is_masked;
        }
    }
    Some(modules)
}

/// Mode, length, text, end and padding.
fn data_codewords(text: &[u8]) -> Option<Vec<u8>> {
    let length = u8::try_from(text.len())
        .ok()
        .filter(|_| text.len() <= MAX_QR_BYTES)?;
    // Four bits of mode move all that follows by half a byte.
    let mut halves = vec![0b0100, length >> 4, length & 15];
    halves.extend(text.iter().flat_map(|byte| [byte >> 4, byte & 15]));
    halves.push(0);
    let mut data: Vec<u8> = halves
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect();
    let padding = [0xec, 0x11].into_iter().cycle();
    data.extend(padding.take(BLOCKS * DATA_CODEWORDS - data.len()));
    Some(data)
}

/// The codewords of all blocks, first those of data, then those that correct errors, one of each
/// block in turn.
fn interleave(data: &[u8]) -> Vec<u8> {
    let blocks: Vec<&[u8]> = data.chunks(DATA_CODEWORDS).collect();
    let checks: Vec<_> = blocks.iter().map(|block| check_codewords(block)).collect();
    let data = (0..DATA_CODEWORDS).flat_map(|i| blocks.iter().map(move |block| block[i]));
    let checks = (0..CHECK_CODEWORDS).flat_map(|i| checks.iter().map(move |check| check[i]));
    data.chain(checks).collect()
}

/// The remainder of a block, times x^16, by the generator polynomial of Reed and Solomon.
fn check_codewords(block: &[u8]) -> [u8; CHECK_CODEWORDS] {
    // The product of (x - 2^i), without its leading 1.
    let mut generator = [0; CHECK_CODEWORDS];
    generator[CHECK_CODEWORDS - 1] = 1;
    let mut root = 1;
    for _ in 0..CHECK_CODEWORDS {
        for i in 0..CHECK_CODEWORDS {
            let next = generator.get(i + 1).copied().unwrap_or(0);
            generator[i] = multiply(generator[i], root) ^ next;
        }
        root = multiply(root, 2);
    }
    let mut remainder = [0; CHECK_CODEWORDS];
    for byte in block {
        let factor = byte ^ remainder[0];
        remainder.rotate_left(1);
        remainder[CHECK_CODEWORDS - 1] = 0;
        for (digit, coefficient) in remainder.iter_mut().zip(generator) {
            *digit ^= multiply(coefficient, factor);
        }
    }
    remainder
}

/// The product in the field of 256 elements with x^8 + x^4 + x^3 + x^2 + 1.
fn multiply(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0, |product, i| {
        let doubled = product << 1 ^ if product & 0x80 == 0 { 0 } else { 0x1d };
        doubled ^ if b >> i & 1 == 1 { a } else { 0 }
    })
}

/// What is the same in all codes of this size, and where it stands.
fn function_patterns() -> (Modules, Modules) {
    let (mut dark, mut is_function) = ([[false; QR_SIZE]; QR_SIZE], [[false; QR_SIZE]; QR_SIZE]);
    let mut set = |y: usize, x: usize, is_dark: bool| {
        dark[y][x] = is_dark;
        is_function[y][x] = true;
    };
    for i in 0..QR_SIZE {
        set(6, i, i % 2 == 0);
        set(i, 6, i % 2 == 0);
    }
    // Squares in three corners, with a light edge towards the middle.
    for (top, left) in [(0, 0), (0, QR_SIZE - 7), (QR_SIZE - 7, 0)] {
        for y in top.saturating_sub(1)..(top + 8).min(QR_SIZE) {
            for x in left.saturating_sub(1)..(left + 8).min(QR_SIZE) {
                let ring = (y + 4).abs_diff(top + 7).max((x + 4).abs_diff(left + 7));
                set(y, x, ring <= 3 && ring != 2);
            }
        }
    }
    for y in ALIGNMENT - 2..=ALIGNMENT + 2 {
        for x in ALIGNMENT - 2..=ALIGNMENT + 2 {
            set(y, x, y.abs_diff(ALIGNMENT).max(x.abs_diff(ALIGNMENT)) != 1);
        }
    }
    for i in 0..15 {
        let is_dark = FORMAT >> i & 1 == 1;
        // Beside the upper left square, around its corner.
        match i {
            0..=5 => set(i, 8, is_dark),
            6..=7 => set(i + 1, 8, is_dark),
            8 => set(8, 7, is_dark),
            _ => set(8, 14 - i, is_dark),
        }
        // Beside the other two.
        if i < 8 {
            set(8, QR_SIZE - 1 - i, is_dark)
        } else {
            set(QR_SIZE - 15 + i, 8, is_dark)
        }
    }
    set(QR_SIZE - 8, 8, true);
    (dark, is_function)
}

/// Rows and columns in the order of the data: pairs of columns from right to left, alternately
/// upwards and downwards. The column of the timing pattern belongs to no pair.
fn data_positions() -> impl Iterator<Item = (usize, usize)> {
    let rights = (0..QR_SIZE / 2).map(|pair| QR_SIZE - 1 - 2 * pair);
    rights.enumerate().flat_map(|(i, right)| {
        let right = if right <= 6 { right - 1 } else { right };
        (0..QR_SIZE).flat_map(move |step| {
            let y = if i % 2 == 0 { QR_SIZE - 1 - step } else { step };
            [(y, right), (y, right - 1)]
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "http://192.168.100.200:65535/up/0123456789abcdef0123456789abcdef";

    /// What qrcode 8.2 for Python makes of the address with version 6, `ERROR_CORRECT_M`,
    /// `mask_pattern=0` and `MODE_8BIT_BYTE`. OpenCV reads it.
    const EXPECTED: &str = "\
#######.....#...#.#..#..#.#..###..#######\n\
#.....#.###.##.#.#....####....##..#.....#\n\
#.###.#....##.##...#.##.#..#.##...#.###.#\n\
#.###.#..#..#.#..#..####.#..#####.#.###.#\n\
#.###.#.#.##.#..#..#####.#.######.#.###.#\n\
#.....#.........#.###.####.###.#..#.....#\n\
#######.#.#.#.#.#.#.#.#.#.#.#.#.#.#######\n\
.........###.##.##.#.#...#..###..........\n\
#.#.#.#..###.#.#.##..##.###..##.....#..#.\n\
#..##........#.####..##......##..##..###.\n\
##..###.#..#.#.#.##.#...#.#.###..#.##.##.\n\
###.##.##......#.#...#.#.#..####.####..##\n\
..##.####..#####.#####...##.###..#...#.#.\n\
..#.##.....#.#..#####..#.#######.#.#....#\n\
#..#..#.#.#..#....####....###.......###.#\n\
####.#..#.#..#.####.#..#.##.####.###.#...\n\
##...###...#..#.#.##....#.##.#..#.##...##\n\
.#...#...#.#......##.#.##.##.#..####....#\n\
#...###.##...#####....####....#..#..#...#\n\
..#..#..##.#....#..#.##.#..#.##...##.#..#\n\
....#.#.##.#..#.#.....###.....#...####..#\n\
.###.#...#.###...#...##.#....##...##.#.##\n\
#..#.###...##..##...###.##..###...#######\n\
###.##.###..#.#.####.#...#..##.#...#.#.#.\n\
#.##..#..###..##.##..##..##..##..###.##.#\n\
##.##....##.###..##..##...#..#...###.....\n\
.#..#.#..##.##..###.#...#.#.......#.#.#.#\n\
##......###....#####.###.###.#..#..##....\n\
.#.#.###.#..##.####..#..##...####.##.#..#\n\
....##.###.#####..##.#.##..#.####.....#.#\n\
#....##..#......##....####...#.###.###..#\n\
.#..#....##.#.#....#.##.#..#.#..#.#....#.\n\
#.....###...#..#....#.##....#.########.##\n\
........#.#....###.##.##.#.##..##...#...#\n\
#######....#...##.####....####.##.#.##..#\n\
#.....#.....####.##.#..#.##.#...#...##...\n\
#.###.#.#...##.#..##....#.##....######.##\n\
#.###.#..##...##.##..#..###....###..#.##.\n\
#.###.#.#.#.##.#..#.#.#...#..#..#..##..##\n\
#.....#..#.....##.#.##.#.#####..##.#..##.\n\
#######.#.#.#.##.#...##..##..##.#.###.###";

    #[test]
    fn a_code_is_that_of_another_program() {
        let modules = encode(ADDRESS.as_bytes()).expect("it fits");
        let draw = |row: &[bool; QR_SIZE]| row.map(|dark| if dark { '#' } else { '.' });
        let rows: Vec<String> = modules
            .iter()
            .map(|row| draw(row).iter().collect())
            .collect();
        assert_eq!(rows.join("\n"), EXPECTED);
    }

    #[test]
    fn the_path_covers_the_dark_modules() {
        let path = qr_path(ADDRESS).expect("it fits");
        assert!(
            path.starts_with("M0 0h7v1h-7zM12 0h1v1h-1zM16 0h1v1h-1z"),
            "{path}"
        );
        let runs = EXPECTED
            .lines()
            .map(|row| row.split('.').filter(|run| !run.is_empty()).count());
        assert_eq!(path.matches('M').count(), runs.sum::<usize>());
    }

    #[test]
    fn the_longest_text_fits_and_a_longer_one_does_not() {
        assert!(qr_path(&"x".repeat(MAX_QR_BYTES)).is_some());
        assert!(qr_path(&"x".repeat(MAX_QR_BYTES + 1)).is_none());
        assert!(qr_path(&"x".repeat(256 + 4)).is_none());
        let ip = "http://[2001:0db8:85a3:0000:0000:8a2e:0370:7334]:65535/up/";
        assert!(ip.len() + 32 <= MAX_QR_BYTES);
    }
}
