//! Properties of every game of Cachex, tested on random ones, besides those of all games (`contract`).

use std::collections::HashMap;

use hexzero::games::{Action, Cachex, Position, REPETITION_LIMIT, Rules, Seat, TURN_LIMIT};
use hexzero::replay::position_text;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{cachex, set_up};
use crate::hex_rules::seen;
use crate::plain::{Plain, stones, transposed};

/// The network inputs, cell by cell in the mover's frame.
#[derive(Debug, Clone, PartialEq)]
struct View {
    cells: Vec<f32>,
    globals: Vec<f32>,
}

const PLANES: usize = Cachex::INFO.view.cell_inputs;
const MOVER_CAPTURES: usize = 3;
const ENEMY_CAPTURES: usize = 4;
const JUST_CAPTURED: usize = 5;
const MOVER_COMPLETES: usize = 14;
const ENEMY_COMPLETES: usize = 15;
const TURN: usize = 2;

impl View {
    fn of(game: &Position) -> Self {
        let (cells, globals) = seen(game);
        Self { cells, globals }
    }

    /// The board's cells (not in the mover's frame) that a plane marks, in ascending order.
    fn marked(&self, game: &Position, plane: usize) -> Vec<usize> {
        let set = |&cell: &usize| self.cells[game.frame().cells.apply(cell) * PLANES + plane] == 1.0;
        (0..game.topology().cells()).filter(set).collect()
    }
}

/// The choice of moves in a random game.
#[derive(Debug, Clone, Copy)]
enum Style {
    Uniform,
    /// Captures where it can, which makes long games and repetitions.
    Capturing,
    /// Captures, and wins only when there is nothing else: most such games on large boards last
    /// until turn 343.
    Endless,
    /// The same, but after a random opening the choice depends on the stones alone. What recurs then
    /// does so again and again: many such games on small boards end by repetition.
    Circling,
}

fn choose(game: &Position, style: Style, rng: &mut Xoshiro256PlusPlus) -> Option<Action> {
    let mut of_the_stones;
    let rng = if matches!(style, Style::Circling) && game.turns() >= 4 {
        let number = position_text(game).bytes().fold(0u64, |all, byte| all.wrapping_mul(31).wrapping_add(byte.into()));
        of_the_stones = Xoshiro256PlusPlus::seed_from_u64(number);
        &mut of_the_stones
    } else {
        rng
    };
    let random = game.random_action(rng)?;
    if matches!(style, Style::Uniform) {
        return Some(random);
    }
    let view = View::of(game);
    let completing = view.marked(game, MOVER_COMPLETES);
    let mut captures = view.marked(game, MOVER_CAPTURES);
    let avoids_winning = matches!(style, Style::Endless | Style::Circling);
    if avoids_winning {
        captures.retain(|cell| !completing.contains(cell));
    }
    captures.retain(|&cell| game.check(Action(cell as u16)).is_ok());
    if !captures.is_empty() && rng.random_bool(0.8) {
        return Some(Action(captures[rng.random_range(0..captures.len())] as u16));
    }
    let wanted = |action: &Action| !avoids_winning || !completing.contains(&action.index());
    let other = (0..50).filter_map(|_| game.random_action(rng)).find(wanted);
    Some(other.unwrap_or(random))
}

/// The actions of a random game of at most `turns` turns.
fn random_game(size: usize, style: Style, turns: usize, seed: u64) -> Vec<Action> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = cachex().start(size).unwrap();
    let mut actions = Vec::new();
    while let Some(action) = choose(&game, style, &mut rng).filter(|_| actions.len() < turns) {
        actions.push(action);
        game.play(action);
    }
    actions
}

prop_compose! {
    /// A board's size and the actions of a game on it, most of them up to the end.
    fn any_game()(
        size in cachex().boards.sizes.clone(),
        style in prop_oneof![Just(Style::Uniform), Just(Style::Capturing), Just(Style::Endless), Just(Style::Circling)],
        turns in prop_oneof![0..60usize, Just(usize::MAX), Just(usize::MAX)],
        seed in any::<u64>(),
    ) -> (usize, Vec<Action>) {
        (size, random_game(size, style, turns, seed))
    }
}

/// The position after these actions.
fn position(size: usize, actions: &[Action]) -> Position {
    let mut game = cachex().start(size).unwrap();
    actions.iter().for_each(|&action| game.play(action));
    game
}

