//! Large arrays of numbers in memory of large pages.

use bytemuck::Pod;
use memmap2::{Advice, MmapMut};

/// Entries that begin as zeros. Lookups are scattered over hundreds of megabytes: with pages of 4 KiB most of them would first miss the
/// processor's table of pages, which costs a fifth of the speed, so large pages are asked for where the system has them.
#[derive(Debug)]
pub struct Floats<E> {
    memory: Option<MmapMut>,
    entry: std::marker::PhantomData<E>,
}

impl<E: Pod> Floats<E> {
    /// No entries.
    #[must_use]
    pub fn none() -> Self {
        Self {
            memory: None,
            entry: std::marker::PhantomData,
        }
    }

    /// This many entries, all zero; an error if there is no memory for them.
    pub fn zeroed(entries: usize) -> std::io::Result<Self> {
        if entries == 0 {
            return Ok(Self::none());
        }
        let memory = MmapMut::map_anon(entries * size_of::<E>())?;
        #[cfg(target_os = "linux")]
        // It is as right without large pages.
        let _ = memory.advise(Advice::HugePage);
        Ok(Self {
            memory: Some(memory),
            entry: std::marker::PhantomData,
        })
    }

    /// The entries.
    #[inline]
    #[must_use]
    pub fn entries(&self) -> &[E] {
        self.memory
            .as_ref()
            .map_or(&[], |memory| bytemuck::cast_slice(memory))
    }

    /// The entries, to change them.
    #[inline]
    pub fn entries_mut(&mut self) -> &mut [E] {
        match &mut self.memory {
            Some(memory) => bytemuck::cast_slice_mut(memory),
            None => &mut [],
        }
    }
}

/// Asks for the memory of an entry that will soon be needed. It changes nothing but how long that will take.
#[inline]
pub fn prefetch<E>(entries: &[E], entry: usize) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    if let Some(entry) = entries.get(entry) {
        safe_arch::prefetch_t0(entry);
    }
}
