//! The arithmetic of the network: gathered matrix products, in one source for every instruction set.
//!
//! Everything is channels last: a tensor over cells is `[cells × channels]`. A *tap* is an input row
//! that a cell reads: a hexagonal convolution has seven (the cell itself and its neighbours in the
//! order of [`crate::board::STEPS`]), a dense layer has one. A tap that falls off the board reads
//! zeros. Weights are `[taps × inputs × outputs]`.
//!
//! The kernel keeps a tile of cells × outputs in registers while it runs over taps and inputs: for
//! each input channel it loads the weights of the tile's outputs once, and multiplies them with one
//! broadcast input of each cell. [`Kernel`] says which instructions do that; each is the same generic
//! code over the vectors of `lanes`.

mod lanes;
mod tile;

use std::str::FromStr;
use std::sync::OnceLock;

/// A tap that reads zeros.
pub const NO_TAP: u32 = u32::MAX;

/// Outputs come in multiples of this many, so that every instruction set divides them.
pub const OUTPUT_MULTIPLE: usize = 16;

/// The instructions that the kernels use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// 16 floats a register, 32 registers.
    Avx512,
    /// 8 floats a register, 16 registers, fused multiply-add.
    Avx2,
    /// Plain Rust, which the compiler vectorises for the target's baseline (SSE2, NEON).
    Portable,
}

/// A kernel that this machine cannot run, or that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("kernel '{asked}' is not available here; choose one of: {}", available.join(", "))]
pub struct KernelError {
    asked: String,
    available: Vec<&'static str>,
}

/// The environment variable that forces a kernel, for tests and comparisons.
pub const KERNEL_VARIABLE: &str = "HEXZERO_KERNEL";

impl Kernel {
    /// Whether this machine has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            Self::Portable => true,
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The kernels that this machine can run, best first.
    pub fn available() -> Vec<Self> {
        let mut kernels = vec![Self::Avx512, Self::Avx2, Self::Portable];
        kernels.retain(|kernel| kernel.is_available());
        kernels
    }

    /// The best kernel of this machine, or the one that the environment variable
    /// [`KERNEL_VARIABLE`] names. A name that cannot be used is ignored here; the command line
    /// checks it first.
    pub fn best() -> Self {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        *BEST.get_or_init(|| {
            let forced = std::env::var(KERNEL_VARIABLE).ok().and_then(|name| name.parse().ok());
            forced.unwrap_or_else(|| Self::available()[0])
        })
    }

    /// The kernel's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Portable => "portable",
        }
    }
}

impl FromStr for Kernel {
    type Err = KernelError;

    fn from_str(name: &str) -> Result<Self, KernelError> {
        let available = Self::available();
        available.iter().copied().find(|kernel| kernel.name() == name).ok_or_else(|| KernelError {
            asked: name.to_owned(),
            available: available.iter().map(|kernel| kernel.name()).collect(),
        })
    }
}

/// One layer: `out[i] = relu?(bias + residual[i] + Σ_t x[taps[i][t]] · weights[t])`.
#[derive(Debug, Clone, Copy)]
pub struct Layer<'a, const T: usize> {
    /// `[T × inputs × outputs]`.
    pub weights: &'a [f32],
    /// `[outputs]`, or nothing.
    pub bias: Option<&'a [f32]>,
    /// Input channels.
    pub inputs: usize,
    /// Output channels, a multiple of [`OUTPUT_MULTIPLE`].
    pub outputs: usize,
    /// Whether negative results become zero.
    pub relu: bool,
}

impl<const T: usize> Layer<'_, T> {
    /// Runs the layer over the cells that `taps` lists. `x` is `[rows × inputs]`, `residual` and
    /// `out` are `[taps.len() × outputs]`.
    ///
    /// # Panics
    /// If a length does not fit, or a tap names a row that is not there.
    pub fn run(&self, kernel: Kernel, x: &[f32], taps: &[[u32; T]], residual: Option<&[f32]>, out: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        assert!(outputs.is_multiple_of(OUTPUT_MULTIPLE), "{outputs} outputs are no multiple of {OUTPUT_MULTIPLE}");
        assert_eq!(Some(self.weights.len()), product([T, inputs, outputs]), "weights");
        assert_eq!(Some(out.len()), product([taps.len(), outputs, 1]), "out");
        assert!(self.bias.is_none_or(|bias| bias.len() == outputs), "bias");
        assert!(residual.is_none_or(|residual| residual.len() == out.len()), "residual");
        let rows = u32::try_from(x.len() / inputs.max(1)).unwrap_or(NO_TAP);
        assert!(taps.iter().flatten().all(|&tap| tap < rows || tap == NO_TAP), "a tap reads past the input");
        tile::run_layer(self, kernel, x, taps, residual, out);
    }
}