/// The same stones with rows and columns, and the players, exchanged.
fn reflected(game: &Position) -> Position {
    let n = game.size();
    let stones: Vec<_> = (0..n * n).map(|cell| game.owner(transposed(n, cell)).map(Seat::opponent)).collect();
    set_up(n, &stones, game.to_move().opponent())
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn games_follow_the_plain_rules((size, actions) in any_game()) {
        let mut game = cachex().start(size).unwrap();
        let mut plain = Plain::new(&game, true);
        let mut earlier = vec![stones(&game)];
        for (turn, action) in actions.into_iter().enumerate() {
            prop_assert_eq!(game.outcome(), None);
            prop_assert_eq!((game.turns(), game.to_move()), (turn, Seat::BOTH[turn % 2]));
            let before = stones(&game);
            game.play(action);
            let (captured, outcome) = plain.play(action);
            prop_assert_eq!(stones(&game), &plain.stones[..]);
            prop_assert_eq!(game.outcome(), outcome);
            prop_assert!(game.turns() <= TURN_LIMIT);

            // Captured stones were the opponent's, and nothing else has gone.
            let owners: Vec<_> = captured.iter().map(|&cell| before[cell]).collect();
            prop_assert!(owners.iter().all(|&owner| owner == Some(Seat::BOTH[1 - turn % 2])));
            let count = |stones: &[Option<Seat>]| stones.iter().flatten().count();
            let placed = usize::from(action.index() < size * size);
            prop_assert_eq!(count(&stones(&game)), count(&before) + placed - captured.len());
            let view = View::of(&game);
            prop_assert_eq!(view.marked(&game, JUST_CAPTURED), captured);
            let occurrences = (view.globals[3] * f32::from(REPETITION_LIMIT)).round() as u8;
            prop_assert_eq!(occurrences, plain.seen[&plain.stones]);
            // Every second of them had the same side to move.
            for plies in [1, 2, 9, turn + 1] {
                let mut same_mover = earlier.iter().rev().take(plies).skip(1).step_by(2);
                prop_assert_eq!(game.repeats_within(plies), same_mover.any(|earlier| *earlier == plain.stones));
            }
            earlier.push(plain.stones.clone());
        }
    }

    #[test]
    fn mover_sees_a_reflected_position_as_his_own(
        (size, actions) in any_game(), cut in 0..60usize, seed in any::<u64>(),
    ) {
        let game = position(size, &actions[..actions.len().saturating_sub(cut)]);
        // Nearer the start, the ban of the centre and the swap belong to one player only.
        prop_assume!(stones(&game).iter().flatten().count() > 2);
        let mut game = set_up(size, &stones(&game), game.to_move());
        let mut mirror = reflected(&game);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let winner = |game: &Position| game.outcome().and_then(|outcome| outcome.winner);
        loop {
            let (mut view, mut mirror_view) = (View::of(&game), View::of(&mirror));
            // Their turns differ by one, as they must with other players to move.
            (view.globals[TURN], mirror_view.globals[TURN]) = (0.0, 0.0);
            prop_assert_eq!(view, mirror_view);
            prop_assert_eq!(stones(&reflected(&game)), stones(&mirror));
            prop_assert_eq!(winner(&game), winner(&mirror).map(Seat::opponent));
            if game.turns().max(mirror.turns()) >= TURN_LIMIT - 1 {
                break;
            }
            prop_assert_eq!(game.outcome().is_some(), mirror.outcome().is_some());
            let Some(action) = choose(&game, Style::Capturing, &mut rng) else { break };
            let mirrored = Action(transposed(size, action.index()) as u16);
            prop_assert_eq!(game.network_action(action, 0), mirror.network_action(mirrored, 0));
            prop_assert_eq!(game.network_action(action, 1), mirror.network_action(mirrored, 1));
            game.play(action);
            mirror.play(mirrored);
        }
    }

    #[test]
    fn capture_and_win_planes_agree_with_playing((size, actions) in any_game(), cut in 1..40usize) {
        let game = position(size, &actions[..actions.len().saturating_sub(cut)]);
        let view = View::of(&game);
        let planes = [
            (game.to_move(), MOVER_CAPTURES, MOVER_COMPLETES),
            (game.to_move().opponent(), ENEMY_CAPTURES, ENEMY_COMPLETES),
        ];
        for (player, captures, completes) in planes {
            let start = set_up(size, &stones(&game), player);
            let after = |cell: &usize| start.after(Action(*cell as u16));
            let empty = (0..size * size).filter(|&cell| start.check(Action(cell as u16)).is_ok());
            let captures_there = |cell: &usize| !View::of(&after(cell)).marked(&after(cell), JUST_CAPTURED).is_empty();
            let wins_there = |cell: &usize| after(cell).outcome().is_some();
            let (capturing, winning): (Vec<_>, Vec<_>) =
                (empty.clone().filter(captures_there).collect(), empty.filter(wins_there).collect());
            prop_assert_eq!(view.marked(&game, captures), capturing);
            prop_assert_eq!(view.marked(&game, completes), winning);
        }
    }
}

#[test]
fn styles_lead_to_every_ending() {
    let mut endings = HashMap::<_, usize>::new();
    for seed in 0..60 {
        for (size, style) in [(4, Style::Circling), (9, Style::Uniform), (11, Style::Endless)] {
            let game = position(size, &random_game(size, style, usize::MAX, seed));
            let outcome = game.outcome().unwrap_or_else(|| panic!("no end: {}", position_text(&game)));
            *endings.entry(outcome).or_default() += 1;
        }
    }
    assert_eq!(endings.len(), 4, "{endings:?}");
}
