//! Reads the values of arguments that are more than a number or a path.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use sheetscan::notation::{LANGUAGES, Language};

/// The other names of standard output. A file that the shell has opened for it must not be
/// replaced.
const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Reads the path of an output; standard output is `-` under all of its names.
pub fn output_parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| {
        let is_standard = STANDARD_OUTPUT.iter().any(|name| Path::new(name) == path);
        if is_standard { "-".into() } else { path }
    })
}

/// Parses two paths with a comma between them.
pub fn pair(text: &str) -> Result<(PathBuf, PathBuf), String> {
    let (a, b) = text
        .split_once(',')
        .ok_or("two files with a comma between them, as in --pair a.jpg,b.jpg")?;
    Ok((a.into(), b.into()))
}

/// Parses a share, 0 to 1, or a percentage.
pub fn share(text: &str) -> Result<f32, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text, 1.0),
    };
    let share = number.parse::<f32>().ok().map(|n| n / scale);
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a share between 0 and 1, or a percentage, as in --ask 4%".to_owned())
}

/// The ISO 639-1 code of a language, if it is known.
#[cfg(feature = "forms")]
pub fn language_code(code: &str) -> Result<String, String> {
    find_language(code).map(|_| code.to_lowercase())
}

/// Parses the ISO 639-1 code of a language.
pub fn language(code: &str) -> Result<&'static Language, String> {
    find_language(code).map_err(|why| format!("{why}; give its letters with --letters"))
}

/// Finds a language by its ISO 639-1 code in any case. The error lists all codes.
fn find_language(code: &str) -> Result<&'static Language, String> {
    Language::from_code(&code.to_lowercase()).ok_or_else(|| {
        let codes = LANGUAGES
            .iter()
            .flat_map(|l| [l.code].into_iter().chain(l.also.iter().copied()));
        let mut codes: Vec<&str> = codes.collect();
        codes.sort_unstable();
        format!("no language that sheetscan knows: {}", codes.join(", "))
    })
}
