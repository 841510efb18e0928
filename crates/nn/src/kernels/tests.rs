use super::*;
use crate::cell_order;
use hexzero_board::{Board, Shape};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Returns all kernels that can be tested here, including the emulated one.
fn kernels() -> Vec<Kernel> {
    [Kernel::available(), vec![Kernel::EmulatedAmx]].concat()
}

fn random(rng: &mut impl Rng, len: usize) -> Vec<f32> {
    (0..len).map(|_| rng.random_range(-1.0..1.0)).collect()
}

fn close(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-4 * (1.0 + b.abs()))
}

/// A layer of seven taps computed by its definition.
struct Definition {
    inputs: usize,
    outputs: usize,
    x: Vec<f32>,
    weights: Vec<f32>,
    bias: Vec<f32>,
    residual: Vec<f32>,
    out_gradient: Vec<f32>,
    taps: Vec<[u32; 7]>,
    /// The results after the ReLU.
    out: Vec<f32>,
    /// The weight gradient, added to 0.5.
    weight_gradient: Vec<f32>,
}

impl Definition {
    /// Creates random operands that `round` makes exact.
    fn random(rng: &mut impl Rng, [cells, inputs, outputs]: [usize; 3], round: fn(f32) -> f32) -> Self {
        let mut operands = |len| random(rng, len).into_iter().map(round).collect::<Vec<f32>>();
        let (x, weights) = (operands(cells * inputs), operands(7 * inputs * outputs));
        let out_gradient = operands(cells * outputs);
        let (bias, residual, taps) = (random(rng, outputs), random(rng, cells * outputs), random_taps(rng, cells));
        let mut sums: Vec<f32> = (0..cells * outputs).map(|i| residual[i] + bias[i % outputs]).collect();
        let mut weight_gradient = vec![0.5; weights.len()];
        for (i, cell_taps) in taps.iter().enumerate() {
            for (t, &tap) in cell_taps.iter().enumerate().filter(|&(_, &tap)| tap != NO_TAP) {
                for c in 0..inputs {
                    for o in 0..outputs {
                        let (w, a) = ((t * inputs + c) * outputs + o, x[tap as usize * inputs + c]);
                        sums[i * outputs + o] += a * weights[w];
                        weight_gradient[w] += a * out_gradient[i * outputs + o];
                    }
                }
            }
        }
        let out = sums.into_iter().map(|sum| sum.max(0.0)).collect();
        Self { inputs, outputs, x, weights, bias, residual, out_gradient, taps, out, weight_gradient }
    }

    /// Compares a kernel with the definition, forward and backward.
    fn check<W: Operand>(&self, kernel: Kernel) {
        let &Self { inputs, outputs, .. } = self;
        let what = format!("{kernel:?}, words of {}, {} × {inputs} → {outputs}", W::NUMBERS, self.taps.len());
        let packed = |numbers: &[f32]| {
            let mut words = vec![W::default(); numbers.len() / W::NUMBERS];
            pack(kernel, numbers, &mut words);
            words
        };
        let (x, mut weights) = (packed(&self.x), PackedWeights::default());
        weights.set(kernel, &self.weights, inputs, outputs);
        let layer = Layer { weights: weights.forward(), bias: Some(&self.bias), inputs, outputs, relu: true };
        let mut out = vec![f32::NAN; self.out.len()];
        layer.run(kernel, &x, &Taps::new(&self.taps), Some(&self.residual), &mut out);
        assert!(close(&out, &self.out), "{what}: forward");

        let mut gradient = vec![0.5; self.weights.len()];
        let out_gradient = packed(&self.out_gradient);
        let mut gathered = Gathered::default();
        let taps = &Taps::new(&self.taps);
        add_weight_gradient(kernel, &x, inputs, taps, &out_gradient, outputs, &mut gathered, &mut gradient);
        assert!(close(&gradient, &self.weight_gradient), "{what}: gradient of the weights");
        self.check_relu_gradient::<W>(kernel, &packed(&self.out), &what);
    }

