//! Least squares: equations that more measurements than unknowns make, and their solution.
//!
//! Normal equations are a row for each unknown, of `WIDTH = UNKNOWNS + 1` numbers: the factors of
//! all unknowns and the value.

/// Adds an equation to normal equations: terms times unknowns make the value.
pub fn add<const UNKNOWNS: usize, const WIDTH: usize>(
    normal: &mut [[f64; WIDTH]; UNKNOWNS],
    terms: [f64; UNKNOWNS],
    value: f64,
    weight: f64,
) {
    for (row, a) in normal.iter_mut().zip(terms) {
        for (sum, b) in row.iter_mut().zip(terms.into_iter().chain([value])) {
            *sum += weight * a * b;
        }
    }
}

/// Adds a ridge penalty to normal equations, which draws the unknowns to 0.
pub fn add_ridge<const UNKNOWNS: usize, const WIDTH: usize>(
    normal: &mut [[f64; WIDTH]; UNKNOWNS],
    ridge: f64,
) {
    for (i, row) in normal.iter_mut().enumerate() {
        row[i] += ridge;
    }
}

/// Solves a system of linear equations by elimination with pivots; unknowns without an equation are
/// 0.
pub fn eliminate<const UNKNOWNS: usize, const WIDTH: usize>(
    mut rows: [[f64; WIDTH]; UNKNOWNS],
) -> [f64; UNKNOWNS] {
    for i in 0..UNKNOWNS {
        let pivot = (i..UNKNOWNS)
            .max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))
            .unwrap_or(i);
        rows.swap(i, pivot);
        if rows[i][i].abs() < 1e-12 {
            continue;
        }
        for r in 0..UNKNOWNS {
            if r == i {
                continue;
            }
            let factor = rows[r][i] / rows[i][i];
            let from = rows[i];
            for (a, b) in rows[r].iter_mut().zip(&from).skip(i) {
                *a -= factor * b;
            }
        }
    }
    let mut out = [0.0; UNKNOWNS];
    for i in 0..UNKNOWNS {
        if rows[i][i].abs() >= 1e-12 {
            out[i] = rows[i][UNKNOWNS] / rows[i][i];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_count_by_their_weights() {
        // A line of offset 2 and slope 3, and a stray measurement without weight.
        let mut line = [[0.0; 3]; 2];
        for (x, y, weight) in [
            (0.0, 2.0, 1.0),
            (1.0, 5.0, 0.5),
            (4.0, 14.0, 2.0),
            (2.0, 99.0, 0.0),
        ] {
            add(&mut line, [1.0, x], y, weight);
        }
        let [offset, slope] = eliminate(line);
        assert!(
            (offset - 2.0).abs() < 1e-9 && (slope - 3.0).abs() < 1e-9,
            "{offset} {slope}"
        );
        // The mean of 1, three times, and 5.
        let mut mean = [[0.0; 2]; 1];
        add(&mut mean, [1.0], 1.0, 3.0);
        add(&mut mean, [1.0], 5.0, 1.0);
        assert_eq!(eliminate(mean), [2.0]);
    }

    #[test]
    fn a_zero_on_the_diagonal_is_no_obstacle() {
        assert_eq!(eliminate([[0.0, 2.0, 4.0], [3.0, 0.0, 9.0]]), [3.0, 2.0]);
    }

    #[test]
    fn an_unknown_without_an_equation_is_zero() {
        assert_eq!(eliminate([[2.0, 0.0, 6.0], [0.0, 0.0, 0.0]]), [3.0, 0.0]);
    }
}
