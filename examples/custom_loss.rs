//! Trains a small network with a loss of its own, saves it and plays a match with it.
//!
//! `hexzero train` weighs the losses of its list (`[training.losses]` in a recipe). For another loss you write the training
//! loop, which is short: games, batches, a graph, an optimiser. Here the policy has a *focal* loss, which counts actions the
//! network already expects for less, and the result a squared error (the Brier score) in place of a cross entropy.
//!
//! ```sh
//! cargo run --release --example custom_loss -- hex 4 mine.safetensors
//! hexzero arena mine.safetensors random --game hex --size 4
//! ```
//!
//! A crate of your own needs `candle-core` and `candle-nn` of the version that hexzero uses.

use std::error::Error;
use std::path::Path;

use candle_core::{Result as CandleResult, Tensor};
use candle_nn::Optimizer;
use candle_nn::ops::softmax;
use hexzero::arena::{MatchSettings, play_match};
use hexzero::games::{Game, game_named};
use hexzero::models;
use hexzero::network::{
    Architecture, Backend, Checkpoint, Heads, Metadata, Network, NetworkEvaluator, Precision, log_softmax_segments,
};
use hexzero::players::{PlayerOptions, PlayerSource, PlayerSpec};
use hexzero::replay::Window;
use hexzero::search::Limits;
use hexzero::selfplay::{Pool, SelfPlaySettings, SizeWeight};
use hexzero::stop::StopSignal;
use hexzero::training::{Batch, ExactTargets, Optimiser, OptimiserSettings, SearchValue};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const GAMES: u64 = 60;
const STEPS: usize = 120;
const BATCH: usize = 64;
/// The weight of the result's loss against the policy's.
const RESULT_WEIGHT: f64 = 1.5;

/// The focal loss of the policy (Lin et al. 2017, with γ = 2), a mean over the positions with a full search:
/// `-Σ target · (1 - p)² · log p` over the legal actions. Without the square it is the cross entropy.
fn focal_policy_loss(heads: &Heads, batch: &Batch) -> CandleResult<Tensor> {
    // The logits of all cells of the batch and, after them, of the actions that belong to no cell, as `policy_places` counts
    // them. Some games have none of the latter.
    let cells = heads.cell_policy.flatten_all()?;
    let logits = match heads.global_policy.elem_count() {
        0 => cells,
        _ => Tensor::cat(&[cells, heads.global_policy.flatten_all()?], 0)?,
    };
    // Positions differ in their number of legal actions, so the softmax goes over segments of one long vector.
    let legal = logits.index_select(&batch.policy_places, 0)?;
    let log_p = log_softmax_segments(&legal, batch.policy_starts.clone())?;
    let focus = log_p.exp()?.affine(-1.0, 1.0)?.sqr()?;
    let sum = (&batch.policy * focus)?.mul(&log_p)?.sum_all()?.neg()?;
    sum / batch.policies.max(1) as f64
}

/// The squared error of the probabilities of win, draw and loss, a mean over the positions.
fn result_loss(heads: &Heads, batch: &Batch) -> CandleResult<Tensor> {
    let error = (softmax(&heads.outcome, 1)? - &batch.outcome)?;
    error.sqr()?.sum_all()? / batch.positions() as f64
}

/// Games of the shipped network against itself. `Shard::read(path)?.records` has those of a training run instead.
fn teacher_games(game: Game, size: usize) -> Result<Window, Box<dyn Error>> {
    let teacher = NetworkEvaluator::new(game, &models::shipped(game)?, models::SHIPPED, Precision::best())?;
    // A full search at every move, so that every position has a target for the policy.
    let sizes = vec![SizeWeight::of(size)];
    let settings = SelfPlaySettings { sizes, full_visits: 32, full_share: 1.0, ..SelfPlaySettings::default() };
    settings.validate(game.boards.sizes.clone())?;
    let games = Pool::new(0)?.play(game, &teacher, &settings, 0, 0..GAMES, &StopSignal::new(), |_, _| ());
    let mut window = Window::new(usize::MAX);
    for record in games.ok_or("stopped")? {
        window.add(record);
    }
    Ok(window)
}

/// Draws positions, each under a symmetry of its board: more positions from the same games.
fn draw(game: Game, window: &Window, rng: &mut impl Rng) -> Result<Batch, Box<dyn Error>> {
    let mut positions = Vec::new();
    for _ in 0..BATCH {
        let position = window.sample(rng).ok_or("the games have no position")?;
        let symmetries = game.game_board(position.record.size.into())?.symmetries().len();
        positions.push((position, rng.random_range(0..symmetries)));
    }
    // The target of the result: half what the search expected, half how the game ended.
    let value = SearchValue { share: 0.5, proven: true };
    Batch::new(game, &positions, value, &ExactTargets::default())?.ok_or_else(|| "no position could be replayed".into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, size, path] = &arguments[..] else {
        return Err("usage: custom_loss GAME SIZE CHECKPOINT, such as: hex 4 mine.safetensors".into());
    };
    let (game, size) = (game_named(game)?, size.parse()?);
    let window = teacher_games(game, size)?;
    println!("{} positions of {GAMES} games", window.len());

    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let architecture = Architecture { blocks: 2, channels: 16, ..Architecture::default() };
    let (network, parameters) = Network::random(&architecture, &game.view, &mut rng)?;
    // Any optimiser for candle's variables does, such as `candle_nn::AdamW`.
    let settings = OptimiserSettings { learning_rate: 1e-2, warmup_steps: 10, ..OptimiserSettings::default() };
    let mut optimiser = Optimiser::new(parameters.variables(), (settings, 100.0))?;
    for step in 1..=STEPS {
        let batch = draw(game, &window, &mut rng)?;
        let graph = network.in_graph()?;
        let heads = graph.forward(&batch.cells, &batch.globals, &batch.boards)?;
        let (policy, result) = (focal_policy_loss(&heads, &batch)?, result_loss(&heads, &batch)?);
        optimiser.backward_step(&(&policy + (&result * RESULT_WEIGHT)?)?)?;
        if step == 1 || step % 40 == 0 {
            println!("step {step}: policy {:.3}, result {:.3}", policy.to_scalar::<f32>()?, result.to_scalar::<f32>()?);
        }
    }

    let metadata = Metadata {
        step: STEPS as u64,
        games: GAMES,
        positions: window.len() as u64,
        ..Metadata::untrained(game, architecture)
    };
    let checkpoint = Checkpoint::new(metadata, parameters.to_named()?, path)?;
    checkpoint.write(Path::new(path))?;

    let limits = Limits::visits(30);
    let mine = PlayerSource::network(
        game,
        path.clone(),
        &checkpoint,
        &Backend::default(),
        PlayerOptions::default(),
        limits,
        16,
    )?;
    let random = PlayerSource::built_in(PlayerSpec::Random);
    let settings = MatchSettings { size, games: 20, seed: 0, sequential: None, threads: 0 };
    let result = play_match(game, || mine.player(), || random.player(), &settings, &StopSignal::new(), |_| ())?;
    println!("{} of {} games won against random", result.tally.wins_a, result.tally.games);
    Ok(())
}
