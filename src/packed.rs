//! Values packed into text that may stand in a JSON string: base64 of the form's number and of
//! postcard's bytes. Every float comes back bit for bit, and only this version reads the text back.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Version of the packed types, the first byte of every packed value. It grows with every change of
/// a type that is packed, since postcard's bytes do not name their fields.
const TYPES_VERSION: u8 = 4;

/// Why a text is no packed value.
#[derive(Debug)]
pub enum UnpackError {
    /// The text is not base64.
    Text(base64::DecodeError),
    /// The bytes are not those of the wanted type.
    Bytes(postcard::Error),
    /// The value has the form of another version of sheetscan.
    Form(u8),
}

/// Packs a value.
pub fn pack(value: &impl Serialize) -> String {
    let bytes = postcard::to_extend(value, vec![TYPES_VERSION])
        .expect("a vector takes any number of bytes");
    STANDARD.encode(bytes)
}

/// Unpacks what [`pack`] made of a value of the same type.
///
/// # Errors
/// [`UnpackError`] if it is damaged or comes from another version.
pub fn unpack<T: DeserializeOwned>(text: &str) -> Result<T, UnpackError> {
    let bytes = STANDARD.decode(text).map_err(UnpackError::Text)?;
    match bytes.split_first() {
        Some((&TYPES_VERSION, packed)) => postcard::from_bytes(packed).map_err(UnpackError::Bytes),
        Some((&other, _)) => Err(UnpackError::Form(other)),
        None => Err(UnpackError::Form(0)),
    }
}
