//! The instructions that the kernels use, chosen at run time.

use std::fmt;
use std::sync::OnceLock;

use fearless_simd::Simd;

#[cfg(target_arch = "aarch64")]
type Baseline = fearless_simd::aarch64::Neon;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
type Baseline = fearless_simd::x86::Sse2;
#[cfg(not(any(target_arch = "aarch64", target_arch = "x86", target_arch = "x86_64")))]
type Baseline = fearless_simd::Fallback;

/// A set of instructions that this processor has.
#[derive(Clone, Copy, Debug)]
pub struct Level(pub(crate) Instructions);

/// The proof of [`fearless_simd`] that the processor has the instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instructions {
    Baseline(Baseline),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(fearless_simd::x86::Avx2),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512(fearless_simd::x86::Avx512),
}

/// Runs an expression with the instructions of a level, by the name of the token that stands for
/// them. Functions that it calls have to be `#[inline(always)]`, or else are compiled for the
/// baseline.
macro_rules! dispatch {
    ($level:expr, $simd:ident => $body:expr) => {{
        #[allow(unused_imports, reason = "The expression may have the trait already.")]
        use fearless_simd::Simd as _;
        match $level.0 {
            $crate::level::Instructions::Baseline($simd) => $simd.vectorize(
                #[inline(always)]
                || $body,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::level::Instructions::Avx2($simd) => $simd.vectorize(
                #[inline(always)]
                || $body,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::level::Instructions::Avx512($simd) => $simd.vectorize(
                #[inline(always)]
                || $body,
            ),
        }
    }};
}
pub(crate) use dispatch;

/// Sets the widest instructions that are used: `baseline`, `avx2` or `avx512`.
pub const LEVEL_VARIABLE: &str = "SHEETSCAN_SIMD";

/// Names of the levels in [`LEVEL_VARIABLE`], from the narrowest on.
const NAMES: [&str; 3] = ["baseline", "avx2", "avx512"];

/// A value of [`LEVEL_VARIABLE`] that names no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names = NAMES.join(", ");
        write!(
            f,
            "{LEVEL_VARIABLE} is {:?}, but should be one of {names}",
            self.0
        )
    }
}

impl std::error::Error for UnknownLevel {}

impl Level {
    /// All levels of this processor, from the narrowest on, of which there is at least one.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let found = fearless_simd::Level::new();
        let mut levels = vec![Self(Instructions::Baseline(baseline(found)))];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            levels.extend(found.as_avx2().map(|avx2| Self(Instructions::Avx2(avx2))));
            levels.extend(
                found
                    .as_avx512()
                    .map(|avx512| Self(Instructions::Avx512(avx512))),
            );
        }
        levels
    }

    /// The widest level of this processor that is no wider than the named one.
    ///
    /// # Errors
    /// [`UnknownLevel`] where no level has this name.
    pub fn at_most(name: &str) -> Result<Self, UnknownLevel> {
        let widest = NAMES.iter().position(|&known| known == name);
        let widest = widest.ok_or_else(|| UnknownLevel(name.to_owned()))?;
        let levels = Self::all();
        Ok(levels[widest.min(levels.len() - 1)])
    }

    /// The level that [`LEVEL_VARIABLE`] allows; without it, the widest of this processor. The
    /// variable is read once.
    ///
    /// # Errors
    /// [`UnknownLevel`] where the variable names none.
    pub fn from_environment() -> Result<Self, UnknownLevel> {
        static CHOSEN: OnceLock<Result<Level, UnknownLevel>> = OnceLock::new();
        let choose = || match std::env::var_os(LEVEL_VARIABLE) {
            Some(name) => Self::at_most(&name.to_string_lossy()),
            None => Self::at_most(NAMES[NAMES.len() - 1]),
        };
        CHOSEN.get_or_init(choose).clone()
    }

    /// The level of [`Self::from_environment`]; the widest where the variable names none.
    #[must_use]
    pub fn current() -> Self {
        Self::from_environment().unwrap_or_else(|_| {
            let levels = Self::all();
            levels[levels.len() - 1]
        })
    }

    /// Its name in [`LEVEL_VARIABLE`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Instructions::Baseline(_) => NAMES[0],
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Instructions::Avx2(_) => NAMES[1],
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Instructions::Avx512(_) => NAMES[2],
        }
    }
}

#[cfg(target_arch = "aarch64")]
fn baseline(found: fearless_simd::Level) -> Baseline {
    found.as_neon().expect("each 64-bit ARM processor has NEON")
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn baseline(found: fearless_simd::Level) -> Baseline {
    found
        .as_sse2()
        .expect("the program itself is compiled for SSE2")
}

#[cfg(not(any(target_arch = "aarch64", target_arch = "x86", target_arch = "x86_64")))]
fn baseline(_: fearless_simd::Level) -> Baseline {
    Baseline::new()
}

/// A level, and how large a tile of a matrix product its registers hold.
pub(crate) trait Registers: Simd {
    /// The vector for the rows of a picture, which are too short for longer ones.
    type Row: fearless_simd::SimdFloat<Self, Element = f32>;
    /// Largest number of vectors in a row of a tile: 4 where there are 32 registers, 2 where there
    /// are 16. With 3 the compiler does not keep all sums in 16 registers.
    const MAX_VECTORS: usize;
}

impl Registers for Baseline {
    type Row = fearless_simd::f32x4<Self>;
    const MAX_VECTORS: usize = if cfg!(target_arch = "aarch64") { 4 } else { 2 };
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl Registers for fearless_simd::x86::Avx2 {
    type Row = fearless_simd::f32x8<Self>;
    const MAX_VECTORS: usize = 2;
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl Registers for fearless_simd::x86::Avx512 {
    type Row = fearless_simd::f32x8<Self>;
    const MAX_VECTORS: usize = 4;
}
