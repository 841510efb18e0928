//! Networks computed by candle's operations, as on a GPU but here on the processor, agree with the kernels in answers,
//! gradients, training and games.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use candle_core::{DType, Device, Tensor, Var};
use hexzero::board::Topology;
use hexzero::games::{Action, Evaluator, Game, NetworkView, Position, all_games};
use hexzero::models::shipped;
use hexzero::network::kernels::Kernel;
use hexzero::network::{
    Architecture, Backend, Boards, CandleDevice, Checkpoint, ClassTargets, DeviceChoice, DeviceEvaluator,
    DevicePrecision, DeviceStats, Heads, Inference, Metadata, NamedTensors, Network, NetworkEvaluator, Parameters,
    Precision, SegmentTargets, Segments, TrainingPrecision, UNKNOWN_CLASS, class_cross_entropy, segment_cross_entropy,
};
use hexzero::replay::Window;
use hexzero::search::{Limits, Search, SearchSettings};
use hexzero::selfplay::{
    GameOrder, GameSource, LocalGames, Pool, SelfPlayJob, SelfPlaySettings, SizeWeight, games_at_once,
};
use hexzero::stop::StopSignal;
use hexzero::training::{OptimiserMethod, Recipe, Trainer};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{cachex, uniform};
use crate::losses::parts;
use crate::network::{assert_answers, assert_close, rng, values};
use crate::tower::error;

const SMALL: Architecture =
    Architecture { blocks: 2, channels: 16, pool_every: 2, policy_channels: 16, value_channels: 16 };

/// What these tests compute on: the processor by candle's operations, or the device that `HEXZERO_TEST_DEVICE` names.
fn device() -> &'static Device {
    static DEVICE: LazyLock<Device> = LazyLock::new(|| {
        let choice = std::env::var("HEXZERO_TEST_DEVICE").map_or(DeviceChoice::Candle, |name| name.parse().unwrap());
        choice.open().unwrap().expect("a device of candle")
    });
    &DEVICE
}

