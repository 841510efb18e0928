//! What a layer writes and the next one reads.

use std::ops::{Deref, DerefMut};

use super::aligned::Aligned;
use super::quantise::Extremes;

/// Activations, `[cells × channels]`. They remember the extremes that the layer that wrote them found, until they are changed.
#[derive(Debug, Clone, Default)]
pub struct Activations {
    values: Aligned<f32>,
    extremes: Option<Extremes>,
}

impl Activations {
    /// Changes their number; what they are is left open.
    pub fn resize(&mut self, values: usize) {
        self.values.resize(values);
        self.extremes = None;
    }

    pub(super) fn extremes(&self) -> Option<Extremes> {
        self.extremes
    }

    /// Has them written by a function, which returns their extremes if it knows them.
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
