//! Sums of probabilities that are kept as natural logarithms.

/// `ln(e^a + e^b)`, without overflow; minus infinity stands for probability 0.
pub(crate) fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY {
        high
    } else {
        high + (low - high).exp().ln_1p()
    }
}

/// [`log_add`] in single precision.
pub(crate) fn log_add_f32(a: f32, b: f32) -> f32 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f32::NEG_INFINITY {
        high
    } else {
        high + (low - high).exp().ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_add_as_their_probabilities_do() {
        let half = 0.5f64.ln();
        assert!((log_add(half, half) - 0.0).abs() < 1e-12);
        assert!((log_add_f32(0.25f32.ln(), 0.5f32.ln()) - 0.75f32.ln()).abs() < 1e-6);
        // e^-1000 alone is 0 in double precision, so a sum of exponentials would lose it.
        assert!((log_add(-1000.0, -1000.0) - (-1000.0 + 2f64.ln())).abs() < 1e-9);
    }

    #[test]
    fn probability_zero_adds_nothing() {
        assert_eq!(log_add(f64::NEG_INFINITY, -2.0), -2.0);
        assert_eq!(log_add(-2.0, f64::NEG_INFINITY), -2.0);
        let none = log_add(f64::NEG_INFINITY, f64::NEG_INFINITY);
        assert_eq!(none, f64::NEG_INFINITY);
        assert_eq!(log_add_f32(f32::NEG_INFINITY, -2.0), -2.0);
    }
}
