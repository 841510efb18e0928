//! Measures a GPU: evaluations by batch size, training steps and self-play.

use std::time::{Duration, Instant};

use candle_core::Tensor;

use hexzero_games::Game;
use hexzero_graph::{Boards, CandleDevice, Network};
use hexzero_nn::{Architecture, Checkpoint, Metadata, NetworkEvaluator, TAPS};
use hexzero_selfplay::{Pool, SelfPlaySettings, SizeWeight, games_at_once};
use hexzero_system::stop::StopSignal;

use super::report::{DeviceEvaluationSpeed, DeviceReport, DeviceSelfPlaySpeed};
use super::timing::{Clock, per_second};
use super::{BenchmarkError, MEASURING_TIME, Part, Standard, random_parameters, standard_networks, training};

/// The measured batch sizes; those larger than the device's are left out.
const BATCHES: [usize; 7] = [1, 8, 32, 64, 128, 256, 1024];

/// Visits per move of self-play.
const VISITS: u32 = 32;

/// The minimal duration of self-play.
const SELF_PLAY: Duration = Duration::from_secs(10);

/// The side of the square matrices whose product measures the peak.
const PEAK_SIDE: usize = 8192;

/// Returns the networks to measure: b6c64 on 9×9, b10c128 on 11×11 and b20c256 on 13×13. On the processor only b4c32: the
/// others would take minutes.
fn networks(device: &CandleDevice) -> Vec<Standard> {
    let [small, middle, large] = standard_networks();
    if device.device.is_cpu() {
        return vec![small];
    }
    let architecture = Architecture { blocks: 20, channels: 256, ..large.architecture.clone() };
    vec![middle, large, Standard { architecture, size: 13 }]
}

/// Measures those of `parts` that run on a device.
pub(super) fn measure(
    game: Game,
    parts: &[Part],
    device: &CandleDevice,
    on_part: impl Fn(Part),
) -> Result<DeviceReport, BenchmarkError> {
    let mut report = DeviceReport {
        device: device.name.clone(),
        precision: device.precision.name(),
        peak_gigaops_per_second: 0.0,
        evaluations: Vec::new(),
        training: Vec::new(),
        self_play: Vec::new(),
    };
    if parts.contains(&Part::Evaluations) {
        on_part(Part::Evaluations);
        report.peak_gigaops_per_second = peak(device)? / 1e9;
        for standard in networks(device) {
            evaluations(game, &standard, device, &mut report)?;
        }
    }
    if parts.contains(&Part::Training) {
        on_part(Part::Training);
        report.training = training::measure_on(game, device, &networks(device))?;
    }
    if parts.contains(&Part::SelfPlay) {
        on_part(Part::SelfPlay);
        let standard = networks(device).into_iter().take(2).next_back();
        report.self_play =
            standard.iter().map(|standard| self_play(game, standard, device)).collect::<Result<_, _>>()?;
    }
    Ok(report)
}

/// Measures the multiplications and additions per second of the product of two large matrices.
fn peak(device: &CandleDevice) -> candle_core::Result<f64> {
    let side = if device.device.is_cpu() { PEAK_SIDE / 16 } else { PEAK_SIDE };
    let matrix = Tensor::ones((side, side), device.precision.of_evaluation(), &device.device)?;
    let mut problem = Ok(());
    let rate = per_second(Clock::Wall, MEASURING_TIME, || {
        problem = matrix.matmul(&matrix).and_then(|_| device.device.synchronize());
    });
    problem.map(|()| rate * 2.0 * (side as f64).powi(3))
}

fn evaluations(
    game: Game,
    standard: &Standard,
    device: &CandleDevice,
    report: &mut DeviceReport,
) -> candle_core::Result<()> {
    let (view, architecture, size) = (&game.view, &standard.architecture, standard.size_in(game));
    let tensors = random_parameters(game, architecture)?;
    let dtype = device.precision.of_evaluation();
    let network = Network::on_device(architecture, view, &tensors, &device.device, dtype)?.0.for_evaluation()?;
    let Ok(board) = game.on(size) else { return Ok(()) };
    let Ok(start) = game.start(size) else { return Ok(()) };
    let (blocks, channels) = (architecture.blocks, architecture.channels);
    let operations = 2.0 * (board.cells() * TAPS * channels * (view.cell_inputs + 2 * blocks * channels)) as f64;
    for batch in BATCHES.into_iter().filter(|&batch| batch == 1 || batch <= device.batch) {
        let boards = Boards::new(&vec![start.topology(); batch]).put_on(&device.device)?;
        let (cells, globals) =
            (vec![0.5f32; boards.cells() * view.cell_inputs], vec![0.5f32; batch * view.global_inputs]);
        let evaluate = || -> candle_core::Result<Vec<f32>> {
            let cells = Tensor::from_slice(&cells, (boards.cells(), view.cell_inputs), &device.device)?;
            let globals = Tensor::from_slice(&globals, (batch, view.global_inputs), &device.device)?;
            let heads = network.forward(&cells, &globals, &boards)?;
            heads.outcome.flatten_all()?.to_vec1::<f32>()?;
            heads.cell_policy.flatten_all()?.to_vec1()
        };
        let mut problem = evaluate().map(|_| ());
        let rate = per_second(Clock::Wall, MEASURING_TIME, || problem = evaluate().map(|_| ()));
        problem?;
        let positions_per_second = rate * batch as f64;
        report.evaluations.push(DeviceEvaluationSpeed {
            network: architecture.to_string(),
            size,
            batch,
            positions_per_second,
            share_of_peak: positions_per_second * operations / (1e9 * report.peak_gigaops_per_second),
        });
    }
    Ok(())
}

fn self_play(game: Game, standard: &Standard, device: &CandleDevice) -> Result<DeviceSelfPlaySpeed, BenchmarkError> {
    let size = standard.size_in(game);
    let metadata = Metadata::of(game, standard.architecture.clone());
    let checkpoint = Checkpoint { metadata, tensors: random_parameters(game, &standard.architecture)? };
    let settings = SelfPlaySettings {
        sizes: vec![SizeWeight::of(size)],
        full_visits: VISITS,
        full_share: 1.0,
        ..SelfPlaySettings::default()
    };
    let evaluator = NetworkEvaluator::new(game, &checkpoint, "random", device.backend().repeatable())?
        .with_cache(settings.evaluation_cache);
    let at_once = games_at_once(game, &settings, device.games);
    let pool = Pool::new(at_once)?;
    let began = Instant::now();
    let (mut games, mut moves) = (0, 0);
    while began.elapsed() < SELF_PLAY {
        let numbers = games..games + 2 * at_once as u64;
        let never = StopSignal::new();
        let records = pool.play(game, &evaluator, &settings, 1, numbers, &never, |_, _| ()).unwrap_or_default();
        games += records.len() as u64;
        moves += records.iter().map(|record| record.turns.len() as u64).sum::<u64>();
    }
    let hours = began.elapsed().as_secs_f64() / 3600.0;
    let used = evaluator.device_stats();
    Ok(DeviceSelfPlaySpeed {
        game: game.name(),
        network: standard.architecture.to_string(),
        size,
        visits: VISITS,
        games_at_once: at_once,
        positions_per_batch: used.map_or(0.0, |used| used.positions as f64 / used.batches.max(1) as f64),
        games_per_hour: games as f64 / hours,
        moves_per_game: moves as f64 / games.max(1) as f64,
    })
}
