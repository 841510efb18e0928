//! Muon's update of a matrix (Jordan et al. 2024, *Muon: an optimizer for hidden layers in neural networks*): the mean
//! gradient with its singular values brought near 1.

use candle_core::{D, DType, Result, Tensor};

use hexzero_nn::kernels::{Gathered, Kernel, Layer, LayerWeights, OUTPUT_MULTIPLE, Taps, add_weight_gradient};

/// The published coefficients of `a·X + b·X·XᵀX + c·X·(XᵀX)²`: they bring singular values into 0.68 to 1.21 fast, rather
/// than to 1.
const COEFFICIENTS: [f32; 3] = [3.4445, -4.7750, 2.0315];
const ITERATIONS: usize = 5;

/// Keeps a matrix of zeros from being divided by zero.
const MIN_NORM: f32 = 1e-7;

/// The root mean square of an update, about that of AdamW's, whose learning rate and weight decay then fit (Liu et al.
/// 2025, *Muon is scalable for LLM training*, arXiv 2502.16982).
const ROOT_MEAN_SQUARE: f32 = 0.2;

/// Returns true if a matrix with this name leads from hidden features to hidden features: neither the stem, which reads
/// planes, nor a layer whose outputs are predictions.
pub(super) fn is_hidden(name: &str) -> bool {
    !(name.starts_with("stem.") || name.contains(".out.") || name.starts_with("ownership."))
}

/// Returns the factor of a matrix of orthonormal rows or columns that gives its values their root mean square.
fn scale(rows: usize, columns: usize) -> f32 {
    ROOT_MEAN_SQUARE * (rows.max(columns) as f32).sqrt()
}

/// Replaces a mean gradient, a matrix of this many columns, by the update.
pub(super) fn update(direction: &mut [f32], columns: usize) {
    let rows = direction.len() / columns;
    if rows >= columns && columns.is_multiple_of(OUTPUT_MULTIPLE) {
        return orthogonalise(direction, columns, scale(rows, columns));
    }
    // The kernels need columns of zeros then, and fewer columns than rows cost less.
    let (is_wide, width) = (rows < columns, rows.min(columns).next_multiple_of(OUTPUT_MULTIPLE));
    let place = |at: usize| match (at / columns, at % columns) {
        (row, column) if is_wide => column * width + row,
        (row, column) => row * width + column,
    };
    let mut padded = vec![0.0; rows.max(columns) * width];
    direction.iter().enumerate().for_each(|(at, value)| padded[place(at)] = *value);
    orthogonalise(&mut padded, width, scale(rows, columns));
    direction.iter_mut().enumerate().for_each(|(at, value)| *value = padded[place(at)]);
}

/// Brings the singular values of a matrix near `scale` and keeps its singular vectors, by Newton-Schulz iterations.
///
/// Each iteration multiplies the matrix by a polynomial of `XᵀX`, and all these commute. So they are multiplied with each
/// other first, which costs less, as `XᵀX` is small.
fn orthogonalise(matrix: &mut [f32], columns: usize, scale: f32) {
    let kernel = Kernel::best();
    let all: Vec<[u32; 1]> = (0..(matrix.len() / columns).max(columns) as u32).map(|row| [row]).collect();
    // On one thread, as all matrices are updated at once.
    let product = |a: &[f32], b: &[f32]| {
        let weights = LayerWeights::plain(b, columns);
        let layer = Layer { weights, bias: None, inputs: columns, outputs: columns, relu: false };
        let mut out = vec![0.0; a.len()];
        layer.run(kernel, a, &Taps::new(&all[..a.len() / columns]), None, &mut out);
        out
    };
    let add_to_diagonal =
        |square: &mut [f32], addend: f32| square.iter_mut().step_by(columns + 1).for_each(|value| *value += addend);
    let times = |square: &mut [f32], factor: f32| square.iter_mut().for_each(|value| *value *= factor);
    let (mut gram, rows) = (vec![0.0; columns * columns], Taps::new(&all[..matrix.len() / columns]));
    add_weight_gradient(kernel, matrix, columns, &rows, matrix, columns, &mut Gathered::default(), &mut gram);
    let norm = gram.iter().step_by(columns + 1).sum::<f32>().sqrt() + MIN_NORM;
    times(&mut gram, norm.powi(-2));
    let [a, b, c] = COEFFICIENTS;
    let mut whole = Vec::new();
    for iteration in 1..=ITERATIONS {
        let mut inner = gram.clone();
        times(&mut inner, c);
        add_to_diagonal(&mut inner, b);
        let mut factor = product(&gram, &inner);
        add_to_diagonal(&mut factor, a);
        if iteration < ITERATIONS {
            gram = product(&product(&gram, &factor), &factor);
        }
        whole = if iteration == 1 { factor } else { product(&whole, &factor) };
    }
    times(&mut whole, scale / norm);
    matrix.copy_from_slice(&product(matrix, &whole));
}