/// Positions of a game on its smallest, its usual and its largest board, from the start and some moves later.
fn positions(game: Game) -> Vec<Position> {
    let sizes = game.boards.sizes.clone();
    let mut rng = rng(3);
    let sizes = [*sizes.start(), game.boards.default, (*sizes.end()).min(game.boards.default + 2)];
    let later = |size: usize| {
        let mut position = game.start(size).unwrap();
        for _ in 0..rng.random_range(2..8) {
            let mut next = position.clone();
            let Some(action) = next.random_action(&mut rng) else { break };
            next.play(action);
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        position
    };
    let mut positions: Vec<Position> = sizes.into_iter().map(later).collect();
    positions.push(game.start(game.boards.default).unwrap());
    positions
}

/// The inputs of positions, one after another.
pub fn inputs(game: Game, positions: &[Position], device: &Device) -> (Tensor, Tensor, Boards) {
    let (mut cells, mut globals) = (Vec::new(), Vec::new());
    for position in positions {
        let mut planes = vec![f32::NAN; position.topology().cells() * game.view.cell_inputs];
        let mut whole = vec![f32::NAN; game.view.global_inputs];
        position.encode(&mut planes, &mut whole);
        cells.extend(planes);
        globals.extend(whole);
    }
    let boards = Boards::new(&positions.iter().map(Position::topology).collect::<Vec<_>>());
    let boards = boards.put_on(device).unwrap();
    let cells = Tensor::from_vec(cells, (boards.cells(), game.view.cell_inputs), device).unwrap();
    let globals = Tensor::from_vec(globals, (positions.len(), game.view.global_inputs), device).unwrap();
    (cells, globals, boards)
}

fn heads(game: Game, checkpoint: &Checkpoint, positions: &[Position], dtype: DType) -> Heads {
    let (architecture, tensors) = (&checkpoint.metadata.architecture, &checkpoint.tensors);
    let (network, _) = Network::on_device(architecture, &game.view, tensors, device(), dtype).unwrap();
    let (cells, globals, boards) = inputs(game, positions, device());
    network.for_evaluation().unwrap().forward(&cells, &globals, &boards).unwrap()
}

/// Boards of several sizes in one batch, and the evaluator with its thread beside it.
#[test]
fn shipped_networks_agree_on_device_and_kernels() {
    let mut networks = BTreeMap::new();
    for game in all_games() {
        if let Ok(checkpoint) = shipped(game) {
            networks.entry(game.network).or_insert((game, checkpoint));
        }
    }
    assert!(networks.len() >= 16, "{:?}", networks.keys());
    for (name, (game, checkpoint)) in networks {
        let positions = positions(game);
        let heads = heads(game, &checkpoint, &positions, DType::F32);
        let (architecture, precision) = (&checkpoint.metadata.architecture, Precision::F32);
        let inference = Inference::new(architecture, &game.view, &checkpoint.tensors, Kernel::best(), precision);
        assert_answers(&inference, &game.view, &positions, &heads, 1e-4, name);
        let device = candle(CandleDevice::POSITIONS, 2 * CandleDevice::POSITIONS);
        let mut on_device = NetworkEvaluator::new(game, &checkpoint, name, device.backend()).unwrap();
        let tried = on_device.device_stats().unwrap().positions;
        let mut by_kernels = NetworkEvaluator::new(game, &checkpoint, name, precision).unwrap();
        for position in &positions {
            let legal = position.legal();
            let (found, expected) = (on_device.evaluate(position, &legal), by_kernels.evaluate(position, &legal));
            assert_close(&found.priors, &expected.priors, 1e-4, name);
            assert_close(&[found.outcome.value()], &[expected.outcome.value()], 1e-4, name);
        }
        let asked = on_device.device_stats().unwrap().positions - tried;
        assert_eq!(asked, positions.len() as u64, "the device was asked");
    }
}

#[test]
fn half_precisions_agree_nearly() {
    let checkpoint = shipped(cachex()).unwrap();
    let positions = positions(cachex());
    let [exact, f16, bf16] = [DType::F32, DType::F16, DType::BF16]
        .map(|dtype| values(&heads(cachex(), &checkpoint, &positions, dtype).outcome));
    let distance = |other: &[f32]| other.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let (of_f16, of_bf16) = (distance(&f16), distance(&bf16));
    assert!(of_f16 > 0.0 && of_f16 < 0.05, "f16 is off by {of_f16}");
    assert!(of_bf16 > of_f16 && of_bf16 < 0.5, "bf16 is off by {of_bf16}");
}

/// Returns parameters that are all random, also those that start at zero, so that every path counts.
fn random_tensors(architecture: &Architecture, seed: u64) -> NamedTensors {
    let mut rng = rng(seed);
    let (_, parameters) = Network::random(architecture, &cachex().view, &mut rng).unwrap();
    let mut tensors = parameters.to_named().unwrap();
    tensors.values_mut().flat_map(|tensor| &mut tensor.data).for_each(|value| *value += rng.random_range(-0.1..0.1));
    tensors
}

/// The gradients of a random linear function of all outputs, by parameter.
fn gradients(network: &Network, parameters: &Parameters, positions: &[Position]) -> Vec<(String, Vec<f32>)> {
    let parameter = parameters.iter().next().unwrap().1;
    let device = parameter.device();
    let (cells, globals, boards) = inputs(cachex(), positions, device);
    let heads = network.forward(&cells, &globals, &boards).unwrap();
    let mut rng = rng(9);
    let outputs = [heads.cell_policy, heads.global_policy, heads.outcome, heads.ownership];
    let sums: Vec<Tensor> = outputs
        .iter()
        .map(|output| {
            let weights: Vec<f32> = (0..output.elem_count()).map(|_| rng.random_range(-1.0..1.0)).collect();
            (output * Tensor::from_vec(weights, output.shape(), device).unwrap()).unwrap().sum_all().unwrap()
        })
        .collect();
    let gradients = Tensor::stack(&sums, 0).unwrap().sum_all().unwrap().backward().unwrap();
    let of = |var: Var| gradients.get(&var).map(values).unwrap_or_default();
    parameters.iter().map(|(name, var)| (name.to_owned(), of(var))).collect()
}

#[test]
fn gradients_on_a_device_agree_with_the_kernels() {
    for (seed, architecture) in [
        (1, SMALL),
        (2, Architecture { blocks: 3, channels: 32, pool_every: 1, policy_channels: 32, value_channels: 48 }),
        (3, Architecture { blocks: 1, pool_every: 0, ..SMALL }),
    ] {
        let tensors = random_tensors(&architecture, seed);
        let view = &cachex().view;
        let (kernels, ours) = Network::from_named(&architecture, view, &tensors).unwrap();
        let kernels = kernels.computed_by(Kernel::best(), TrainingPrecision::F32);
        let (device, theirs) = Network::on_device(&architecture, view, &tensors, device(), DType::F32).unwrap();
        // Boards of several sizes, and boards of one, among them some without a stone, whose cells tie for the maximum.
        let even: Vec<Position> = [0, 0, 2].iter().map(|_| cachex().start(5).unwrap()).collect();
        for positions in [positions(cachex()), even] {
            let expected = gradients(&kernels, &ours, &positions);
            let found = gradients(&device, &theirs, &positions);
            for ((name, expected), (_, found)) in expected.iter().zip(&found) {
                let largest = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
                assert!(largest > 0.0, "{name} has no gradient");
                let scaled = |gradient: &[f32]| gradient.iter().map(|value| value / largest).collect::<Vec<_>>();
                assert_close(&scaled(found), &scaled(expected), 1e-3, name);
            }
        }
    }
}

/// Networks wide enough for a GPU's own kernels, in the 16-bit floats that these take.
#[test]
fn wide_networks_agree_nearly_in_half_precision() {
    let view = &cachex().view;
    for (seed, channels) in [(1, 64), (2, 128)] {
        let architecture = Architecture { channels, policy_channels: 64, value_channels: channels, ..SMALL };
        let tensors = random_tensors(&architecture, seed);
        let (exact, ours) = Network::from_named(&architecture, view, &tensors).unwrap();
        let (rounded, theirs) = Network::on_device(&architecture, view, &tensors, device(), DType::BF16).unwrap();
        let positions = positions(cachex());
        let expected = gradients(&exact.computed_by(Kernel::best(), TrainingPrecision::F32), &ours, &positions);
        let found = gradients(&rounded, &theirs, &positions);
        for ((name, expected), (_, found)) in expected.iter().zip(&found) {
            let off = error(found, expected);
            assert!(off < 0.25, "{channels} channels: the gradient of {name} is off by {off}");
        }
    }
}

/// Checks that both are the same function of their logits, with the same gradient.
#[track_caller]
fn assert_same((found_logits, found): (&Var, &Tensor), (expected_logits, expected): (&Var, &Tensor)) {
    assert_close(&values(found), &values(expected), 1e-5, "value");
    let gradient = |logits: &Var, sum: &Tensor| {
        values(sum.sqr().unwrap().sum_all().unwrap().backward().unwrap().get(logits).unwrap())
    };
    assert_close(&gradient(found_logits, found), &gradient(expected_logits, expected), 1e-4, "gradient");
}

#[test]
fn losses_on_a_device_agree_with_the_kernels() {
    let device = device();
    let numbers: Vec<f32> = (0..12).map(|i| (i as f32 * 0.7).sin() * 3.0).collect();
    let [theirs, ours] = [device, &Device::Cpu].map(|device| Var::from_slice(&numbers, 12, device).unwrap());
    let (places, starts) = (vec![3u32, 0, 11, 7, 5, 2], [0, 1, 4, 6]);
    let shares = [1.0f32, 0.2, 0.5, 0.3, 0.9, 0.1];
    let found = Segments::new(&places, &shares, &starts, 12, device).unwrap().cross_entropy(&theirs).unwrap();
    let (places, shares) = (Tensor::new(places, &Device::Cpu).unwrap(), Tensor::new(&shares, &Device::Cpu).unwrap());
    let targets = SegmentTargets { places, starts: starts.to_vec().into(), shares };
    let nothing = Tensor::zeros(0, DType::F32, &Device::Cpu).unwrap();
    let expected = segment_cross_entropy(&ours, &nothing, targets).unwrap();
    assert_same((&theirs, &found), (&ours, &expected));

    let [theirs, ours] = [theirs, ours].map(|logits| Var::from_tensor(&logits.reshape((4, 3)).unwrap()).unwrap());
    let classes = [2, 0, UNKNOWN_CLASS, 1];
    let found = ClassTargets::new(&classes, device).unwrap().cross_entropy(&theirs).unwrap();
    let expected = class_cross_entropy(&ours, classes.to_vec().into()).unwrap();
    assert_same((&theirs, &found), (&ours, &expected));
}

fn checkpoint(tensors: NamedTensors) -> Checkpoint {
    let metadata = Metadata::untrained(cachex(), SMALL);
    Checkpoint { metadata, tensors }
}

fn candle(batch: usize, games: usize) -> CandleDevice {
    CandleDevice { batch, games, precision: DevicePrecision::F32, ..CandleDevice::new(device().clone(), "candle") }
}

fn settings() -> SelfPlaySettings {
    SelfPlaySettings {
        sizes: [3, 4].map(SizeWeight::of).to_vec(),
        full_visits: 10,
        cheap_visits: 4,
        ..SelfPlaySettings::default()
    }
}

#[test]
fn parallel_games_equal_games_played_in_turn() {
    let checkpoint = checkpoint(random_tensors(&SMALL, 5));
    let (settings, numbers) = (settings(), (100..164).collect::<Vec<u64>>());
    let play = |games: usize| {
        let source = LocalGames::new(Arc::new(Pool::new(1).unwrap()), candle(16, games).backend());
        let job = SelfPlayJob { game: cachex(), checkpoint: &checkpoint, settings: &settings, run_seed: 11 };
        let order = GameOrder { job, numbers: &numbers };
        source.play(&order, &StopSignal::new(), &|_| true).unwrap().unwrap().records
    };
    let (many, one) = (play(64), play(1));
    assert_eq!(many.len(), 64);
    assert!(many == one, "the games depend on what else is played");
}

/// All wait for the device at the same time, so that it finds whole batches.
#[test]
fn positions_of_many_searches_share_batches() {
    let checkpoint = checkpoint(random_tensors(&SMALL, 6));
    let device = CandleDevice { wait: Duration::from_secs(5), ..candle(8, 16) };
    let on_device = NetworkEvaluator::new(cachex(), &checkpoint, "random", device.backend()).unwrap();
    let tried = on_device.device_stats().unwrap();
    let by_kernels = NetworkEvaluator::new(cachex(), &checkpoint, "random", Precision::F32).unwrap();
    let positions: Vec<Position> = (0..16).flat_map(|_| positions(cachex())).collect();
    let all_ask = std::sync::Barrier::new(16);
    std::thread::scope(|scope| {
        for part in positions.chunks(4) {
            let (mut on_device, mut by_kernels, all_ask) = (on_device.clone(), by_kernels.clone(), &all_ask);
            scope.spawn(move || {
                let mut legal: Vec<Action> = Vec::new();
                for position in part {
                    all_ask.wait();
                    position.legal_actions(&mut legal);
                    let (found, expected) =
                        (on_device.evaluate(position, &legal), by_kernels.evaluate(position, &legal));
                    assert_close(&found.priors, &expected.priors, 1e-4, "priors");
                }
            });
        }
    });
    let used = on_device.device_stats().unwrap();
    assert_eq!(used.positions - tried.positions, 64);
    assert!(used.batches - tried.batches <= 40, "{used:?}");
}

/// A device that answers with zeros this many times, then fails.
#[derive(Debug, Clone)]
struct FailingDevice {
    answers: usize,
}

impl hexzero::network::Device for FailingDevice {
    fn name(&self) -> &str {
        "cuda:7"
    }

    fn precision(&self) -> &'static str {
        "f32"
    }

    fn batch(&self) -> usize {
        1
    }

    fn games(&self) -> usize {
        1
    }

    fn repeatable(&self) -> Arc<dyn hexzero::network::Device> {
        Arc::new(self.clone())
    }

    fn load(
        &self,
        _architecture: &Architecture,
        _view: &NetworkView,
        _tensors: &NamedTensors,
    ) -> Result<Box<dyn DeviceEvaluator>, String> {
        Ok(self.share())
    }
}

