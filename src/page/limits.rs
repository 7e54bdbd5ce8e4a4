//! What a file may ask of this program: the limits on what is opened, decoded and drawn.
//! `docs/guide/limits.md` lists them for users.

/// Largest number of pixels of a page. The largest sensors of phones have half of it; a
/// decompression bomb has far more.
pub const MAX_PIXELS: u64 = 100_000_000;

/// Largest number of bytes of a file, and of a page as its decoder returns it.
pub const MAX_BYTES: u64 = 256 << 20;

/// Largest number of bytes of a file, its picture as the decoder returns it, and what the decoder
/// keeps beside it, together.
pub const MAX_DECODING_BYTES: u64 = 400 << 20;

/// Largest number of pages of a file: more than any bound scan has. A damaged chain of pages may be
/// endless.
pub const MAX_PAGES: u32 = 10_000;

/// Seconds of processor time in which a child process must have drawn a page. A scan of 100
/// megapixels in a PDF takes two, a HEIC photograph of 48 megapixels three.
pub const MAX_DRAWING_SECONDS: u64 = 6;

/// Seconds in which it must have done so by the clock, however busy the machine is.
pub const MAX_DRAWING_SECONDS_BY_CLOCK: u64 = 60;

/// Bytes of memory that a child process may map to draw a page. A scan of 100 megapixels in a PDF
/// takes 450 MB of them.
pub const MAX_DRAWING_BYTES: u64 = 560 << 20;

/// Number of pages in a row whose decoder gives up or meets one of these limits, after which the
/// rest of a file is left out: ten thousand pages of six seconds each would take a day.
pub const MAX_FAILING_PAGES: u32 = 3;

/// Number of pages of a file that cannot be decoded, after which its rest is left out: a thousand
/// that take a second each would hold up a run as long.
pub const MAX_FAILED_PAGES: u32 = 50;
