//! A network of your own, in plain candle: trained on games of self-play, kept in a file, and used by the search.
//!
//! hexzero's network is a residual tower on hexagonal cells (`[network]` in a recipe). Another one needs two things: a graph that
//! turns a batch's inputs into logits, and an [`Evaluator`] that turns its logits into priors and chances for the search. Here it
//! is a perceptron with one hidden layer, for a single board size.
//!
//! ```sh
//! cargo run --release --example own_network -- hex 4 perceptron.safetensors
//! ```
//!
//! A crate of your own needs `candle-core` and `candle-nn` of the version that hexzero uses. Where the tower is to stay and the loss
//! to change, see `custom_loss.rs`; for PyTorch see docs/python.md.

use std::error::Error;

use candle_core::{DType, Device, Result as CandleResult, Tensor};
use candle_nn::{AdamW, Linear, Module, Optimizer, ParamsAdamW, VarBuilder, VarMap, linear, loss};
use hexzero::arena::{MatchSettings, play_match};
use hexzero::games::{Action, Evaluation, Evaluator, Game, Position, game_named};
use hexzero::models;
use hexzero::network::{NetworkEvaluator, Precision, log_softmax_segments};
use hexzero::players::{EnginePlayer, PlayerSource, PlayerSpec};
use hexzero::replay::Window;
use hexzero::search::{Limits, SearchSettings};
use hexzero::selfplay::{Pool, SelfPlaySettings, SizeWeight};
use hexzero::stop::StopSignal;
use hexzero::training::{Batch, ExactTargets, SearchValue};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const GAMES: u64 = 60;
const STEPS: usize = 200;
const BATCH: usize = 64;
const HIDDEN: usize = 128;

/// One hidden layer over all cells at once, so it works on boards of one size only.
#[derive(Clone)]
struct Perceptron {
    game: Game,
    cells: usize,
    hidden: Linear,
    on_cells: Linear,
    /// Some games have actions that belong to no cell, such as a swap.
    global: Option<Linear>,
    outcome: Linear,
}

/// Logits of a batch.
struct Logits {
    /// `[positions × (cells · policy planes)]`, cell by cell.
    on_cells: Tensor,
    /// `[positions × global actions]`.
    global: Option<Tensor>,
    /// Win, draw and loss of the player to move, `[positions × 3]`.
    outcome: Tensor,
}

impl Perceptron {
    fn new(game: Game, size: usize, parameters: &VarBuilder) -> Result<Self, Box<dyn Error>> {
        let (view, cells) = (&game.view, game.game_board(size)?.cells());
        let inputs = cells * view.cell_inputs + view.global_inputs;
        let layer = |outputs: usize, name: &str| linear(HIDDEN, outputs, parameters.pp(name));
        Ok(Self {
            game,
            cells,
            hidden: linear(inputs, HIDDEN, parameters.pp("hidden"))?,
            on_cells: layer(cells * view.policy_planes, "on_cells")?,
            global: (view.global_actions > 0).then(|| layer(view.global_actions, "global")).transpose()?,
            outcome: layer(3, "outcome")?,
        })
    }

    /// `cells` is `[(positions · cells) × cell inputs]`, `globals` `[positions × global inputs]`: what a [`Batch`] has.
    fn forward(&self, cells: &Tensor, globals: &Tensor) -> CandleResult<Logits> {
        let positions = globals.dim(0)?;
        let flat = cells.reshape((positions, self.cells * self.game.view.cell_inputs))?;
        let hidden = self.hidden.forward(&Tensor::cat(&[&flat, globals], 1)?)?.relu()?;
        Ok(Logits {
            on_cells: self.on_cells.forward(&hidden)?,
            global: self.global.as_ref().map(|layer| layer.forward(&hidden)).transpose()?,
            outcome: self.outcome.forward(&hidden)?,
        })
    }

    /// The cross entropies of the policy and of the result.
    fn loss(&self, batch: &Batch) -> CandleResult<(Tensor, Tensor)> {
        let logits = self.forward(&batch.cells, &batch.globals)?;
        // As `policy_places` counts them: those of all cells, then those of all global actions.
        let mut all = logits.on_cells.flatten_all()?;
        if let Some(global) = &logits.global {
            all = Tensor::cat(&[all, global.flatten_all()?], 0)?;
        }
        let legal = all.index_select(&batch.policy_places, 0)?;
        let log_p = log_softmax_segments(&legal, batch.policy_starts.clone())?;
        let policy = ((&batch.policy * log_p)?.sum_all()?.neg()? / batch.policies.max(1) as f64)?;
        let result = loss::cross_entropy(&logits.outcome, &batch.outcome.argmax(1)?)?;
        Ok((policy, result))
    }