impl DeviceEvaluator for FailingDevice {
    fn evaluate(&mut self, topology: &'static Topology, _cells: &[f32], _globals: &[f32]) -> Result<Vec<f32>, String> {
        self.answers = self.answers.checked_sub(1).ok_or("out of order")?;
        let view = &cachex().view;
        Ok(vec![0.0; 3 + view.policy_planes * topology.cells() + view.global_actions])
    }

    fn stats(&self) -> DeviceStats {
        DeviceStats { batches: 0, positions: 0 }
    }

    fn share(&self) -> Box<dyn DeviceEvaluator> {
        Box::new(self.clone())
    }
}

#[test]
fn device_that_fails_at_once_is_an_error_and_later_the_kernels_answer() {
    let checkpoint = checkpoint(random_tensors(&SMALL, 7));
    let evaluator = |answers| {
        let backend = Backend::Device(Arc::new(FailingDevice { answers }));
        NetworkEvaluator::new(cachex(), &checkpoint, "random", backend)
    };
    let error = evaluator(0).unwrap_err().to_string();
    assert_eq!(error, "checkpoint random: cannot run on the device cuda:7: out of order");

    let position = cachex().start(5).unwrap();
    let legal = position.legal();
    let mut by_kernels = NetworkEvaluator::new(cachex(), &checkpoint, "random", Precision::F32).unwrap();
    let expected = by_kernels.evaluate(&position, &legal).priors;
    // As many answers as the new network is tried with.
    let mut on_device = evaluator(3).unwrap();
    let found: Vec<Vec<f32>> = (0..4).map(|_| on_device.evaluate(&position, &legal).priors).collect();
    assert!(found[..3].iter().all(|priors| *priors != expected), "{found:?}");
    assert_eq!(found[3], expected);
}

