//! Tests each loss alone: training reduces it, and positions without a target teach nothing.

use std::sync::Arc;

use candle_core::{Device, Tensor, Var};
use hexzero::games::{EndReason, WinDrawLoss};
use hexzero::network::{Architecture, CELL_CLASSES, UNKNOWN_CLASS, class_cross_entropy, log_softmax_segments};
use hexzero::replay::{GameRecord, GameStart, SearchRecord, TurnRecord, Window};
use hexzero::training::{ExactTargets, LossWeights, Recipe, StepParts, Trainer};
use rand::{Rng, seq::IndexedRandom};

use crate::games::cachex;
use crate::network::{assert_same_function, rng, values};

/// A game of random moves, each with the record of a search that found something.
fn random_game(size: usize, rng: &mut impl Rng) -> GameRecord {
    let mut game = cachex().start(size).unwrap();
    let (mut turns, mut legal) = (Vec::new(), Vec::new());
    while game.outcome().is_none() {
        game.legal_actions(&mut legal);
        let policy = legal.iter().map(|&action| (action, rng.random_range(1..100))).collect();
        let win = rng.random_range(0.0..1.0);
        let search = SearchRecord {
            full: true,
            visits: 100,
            policy,
            outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win },
            proven: false,
            surprise: 0.0,
        };
        let action = *legal.choose(rng).unwrap();
        turns.push(TurnRecord { action, search: Some(search) });
        game.play(action);
    }
    let (size, outcome, start) = (size as u8, game.outcome().unwrap(), GameStart::Empty);
    GameRecord { size, turns, outcome, evaluations: 0, played_out: false, start }
}

fn recipe(losses: LossWeights) -> Recipe {
    let network =
        Architecture { blocks: 1, channels: 16, pool_every: 1, value_channels: 16, ..Architecture::default() };
    let mut recipe = Recipe { network, ..Recipe::default() };
    recipe.training.batch = 32;
    recipe.training.losses = losses;
    recipe.training.optimiser.warmup_steps = 1;
    recipe.training.optimiser.weight_decay = 0.0;
    recipe
}

fn names() -> Vec<String> {
    let weights = toml::Table::try_from(LossWeights::default()).unwrap();
    weights.into_iter().map(|(name, _)| name).collect()
}

/// All the weight on one loss.
fn only(name: &str) -> LossWeights {
    names()
        .iter()
        .fold(LossWeights::default(), |weights, other| weights.with(other, if other == name { 1.0 } else { 0.0 }))
}

/// The positions of a training step, drawn from a window.
pub fn parts(recipe: &Recipe, window: &Window, device: Option<&Device>, rng: &mut impl Rng) -> StepParts {
    StepParts::draw(cachex(), recipe, window, &ExactTargets::default(), device, rng).unwrap()
}

#[test]
fn each_loss_decreases_alone() {
    let mut rng = rng(1);
    let mut window = Window::new(1000);
    for size in [3, 4, 4, 5, 5] {
        window.add(random_game(size, &mut rng));
    }
    assert_eq!(names().len(), 4);
    for name in names() {
        let recipe = recipe(only(&name));
        let parts = parts(&recipe, &window, None, &mut rng);
        let mut trainer = Trainer::new(cachex(), &recipe).unwrap();
        let mut step = || {
            let losses = trainer.train_step(&parts).unwrap().unwrap();
            assert_eq!(losses.iter().map(|(name, _)| name).collect::<Vec<_>>(), [name.as_str()]);
            assert_eq!(losses.get(&name), Some(losses.total));
            losses.total
        };
        let before = step();
        let after = (0..40).map(|_| step()).last().unwrap();
        assert!(after < before - 0.01, "{name}: from {before} to {after}");
    }
}

/// Lists the parts of a fresh trainer's state that a step changes, by the name of the parameter.
fn changed(recipe: &Recipe, window: &Window) -> Vec<String> {
    let mut trainer = Trainer::new(cachex(), recipe).unwrap();
    let before = trainer.state().unwrap();
    trainer.train_step(&parts(recipe, window, None, &mut rng(1))).unwrap().unwrap();
    let after = trainer.state().unwrap();
    let weights = after.iter().filter(|(name, tensor)| name.starts_with("weights/") && before[*name] != **tensor);
    weights.map(|(name, _)| name.trim_start_matches("weights/").to_owned()).collect()
}

