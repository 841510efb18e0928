//! Memory that begins where a line of the cache does: activations, gradients and packed weights.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};

/// The size of a cache line on most processors.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

/// Words of which the first begins a line of the cache. Rows of channels, multiples of [`super::OUTPUT_MULTIPLE`], then do
/// too, or begin half of one, and no register of them lies across two.
#[derive(Debug, Clone, Default)]
pub struct Aligned<W> {
    lines: Vec<CacheLine>,
    words: usize,
    of: PhantomData<W>,
}

impl<W: Pod> Aligned<W> {
    /// Changes the number of words; what they are is left open.
    pub fn resize(&mut self, words: usize) {
        self.lines.resize((words * size_of::<W>()).div_ceil(size_of::<CacheLine>()), CacheLine::zeroed());
        self.words = words;
    }
}

impl<W: Pod> Deref for Aligned<W> {
    type Target = [W];

    fn deref(&self) -> &[W] {
        &bytemuck::cast_slice(&self.lines)[..self.words]
    }
}

impl<W: Pod> DerefMut for Aligned<W> {
    fn deref_mut(&mut self) -> &mut [W] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.words]
    }
}