    fn logits(&self, position: &Position) -> CandleResult<(Vec<f32>, [f32; 3])> {
        let view = &self.game.view;
        let (mut cells, mut globals) = (vec![0.0; self.cells * view.cell_inputs], vec![0.0; view.global_inputs]);
        position.encode(&mut cells, &mut globals);
        let cells = Tensor::from_vec(cells, (self.cells, view.cell_inputs), &Device::Cpu)?;
        let globals = Tensor::from_vec(globals, (1, view.global_inputs), &Device::Cpu)?;
        let logits = self.forward(&cells, &globals)?;
        // The search counts actions plane by plane.
        let by_plane = logits.on_cells.reshape((self.cells, view.policy_planes))?.t()?.flatten_all()?;
        let mut policy = by_plane.to_vec1()?;
        if let Some(global) = logits.global {
            policy.extend(global.flatten_all()?.to_vec1::<f32>()?);
        }
        let outcome = logits.outcome.flatten_all()?.to_vec1()?;
        Ok((policy, [outcome[0], outcome[1], outcome[2]]))
    }
}

/// All that the search needs of a network.
impl Evaluator for Perceptron {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        match self.logits(position) {
            Ok((policy, outcome)) => Evaluation::from_logits(position, legal, &policy, &outcome),
            Err(_) => Evaluation::uniform(legal.len()),
        }
    }
}

/// Games of the shipped network against itself. `Shard::read(path)?.records` has those of a training run instead.
fn teacher_games(game: Game, size: usize) -> Result<Window, Box<dyn Error>> {
    let teacher = NetworkEvaluator::new(game, &models::shipped(game)?, models::SHIPPED, Precision::best())?;
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

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, size, path] = &arguments[..] else {
        return Err("usage: own_network GAME SIZE FILE, such as: hex 4 perceptron.safetensors".into());
    };
    let (game, size) = (game_named(game)?, size.parse()?);
    let window = teacher_games(game, size)?;
    println!("{} positions of {GAMES} games", window.len());

    let parameters = VarMap::new();
    let network = Perceptron::new(game, size, &VarBuilder::from_varmap(&parameters, DType::F32, &Device::Cpu))?;
    let settings = ParamsAdamW { lr: 3e-3, weight_decay: 1e-3, ..ParamsAdamW::default() };
    let mut optimiser = AdamW::new(parameters.all_vars(), settings)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let symmetries = game.game_board(size)?.symmetries().len();
    let value = SearchValue { share: 0.5, proven: true };
    for step in 1..=STEPS {
        let draw = |_| Some((window.sample(&mut rng)?, rng.random_range(0..symmetries)));
        let positions: Vec<_> = (0..BATCH).filter_map(draw).collect();
        let batch = Batch::new(game, &positions, value, &ExactTargets::default())?.ok_or("no position was replayed")?;
        let (policy, result) = network.loss(&batch)?;
        optimiser.backward_step(&(&policy + &result)?)?;
        if step == 1 || step % 50 == 0 {
            println!("step {step}: policy {:.3}, result {:.3}", policy.to_scalar::<f32>()?, result.to_scalar::<f32>()?);
        }
    }
    parameters.save(path)?;

    // Play with a network that has the parameters of the file.
    let mut kept = VarMap::new();
    let mine = Perceptron::new(game, size, &VarBuilder::from_varmap(&kept, DType::F32, &Device::Cpu))?;
    kept.load(path)?;
    let mine = || EnginePlayer::new("mine", mine.clone(), SearchSettings::default(), Limits::visits(30));
    let random = PlayerSource::built_in(PlayerSpec::Random);
    let settings = MatchSettings { size, games: 20, seed: 0, sequential: None, threads: 0 };
    let result = play_match(game, mine, || random.player(), &settings, &StopSignal::new(), |_| ())?;
    println!("{} of {} games won against random", result.tally.wins_a, result.tally.games);
    Ok(())
}
