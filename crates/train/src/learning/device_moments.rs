//! The optimiser's step for variables on a device.

use candle_core::backprop::GradStore;
use candle_core::{DType, Device, Result, Shape, Tensor, Var};

use super::optimiser::Moments;

/// The factors of an optimiser step, the same for all variables.
pub(super) struct Update {
    /// Factor of the gradient.
    pub scale: f32,
    pub mean_correction: f32,
    pub square_correction: f32,
    /// Decay of the weight average.
    pub decay: f32,
    /// Factor of the values of matrices.
    pub shrink: f32,
    pub beta1: f32,
    pub beta2: f32,
    pub epsilon: f32,
    pub rate: f32,
}

/// One parameter's part of the optimiser's state, on its device.
#[derive(Debug)]
pub(super) struct DeviceMoments {
    mean: Tensor,
    square: Tensor,
    average: Tensor,
}

/// Returns the gradient norm over all variables.
pub(super) fn length(variables: &[Var], gradients: &GradStore) -> Result<f64> {
    let squares = variables.iter().filter_map(|var| gradients.get(var)).map(|part| part.sqr()?.sum_all());
    let squares: Vec<Tensor> = squares.collect::<Result<_>>()?;
    if squares.is_empty() {
        return Ok(0.0);
    }
    let sums: Vec<f32> = Tensor::stack(&squares, 0)?.to_dtype(DType::F32)?.to_vec1()?;
    Ok(sums.into_iter().map(f64::from).sum::<f64>().sqrt())
}

impl DeviceMoments {
    pub fn new(moments: &Moments, shape: &Shape, device: &Device) -> Result<Self> {
        let tensor = |values: &[f32]| Tensor::from_slice(values, shape, device);
        Ok(Self { mean: tensor(&moments.mean)?, square: tensor(&moments.square)?, average: tensor(&moments.average)? })
    }

    /// Returns copies of the moments.
    pub fn read(&self) -> Result<Moments> {
        let values = |tensor: &Tensor| tensor.flatten_all()?.to_vec1();
        Ok(Moments { mean: values(&self.mean)?, square: values(&self.square)?, average: values(&self.average)? })
    }

    /// Returns a copy of the average.
    pub fn read_average(&self) -> Result<Vec<f32>> {
        self.average.flatten_all()?.to_vec1()
    }

    /// Applies a step to a variable. A missing gradient counts as zeros.
    pub fn update(&mut self, update: &Update, var: &Var, gradient: Option<&Tensor>) -> Result<()> {
        let Update { scale, mean_correction, square_correction, decay, shrink, beta1, beta2, epsilon, rate } = *update;
        let times = |tensor: &Tensor, factor: f32| tensor.affine(factor.into(), 0.0);
        let value = var.as_detached_tensor();
        let gradient = match gradient {
            // Detached from the graph, which would otherwise live on in the moments.
            Some(gradient) => times(&gradient.detach(), scale)?,
            None => value.zeros_like()?,
        };
        self.mean = (times(&self.mean, beta1)? + times(&gradient, 1.0 - beta1)?)?;
        self.square = (times(&self.square, beta2)? + times(&gradient.sqr()?, 1.0 - beta2)?)?;
        let root = times(&self.square, square_correction)?.sqrt()?.affine(1.0, epsilon.into())?;
        let step = times(&(times(&self.mean, mean_correction)? / root)?, rate)?;
        let shrink = if var.rank() > 1 { shrink } else { 1.0 };
        let value = (times(&value, shrink)? - step)?;
        self.average = (times(&self.average, decay)? + times(&value, 1.0 - decay)?)?;
        var.set(&value)
    }
}