/// Computes [`update`] by candle's operations on the tensor's device, `[inputs × outputs]` or `[taps × inputs × outputs]`.
pub(super) fn update_on_device(direction: &Tensor) -> Result<Tensor> {
    let columns = direction.dim(D::Minus1)?;
    let rows = direction.elem_count() / columns;
    let matrix = direction.reshape((rows, columns))?;
    let tall = if rows < columns { matrix.t()?.contiguous()? } else { matrix };
    let tall = tall.broadcast_div(&(tall.sqr()?.sum_all()?.sqrt()? + f64::from(MIN_NORM))?)?;
    let [a, b, c] = COEFFICIENTS.map(f64::from);
    let constant = (Tensor::eye(rows.min(columns), DType::F32, tall.device())? * a)?;
    let mut gram = tall.t()?.matmul(&tall)?;
    let mut update = tall;
    for _ in 0..ITERATIONS {
        let factor = ((&constant + (&gram * b)?)? + (gram.matmul(&gram)? * c)?)?;
        gram = gram.matmul(&factor)?.matmul(&factor)?;
        update = update.matmul(&factor)?;
    }
    let update = (update * f64::from(scale(rows, columns)))?;
    if rows < columns { update.t()?.contiguous() } else { Ok(update) }?.reshape(direction.shape())
}

#[cfg(test)]
pub(super) mod tests {
    use candle_core::Device;
    use hexzero_graph::Network;
    use hexzero_nn::Architecture;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Returns the product of two matrices, given and returned by rows.
    fn times(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let entry = |row: &[f64], column: usize| row.iter().zip(b).map(|(value, row)| value * row[column]).sum();
        a.iter().map(|row| (0..b[0].len()).map(|column| entry(row, column)).collect()).collect()
    }

    fn transposed(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
        (0..matrix[0].len()).map(|column| matrix.iter().map(|row| row[column]).collect()).collect()
    }

    /// Computes [`update`] as published: in doubles, on the whole matrix in each iteration.
    pub fn reference(direction: &[f64], columns: usize) -> Vec<f64> {
        let norm = direction.iter().map(|value| value * value).sum::<f64>().sqrt();
        let mut x: Vec<Vec<f64>> =
            direction.chunks(columns).map(|row| row.iter().map(|value| value / norm).collect()).collect();
        let largest = x.len().max(columns) as f64;
        for _ in 0..5 {
            let gram = times(&x, &transposed(&x));
            let (once, twice) = (times(&gram, &x), times(&gram, &times(&gram, &x)));
            for (row, values) in x.iter_mut().enumerate() {
                for (column, value) in values.iter_mut().enumerate() {
                    *value = 3.4445 * *value - 4.775 * once[row][column] + 2.0315 * twice[row][column];
                }
            }
        }
        x.into_iter().flatten().map(|value| 0.2 * largest.sqrt() * value).collect()
    }

    fn random(shape: &[usize]) -> Tensor {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let values: Vec<f32> = (0..shape.iter().product()).map(|_: usize| rng.random_range(-1.0..1.0)).collect();
        Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
    }

    fn values(tensor: &Tensor) -> Vec<f64> {
        let values: Vec<f32> = tensor.flatten_all().unwrap().to_vec1().unwrap();
        values.into_iter().map(f64::from).collect()
    }