/// A length, or none if it does not fit: the unsafe code below relies on these lengths.
fn product([a, b, c]: [usize; 3]) -> Option<usize> {
    a.checked_mul(b)?.checked_mul(c)
}

/// Adds the gradient of a layer's weights to `gradient`, `[T × inputs × outputs]`:
/// `gradient[t] += Σ_i x[taps[i][t]]ᵀ · out_gradient[i]`.
///
/// # Panics
/// As [`Layer::run`].
pub fn add_weight_gradient<const T: usize>(
    kernel: Kernel,
    x: &[f32],
    inputs: usize,
    taps: &[[u32; T]],
    out_gradient: &[f32],
    outputs: usize,
    gradient: &mut [f32],
) {
    assert!(outputs.is_multiple_of(OUTPUT_MULTIPLE), "{outputs} outputs are no multiple of {OUTPUT_MULTIPLE}");
    assert_eq!(Some(gradient.len()), product([T, inputs, outputs]), "gradient");
    assert_eq!(Some(out_gradient.len()), product([taps.len(), outputs, 1]), "out_gradient");
    let rows = u32::try_from(x.len() / inputs.max(1)).unwrap_or(NO_TAP);
    assert!(taps.iter().flatten().all(|&tap| tap < rows || tap == NO_TAP), "a tap reads past the input");
    tile::add_weight_gradient(kernel, x, inputs, taps, out_gradient, outputs, gradient);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn random(rng: &mut impl Rng, len: usize) -> Vec<f32> {
        (0..len).map(|_| rng.random_range(-1.0..1.0)).collect()
    }

    fn close(a: &[f32], b: &[f32]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-4 * (1.0 + b.abs()))
    }

    /// Every kernel against the definition, over numbers of cells that leave every kind of rest.
    #[test]
    fn kernels_agree_with_the_definition() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        for (cells, inputs, outputs) in
            [(1, 3, 16), (9, 16, 32), (25, 32, 32), (29, 48, 48), (49, 20, 64), (33, 7, 144)]
        {
            let x = random(&mut rng, cells * inputs);
            let weights = random(&mut rng, 7 * inputs * outputs);
            let bias = random(&mut rng, outputs);
            let residual = random(&mut rng, cells * outputs);
            let out_gradient = random(&mut rng, cells * outputs);
            let taps: Vec<[u32; 7]> =
                (0..cells)
                    .map(|_| {
                        std::array::from_fn(|_| {
                            if rng.random_bool(0.2) { NO_TAP } else { rng.random_range(0..cells as u32) }
                        })
                    })
                    .collect();
            let mut expected = residual.clone();
            let mut expected_gradient = vec![0.5; weights.len()];
            for (i, cell_taps) in taps.iter().enumerate() {
                for (t, &tap) in cell_taps.iter().enumerate().filter(|&(_, &tap)| tap != NO_TAP) {
                    for c in 0..inputs {
                        for o in 0..outputs {
                            let (w, a) = ((t * inputs + c) * outputs + o, x[tap as usize * inputs + c]);
                            expected[i * outputs + o] += a * weights[w];
                            expected_gradient[w] += a * out_gradient[i * outputs + o];
                        }
                    }
                }
            }
            let expected: Vec<f32> =
                expected.iter().enumerate().map(|(i, sum)| (sum + bias[i % outputs]).max(0.0)).collect();
            for kernel in Kernel::available() {
                let layer = Layer { weights: &weights, bias: Some(&bias), inputs, outputs, relu: true };
                let mut out = vec![f32::NAN; cells * outputs];
                layer.run(kernel, &x, &taps, Some(&residual), &mut out);
                assert!(close(&out, &expected), "{kernel:?} forward, {cells} × {inputs} → {outputs}");
                let mut gradient = vec![0.5; weights.len()];
                add_weight_gradient(kernel, &x, inputs, &taps, &out_gradient, outputs, &mut gradient);
                assert!(close(&gradient, &expected_gradient), "{kernel:?} gradient, {cells} × {inputs} → {outputs}");
            }
        }
    }

    #[test]
    fn an_unknown_kernel_is_named_with_the_choices() {
        let error = "abacus".parse::<Kernel>().unwrap_err().to_string();
        assert!(error.contains("'abacus'") && error.contains("portable"), "{error}");
    }
}
