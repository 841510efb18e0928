//! Operations besides layers: lengths and instructions are checked here, then the loops run unchecked.

use super::dispatch;
use super::gradient::{Gathered, GradientJob};
use super::kernel::Kernel;
use super::lanes::OUTPUT_MULTIPLE;
use super::layer::product;
use super::operand::{Loops, Operand};
use super::rows::ReluGradientJob;
use super::taps::Taps;
#[cfg(target_arch = "x86_64")]
use super::tiles::{Amx, TileUnit};

/// Writes the mean of each column of `rows`, then the maximum of each column, into `out`,
/// `[2 × channels]`.
///
/// # Panics
/// If the lengths do not fit, or the number of channels is not a multiple of [`OUTPUT_MULTIPLE`].
pub(crate) fn pool_rows(kernel: Kernel, rows: &[f32], channels: usize, out: &mut [f32]) {
    check(kernel, rows, channels);
    assert_eq!(out.len(), 2 * channels, "a mean and a maximum for each channel");
    // SAFETY: the kernel is available and the lengths fit.
    unsafe { dispatch::pool(kernel, rows, channels, out) }
}

/// Adds `addend` to every row of `rows`.
///
/// # Panics
/// If the lengths do not fit, or the addend's is not a multiple of [`OUTPUT_MULTIPLE`].
pub(crate) fn add_to_rows(kernel: Kernel, rows: &mut [f32], addend: &[f32]) {
    check(kernel, rows, addend.len());
    // SAFETY: the kernel is available and the lengths fit.
    unsafe { dispatch::add(kernel, rows, addend) }
}

fn check(kernel: Kernel, rows: &[f32], channels: usize) {
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    let fits = channels > 0 && channels.is_multiple_of(OUTPUT_MULTIPLE) && rows.len().is_multiple_of(channels);
    assert!(fits, "{} values are no rows of {channels} channels", rows.len());
}

/// Propagates a gradient back through the ReLU of a layer, sums its columns, and rounds it into
/// words unless a float is a word.
///
/// # Panics
/// If a length does not fit, or the machine cannot run the kernel.
pub fn relu_gradient<W: Operand>(kernel: Kernel, mut job: ReluGradientJob<'_, W>) {
    let (numbers, channels) = (job.gradient.len(), job.channels);
    assert!(channels > 0 && channels.is_multiple_of(OUTPUT_MULTIPLE) && numbers.is_multiple_of(channels), "channels");
    assert_eq!(job.sums.len(), channels, "sums");
    let packed = if W::NUMBERS > 1 { numbers / W::NUMBERS } else { 0 };
    assert!([job.results.len(), job.packed.len()] == [numbers / W::NUMBERS, packed], "words");
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    // SAFETY: checked above.
    unsafe { W::relu_gradient(kernel, &mut job) }
}

/// Adds the gradient of a layer's weights to `gradient`, `[T × inputs × outputs]`:
/// `gradient[t] += Σ_i x[taps[i][t]]ᵀ · out_gradient[i]`. Inputs and outputs are multiples of [`OUTPUT_MULTIPLE`].
///
/// # Panics
/// As [`super::Layer::run`].
#[expect(
    clippy::too_many_arguments,
    reason = "two operands with their widths, what joins them, and two places to write"
)]
pub fn add_weight_gradient<W, const T: usize>(
    kernel: Kernel,
    x: &[W],
    inputs: usize,
    taps: &Taps<'_, T>,
    out_gradient: &[W],
    outputs: usize,
    gathered: &mut Gathered<W>,
    gradient: &mut [f32],
) where
    W: Operand + Loops<T>,
{
    assert!([inputs, outputs].iter().all(|n| n.is_multiple_of(OUTPUT_MULTIPLE)), "{inputs} inputs, {outputs} outputs");
    assert_eq!(Some(gradient.len()), product([T, inputs, outputs]), "gradient");
    assert_eq!(Some(out_gradient.len()), product([taps.cells(), outputs / W::NUMBERS, 1]), "out_gradient");
    let end = taps.reads.checked_mul(inputs / W::NUMBERS);
    assert!(end.is_some_and(|end| end <= x.len()), "a tap reads past the input");
    assert!(kernel.is_available(), "this machine cannot run the kernel {kernel:?}");
    let mut job = GradientJob { x, inputs, taps: taps.rows(), out_gradient, outputs, gradient, gathered };
    // SAFETY: the lengths were checked above.
    unsafe { W::gradient(kernel, &mut job) }
}

/// A tile unit that stays configured between the layers of an evaluation; configuring it takes as
/// long as five products.
#[must_use = "it is ready as long as this lives"]
pub(crate) struct Ready {
    #[cfg(target_arch = "x86_64")]
    _unit: Option<Amx>,
}

impl Kernel {
    /// Configures the tile unit on this thread, if the kernel has one.
    ///
    /// # Panics
    /// If the machine cannot run the kernel.
    pub(crate) fn ready(self) -> Ready {
        assert!(self.is_available(), "this machine cannot run the kernel {self:?}");
        Ready {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the machine has the unit.
            _unit: (self == Self::Amx).then(|| unsafe { Amx::new() }),
        }
    }
}
