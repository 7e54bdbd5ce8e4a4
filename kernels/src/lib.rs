//! Layers of small neural networks on a CPU.
//!
//! Each function takes slices of `f32`, or of `i16` in [`row_sum`], of the shapes that it documents
//! and the [`Level`] whose instructions it uses: AVX-512, AVX2 with FMA, or those that every
//! processor has. Shapes are outermost axis first, so that `[channels, height, width]` has one
//! channel after another.
//!
//! AVX2 and AVX-512 give the same results bit by bit. The baseline of x86-64 has no fused
//! multiplication and addition, so that its results differ in the last digits.
//!
//! ```
//! use sheetscan_kernels::{Level, winograd::RowTransform};
//!
//! let level = Level::from_environment().unwrap();
//! let (picture, kernel) = (vec![1.0; 8 * 10 * 12], vec![1.0; 16 * 8 * 9]);
//! let transform = RowTransform::choose(10, 1);
//! let packed = transform.pack(&kernel, 8);
//! let outputs = transform.convolve(level, &picture, [8, 10, 12], &packed, &[0.0; 16]);
//! assert_eq!(outputs.len(), 16 * 10 * 12);
//! assert!((outputs[0] - 8.0 * 4.0).abs() < 1e-3, "a corner has four neighbours");
//! ```
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod activation;
pub mod depthwise;
pub mod direct;
mod level;
pub mod lstm;
pub mod pointwise;
pub mod row_sum;
mod tile;
pub mod warp;
pub mod winograd;

pub use level::{LEVEL_VARIABLE, Level, UnknownLevel};
pub use tile::PANEL_ROWS;