fn recipe(method: OptimiserMethod) -> Recipe {
    let mut recipe = Recipe { network: SMALL, ..Recipe::default() };
    recipe.training.batch = 24;
    recipe.training.optimiser.warmup_steps = 1;
    recipe.training.optimiser.method = method;
    recipe
}

fn window() -> Window {
    let pool = Pool::new(1).unwrap();
    let settings = SelfPlaySettings { full_share: 1.0, ..settings() };
    let games = pool.play(cachex(), &uniform, &settings, 3, 0..12, &StopSignal::new(), |_, _| {}).unwrap();
    let mut window = Window::new(10_000);
    games.into_iter().for_each(|game| window.add(game));
    window
}

#[test]
fn training_on_a_device_agrees_with_the_kernels() {
    [OptimiserMethod::AdamW, OptimiserMethod::Muon].into_iter().for_each(agrees_with_the_kernels);
}

fn agrees_with_the_kernels(method: OptimiserMethod) {
    let (recipe, window) = (recipe(method), window());
    let mut kernels = Trainer::new(cachex(), &recipe).unwrap();
    let mut device = Trainer::new(cachex(), &recipe).unwrap().on_device(cachex(), &recipe, candle(16, 1)).unwrap();
    assert_eq!(device.state().unwrap(), kernels.state().unwrap(), "it begins where it was");
    // Kernels may multiply bf16.
    let tolerance = if TrainingPrecision::best() == TrainingPrecision::F32 { 1e-3 } else { 3e-2 };
    let (mut ours, mut theirs) = (rng(1), rng(1));
    for step in 0..5 {
        let expected = kernels.train_step(&parts(&recipe, &window, None, &mut ours)).unwrap().unwrap();
        let parts = parts(&recipe, &window, Some(self::device()), &mut theirs);
        let found = device.train_step(&parts).unwrap().unwrap();
        let [found, expected] = [found, expected].map(|losses| {
            let values: BTreeMap<String, f32> = serde_json::from_value(serde_json::to_value(losses).unwrap()).unwrap();
            values.into_values().collect::<Vec<f32>>()
        });
        assert_eq!(expected.len(), 5, "{expected:?}");
        assert_close(&found, &expected, tolerance, &format!("losses of step {step}"));
        let lengths = [device.gradient_norm() as f32, kernels.gradient_norm() as f32];
        assert_close(&lengths[..1], &lengths[1..], tolerance, "the gradient's length");
    }
    assert_eq!((device.step(), device.learning_rate()), (kernels.step(), kernels.learning_rate()));
}

