//! The optimiser's state of one parameter, and its step: on the processor, or on a device by candle's operations.

use candle_core::backprop::GradStore;
use candle_core::{D, DType, Device, Result, Shape, Tensor, Var};

use super::muon;

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
    /// The decay of the mean gradient of hidden matrices, if Muon updates them.
    pub momentum: Option<f32>,
    pub rate: f32,
}

/// One parameter's part of the optimiser's state.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moments {
    pub mean: Vec<f32>,
    /// Kept under Muon too, so that a stage can change the method.
    pub square: Vec<f32>,
    pub average: Vec<f32>,
}

/// Copies the values of a tensor.
pub(super) fn values(tensor: &Tensor) -> Result<Vec<f32>> {
    tensor.flatten_all()?.to_vec1()
}

impl Moments {
    /// Begins at zero, and the average at the value of the variable.
    pub fn new(var: &Var) -> Result<Self> {
        let average = values(var)?;
        Ok(Self { mean: vec![0.0; average.len()], square: vec![0.0; average.len()], average })
    }

    /// Applies a step to a variable: Muon's to a matrix with a `momentum`, else AdamW's.
    pub fn update(&mut self, update: &Update, momentum: Option<f32>, var: &Var, gradient: Vec<f32>) -> Result<()> {
        let Update { scale, mean_correction, square_correction, decay, beta2, epsilon, rate, .. } = *update;
        let beta1 = momentum.unwrap_or(update.beta1);
        let Self { mean, square, average } = self;
        let mut step = gradient;
        // Zipped, so that the compiler vectorises the loop.
        for (step, (mean, square)) in step.iter_mut().zip(mean.iter_mut().zip(square)) {
            let g = *step * scale;
            *mean += (1.0 - beta1) * (g - *mean);
            *square += (1.0 - beta2) * (g * g - *square);
            *step = match momentum {
                // Nesterov's look ahead.
                Some(momentum) => g + momentum * (*mean - g),
                None => *mean * mean_correction / ((*square * square_correction).sqrt() + epsilon),
            };
        }
        if momentum.is_some() {
            muon::update(&mut step, var.dim(D::Minus1)?);
        }
        let shrink = if var.rank() > 1 { update.shrink } else { 1.0 };
        let mut values = values(var)?;
        for ((value, step), average) in values.iter_mut().zip(step).zip(average) {
            *value = *value * shrink - rate * step;
            *average = decay * *average + (1.0 - decay) * *value;
        }
        var.set(&Tensor::from_vec(values, var.shape(), &Device::Cpu)?)
    }
}

/// One parameter's part of the optimiser's state, on its device.
#[derive(Debug)]
pub(super) struct DeviceMoments {
    mean: Tensor,
    square: Tensor,
    pub average: Tensor,
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
        Ok(Moments { mean: values(&self.mean)?, square: values(&self.square)?, average: values(&self.average)? })
    }

    /// Applies a step as [`Moments::update`] does. A missing gradient counts as zeros.
    pub fn update(
        &mut self,
        update: &Update,
        momentum: Option<f32>,
        var: &Var,
        gradient: Option<&Tensor>,
    ) -> Result<()> {
        let Update { scale, mean_correction, square_correction, decay, beta2, epsilon, rate, .. } = *update;
        let times = |tensor: &Tensor, factor: f32| tensor.affine(factor.into(), 0.0);
        let mixed = |a: &Tensor, b: &Tensor, share: f32| times(a, share)? + times(b, 1.0 - share)?;
        let value = var.as_detached_tensor();
        let gradient = match gradient {
            // Detached from the graph, which would otherwise live on in the moments.
            Some(gradient) => times(&gradient.detach(), scale)?,
            None => value.zeros_like()?,
        };
        self.mean = mixed(&self.mean, &gradient, momentum.unwrap_or(update.beta1))?;
        self.square = mixed(&self.square, &gradient.sqr()?, beta2)?;
        let step = match momentum {
            Some(momentum) => muon::update_on_device(&mixed(&self.mean, &gradient, momentum)?)?,
            None => {
                let root = times(&self.square, square_correction)?.sqrt()?.affine(1.0, epsilon.into())?;
                (times(&self.mean, mean_correction)? / root)?
            }
        };
        let shrink = if var.rank() > 1 { update.shrink } else { 1.0 };
        let value = (times(&value, shrink)? - times(&step, rate)?)?;
        self.average = mixed(&self.average, &value, decay)?;
        var.set(&value)
    }
}
