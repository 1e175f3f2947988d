//! Types whose serialised form is their text.

/// Converts a type to and from `String` by its `Display` and `FromStr`, for `#[serde(into = "String", try_from = "String")]`.
macro_rules! serialised_as_text {
    ($type:ty) => {
        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }

        impl TryFrom<String> for $type {
            type Error = <$type as std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }
    };
}
pub(crate) use serialised_as_text;