    /// Checks the gradient through the ReLU, its column sums and its packed words.
    fn check_relu_gradient<W: Operand>(&self, kernel: Kernel, results: &[W], what: &str) {
        let (mut gradient, mut sums) = (self.out_gradient.clone(), vec![0.25; self.outputs]);
        // Floats need no packing.
        let mut packed = vec![W::default(); if W::NUMBERS > 1 { results.len() } else { 0 }];
        let (channels, job_sums) = (self.outputs, &mut sums[..]);
        relu_gradient(
            kernel,
            ReluGradientJob { gradient: &mut gradient, channels, results, sums: job_sums, packed: &mut packed },
        );
        let pass = |(gradient, out): (&f32, &f32)| if *out > 0.0 { *gradient } else { 0.0 };
        let expected: Vec<f32> = self.out_gradient.iter().zip(&self.out).map(pass).collect();
        assert_eq!(gradient, expected, "{what}: ReLU gradient");
        let column = |o: usize| 0.25 + expected.iter().skip(o).step_by(channels).sum::<f32>();
        assert!(close(&sums, &(0..channels).map(column).collect::<Vec<f32>>()), "{what}: sums");
        let mut words = vec![W::default(); results.len()];
        pack(kernel, &expected, &mut words);
        let packed = W::words(&gradient, &packed);
        assert_eq!(bytemuck::cast_slice::<W, u8>(packed), bytemuck::cast_slice::<W, u8>(&words), "{what}: packed");
    }
}

/// Truncates a float to a bf16.
fn cut(value: f32) -> f32 {
    f32::from_bits(value.to_bits() & 0xFFFF_0000)
}

/// Uses numbers of cells that leave every kind of remainder. Products of bf16 are exact in floats,
/// so they must agree as closely.
#[test]
fn kernels_agree_with_the_definition() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let shapes = [
        [1, 16, 16],
        [9, 16, 32],
        [25, 32, 32],
        [29, 48, 48],
        [49, 32, 64],
        [33, 16, 144],
        [289, 64, 64],
        [67, 128, 128],
        [130, 80, 48],
    ];
    for shape in shapes {
        let floats = Definition::random(&mut rng, shape, |value| value);
        let pairs = Definition::random(&mut rng, shape, cut);
        for kernel in kernels() {
            floats.check::<f32>(kernel);
            pairs.check::<u32>(kernel);
        }
    }
}

/// Checks that the gradient of the input is a layer with the transposed weights, on a ring where
/// direction `d` leads `d + 1` cells on.
fn check_turned_weights<W: Operand>(round: fn(f32) -> f32) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    // Several panels of either kind.
    let (cells, inputs, outputs) = (14, 144, 80);
    let leads = |t: usize| [0, 1, 2, 3, cells - 1, cells - 2, cells - 3][t];
    let taps: Vec<[u32; 7]> = (0..cells).map(|i| std::array::from_fn(|t| ((i + leads(t)) % cells) as u32)).collect();
    let mut operands = |len| random(&mut rng, len).into_iter().map(round).collect::<Vec<f32>>();
    let (weights, gradient) = (operands(7 * inputs * outputs), operands(cells * outputs));
    let mut expected = vec![0.0; cells * inputs];
    for (i, taps) in taps.iter().enumerate() {
        for (t, &tap) in taps.iter().enumerate() {
            for (c, expected) in expected[tap as usize * inputs..][..inputs].iter_mut().enumerate() {
                let row = &weights[(t * inputs + c) * outputs..][..outputs];
                *expected += row.iter().zip(&gradient[i * outputs..]).map(|(w, g)| w * g).sum::<f32>();
            }
        }
    }
    for kernel in kernels() {
        let (mut packed, mut words) = (PackedWeights::<W>::default(), vec![W::default(); gradient.len() / W::NUMBERS]);
        packed.set(kernel, &weights, inputs, outputs);
        pack(kernel, &gradient, &mut words);
        let layer = Layer { weights: packed.transposed(), bias: None, inputs: outputs, outputs: inputs, relu: false };
        let mut out = vec![f32::NAN; expected.len()];
        layer.run(kernel, &words, &Taps::new(&taps), None, &mut out);
        assert!(close(&out, &expected), "{kernel:?}, words of {}", W::NUMBERS);
    }
}

#[test]
fn turned_weights_lead_back() {
    check_turned_weights::<f32>(|value| value);
    check_turned_weights::<u32>(cut);
}

#[test]
fn bf16_are_rounded_to_nearest() {
    let values = [1.0, 1.0 + 1.0 / 256.0, 1.0 + 3.0 / 256.0, -1.004, 1e-30, 3e38, -0.0, 0.5];
    let expected: [u16; 8] = [0x3F80, 0x3F80, 0x3F82, 0xBF81, 0x0DA2, 0x7F62, 0x8000, 0x3F00];
    for kernel in kernels() {
        let mut words = [0u32; 8];
        pack(kernel, &[values, values].concat(), &mut words);
        let numbers: Vec<u16> = words.iter().flat_map(|word| [*word as u16, (word >> 16) as u16]).collect();
        assert_eq!(numbers, [expected, expected].concat(), "{kernel:?}");
    }
}

