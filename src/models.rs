//! The networks that are built into the program, all but the prior as ONNX files. The cards in
//! `models/` say what each is for.

/// Reads every move cell.
pub(crate) static READER: &[u8] = include_bytes!("../models/reader.onnx");
/// Reads the cells on which the first stage is uncertain: larger, slower and better.
pub(crate) static SECOND_STAGE: &[u8] = include_bytes!("../models/second_stage.onnx");
/// Reads names, numbers and labels of the header.
pub(crate) static WORDS: &[u8] = include_bytes!("../models/words.onnx");
/// Finds the move table.
pub(crate) static TABLE: &[u8] = include_bytes!("../models/table.onnx");
/// Reads printed move numbers.
pub(crate) static NUMBERS: &[u8] = include_bytes!("../models/numbers.onnx");

/// Tells how likely each legal move is.
pub(crate) static PRIOR: &[u8] = include_bytes!("../models/prior.bin");

/// The name and the bytes of each file.
///
/// ```
/// assert!(sheetscan::models::files().iter().any(|(name, _)| *name == "table.onnx"));
/// ```
pub fn files() -> [(&'static str, &'static [u8]); 6] {
    [
        ("reader.onnx", READER),
        ("second_stage.onnx", SECOND_STAGE),
        ("words.onnx", WORDS),
        ("table.onnx", TABLE),
        ("numbers.onnx", NUMBERS),
        ("prior.bin", PRIOR),
    ]
}
