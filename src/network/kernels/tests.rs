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
    for (cells, inputs, outputs) in [(1, 3, 16), (9, 16, 32), (25, 32, 32), (29, 48, 48), (49, 20, 64), (33, 7, 144)] {
        let x = random(&mut rng, cells * inputs);
        let weights = random(&mut rng, 7 * inputs * outputs);
        let bias = random(&mut rng, outputs);
        let residual = random(&mut rng, cells * outputs);
        let out_gradient = random(&mut rng, cells * outputs);
        let taps = random_taps(&mut rng, cells);
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

/// Random taps of so many cells, some off the board.
fn random_taps(rng: &mut impl Rng, cells: usize) -> Vec<[u32; 7]> {
    let mut tap = || if rng.random_bool(0.2) { NO_TAP } else { rng.random_range(0..cells as u32) };
    (0..cells).map(|_| std::array::from_fn(|_| tap())).collect()
}

/// Packed layers with every kernel against layers as they are trained: floats agree, and bytes err by no
/// more than their steps explain. Inputs with and without negative values, and groups that share an empty tap.
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
        let layer = Layer { weights: &weights, bias: Some(&bias), inputs, outputs, relu: true };
        let mut expected = vec![f32::NAN; cells * outputs];
        layer.run(Kernel::Portable, &x, &rows, Some(&residual), &mut expected);
        let taps = Taps::grouped(rows, vec![5, cells - 5]);
        let run = |precision, kernel| {
            let packed = PackedLayer::new(&weights, Some(&bias), inputs, outputs, kernel, precision);
            let mut out = vec![f32::NAN; cells * outputs];
            packed.run(&x, &taps, Some(&residual), true, &mut Quantised::default(), &mut out);
            out
        };
        let bytes = run(Precision::Int8, Kernel::Portable);
        // Each of 7 × inputs products errs by at most half a step on either side.
        let step = (1.0 - least) / 255.0 / 2.0 + least.abs().max(1.0) / 127.0 / 2.0;
        let errors = bytes.iter().zip(&expected).map(|(a, b)| (a - b).abs());
        let mean = errors.clone().sum::<f32>() / expected.len() as f32;
        assert!(errors.fold(0.0, f32::max) < step * (7 * inputs) as f32, "{cells} × {inputs} → {outputs}");
        assert!(mean < step * ((7 * inputs) as f32).sqrt(), "mean error {mean}, {cells} × {inputs} → {outputs}");
        for kernel in Kernel::available() {
            assert!(close(&run(Precision::F32, kernel), &expected), "{kernel:?}, {cells} × {inputs} → {outputs}");
            assert!(close(&run(Precision::Int8, kernel), &bytes), "{kernel:?} int8, {cells} × {inputs} → {outputs}");
        }
    }
}

#[test]
fn an_unknown_kernel_is_named_with_the_choices() {
    let error = "abacus".parse::<Kernel>().unwrap_err().to_string();
    assert!(error.contains("'abacus'") && error.contains("portable"), "{error}");
}