/// Returns random taps for this many cells, some of them off the board.
fn random_taps(rng: &mut impl Rng, cells: usize) -> Vec<[u32; 7]> {
    let mut tap = || if rng.random_bool(0.2) { NO_TAP } else { rng.random_range(0..cells as u32) };
    (0..cells).map(|_| std::array::from_fn(|_| tap())).collect()
}

/// Compares packed layers with trained ones for every kernel: floats must agree, and the errors of
/// bytes must not exceed their rounding steps. Inputs with and without negative values, and groups
/// that share an empty tap.
#[test]
fn packed_layers_agree_with_plain_ones() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    for (cells, inputs, outputs, least) in
        [(9, 16, 16, 0.0), (25, 32, 32, -1.0), (29, 48, 48, -0.1), (49, 64, 64, 0.0), (33, 32, 144, -3.0)]
    {
        let x: Vec<f32> = (0..cells * inputs).map(|_| rng.random_range(least..1.0f32)).collect();
        let weights = random(&mut rng, 7 * inputs * outputs);
        let bias = random(&mut rng, outputs);
        let residual = random(&mut rng, cells * outputs);
        let mut rows = random_taps(&mut rng, cells);
        rows[..5].iter_mut().for_each(|taps| taps[3] = NO_TAP);
        let layer =
            Layer { weights: LayerWeights::plain(&weights, outputs), bias: Some(&bias), inputs, outputs, relu: true };
        let mut expected = vec![f32::NAN; cells * outputs];
        layer.run(Kernel::Portable, &x, &Taps::new(&rows), Some(&residual), &mut expected);
        let taps = Taps::grouped(rows, vec![5, cells - 5]);
        let run = |precision, kernel| {
            let packed = PackedLayer::new(&weights, Some(&bias), inputs, outputs, kernel, precision);
            let mut out = vec![f32::NAN; cells * outputs];
            let finish = Finish { residual: Some(&residual), relu: true, ..Finish::default() };
            packed.run(&x, &taps, finish, &mut Quantised::default(), &mut out);
            out
        };
        let bytes = run(Precision::Int8, Kernel::Portable);
        // Each of the 7 × inputs products has an error of at most half a step on either side.
        let step = (1.0 - least) / 255.0 / 2.0 + least.abs().max(1.0) / 127.0 / 2.0;
        let errors = bytes.iter().zip(&expected).map(|(a, b)| (a - b).abs());
        let mean = errors.clone().sum::<f32>() / expected.len() as f32;
        assert!(errors.fold(0.0, f32::max) < step * (7 * inputs) as f32, "{cells} × {inputs} → {outputs}");
        assert!(mean < step * ((7 * inputs) as f32).sqrt(), "mean error {mean}, {cells} × {inputs} → {outputs}");
        for kernel in kernels() {
            assert!(close(&run(Precision::F32, kernel), &expected), "{kernel:?}, {cells} × {inputs} → {outputs}");
            assert!(close(&run(Precision::Int8, kernel), &bytes), "{kernel:?} int8, {cells} × {inputs} → {outputs}");
        }
    }
}

