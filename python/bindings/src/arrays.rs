//! Between the library's rows and NumPy's arrays.

use hexzero_games::Position;
use numpy::ndarray::Dim;
use numpy::{Element, PyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::errors::value_error;

/// Makes a new array of these values, row-major.
pub fn array<T: Element, const D: usize>(
    py: Python<'_>,
    values: Vec<T>,
    shape: [usize; D],
) -> PyResult<Py<PyArray<T, Dim<[usize; D]>>>>
where
    Dim<[usize; D]>: numpy::ndarray::Dimension,
    [usize; D]: numpy::ndarray::IntoDimension<Dim = Dim<[usize; D]>>,
{
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.unbind())
}

/// Converts a value to an array of 32-bit floats by NumPy; returns its shape and its values, row-major. Errors call it `what`.
pub fn floats(value: &Bound<'_, PyAny>, what: &str) -> PyResult<(Vec<usize>, Vec<f32>)> {
    let py = value.py();
    let options = PyDict::new(py);
    options.set_item("dtype", "float32")?;
    let made = py.import("numpy")?.getattr("ascontiguousarray")?.call((value,), Some(&options));
    let made = made.map_err(|error| {
        let wrapped = value_error(format_args!("{what} is no array of numbers: {}", error.value(py)));
        wrapped.set_cause(py, Some(error));
        wrapped
    })?;
    let array = made.cast::<PyArrayDyn<f32>>()?;
    // `ascontiguousarray` makes a single number an array of one.
    Ok((array.shape().to_vec(), array.to_vec()?))
}

/// Writes the network's inputs of a position: `planes` is `[planes × cells]`. `scratch` is memory.
pub fn encode_into(position: &Position, scratch: &mut Vec<f32>, planes: &mut [f32], globals: &mut [f32]) {
    scratch.resize(planes.len(), 0.0);
    position.encode(scratch, globals);
    let count = position.game().view.cell_inputs;
    let cells = planes.len() / count;
    for (plane, row) in planes.chunks_exact_mut(cells).enumerate() {
        for (to, &from) in row.iter_mut().zip(scratch[plane..].iter().step_by(count)) {
            *to = from;
        }
    }
}
