//! Layers whose weights are packed for evaluation.

use super::activations::{Activations, Aligned, Extremes};
use super::dispatch;
use super::kernel::Kernel;
use super::lanes::OUTPUT_MULTIPLE;
use super::layer::product;
use super::precision::Precision;
use super::quantise::{Quantised, Values};
use super::sparse::KnownRows;
use super::taps::Taps;
use super::tile::{Job, Operands, Scaling};

/// Maximum quantised weight.
const WEIGHT_LIMIT: f32 = 127.0;

/// A layer with packed weights `[T × inputs × outputs]` and a bias: outputs are padded to a
/// multiple of [`OUTPUT_MULTIPLE`], arranged in panels, and quantised to bytes if requested.
#[derive(Debug, Clone)]
pub struct PackedLayer<const T: usize> {
    weights: Weights,
    /// `[outputs]`.
    bias: Vec<f32>,
    kernel: Kernel,
    inputs: usize,
    outputs: usize,
}

/// The operations of a layer after its sums of products.
#[derive(Debug, Clone, Copy, Default)]
pub struct Finish<'a> {
    /// The bias to use in place of the layer's own, `[outputs]`.
    pub bias: Option<&'a [f32]>,
    /// The residual to add to each cell, `[cells × outputs]`.
    pub residual: Option<&'a [f32]>,
    /// True if negative results become zero.
    pub relu: bool,
}

#[derive(Debug, Clone)]
enum Weights {
    F32(Aligned<f32>),
    /// Bytes, [`Kernel::bytes_a_word`] inputs a word; see [`Operands`] and [`Scaling`] for the
    /// rest.
    Int8 {
        words: Aligned<i32>,
        omitted: Vec<i32>,
        scales: Vec<f32>,
        weight_sums: Vec<f32>,
    },
}

/// Quantises weights `[T × inputs × outputs]` to signed bytes with a scale for each output.
fn quantise_weights<const T: usize>(weights: &[f32], inputs: usize, outputs: usize, kernel: Kernel) -> Weights {
    let mut scales = vec![0f32; outputs];
    for row in weights.chunks_exact(outputs) {
        scales.iter_mut().zip(row).for_each(|(most, weight)| *most = most.max(weight.abs()));
    }
    scales.iter_mut().for_each(|most| *most /= WEIGHT_LIMIT);
    let quantise = |weight: f32, scale: f32| if scale > 0.0 { (weight / scale).round_ties_even() as i8 } else { 0 };
    let bytes_a_word = kernel.bytes_a_word();
    let mut words = vec![0i32; weights.len() / bytes_a_word];
    let mut weight_sums = vec![0f32; outputs];
    let mut omitted = vec![0i32; if kernel.omitted(0).is_some() { weights.len() / inputs } else { 0 }];
    let bits = 32 / bytes_a_word;
    let mask = (u32::MAX >> (32 - bits)).cast_signed();
    for (r, row) in weights.chunks_exact(outputs).enumerate() {
        // Rows are taps × inputs, and the inputs of a tap fill whole words.
        debug_assert!(inputs.is_multiple_of(bytes_a_word));
        for (o, &weight) in row.iter().enumerate() {
            let byte = quantise(weight, scales[o]);
            let number = i32::from(byte) & mask;
            words[r / bytes_a_word * outputs + o] |= number << (r % bytes_a_word * bits);
            weight_sums[o] += f32::from(byte);
            if let Some(of_weight) = kernel.omitted(byte) {
                omitted[r / inputs * outputs + o] += of_weight;
            }
        }
    }
    // Weights have native byte order, like the activations.
    words.iter_mut().for_each(|word| *word = i32::from_le(*word));
    let mut panels = Aligned::default();
    kernel.panels(bytes_a_word).pack(&words, T, outputs, &mut panels);
    Weights::Int8 { words: panels, omitted, scales, weight_sums }
}

fn set_quantised(to: &mut Quantised, kernel: Kernel, values: &Values<'_>) {
    let Values { x, channels, flat, .. } = *values;
    assert!(channels.is_multiple_of(OUTPUT_MULTIPLE) && x.len().is_multiple_of(channels), "rows of {channels}");
    assert!(flat.is_none_or(|flat| flat.rows() <= x.len() / channels), "a layout of other rows");
    let rows = flat.map_or(x.len() / channels, |flat| flat.sources.len());
    to.words.resize(rows * channels / kernel.bytes_a_word());
    to.zeros.resize(channels / kernel.bytes_a_word(), 0);
    // SAFETY: there is room, and the length is a multiple of a register's.
    unsafe { dispatch::to_bytes(kernel, values, to) }
}

impl<const T: usize> PackedLayer<T> {
    /// Packs the first `kept` outputs of a layer with these weights, `[T × inputs × outputs]`. Int8
    /// requires the number of inputs to be a multiple of [`OUTPUT_MULTIPLE`].
    ///
    /// # Panics
    /// If the lengths do not fit, or the machine cannot run the kernel.
    pub fn new(
        weight: &[f32],
        bias: Option<&[f32]>,
        inputs: usize,
        kept: usize,
        kernel: Kernel,
        precision: Precision,
    ) -> Self {
        assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
        let width = weight.len() / (T * inputs);
        let outputs = kept.next_multiple_of(OUTPUT_MULTIPLE);
        let mut weights = vec![0.0; T * inputs * outputs];
        for (to, from) in weights.chunks_exact_mut(outputs).zip(weight.chunks_exact(width)) {
            to[..kept].copy_from_slice(&from[..kept]);
        }
        let mut padded_bias = vec![0.0; outputs];
        if let Some(bias) = bias {
            padded_bias[..kept].copy_from_slice(&bias[..kept]);
        }
        let weights = match precision {
            Precision::F32 => {
                let mut panels = Aligned::default();
                kernel.panels(1).pack(&weights, T, outputs, &mut panels);
                Weights::F32(panels)
            }
            Precision::Int8 => {
                assert!(inputs.is_multiple_of(OUTPUT_MULTIPLE), "{inputs} inputs are no multiple of {OUTPUT_MULTIPLE}");
                quantise_weights::<T>(&weights, inputs, outputs, kernel)
            }
        };
        Self { weights, bias: padded_bias, kernel, inputs, outputs }
    }