/// Compares byte layers with sums of integers: all scales are one, so floats have nothing to round.
/// The first outputs have the largest weights throughout and the first cells the largest inputs,
/// where 16-bit sums would overflow.
#[test]
fn products_of_bytes_are_exact() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    for (cells, inputs, outputs, least) in [(1, 16, 16, 0), (11, 32, 32, 0), (29, 48, 48, -100), (49, 64, 64, 0)] {
        let mut x: Vec<i32> = (0..cells * inputs).map(|_| rng.random_range(least..=least + 255)).collect();
        x[..cells / 4 * inputs].fill(least + 255);
        (x[0], x[1]) = (least, least + 255);
        let mut weights: Vec<i32> = (0..7 * inputs * outputs).map(|_| rng.random_range(-127..=127)).collect();
        for row in weights.chunks_exact_mut(outputs) {
            (row[0], row[1], row[2]) = (127, -127, 0);
        }
        // The largest weight of each output is 127, so its scale is one.
        weights[..outputs].iter_mut().skip(3).for_each(|weight| *weight = 127);
        let mut rows = random_taps(&mut rng, cells);
        let shared = cells.min(5);
        rows[..shared].iter_mut().for_each(|taps| taps[3] = NO_TAP);
        let mut expected = vec![0; cells * outputs];
        for (cell, taps) in rows.iter().enumerate() {
            for (t, &tap) in taps.iter().enumerate().filter(|&(_, &tap)| tap != NO_TAP) {
                for (c, input) in x[tap as usize * inputs..][..inputs].iter().enumerate() {
                    let row = &weights[(t * inputs + c) * outputs..][..outputs];
                    expected[cell * outputs..].iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
                }
            }
        }
        let floats = |numbers: &[i32]| numbers.iter().map(|&number| number as f32).collect::<Vec<f32>>();
        let taps = Taps::grouped(rows, vec![shared, cells - shared]);
        for kernel in kernels() {
            let packed = PackedLayer::new(&floats(&weights), None, inputs, outputs, kernel, Precision::Int8);
            let mut out = vec![f32::NAN; cells * outputs];
            packed.run(&floats(&x), &taps, Finish::default(), &mut Quantised::default(), &mut out);
            assert_eq!(out, floats(&expected), "{kernel:?}, {cells} × {inputs} → {outputs}");
        }
    }
}

/// Returns the taps of a board.
pub(super) fn board_taps(shape: &Shape) -> Vec<[u32; 7]> {
    cell_order::board_taps(Board::of(shape).topology(), 0).collect()
}

/// Runs boards in flat layouts, layer after layer: gathered inputs and those read in place give the
/// same results to the last bit, for numbers of inputs that fill a step of the tile unit in
/// different ways. Vectors give the same results as tiles.
#[test]
fn layouts_change_no_result() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    let (rhombus, torus) = (|side| Shape::Rhombus { side }, |side| Shape::Torus { side });
    for shape in [rhombus(1), torus(3), rhombus(5), torus(7), rhombus(9), rhombus(11)] {
        let rows = board_taps(&shape);
        for channels in [16, 32, 48, 64, 80, 128] {
            let cells = rows.len();
            let weights = [(); 2].map(|()| random(&mut rng, 7 * channels * channels));
            let (bias, x) = (random(&mut rng, channels), random(&mut rng, cells * channels));
            let run = |kernel, taps: Taps<'_, 7>, on: bool| {
                let [first, second] = weights
                    .each_ref()
                    .map(|weights| PackedLayer::new(weights, Some(&bias), channels, channels, kernel, Precision::Int8));
                let (mut y, mut z, mut quantised) = Default::default();
                let (relu, residual) = (Finish { relu: true, ..Finish::default() }, Some(x.as_slice()));
                [&mut y, &mut z].into_iter().for_each(|to: &mut Activations| to.resize(cells * channels));
                first.run(&x, &taps, relu, &mut quantised, &mut y);
                if on {
                    first.run_on(&y.clone(), &taps, Finish { relu: false, ..relu }, &mut quantised, &mut y);
                    add_to_rows(kernel, &mut y, &bias);
                    second.run_on(&y, &taps, Finish { residual, ..relu }, &mut quantised, &mut z);
                } else {
                    first.run(&y.clone(), &taps, Finish { relu: false, ..relu }, &mut quantised, &mut y);
                    add_to_rows(kernel, &mut y, &bias);
                    second.run(&y, &taps, Finish { residual, ..relu }, &mut quantised, &mut z);
                }
                z.iter().map(|value| value.to_bits()).collect::<Vec<_>>()
            };
            let flat = || Taps::new(&rows).laid_flat();
            assert!(flat().flat.is_some());
            for kernel in kernels() {
                let gathered = run(kernel, Taps::new(&rows), false);
                let what = format!("{kernel:?}, {shape:?}, {channels} channels");
                assert!(run(kernel, flat(), false) == gathered, "{what}");
                assert!(run(kernel, flat(), true) == gathered, "{what}, extremes found on the way");
                if kernel == Kernel::Amx {
                    assert!(run(Kernel::Avx512, flat(), true) == gathered, "{what}, tiles and vectors");
                }
            }
            let emulated = run(Kernel::EmulatedAmx, flat(), true);
            assert!(emulated == run(Kernel::Portable, flat(), false), "{shape:?}, {channels}");
        }
    }
}

/// A board of 81 cells.
const NINE: Shape = Shape::Rhombus { side: 9 };

