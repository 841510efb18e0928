//! The cross entropy of cell classes, as a candle operation in one pass.
//!
//! `candle_nn::loss::cross_entropy` takes the mean over all rows and cannot ignore those whose
//! class is unknown.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor, bail};

use hexzero_nn::CELL_CLASSES;

use super::storage::{f32_slice, with_floats};

/// Marks an unknown class, which does not contribute.
pub const UNKNOWN_CLASS: u8 = CELL_CLASSES as u8;

/// Sums over all cells the cross entropy of the logits, `[cells × 3]`, against the target classes.
///
/// # Errors
/// If the number of classes is not that of the cells, or a class does not exist.
pub fn class_cross_entropy(logits: &Tensor, classes: Arc<[u8]>) -> Result<Tensor> {
    logits.contiguous()?.apply_op1(ClassCrossEntropy { classes })
}

struct ClassCrossEntropy {
    classes: Arc<[u8]>,
}

impl ClassCrossEntropy {
    fn check(&self, layout: &Layout) -> Result<()> {
        if layout.dims() != [self.classes.len(), CELL_CLASSES] {
            bail!("{} classes do not fit logits {:?}", self.classes.len(), layout.shape())
        }
        if let Some(class) = self.classes.iter().find(|&&class| class > UNKNOWN_CLASS) {
            bail!("there is no class {class} of a cell")
        }
        Ok(())
    }
}

/// Returns the probabilities, and the logarithm of the sum of the exponentials.
fn softmax(logits: &[f32; CELL_CLASSES]) -> ([f32; CELL_CLASSES], f32) {
    let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exponentials = logits.map(|logit| (logit - max).exp());
    let sum: f32 = exponentials.iter().sum();
    (exponentials.map(|exponential| exponential / sum), sum.ln() + max)
}

impl CustomOp1 for ClassCrossEntropy {
    fn name(&self) -> &'static str {
        "class_cross_entropy"
    }

    fn cpu_fwd(&self, logits: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        self.check(layout)?;
        let mut sum = 0.0;
        let (triples, _) = f32_slice(logits, layout)?.as_chunks::<CELL_CLASSES>();
        for (logits, &class) in triples.iter().zip(self.classes.iter()) {
            if let Some(logit) = logits.get(usize::from(class)) {
                sum += f64::from(softmax(logits).1 - logit);
            }
        }
        Ok((CpuStorage::F32(vec![sum as f32]), ().into()))
    }

    /// Returns `gradient · (softmax - 1 for the target class)`.
    fn bwd(&self, logits: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let gradient: f32 = gradient.to_scalar()?;
        let mut out = vec![0.0; logits.elem_count()];
        let (out_triples, _) = out.as_chunks_mut::<CELL_CLASSES>();
        with_floats([logits], |[logits]| {
            let (triples, _) = logits.as_chunks::<CELL_CLASSES>();
            for ((out, logits), &class) in out_triples.iter_mut().zip(triples).zip(self.classes.iter()) {
                if class != UNKNOWN_CLASS {
                    *out = softmax(logits).0.map(|probability| probability * gradient);
                    out[usize::from(class)] -= gradient;
                }
            }
            Ok(())
        })?;
        Tensor::from_vec(out, logits.shape(), &Device::Cpu).map(Some)
    }
}
