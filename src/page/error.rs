//! Why a file or a page cannot be used, with what to do about it.

use image::ImageError;
use serde::{Deserialize, Serialize};

use super::{
    Format, MAX_BYTES, MAX_DECODING_BYTES, MAX_DRAWING_BYTES, MAX_DRAWING_SECONDS,
    MAX_FAILED_PAGES, MAX_FAILING_PAGES, MAX_PAGES, MAX_PIXELS,
};

/// Why a file, or a page of it, cannot be used. The text gives the reason and the remedy; whoever
/// prints it puts the name of the file in front.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
pub enum PageError {
    /// A folder where a file was expected.
    #[error("is a folder, not a picture; name the pictures in it")]
    Folder,
    /// A named pipe, a socket or a device.
    #[error("is a pipe or a device, not a file; save the picture as a file and name that")]
    NotAFile,
    /// The file has no bytes.
    #[error("the file is empty; copy it again from the camera or scanner")]
    Empty,
    /// The file is in a known format, but cut short or damaged.
    #[error(
        "the {format} file is cut short or damaged ({reason}); \
         copy it again from the camera or scanner"
    )]
    Broken {
        /// Its format.
        format: Format,
        /// Reason given by the decoder.
        reason: String,
    },
    /// The file is in no format that can be decoded; with what it is instead.
    #[error("not a picture sheetscan can read ({0}); save it as JPEG, PNG, WebP, BMP, TIFF or PDF")]
    Foreign(String),
    /// The file is in a known format, but in a variant that the decoder does not support.
    #[error(
        "this kind of {format} is not supported ({reason}); save it as an ordinary JPEG or PNG"
    )]
    Unsupported {
        /// Its format.
        format: Format,
        /// Reason given by the decoder.
        reason: String,
    },
    /// The decoder gave up in a way that says nothing about the file.
    #[error(
        "the decoder of {format} failed on it ({reason}); print it to a picture, JPEG or PNG, and \
         please report it"
    )]
    DecoderFailed {
        /// Its format.
        format: Format,
        /// What the decoder ended with.
        reason: String,
    },
    /// The page takes more than [`MAX_DRAWING_SECONDS`].
    #[error(
        "its {0} page took more than {MAX_DRAWING_SECONDS} s to draw; \
         print it to a picture, JPEG or PNG"
    )]
    TooSlow(Format),
    /// The page takes more than [`MAX_DRAWING_BYTES`].
    #[error(
        "its {0} page took more than {mib} MiB of memory to draw; \
         print it to a picture, JPEG or PNG",
        mib = MAX_DRAWING_BYTES >> 20
    )]
    TooMuchMemory(Format),
    /// The pages before could not be drawn, [`MAX_FAILING_PAGES`] of them in a row.
    #[error(
        "the rest of the file is left out after {MAX_FAILING_PAGES} pages in a row that could \
         not be drawn; print it to pictures"
    )]
    RestLeftOut,
    /// So many pages of the file could not be decoded, [`MAX_FAILED_PAGES`], that the rest is not
    /// tried.
    #[error(
        "the rest of the file is left out after {MAX_FAILED_PAGES} pages that cannot be read; \
         split it, or print it to pictures"
    )]
    TooManyFailedPages,
    /// The process that draws the page could not be started, or was stopped from outside.
    #[error("no process could draw it ({0}); try again")]
    NotDrawn(String),
    /// The file has more than [`MAX_PAGES`] pages.
    #[error("the file has more than {MAX_PAGES} pages, the rest is left out; split it")]
    TooManyPages,
    /// The page has more than [`MAX_PIXELS`] pixels or [`MAX_BYTES`] bytes.
    #[error(
        "{width} x {height} pixels are too many (the limit is {} megapixels, {} MiB decoded and {} \
         MiB with the file and what its decoder needs); save it smaller, 3000 to 6000 pixels along \
         the longer side are plenty",
        MAX_PIXELS / 1_000_000,
        MAX_BYTES >> 20,
        MAX_DECODING_BYTES >> 20
    )]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The file is larger than [`MAX_BYTES`].
    #[error("the file is larger than {} MiB; save it smaller, or split the PDF", MAX_BYTES >> 20)]
    FileTooLarge,
    /// The PDF asks for a password.
    #[error("the PDF is protected by a password; save a copy without one")]
    Locked,
    /// The PDF has no page.
    #[error("the PDF has no pages, or is cut short; export or copy it again")]
    NoPages,
    /// The system does not let the file be read.
    #[error("cannot be read: {0}; check the path and its permissions")]
    // It stays last: postcard numbers variants, and does not count those that are skipped when it
    // reads.
    #[serde(skip)]
    Unreadable(#[from] std::io::Error),
}

impl PageError {
    /// The error of a decoder that panicked.
    pub(super) fn decoder_failed(format: Format, panic: &str) -> Self {
        let reason = one_line(panic);
        Self::DecoderFailed { format, reason }
    }

    /// The error of a picture whose end is missing.
    pub(crate) fn cut_short(format: Format) -> Self {
        let reason = "its end is missing".to_owned();
        Self::Broken { format, reason }
    }

    /// Whether the decoder gave up, of itself or because it met a limit. The next pages of the file
    /// may cost as much.
    pub(super) fn is_costly(&self) -> bool {
        matches!(
            self,
            Self::TooSlow(_)
                | Self::TooMuchMemory(_)
                | Self::DecoderFailed { .. }
                | Self::NotDrawn(_)
        )
    }

    /// Whether the same file will fail in the same way again.
    pub fn is_lasting(&self) -> bool {
        !matches!(self, Self::Unreadable(_) | Self::NotDrawn(_))
    }

    /// The error of a decoder of `image`, for a file in `format`.
    pub(super) fn from_image(
        format: Format,
        (width, height): (u32, u32),
        error: ImageError,
    ) -> Self {
        let reason = match error {
            ImageError::Limits(_) => return Self::TooLarge { width, height },
            ImageError::Unsupported(e) => {
                let reason = one_line(&e.to_string());
                return Self::Unsupported { format, reason };
            }
            ImageError::IoError(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => {
                "it ends too early".to_owned()
            }
            // The outer message only repeats the format's name; its cause says what is wrong.
            ImageError::Decoding(e) => match std::error::Error::source(&e) {
                Some(cause) => cause.to_string(),
                None => e.to_string(),
            },
            other => other.to_string(),
        };
        let reason = one_line(&reason);
        Self::Broken { format, reason }
    }
}

/// A decoder's message without line breaks, cut to 120 characters.
pub(super) fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(120).collect()
}