/// Checks rows without non-zeros, with a few, and with more than are copied at once.
#[test]
fn products_of_zero_may_be_left_out() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    for (inputs, outputs, share) in [(3, 16, 0.1), (16, 32, 0.1), (19, 64, 0.2), (16, 80, 0.05), (16, 48, 0.5)] {
        let rows = board_taps(&NINE);
        let x: Vec<f32> =
            (0..81 * inputs).map(|_| if rng.random_bool(share) { rng.random_range(-1.0..1.0) } else { 0.0 }).collect();
        let (weights, bias) = (random(&mut rng, 7 * inputs * outputs), random(&mut rng, outputs));
        for kernel in kernels() {
            let layer = PackedLayer::new(&weights, Some(&bias), inputs, outputs, kernel, Precision::F32);
            let mut all = vec![f32::NAN; 81 * outputs];
            layer.run(&x, &Taps::new(&rows), Finish::default(), &mut Quantised::default(), &mut all);
            let mut some = Activations::default();
            some.resize(81 * outputs);
            layer.run_sparse(&x, &Taps::new(&rows), Finish::default(), &mut KnownRows::default(), &mut some);
            // A tile of one cell adds in another order.
            assert!(close(&some, &all), "{kernel:?}, {inputs} → {outputs}");
        }
    }
}

/// Checks that rows known from earlier positions, and those of another layer, change no result.
#[test]
fn known_rows_change_no_result() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    let taps = board_taps(&NINE);
    let [first, second] = [(), ()].map(|()| random(&mut rng, 7 * 16 * 48));
    // Few kinds of rows, then so many that they are forgotten in between.
    let kinds = [3, 3, 999, 999, 999, 999, 999, 999, 999, 3, 3];
    let value = |number: usize| if number.is_multiple_of(7) { number as f32 * 0.01 - 1.0 } else { 0.0 };
    let positions = kinds.map(|kinds| -> Vec<f32> {
        let rows = (0..81).map(|_| rng.random_range(0..kinds));
        rows.flat_map(|kind| (0..16).map(move |column| value(kind * 16 + column))).collect()
    });
    for kernel in kernels() {
        let layers =
            [&first, &second].map(|weights| PackedLayer::<7>::new(weights, None, 16, 48, kernel, Precision::F32));
        let mut known = KnownRows::default();
        for (number, x) in positions.iter().enumerate() {
            let run = |rows: &mut KnownRows| {
                let mut out = Activations::default();
                out.resize(81 * 48);
                let layer = &layers[usize::from(number > 8)];
                layer.run_sparse(x, &Taps::new(&taps), Finish::default(), rows, &mut out);
                out
            };
            assert!(run(&mut known)[..] == run(&mut KnownRows::default())[..], "{kernel:?}, position {number}");
        }
    }
}

/// Checks that a layer given the extremes found by the previous layer gives the same results as one
/// that searches for them.
#[test]
fn extremes_match_those_found_by_a_second_pass() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let rows = board_taps(&NINE);
    let x: Vec<f32> = (0..81 * 16).map(|i| if i % 9 == 0 { rng.random_range(-1.0..1.0) } else { 0.0 }).collect();
    let [first, second, third] = [(16, 32), (32, 48), (48, 80)].map(|(i, o)| random(&mut rng, 7 * i * o));
    for (kernel, relu) in kernels().into_iter().flat_map(|kernel| [(kernel, true), (kernel, false)]) {
        let (taps, finish) = (Taps::new(&rows), Finish { relu, ..Finish::default() });
        let stem = PackedLayer::<7>::new(&first, None, 16, 32, kernel, Precision::F32);
        let mut before = Activations::default();
        before.resize(81 * 32);
        stem.run_sparse(&x, &taps, finish, &mut KnownRows::default(), &mut before);
        for (weights, inputs, outputs) in [(&second, 32, 48), (&third, 48, 80)] {
            let next = PackedLayer::<7>::new(weights, None, inputs, outputs, kernel, Precision::Int8);
            let (mut found, mut looked_for) = (Activations::default(), vec![f32::NAN; 81 * outputs]);
            found.resize(81 * outputs);
            assert!(before.extremes().is_some(), "{kernel:?}");
            next.run_on(&before, &taps, finish, &mut Quantised::default(), &mut found);
            next.run(&before, &taps, finish, &mut Quantised::default(), &mut looked_for);
            assert!(found[..] == looked_for[..], "{kernel:?}, {inputs} → {outputs}");
            before = found;
        }
    }
}
