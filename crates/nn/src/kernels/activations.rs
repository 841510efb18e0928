//! Memory aligned to cache lines, and the activations that a layer writes there and the next one reads.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};

use super::lanes::{FloatLanes, OUTPUT_MULTIPLE};

/// Activations, `[cells × channels]`. They keep the extremes found by the layer that wrote them,
/// until they are changed.
#[derive(Debug, Clone, Default)]
pub struct Activations {
    values: Aligned<f32>,
    extremes: Option<Extremes>,
}

impl Activations {
    /// Changes the number of values, whose contents become unspecified.
    pub fn resize(&mut self, values: usize) {
        self.values.resize(values);
        self.extremes = None;
    }

    pub(super) fn extremes(&self) -> Option<Extremes> {
        self.extremes
    }

    /// Lets a function write the activations; it returns their extremes if it knows them.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut [f32]) -> Option<Extremes>) {
        self.extremes = write(&mut self.values);
    }
}

impl Deref for Activations {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.values
    }
}

impl DerefMut for Activations {
    fn deref_mut(&mut self) -> &mut [f32] {
        self.extremes = None;
        &mut self.values
    }
}

/// The size of a cache line on most processors.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

/// Words aligned to a cache line. Rows of channels, which are multiples of
/// [`OUTPUT_MULTIPLE`], then begin at a cache line or in the middle of one, so that no
/// register of them crosses a line.
#[derive(Debug, Clone, Default)]
pub struct Aligned<W> {
    lines: Vec<CacheLine>,
    words: usize,
    of: PhantomData<W>,
}

impl<W: Pod> Aligned<W> {
    /// Changes the number of words, whose contents become unspecified.
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

/// The least and the greatest of zero and some values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extremes {
    pub least: f32,
    pub most: f32,
}

impl Extremes {
    /// Returns the extremes of two registers.
    ///
    /// # Safety
    /// As [`super::lanes::Lanes`].
    #[inline(always)]
    pub unsafe fn of<L: FloatLanes>(least: L, most: L) -> Self {
        let (mut lowest, mut highest) = ([0.0; OUTPUT_MULTIPLE], [0.0; OUTPUT_MULTIPLE]);
        // SAFETY: no register holds more floats than the arrays.
        unsafe {
            least.store(lowest.as_mut_ptr());
            most.store(highest.as_mut_ptr());
        }
        // Halve repeatedly instead of using one long chain of comparisons.
        let mut half = OUTPUT_MULTIPLE / 2;
        while half > 0 {
            for i in 0..half {
                lowest[i] = if lowest[i + half] < lowest[i] { lowest[i + half] } else { lowest[i] };
                highest[i] = if highest[i + half] > highest[i] { highest[i + half] } else { highest[i] };
            }
            half /= 2;
        }
        Self {
            least: if lowest[0] < 0.0 { lowest[0] } else { 0.0 },
            most: if highest[0] > 0.0 { highest[0] } else { 0.0 },
        }
    }
}

/// The extremes of zero and everything a layer has written so far, in each lane.
#[derive(Clone, Copy)]
pub(super) struct Seen<L> {
    least: L,
    most: L,
}

impl<L: FloatLanes> Seen<L> {
    /// Returns the extremes of nothing written yet.
    ///
    /// # Safety
    /// As [`super::lanes::Lanes`].
    #[inline(always)]
    pub unsafe fn nothing() -> Self {
        // SAFETY: passed on.
        let zero = unsafe { L::splat(0.0) };
        Self { least: zero, most: zero }
    }

    /// Includes the values of a register.
    ///
    /// # Safety
    /// As [`super::lanes::Lanes`].
    #[inline(always)]
    pub unsafe fn add(&mut self, values: L) {
        // SAFETY: passed on.
        unsafe { (self.least, self.most) = (self.least.min(values), self.most.max(values)) }
    }

    /// # Safety
    /// As [`super::lanes::Lanes`].
    #[inline(always)]
    pub unsafe fn extremes(self) -> Extremes {
        // SAFETY: passed on.
        unsafe { Extremes::of(self.least, self.most) }
    }
}
