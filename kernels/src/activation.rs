//! Activation functions of vectors.

use fearless_simd::prelude::*;

use crate::Level;
use crate::level::{Registers, dispatch};

/// Puts 1 / (1 + exp(-x)) in the place of each value x, within 2e-7.
pub fn apply_sigmoid(level: Level, values: &mut [f32]) {
    dispatch!(level, simd => apply_sigmoid_with(simd, values));
}

#[inline(always)]
fn apply_sigmoid_with<S: Registers>(simd: S, values: &mut [f32]) {
    let (vectors, rest) = values.split_at_mut(values.len() - values.len() % S::f32s::LEN);
    for values in vectors.chunks_exact_mut(S::f32s::LEN) {
        sigmoid(simd, S::f32s::from_slice(simd, values)).store_slice(values);
    }
    for value in rest {
        *value = 1.0 / (1.0 + (-*value).exp());
    }
}

/// The logistic function 1 / (1 + exp(-x)), within 2e-7.
#[inline(always)]
pub(crate) fn sigmoid<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    S::f32s::splat(simd, 1.0) / (exp(simd, -x) + 1.0)
}

/// The hyperbolic tangent, within 4e-7.
#[inline(always)]
pub(crate) fn tanh<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    sigmoid(simd, x + x) * 2.0 - 1.0
}

/// The exponential function within 2e-7 of its value, and that of ±87 beyond ±87, where floating
/// point ends soon after.
///
/// With n = round(x / ln 2) and r = x - n ln 2, exp(x) is 2^n exp(r). exp(r) is its Taylor
/// polynomial; at |r| <= ln 2 / 2 the first term that is left out, r^8 / 8!, is below 1e-8.
#[inline(always)]
fn exp<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    // A float from 2^23 to 2^24 has no digits behind the point. Adding 1.5 * 2^23 rounds to a whole
    // number and leaves it in the lowest bits.
    const ROUNDER: f32 = 12_582_912.0;
    // ln 2 in two parts, of which the first has few digits: n times it is exact.
    const LN_2_HIGH: f32 = 355.0 / 512.0;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    const MANTISSA_BITS: u32 = 23;
    let x = x.max(-87.0).min(87.0);
    let rounded = x.mul_add(std::f32::consts::LOG2_E, ROUNDER);
    let n = rounded - ROUNDER;
    let r = n.mul_add(-LN_2_HIGH, x);
    let r = n.mul_add(-LN_2_LOW, r);
    let mut sum = S::f32s::splat(simd, 1.0 / 5040.0);
    sum = sum.mul_add(r, 1.0 / 720.0);
    sum = sum.mul_add(r, 1.0 / 120.0);
    sum = sum.mul_add(r, 1.0 / 24.0);
    sum = sum.mul_add(r, 1.0 / 6.0);
    sum = sum.mul_add(r, 0.5);
    sum = sum.mul_add(r, 1.0);
    sum = sum.mul_add(r, 1.0);
    let exponent: S::u32s = rounded.bitcast::<S::u32s>() << MANTISSA_BITS;
    (sum.bitcast::<S::u32s>() + exponent).bitcast()
}

/// The Gaussian error linear unit, x P(X <= x) for a normally distributed X, by formula 7.1.28 of
/// Abramowitz and Stegun, whose error function is within 3e-7.
#[inline(always)]
pub(crate) fn gelu<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let size = x.abs();
    let z = size * std::f32::consts::FRAC_1_SQRT_2;
    let mut root = S::f32s::splat(simd, 4.306_38e-5);
    root = root.mul_add(z, 2.765_672e-4);
    root = root.mul_add(z, 1.520_143e-4);
    root = root.mul_add(z, 9.270_527e-3);
    root = root.mul_add(z, 4.228_201e-2);
    root = root.mul_add(z, 7.052_308e-2);
    root = root.mul_add(z, 1.0);
    let power_2 = root * root;
    let power_4 = power_2 * power_2;
    let power_8 = power_4 * power_4;
    let tail = S::f32s::splat(simd, 1.0) / (power_8 * power_8);
    (x + size * (S::f32s::splat(simd, 1.0) - tail)) * 0.5
}