#[test]
fn training_on_a_device_is_resumed_bit_for_bit() {
    let (recipe, window) = (recipe(OptimiserMethod::Muon), window());
    let begin = || Trainer::new(cachex(), &recipe).unwrap().on_device(cachex(), &recipe, candle(16, 1)).unwrap();
    let steps = |trainer: &mut Trainer, rng: &mut Xoshiro256PlusPlus| {
        for _ in 0..3 {
            trainer.train_step(&parts(&recipe, &window, Some(device()), rng)).unwrap().unwrap();
        }
    };
    let (mut whole, mut ours) = (begin(), rng(1));
    steps(&mut whole, &mut ours);
    let (saved, at, mut theirs) = (whole.state().unwrap(), whole.step(), ours.clone());
    steps(&mut whole, &mut ours);
    let resumed = Trainer::from_state(cachex(), &recipe, &saved, at).unwrap();
    let mut resumed = resumed.on_device(cachex(), &recipe, candle(16, 1)).unwrap();
    steps(&mut resumed, &mut theirs);
    assert_eq!(resumed.state().unwrap(), whole.state().unwrap());
    let played = checkpoint(resumed.averaged().unwrap()).to_bytes().unwrap();
    Checkpoint::from_bytes(&played, "trained").unwrap();
    assert_ne!(saved, whole.state().unwrap());
}