#[test]
fn resigned_game_teaches_nothing_of_its_end() {
    let mut rng = rng(1);
    let (mut whole, mut given_up) = (Window::new(1000), Window::new(1000));
    while whole.len() < 40 {
        let mut record = random_game(4, &mut rng);
        if record.outcome.reason == EndReason::CONNECTION {
            whole.add(record.clone());
            record.turns.pop();
            record.outcome.reason = EndReason::RESIGNATION;
            given_up.add(record);
        }
    }
    for name in names() {
        let recipe = recipe(only(&name));
        assert!(changed(&recipe, &whole).iter().any(|name| name.starts_with("stem")), "{name}");
        let of_the_end = ["ownership", "moves_left"].contains(&name.as_str());
        assert_eq!(changed(&recipe, &given_up).is_empty(), of_the_end, "{name}");
    }
}

#[test]
fn averaged_network_matches_its_checkpoint() {
    let recipe = recipe(LossWeights::default());
    let trainer = Trainer::new(cachex(), &recipe).unwrap();
    let (_, parameters) = hexzero::network::Network::random(&recipe.network, &cachex().view, &mut rng(1)).unwrap();
    assert_eq!(trainer.averaged().unwrap(), parameters.to_named().unwrap());
    assert_eq!(trainer.parameters(), parameters.count());
    let again = Trainer::from_parameters(cachex(), &recipe, &trainer.averaged().unwrap()).unwrap();
    assert!(again.state().unwrap().keys().eq(trainer.state().unwrap().keys()));

    let mut state = trainer.state().unwrap();
    let again = Trainer::from_state(cachex(), &recipe, &state, 0).unwrap();
    assert!(again.state().unwrap() == trainer.state().unwrap());
    state.remove("weights/ownership.weight");
    let error = Trainer::from_state(cachex(), &recipe, &state, 0).unwrap_err().to_string();
    assert!(error.contains("'ownership.weight' is missing"), "{error}");
}

#[test]
fn class_cross_entropy_agrees_with_softmax() {
    let mut rng = rng(1);
    let cells = 14;
    let logits: Vec<f32> = (0..cells * CELL_CLASSES).map(|_| rng.random_range(-3.0..3.0)).collect();
    let classes: Vec<u8> = (0..cells).map(|i| [0, 1, 2, UNKNOWN_CLASS][i % 4]).collect();
    let var = Var::from_tensor(&Tensor::from_vec(logits, (cells, CELL_CLASSES), &Device::Cpu).unwrap()).unwrap();
    let found = class_cross_entropy(var.as_tensor(), classes.clone().into()).unwrap();

    // The expected loss by one-hot classes, with zeros for those that are not known.
    let starts: Vec<usize> = (0..=cells).map(|i| i * CELL_CLASSES).collect();
    let log = log_softmax_segments(&var.as_tensor().flatten_all().unwrap(), starts.into()).unwrap();
    let ones = classes.iter().flat_map(|&class| (0..CELL_CLASSES as u8).map(move |c| f32::from(u8::from(c == class))));
    let expected = (log * Tensor::from_iter(ones, &Device::Cpu).unwrap()).unwrap().sum_all().unwrap().neg().unwrap();
    assert_same_function(&[&var], &found, &expected, &mut rng);

    let gradients = found.backward().unwrap();
    let unknown = values(gradients.get(var.as_tensor()).unwrap())[3 * CELL_CLASSES..4 * CELL_CLASSES].to_vec();
    assert_eq!(unknown, [0.0; 3]);

    let refused = |classes: Vec<u8>| class_cross_entropy(var.as_tensor(), Arc::from(classes)).is_err();
    assert!(refused(vec![0; 13]) && refused(vec![UNKNOWN_CLASS + 1; 14]) && !refused(vec![0; 14]));
}
