//! Layers whose weights are being trained, and the input rows that a layer reads for each cell.

use std::borrow::Cow;

use super::flat::Flat;
use super::panels::Panels;
use super::tile::{Job, Operands};
use super::{Kernel, NO_TAP, OUTPUT_MULTIPLE, Operand};

/// The weights of a layer, `[T × inputs × outputs]`.
#[derive(Debug, Clone, Copy)]
pub struct LayerWeights<'a, W> {
    /// The weights, packed as by [`super::PackedWeights`].
    pub words: &'a [W],
    /// The shape of `words`.
    pub(super) panels: Panels,
}

impl<'a> LayerWeights<'a, f32> {
    /// Wraps weights in plain order.
    pub fn plain(weights: &'a [f32], outputs: usize) -> Self {
        Self { words: weights, panels: Panels { outputs, strips: false } }
    }
}

/// One layer: `out[i] = relu?(bias + residual[i] + Σ_t x[taps[i][t]] · weights[t])`.
#[derive(Debug, Clone, Copy)]
pub struct Layer<'a, W> {
    /// The packed weights.
    pub weights: LayerWeights<'a, W>,
    /// The bias, `[outputs]`, if any.
    pub bias: Option<&'a [f32]>,
    /// Number of input channels, which fill whole words.
    pub inputs: usize,
    /// Number of output channels, a multiple of [`OUTPUT_MULTIPLE`].
    pub outputs: usize,
    /// True if negative results become zero.
    pub relu: bool,
}

impl<W: Operand> Layer<'_, W> {
    /// Runs the layer over the cells that `taps` lists. `x` is `[rows × inputs]` in words,
    /// `residual` and `out` are `[cells × outputs]`.
    ///
    /// # Panics
    /// If a length does not fit, or a tap names a row that does not exist.
    pub fn run<const T: usize>(
        &self,
        kernel: Kernel,
        x: &[W],
        taps: &Taps<'_, T>,
        residual: Option<&[f32]>,
        out: &mut [f32],
    ) {
        assert!(self.inputs.is_multiple_of(W::NUMBERS), "{} inputs do not fill whole words", self.inputs);
        let (inputs, outputs) = (self.inputs / W::NUMBERS, self.outputs);
        assert!(outputs.is_multiple_of(OUTPUT_MULTIPLE), "{outputs} outputs are no multiple of {OUTPUT_MULTIPLE}");
        let panels = self.weights.panels;
        let packs_so = panels == kernel.panels(W::NUMBERS) || !panels.strips && W::NUMBERS == 1;
        assert!(packs_so && panels.outputs.is_multiple_of(OUTPUT_MULTIPLE), "{panels:?}");
        let rows = T.checked_mul(inputs).map(|_| panels.rows(T, inputs));
        assert_eq!(Some(self.weights.words.len()), product([rows.unwrap_or(usize::MAX), outputs, 1]), "weights");
        assert_eq!(Some(out.len()), product([taps.cells(), outputs, 1]), "out");
        assert!(self.bias.is_none_or(|bias| bias.len() == outputs), "bias");
        assert!(residual.is_none_or(|residual| residual.len() == out.len()), "residual");
        assert!(taps.reads().checked_mul(inputs).is_some_and(|end| end <= x.len()), "a tap reads past the input");
        assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
        let Self { bias, relu, .. } = *self;
        let operands = Operands::zero_off_board(self.weights.words, inputs, x);
        let mut job = Job { operands, panels, outputs, taps, flat: None, bias, residual, relu, out, extremes: None };
        // SAFETY: the lengths were checked above.
        unsafe { W::layer(kernel, &mut job) }
    }
}

/// Multiplies lengths, or returns `None` on overflow, since the unsafe code relies on them.
pub(super) fn product([a, b, c]: [usize; 3]) -> Option<usize> {
    a.checked_mul(b)?.checked_mul(c)
}

/// The input rows that a layer reads for each cell.
#[derive(Debug, Clone)]
pub struct Taps<'a, const T: usize> {
    rows: Cow<'a, [[u32; T]]>,
    /// Lengths of successive groups of cells; a tile never straddles two groups.
    groups: Cow<'a, [usize]>,
    /// One more than the highest row read.
    reads: usize,
    flat: Option<Flat>,
}

impl<'a, const T: usize> Taps<'a, T> {
    /// Creates the taps of cells that form a single group.
    pub fn new(rows: &'a [[u32; T]]) -> Self {
        Self { groups: vec![rows.len()].into(), reads: last_read(rows), rows: rows.into(), flat: None }
    }

    /// Creates the taps of cells in several groups. Where no cell of a group has a neighbour in
    /// some direction, that tap costs nothing.
    ///
    /// # Panics
    /// If the groups do not add up to the cells.
    pub fn grouped(rows: Vec<[u32; T]>, groups: Vec<usize>) -> Taps<'static, T> {
        assert_eq!(groups.iter().sum::<usize>(), rows.len(), "the groups do not add up to the cells");
        Taps { reads: last_read(&rows), rows: rows.into(), groups: groups.into(), flat: None }
    }

    /// Adds the flat layout, in which no kernel has to gather what cells read, if there is one.
    /// Worthwhile for taps that are used often.
    pub fn laid_flat(self) -> Self {
        Self { flat: Flat::new(&self.rows), ..self }
    }

    pub(super) fn flat(&self) -> Option<&Flat> {
        self.flat.as_ref()
    }

    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.rows.len()
    }

    /// Returns the taps of each cell.
    pub fn rows(&self) -> &[[u32; T]] {
        &self.rows
    }

    pub(super) fn groups(&self) -> &[usize] {
        &self.groups
    }

    pub(super) fn reads(&self) -> usize {
        self.reads
    }
}

fn last_read<const T: usize>(rows: &[[u32; T]]) -> usize {
    rows.iter().flatten().filter(|&&tap| tap != NO_TAP).map(|&tap| tap as usize + 1).max().unwrap_or(0)
}