    /// Returns the update of a direction on the processor.
    fn updated(direction: &Tensor) -> Vec<f64> {
        let mut values: Vec<f32> = direction.flatten_all().unwrap().to_vec1().unwrap();
        update(&mut values, direction.dim(D::Minus1).unwrap());
        values.into_iter().map(f64::from).collect()
    }

    /// Returns the greatest eigenvalue of a symmetric matrix without negative ones, by power iteration.
    fn greatest_eigenvalue(matrix: &[Vec<f64>]) -> f64 {
        let mut vector: Vec<Vec<f64>> = (0..matrix.len()).map(|row| vec![1.0 + (row as f64).sin()]).collect();
        let mut norm = 0.0;
        for _ in 0..1000 {
            vector = times(matrix, &vector);
            norm = vector.iter().map(|value| value[0] * value[0]).sum::<f64>().sqrt();
            if norm == 0.0 {
                break;
            }
            vector.iter_mut().for_each(|value| value[0] /= norm);
        }
        norm
    }

    #[test]
    fn singular_values_come_near_one() {
        for shape in [&[7, 16, 16][..], &[48, 16], &[16, 48], &[3, 5], &[30, 1]] {
            // Columns of lengths from 1 to 1/16.
            let columns = shape[shape.len() - 1];
            let lengths: Vec<f32> = (0..columns).map(|column| 1.0 / (1.0 + (column % 16) as f32)).collect();
            let lengths = Tensor::from_vec(lengths, columns, &Device::Cpu).unwrap();
            let direction = random(shape).broadcast_mul(&lengths).unwrap();
            let found = updated(&direction);
            let rows: Vec<Vec<f64>> = found.chunks(columns).map(<[f64]>::to_vec).collect();
            let scale = 0.2f64.powi(2) * rows.len().max(columns) as f64;
            let rows = if rows.len() < columns { transposed(&rows) } else { rows };
            let gram = times(&transposed(&rows), &rows);
            let greatest = greatest_eigenvalue(&gram);
            let mut others = gram.clone();
            for (row, values) in others.iter_mut().enumerate() {
                values.iter_mut().for_each(|value| *value = -*value);
                values[row] += greatest;
            }
            let least = greatest - greatest_eigenvalue(&others);
            let [least, greatest] = [least, greatest].map(|value| (value / scale).sqrt());
            assert!(0.67 < least && greatest < 1.21, "{shape:?}: {least} to {greatest}");
        }
    }

    #[test]
    fn products_among_small_matrices_agree_with_the_published_form() {
        for shape in [&[7, 16, 16][..], &[32, 16], &[16, 32], &[5, 3], &[3, 5]] {
            let direction = random(shape);
            let expected = reference(&values(&direction), shape[shape.len() - 1]);
            let on_device = update_on_device(&direction).unwrap();
            assert_eq!(on_device.dims(), shape);
            for found in [updated(&direction), values(&on_device)] {
                for (found, expected) in found.iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-3, "{shape:?}: {found}, expected {expected}");
                }
            }
        }
        let zeros = Tensor::zeros((32, 16), DType::F32, &Device::Cpu).unwrap();
        assert_eq!(updated(&zeros), [0.0; 32 * 16]);
        assert_eq!(values(&update_on_device(&zeros).unwrap()), [0.0; 32 * 16]);
    }

    #[test]
    fn hidden_matrices_lie_between_features() {
        let game = hexzero_games::default_game();
        let network = Architecture { blocks: 1, pool_every: 1, ..Architecture::default() };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (_, parameters) = Network::random(&network, &game.view, &mut rng).unwrap();
        let matrices = parameters.iter().filter(|(_, var)| var.rank() > 1).map(|(name, _)| name);
        let (hidden, others): (Vec<&str>, Vec<&str>) = matrices.partition(|name| is_hidden(name));
        let tower = ["blocks.0.first.weight", "blocks.0.pool.weight", "blocks.0.second.weight"];
        assert_eq!(hidden, [&tower[..], &["policy.weight", "policy.pool", "position.weight"]].concat());
        let last = ["policy.out.weight", "position.out.weight", "ownership.weight"];
        assert_eq!(others, [&["stem.weight", "stem.globals"], &last[..]].concat());
    }
}