#[test]
fn bf16_on_a_device_trains_with_floats_between() {
    let (recipe, window) = (recipe(OptimiserMethod::AdamW), window());
    let losses = |precision: DevicePrecision| {
        let with = CandleDevice { precision, ..candle(16, 1) };
        let mut trainer = Trainer::new(cachex(), &recipe).unwrap().on_device(cachex(), &recipe, with).unwrap();
        let mut rng = rng(1);
        let mut step =
            || trainer.train_step(&parts(&recipe, &window, Some(device()), &mut rng)).unwrap().unwrap().total;
        (0..30).map(|_| step()).collect::<Vec<f32>>()
    };
    let (floats, bf16) = (losses(DevicePrecision::F32), losses(DevicePrecision::Bf16));
    assert_close(&bf16, &floats, 2e-2, "total");
    assert_ne!(bf16, floats, "both trained in the same precision");
    assert!(bf16[29] < bf16[0], "{bf16:?}");
}

#[test]
fn device_names_round_trip() {
    for text in ["auto", "cpu", "cuda:0", "cuda:3", "metal", "candle"] {
        assert_eq!(text.parse::<DeviceChoice>().unwrap().to_string(), text);
    }
    assert_eq!("cuda".parse(), Ok(DeviceChoice::Cuda(0)));
    for text in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "metal:1", "CPU"] {
        let error = text.parse::<DeviceChoice>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("device '{text}' is not known; accepted: auto, cpu, cuda")), "{error}");
    }
}

#[test]
fn auto_is_the_processor_without_a_card() {
    if !cfg!(any(feature = "cuda", feature = "metal")) {
        assert!(DeviceChoice::Auto.open().unwrap().is_none());
    }
    assert!(DeviceChoice::Cpu.open().unwrap().is_none());
    assert!(matches!(DeviceChoice::Candle.open(), Ok(Some(Device::Cpu))));
}

#[test]
fn large_trees_leave_room_for_fewer_games() {
    let settings =
        |full_visits| SelfPlaySettings { sizes: vec![SizeWeight::of(9)], full_visits, ..SelfPlaySettings::default() };
    assert_eq!(games_at_once(cachex(), &settings(600), 256), 256);
    // 2 · 500,000 visits of 160 + 8 · 82 bytes are 0.8 GB.
    let few = games_at_once(cachex(), &settings(500_000), 256);
    assert!((5..=10).contains(&few), "{few}");
    assert_eq!(games_at_once(cachex(), &settings(1_000_000_000), 256), 1);
}

/// The estimate is at least the memory that a search takes.
#[test]
fn trees_stay_within_their_estimate() {
    for size in [3, 9] {
        let mut search = Search::new(cachex().start(size).unwrap(), SearchSettings::default());
        search.run(&mut uniform, &Limits::visits(2000));
        let reckoned = 2000 * (160 + 8 * (size * size + 1));
        assert!(search.memory() <= reckoned, "{} bytes on {size}×{size}, {reckoned} expected", search.memory());
    }
}
