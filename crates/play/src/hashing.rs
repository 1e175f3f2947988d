//! Writes a file with its checksum at the end.

use std::io::{self, Write};

/// Passes on what is written and hashes it.
#[derive(Debug)]
pub struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Hashing<W> {
    /// Passes on to `inner`.
    #[must_use]
    pub fn new(inner: W) -> Self {
        let hasher = blake3::Hasher::new();
        Self { inner, hasher }
    }

    /// Writes the checksum of all that was written.
    pub fn finish(mut self) -> io::Result<()> {
        let checksum = self.hasher.finalize();
        self.inner.write_all(checksum.as_bytes())?;
        self.inner.flush()
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
