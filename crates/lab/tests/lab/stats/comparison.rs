//! What a comparison says, word for word.
