//! The engine on two games of the family: 12* Hex, in which a player moves twice in a row, and Chameleon, with
//! two policy planes and stones that belong to nobody.

use std::sync::LazyLock;

use hexzero::arena::{MatchSettings, play_match};
use hexzero::games::{Action, Evaluation, Evaluator, Game, Position, Seat, WinDrawLoss, game_named};
use hexzero::network::{Architecture, Checkpoint, Metadata, NetworkEvaluator, Precision};
use hexzero::players::{AlphaBeta, EnginePlayer, RandomPlayer};
use hexzero::replay::{GameRecord, GameStart, SearchRecord, TurnRecord, Window, position_text};
use hexzero::search::{Limits, Puct, Search};
use hexzero::stop::StopSignal;
use hexzero::training::{ExactTargets, Recipe, StepParts, Trainer};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::position;

static TWO_STONES: LazyLock<Game> = LazyLock::new(|| game_named("12star").unwrap());
static TWO_COLOURS: LazyLock<Game> = LazyLock::new(|| game_named("chameleon").unwrap());

/// Puts the whole prior on the first move of every node. `hopes` are the winning chances of the player to move, by ply.
fn first_moves_with(hopes: &'static [f32]) -> impl FnMut(&Position, &[Action]) -> Evaluation {
    |game, legal| {
        let mut priors = vec![0.0; legal.len()];
        priors[0] = 1.0;
        let win = hopes[game.turns()];
        Evaluation { priors, outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win } }
    }
}

#[test]
fn values_belong_to_players_and_not_to_plies() {
    // White is to place two stones: at the root and after the next ply it is his turn, then Black's.
    let mut search = Search::new(position(*TWO_STONES, 5, "c3"), Puct::default());
    let mut judge = first_moves_with(&[0.5, 0.6, 0.8, 0.9, 0.3]);
    search.run(&mut judge, &Limits::visits(3));
    let line = search.principal_variation();
    assert_eq!(line.len(), 2);
    // 0.9 for Black is 0.1 for White: (0.6 + 0.8 + 0.1) / 3, and below the first stone (0.8 + 0.1) / 2.
    assert!((search.root_outcome().win - 0.5).abs() < 1e-6);
    assert!((search.root_moves()[0].outcome.win - 0.45).abs() < 1e-6);
    // Black's second stone of his turn: 0.3 for Black, 0.7 for White.
    search.run(&mut judge, &Limits::visits(4));
    assert!((search.root_outcome().win - (0.6 + 0.8 + 0.1 + 0.7) / 4.0).abs() < 1e-6);
    // The same sums as Black sees them, when White's two stones are on the board.
    line.into_iter().for_each(|action| search.advance(action));
    assert_eq!((search.position().to_move(), search.visits()), (Seat::First, 2));
    assert!((search.root_outcome().win - (0.9 + 0.3) / 2.0).abs() < 1e-6);
}

fn recipe(game: Game) -> Recipe {
    let mut recipe = Recipe::of(game);
    recipe.network =
        Architecture { blocks: 1, channels: 16, pool_every: 1, value_channels: 16, ..Architecture::default() };
    recipe.training.batch = 16;
    recipe.training.optimiser.warmup_steps = 1;
    recipe
}

fn checkpoint(game: Game, recipe: &Recipe, trainer: &Trainer) -> Checkpoint {
    let metadata = Metadata { step: trainer.step(), ..Metadata::untrained(game, recipe.network.clone()) };
    Checkpoint { metadata, tensors: trainer.averaged().unwrap() }
}

fn taught(action: Action) -> SearchRecord {
    let outcome = WinDrawLoss::EVEN;
    SearchRecord { full: true, visits: 9, policy: vec![(action, 9)], outcome, proven: false, surprise: 1.0 }
}

/// Returns a game of these moves and then random ones. Those after a `!` have a search with all visits on them.
fn record(game: Game, size: usize, moves: &str) -> GameRecord {
    let mut position = game.start(size).unwrap();
    let mut turns = Vec::new();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut names = moves.split_whitespace();
    let outcome = loop {
        if let Some(outcome) = position.outcome() {
            break outcome;
        }
        let name = names.next();
        let action = match name.map(|name| position.parse_action(name.trim_start_matches('!'))) {
            Some(action) => action.unwrap(),
            None => position.random_action(&mut rng).unwrap(),
        };
        position.try_play(action).unwrap();
        let search = name.is_some_and(|name| name.starts_with('!')).then(|| taught(action));
        turns.push(TurnRecord { action, search });
    };
    GameRecord { size: size as u8, turns, outcome, evaluations: 0, played_out: true, start: GameStart::Random }
}

/// Checks that a policy trained at an action is read at the same action when playing.
fn finds_what_it_was_taught(game: Game, opening: &str, move_taught: &str) {
    let recipe = recipe(game);
    let position = position(game, 4, opening);
    let taught = position.parse_action(move_taught).unwrap();
    let mut window = Window::new(100);
    window.add(record(game, 4, &format!("{opening} !{move_taught}")));
    assert_eq!(window.len(), 1);
    let mut trainer = Trainer::new(game, &recipe).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..150 {
        trainer
            .train_step(&StepParts::draw(game, &recipe, &window, &ExactTargets::default(), None, &mut rng).unwrap())
            .unwrap();
    }
    let mut evaluator =
        NetworkEvaluator::new(game, &checkpoint(game, &recipe, &trainer), "test", Precision::best()).unwrap();
    let legal = position.legal();
    let priors = evaluator.evaluate(&position, &legal).priors;
    let best = (0..legal.len()).max_by(|&a, &b| priors[a].total_cmp(&priors[b])).unwrap();
    assert_eq!(position.action_name(legal[best]), position.action_name(taught));
    assert!(priors[best] > 0.5, "{}", priors[best]);
}

#[test]
fn policy_planes_are_found_where_taught() {
    finds_what_it_was_taught(*TWO_COLOURS, "x:a1 o:c4", "x:b3");
    finds_what_it_was_taught(*TWO_COLOURS, "x:a1 o:c4 x:d1", "o:b3");
    finds_what_it_was_taught(*TWO_STONES, "b2", "d3");
    finds_what_it_was_taught(*TWO_STONES, "b2 d3", "a4");
}

#[test]
fn matches_run_between_all_kinds_of_players() {
    let settings = MatchSettings { size: 4, games: 100, seed: 1, sequential: None, threads: 1 };
    let stop = StopSignal::new();
    let (mcts, random) = (|| EnginePlayer::mcts(100), || RandomPlayer::new(0));
    for game in [*TWO_STONES, *TWO_COLOURS] {
        let result = play_match(game, mcts, random, &settings, &stop, |_| ()).unwrap();
        assert!(result.tally.score() > 0.8, "{:?}", result.tally);
        let result = play_match(game, || AlphaBeta::new(2), random, &settings, &stop, |_| ()).unwrap();
        assert!(result.tally.score() > 0.55, "{:?}", result.tally);
        assert_eq!(result.game, game.name());
    }
}

#[test]
fn boards_of_unowned_stones_are_drawn() {
    let game = position(*TWO_COLOURS, 3, "x:a1 o:b2");
    assert_eq!(position_text(&game), "x...o....");
    assert_eq!(game.drawing(Some(4)), "    a b c\n 1  x . .  1\n  2  .[o].  2\n   3  . . .  3\n       a b c\n");
}
