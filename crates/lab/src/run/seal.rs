//! Readable JSON in which any damage is detected: its last key is a checksum of all the text before it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Why a sealed text cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// Bytes have changed.
    #[error("is damaged: {0}")]
    Damaged(String),
    /// Another format or version: not damage, so the file is left as it is.
    #[error("is version {version} of {name}; this gamete reads version {known} of {format}")]
    Other {
        /// Its format.
        name: String,
        /// Its version.
        version: u32,
        /// The expected format.
        format: &'static str,
        /// The supported version.
        known: u32,
    },
}

/// The first keys of every sealed text.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// Separates the text from its checksum.
const KEY: &str = ",\n  \"checksum\": \"";

/// The text of a value with its checksum. The value has the keys `format` and `version`.
#[must_use]
pub fn seal(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("plain data");
    let body = text.strip_suffix("\n}").expect("an object with keys");
    body.to_owned() + &end(body)
}

/// Does a text have a checksum?
#[must_use]
pub fn is_sealed(contents: &[u8]) -> bool {
    let key = KEY.as_bytes();
    contents.windows(key.len()).any(|part| part == key)
}

fn end(body: &str) -> String {
    format!("{KEY}{}\"\n}}\n", blake3::hash(body.as_bytes()).to_hex())
}

/// The value in a sealed text of this format and version.
pub fn unseal<T: DeserializeOwned>(
    contents: &[u8],
    format: &'static str,
    known: u32,
) -> Result<T, SealError> {
    let damaged = |what: &str| SealError::Damaged(what.to_owned());
    let parse_failed = |error: serde_json::Error| SealError::Damaged(error.to_string());
    let text = std::str::from_utf8(contents).map_err(|_| damaged("it is not text"))?;
    let at = text
        .rfind(KEY)
        .ok_or_else(|| damaged("it has no checksum"))?;
    if text[at..] != end(&text[..at]) {
        return Err(damaged("its checksum does not match"));
    }
    let Head {
        format: name,
        version,
    } = serde_json::from_str(text).map_err(parse_failed)?;
    if (name.as_str(), version) != (format, known) {
        return Err(SealError::Other {
            name,
            version,
            format,
            known,
        });
    }
    serde_json::from_str(text).map_err(parse_failed)
}
