//! Least squares: equations that more measurements than unknowns make, and their solution.

/// Adds an equation to normal equations: terms times unknowns make the value.
pub fn add<const N: usize, const M: usize>(
    normal: &mut [[f64; M]; N],
    terms: [f64; N],
    value: f64,
    weight: f64,
) {
    for (row, a) in normal.iter_mut().zip(terms) {
        for (sum, b) in row.iter_mut().zip(terms.into_iter().chain([value])) {
            *sum += weight * a * b;
        }
    }
}

/// Solves a system of linear equations by elimination with pivots; unknowns without an equation are 0.
pub fn eliminate<const N: usize, const M: usize>(mut rows: [[f64; M]; N]) -> [f64; N] {
    for i in 0..N {
        let pivot = (i..N)
            .max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))
            .unwrap_or(i);
        rows.swap(i, pivot);
        if rows[i][i].abs() < 1e-12 {
            continue;
        }
        for r in 0..N {
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
    let mut out = [0.0; N];
    for i in 0..N {
        if rows[i][i].abs() >= 1e-12 {
            out[i] = rows[i][N] / rows[i][i];
        }
    }
    out
}
