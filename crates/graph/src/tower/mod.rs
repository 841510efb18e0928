//! The tower of the network and its heads over cells as one candle operation, computed by our
//! kernels.

mod heads;
mod layers;
mod pool;

use std::sync::Arc;

use candle_core::{Result, Tensor, bail};
use parking_lot::Mutex;

use crate::{Arguments, Boards, Operation, with_floats};
use hexzero_nn::kernels::{Kernel, TrainingPrecision};

use layers::{Tower, TowerInputs};

pub(crate) use layers::TowerShape;

/// Towers of one shape, and a pool of idle ones whose buffers are reused.
#[derive(Debug, Clone)]
pub(crate) struct Towers {
    pub shape: TowerShape,
    kernel: Kernel,
    precision: TrainingPrecision,
    idle: Arc<Mutex<Vec<AnyTower>>>,
}

#[derive(Debug)]
enum AnyTower {
    Floats(Tower<f32>),
    Pairs(Tower<u32>),
}

impl Towers {
    pub fn new(shape: TowerShape, kernel: Kernel, precision: TrainingPrecision) -> Self {
        Self { shape, kernel, precision, idle: Arc::default() }
    }

    /// Applies the tower and its heads to inputs without gradients, and returns the results with these
    /// rows and columns; see [`layers`] for the order of the parameters and [`heads`] for that of the results.
    ///
    /// # Errors
    /// If the shapes do not fit the batch or the tower.
    pub fn results(
        &self,
        cells: &Tensor,
        globals: &Tensor,
        boards: &Boards,
        parameters: &Arguments,
        shapes: [(usize, usize); 3],
    ) -> Result<[Tensor; 3]> {
        let shape = &self.shape;
        if cells.dims() != [boards.cells(), shape.cell_inputs]
            || globals.dims() != [boards.positions(), shape.global_inputs]
        {
            bail!(
                "cells {:?} and globals {:?} do not fit {} cells of {} positions",
                cells.shape(),
                globals.shape(),
                boards.cells(),
                boards.positions()
            )
        }
        let tower = self.idle.lock().pop().unwrap_or_else(|| match self.precision {
            TrainingPrecision::F32 => AnyTower::Floats(Tower::new(shape.clone(), self.kernel)),
            TrainingPrecision::Bf16 => AnyTower::Pairs(Tower::new(shape.clone(), self.kernel)),
        });
        let operation = TowerOperation {
            cells: cells.contiguous()?,
            globals: globals.contiguous()?,
            boards: boards.clone(),
            tower: Mutex::new(Some(tower)),
            idle: self.idle.clone(),
        };
        parameters.apply(operation, shapes)
    }
}

/// A tower in use by a batch.
struct TowerOperation {
    cells: Tensor,
    globals: Tensor,
    boards: Boards,
    /// The tower, which returns to the pool of idle ones when candle drops the operation.
    tower: Mutex<Option<AnyTower>>,
    idle: Arc<Mutex<Vec<AnyTower>>>,
}

impl TowerOperation {
    fn with_inputs<T>(&self, f: impl FnOnce(&mut AnyTower, TowerInputs<'_>) -> T) -> Result<T> {
        let mut tower = self.tower.lock();
        let Some(tower) = tower.as_mut() else { bail!("the tower is idle again") };
        with_floats([&self.cells, &self.globals], |[cells, globals]| {
            Ok(f(tower, TowerInputs { cells, globals, boards: &self.boards }))
        })
    }
}

impl Operation for TowerOperation {
    fn forward(&self, parameters: &[&[f32]]) -> Result<Vec<f32>> {
        self.with_inputs(|tower, inputs| match tower {
            AnyTower::Floats(tower) => tower.forward(inputs, parameters),
            AnyTower::Pairs(tower) => tower.forward(inputs, parameters),
        })
    }

    fn backward(&self, gradient: &[f32], gradients: &mut [Vec<f32>]) -> Result<()> {
        self.with_inputs(|tower, inputs| match tower {
            AnyTower::Floats(tower) => tower.backward(inputs, gradient, gradients),
            AnyTower::Pairs(tower) => tower.backward(inputs, gradient, gradients),
        })
    }
}

impl Drop for TowerOperation {
    fn drop(&mut self) {
        self.idle.lock().extend(self.tower.lock().take());
    }
}