    /// Returns the number of output channels, including padding.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Computes `out[i] = relu?(bias + residual[i] + Σ_t x[taps[i][t]] · weights[t])` for each cell: `x` is
    /// `[rows × inputs]`, `out` is `[cells × outputs]`. `quantised` is scratch space.
    ///
    /// # Panics
    /// If a length does not fit, or a tap names a row that does not exist.
    pub fn run(&self, x: &[f32], taps: &Taps<'_, T>, finish: Finish<'_>, quantised: &mut Quantised, out: &mut [f32]) {
        self.compute(x, None, taps, finish, quantised, out);
    }

    /// Does the same as [`Self::run`] for a layer in floats whose inputs are mostly zero. `rows` holds those that this
    /// layer has met before, if any.
    ///
    /// # Panics
    /// As [`Self::run`], or if the layer is not in floats.
    pub fn run_sparse(
        &self,
        x: &[f32],
        taps: &Taps<'_, T>,
        finish: Finish<'_>,
        rows: &mut KnownRows,
        out: &mut Activations,
    ) {
        let Weights::F32(weights) = &self.weights else { panic!("a layer in bytes") };
        out.write(|out| {
            self.check(x, taps, finish, out);
            let mut job = self.job_of_floats(weights, x, taps, finish, out);
            // SAFETY: checked; the weights and bias are as they were packed.
            unsafe { dispatch::sparse_layer(self.kernel, &mut job, rows) }
            job.extremes
        });
    }

    /// Does the same as [`Self::run`] on activations written by this method, whose extremes are
    /// then known already.
    ///
    /// # Panics
    /// As [`Self::run`].
    pub fn run_on(
        &self,
        x: &Activations,
        taps: &Taps<'_, T>,
        finish: Finish<'_>,
        quantised: &mut Quantised,
        out: &mut Activations,
    ) {
        out.write(|out| self.compute(x, x.extremes(), taps, finish, quantised, out));
    }

    /// Computes the layer, and returns the extremes of its results if they were found along the
    /// way.
    fn compute(
        &self,
        x: &[f32],
        extremes: Option<Extremes>,
        taps: &Taps<'_, T>,
        finish: Finish<'_>,
        quantised: &mut Quantised,
        out: &mut [f32],
    ) -> Option<Extremes> {
        let Self { kernel, inputs, outputs, .. } = *self;
        self.check(x, taps, finish, out);
        match &self.weights {
            Weights::F32(weights) => {
                let mut job = self.job_of_floats(weights, x, taps, finish, out);
                // SAFETY: lengths were checked above, those of the weights and bias are as they were packed.
                unsafe { dispatch::layer(kernel, &mut job) }
                job.extremes
            }
            Weights::Int8 { words, omitted, scales, weight_sums } => {
                let flat = taps.flat.as_ref().filter(|_| kernel.has_tiles(kernel.bytes_a_word()));
                set_quantised(quantised, kernel, &Values { x, channels: inputs, flat, extremes });
                let scaling = Scaling { step: quantised.step, offset: quantised.offset, scales, weight_sums };
                let operands = Operands {
                    weights: words,
                    inputs: inputs / kernel.bytes_a_word(),
                    x: &quantised.words,
                    off_board: &quantised.zeros,
                    off_board_is_zero: quantised.offset == 0.0,
                    omitted,
                    scaling: Some(scaling),
                };
                let panels = kernel.panels(kernel.bytes_a_word());
                let Finish { residual, relu, .. } = finish;
                let bias = Some(finish.bias.unwrap_or(&self.bias));
                let mut job = Job { operands, panels, outputs, taps, flat, bias, residual, relu, out, extremes: None };
                // SAFETY: as above.
                unsafe { dispatch::layer_of_bytes(kernel, &mut job) }
                job.extremes
            }
        }
    }

    fn check(&self, x: &[f32], taps: &Taps<'_, T>, finish: Finish<'_>, out: &[f32]) {
        let Self { inputs, outputs, .. } = *self;
        assert!(finish.bias.is_none_or(|bias| bias.len() == outputs), "bias");
        assert_eq!(Some(out.len()), product([taps.cells(), outputs, 1]), "out");
        assert!(finish.residual.is_none_or(|residual| residual.len() == out.len()), "residual");
        assert!(taps.reads.checked_mul(inputs).is_some_and(|end| end <= x.len()), "a tap reads past the input");
    }

    fn job_of_floats<'a>(
        &'a self,
        weights: &'a [f32],
        x: &'a [f32],
        taps: &'a Taps<'a, T>,
        Finish { bias, residual, relu }: Finish<'a>,
        out: &'a mut [f32],
    ) -> Job<'a, f32, T> {
        let bias = Some(bias.unwrap_or(&self.bias));
        let operands = Operands::zero_off_board(weights, self.inputs, x);
        let panels = self.kernel.panels(1);
        Job { operands, panels, outputs: self.outputs, taps, flat: None, bias, residual, relu, out, extremes: None }
    }
}
