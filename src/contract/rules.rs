//! What the rules of a game keep: moves, symmetries, what the network sees, changes, ends and records.

use std::collections::{BTreeSet, HashSet};

use rand::{Rng, SeedableRng};

use crate::board::{DIRECTIONS, Permutation};
use crate::games::{
    Action, CellCost, Change, EndReason, Game, GameBoard, GameRng, Outcome, Pick, Piece, Position, Seat, Transform,
};
use crate::replay::{
    GameForm, GameRecord, InterchangeGame, RecordedGame, ReplayOptions, Shard, TurnRecord, position_text,
    recorded_games, result_name,
};

use super::boards;

fn is_large(on: &GameBoard) -> bool {
    on.cells() > 81
}

/// The actions of a random game from its start to its end.
fn random_game(on: &'static GameBoard, seed: u64) -> Vec<Action> {
    let mut rng = GameRng::seed_from_u64(seed);
    let mut position = on.game().start(on.size()).unwrap();
    let mut actions = Vec::new();
    while let Some(action) = position.random_action(&mut rng) {
        actions.push(action);
        position.play(action);
    }
    actions
}

/// The actions of some random games, fewer on large boards.
fn random_games(on: &'static GameBoard) -> impl Iterator<Item = Vec<Action>> {
    let games = if is_large(on) { 1 } else { (120 / on.cells() as u64).max(2) };
    (0..games).map(move |seed| random_game(on, seed))
}

/// Calls `visit` with positions of random games on every board: on large ones with every seventh.
fn each_position(games: &[Game], mut visit: impl FnMut(&Position)) {
    for on in boards(games) {
        let every = if is_large(on) { 7 } else { 1 };
        for actions in random_games(on) {
            let mut position = on.game().start(on.size()).unwrap();
            for (turn, &action) in actions.iter().enumerate() {
                if turn % every == 0 || turn + 2 >= actions.len() {
                    visit(&position);
                }
                position.play(action);
            }
            visit(&position);
        }
    }
}

/// The place of a failure.
fn at(position: &Position) -> String {
    format!(
        "{}, size {}, ply {}:\n{}",
        position.game().name(),
        position.size(),
        position.turns(),
        position.drawing(None)
    )
}

fn legal_actions(position: &Position) -> Vec<Action> {
    // Not empty, to see that it is emptied.
    let mut legal = vec![Action(u16::MAX)];
    position.legal_actions(&mut legal);
    legal
}

fn after(position: &Position, action: Action) -> Position {
    let mut next = position.clone();
    next.play(action);
    next
}

/// The network inputs: of the cells, and of the whole position.
#[derive(Debug, Clone, PartialEq)]
struct View {
    cells: Vec<f32>,
    globals: Vec<f32>,
}

impl View {
    fn of(position: &Position) -> Self {
        // Not zeros, to see that everything is written.
        let mut cells = vec![f32::NAN; position.topology().cells() * position.game().view.cell_inputs];
        let mut globals = vec![f32::NAN; position.game().view.global_inputs];
        position.encode(&mut cells, &mut globals);
        Self { cells, globals }
    }

    /// The same seen through a symmetry of the mover's frame.
    fn through(&self, symmetry: &Transform) -> Self {
        let planes = symmetry.inputs.forward().len();
        let cell = |place: usize| symmetry.cells.inverse()[place / planes] as usize;
        let plane = |place: usize| symmetry.inputs.inverse()[place % planes] as usize;
        let cells = (0..self.cells.len()).map(|place| self.cells[cell(place) * planes + plane(place)]).collect();
        let globals = symmetry.globals.inverse().iter().map(|&input| self.globals[input as usize]).collect();
        Self { cells, globals }
    }
}

fn pieces(position: &Position) -> Vec<Option<Piece>> {
    (0..position.board().places().len()).map(|place| position.piece(place)).collect()
}

/// All that can be asked about a position but for its history.
fn answers(position: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    let owners: Vec<_> = (0..position.topology().cells()).map(|cell| position.owner(cell)).collect();
    let mover = position.outcome().is_none().then(|| (position.to_move(), View::of(position)));
    (pieces(position), owners, position.outcome(), position.turns(), mover, legal_actions(position))
}

pub(super) fn exactly_the_listed_actions_pass_the_check(games: &[Game]) {
    each_position(games, |position| {
        let legal = legal_actions(position);
        assert!(legal.is_sorted_by(|a, b| a < b), "{legal:?}, {}", at(position));
        assert_eq!(legal.is_empty(), position.outcome().is_some(), "{}", at(position));
        if let Some(swap) = position.on().swap().filter(|&swap| position.check(swap).is_ok()) {
            // Values without the swap leave it out there alone.
            assert!(position.to_move() == Seat::Second && position.turns() <= 2, "{swap:?}, {}", at(position));
        }
        let all = position.actions() as u16;
        let checked: Vec<Action> = (0..all).map(Action).filter(|&action| position.check(action).is_ok()).collect();
        assert_eq!(checked, legal, "{}", at(position));
        for beyond in (all..all + 5).chain([u16::MAX]) {
            assert!(position.check(Action(beyond)).is_err(), "{beyond} of {all}, {}", at(position));
        }
    });
}

pub(super) fn random_and_winning_actions_are_what_they_are_called(games: &[Game]) {
    let mut rng = GameRng::seed_from_u64(9);
    each_position(games, |position| {
        let drawn = position.random_action(&mut rng);
        assert_eq!(drawn.is_some(), position.outcome().is_none(), "{}", at(position));
        assert!(drawn.is_none_or(|action| position.check(action).is_ok()), "{drawn:?}, {}", at(position));
        if let Some(action) = position.winning_action() {
            let mover = position.to_move();
            assert_eq!(position.check(action), Ok(()), "{}", at(position));
            assert_eq!(after(position, action).outcome().and_then(|end| end.winner), Some(mover), "{}", at(position));
        }
        let chain = position.winning_chain();
        assert!(chain.iter().all(|&cell| cell < position.topology().cells()), "{chain:?}, {}", at(position));
        assert!(chain.is_empty() || position.outcome().is_some(), "{chain:?}, {}", at(position));
    });
}

pub(super) fn names_and_picks_tell_actions_apart(games: &[Game]) {
    each_position(games, |position| {
        let (board, game) = (position.board(), position.game());
        let (mut names, mut paths) = (HashSet::new(), BTreeSet::new());
        for action in legal_actions(position) {
            let name = position.action_name(action);
            assert_eq!(position.parse_action(&name), Ok(action), "'{name}', {}", at(position));
            let foreign = position.foreign_action_name(action);
            assert_eq!(position.parse_action(&foreign), Ok(action), "'{foreign}', {}", at(position));
            assert!(!name.contains(char::is_whitespace) && name.len() <= 24, "'{name}'");
            assert!(names.insert(name.to_lowercase()), "two actions are called '{name}', {}", at(position));
            let picks = position.picks(action);
            for &pick in &picks {
                let exists = match pick {
                    Pick::Place(place) => board.places().get(place as usize).is_some_and(|place| place.playable),
                    Pick::Direction(direction) => usize::from(direction) < DIRECTIONS,
                    Pick::Choice(choice) => usize::from(choice) < game.choices.len(),
                    Pick::Button(button) => usize::from(button) < game.actions.len(),
                };
                assert!(exists, "{pick:?} for '{name}', {}", at(position));
            }
            assert!(!picks.is_empty() && paths.insert(picks), "the picks for '{name}', {}", at(position));
        }
        // In order, so that a path stands right before the longer ones that begin with it.
        let mut pairs = paths.iter().zip(paths.iter().skip(1));
        assert!(pairs.all(|(one, next)| !next.starts_with(one)), "{paths:?}, {}", at(position));
        assert!(position.parse_action("no such move").is_err());
    });
}

/// Both, one after the other.
fn composed(one: &Transform, next: &Transform) -> Transform {
    Transform {
        cells: one.cells.then(&next.cells),
        actions: one.actions.then(&next.actions),
        inputs: one.inputs.then(&next.inputs),
        globals: one.globals.then(&next.globals),
    }
}

fn inverted(transform: &Transform) -> Transform {
    let Transform { cells, actions, inputs, globals } = transform;
    let [cells, actions, inputs, globals] = [cells, actions, inputs, globals].map(Permutation::inverted);
    Transform { cells, actions, inputs, globals }
}

/// A transform as something to look up.
fn key(transform: &Transform) -> [&[u16]; 4] {
    let Transform { cells, actions, inputs, globals } = transform;
    [cells, actions, inputs, globals].map(Permutation::forward)
}

pub(super) fn symmetries_are_a_group(games: &[Game]) {
    for on in boards(games) {
        let place = format!("{}, size {}", on.game().name(), on.size());
        let identity = Transform::identity(on.cells(), &on.game().view);
        let group: HashSet<_> = on.symmetries().iter().map(key).collect();
        assert_eq!(on.symmetries()[0], identity, "{place}");
        assert_eq!(group.len(), on.symmetries().len(), "{place}: two are the same");
        for one in on.symmetries() {
            assert!(group.contains(&key(&inverted(one))), "{place}: the inverse of {one:?}");
            for next in on.symmetries() {
                assert!(group.contains(&key(&composed(one, next))), "{place}: {one:?}, then {next:?}");
            }
        }
        for transform in on.symmetries().iter().chain(on.frames()) {
            let lengths = key(transform).map(<[u16]>::len);
            assert_eq!(lengths, key(&identity).map(<[u16]>::len), "{place}");
        }
    }
}

/// A symmetry of the board itself, from one of the mover's frame.
fn on_the_board(frame: &Transform, symmetry: &Transform) -> Transform {
    composed(&composed(frame, symmetry), &inverted(frame))
}

/// Plays a game and its image under a symmetry side by side. Of large groups each game takes some.
pub(super) fn symmetries_keep_the_rules_and_what_the_network_sees(games: &[Game]) {
    for on in boards(games) {
        let every = on.symmetries().len().div_ceil(24);
        for (number, actions) in random_games(on).enumerate() {
            for symmetry in on.symmetries().iter().skip(number % every).step_by(every) {
                on.frames().iter().for_each(|frame| images_are_alike(on, &actions, frame, symmetry));
            }
        }
    }
}

fn images_are_alike(on: &'static GameBoard, actions: &[Action], frame: &Transform, symmetry: &Transform) {
    let number = on.symmetries().iter().position(|other| std::ptr::eq(other, symmetry)).unwrap();
    let map = on_the_board(frame, symmetry);
    let image = |action: Action| Action(map.actions.apply(action.index()) as u16);
    let mut here = on.game().start(on.size()).unwrap();
    let mut there = here.clone();
    for ply in 0..=actions.len() {
        let place = || format!("symmetry {number}, {}\nand its image\n{}", at(&here), there.drawing(None));
        assert_eq!(here.outcome(), there.outcome(), "{}", place());
        assert_eq!(here.turns(), there.turns(), "{}", place());
        for cell in 0..on.cells() {
            assert_eq!(here.owner(cell), there.owner(map.cells.apply(cell)), "cell {cell}, {}", place());
        }
        let mut chain: Vec<usize> = here.winning_chain().into_iter().map(|cell| map.cells.apply(cell)).collect();
        chain.sort_unstable();
        let mut found = there.winning_chain();
        found.sort_unstable();
        assert_eq!(found, chain, "{}", place());
        let Some(&action) = actions.get(ply) else { break };

        assert_eq!(here.to_move(), there.to_move(), "{}", place());
        let mut legal: Vec<Action> = legal_actions(&here).into_iter().map(image).collect();
        legal.sort_unstable();
        assert_eq!(legal_actions(&there), legal, "{}", place());
        // The map of the board is this symmetry in this frame alone.
        if std::ptr::eq(here.frame(), frame) && (ply % 7 == 0 || !is_large(on)) {
            assert!(std::ptr::eq(there.frame(), frame), "{}", place());
            assert_eq!(View::of(&here).through(symmetry), View::of(&there), "{}", place());
            for &action in &legal_actions(&here) {
                let (seen, image) = (here.network_action(action, number), there.network_action(image(action), 0));
                assert_eq!(seen, image, "'{}', {}", here.action_name(action), place());
            }
        }
        here.play(action);
        there.play(image(action));
    }
}

/// Two positions with the same player to move: where different pieces stand, the network must see a difference, and
/// see it at the place's cell in the mover's frame.
pub(super) fn what_stands_on_a_place_is_seen_at_its_cell(games: &[Game]) {
    let mut seen = BTreeSet::new();
    each_position(games, |position| {
        let legal = legal_actions(position);
        let (Some(&first), Some(&last)) = (legal.first(), legal.last()) else { return };
        let [one, other] = [first, last].map(|action| after(position, action));
        if one.outcome().or(other.outcome()).is_some() || !std::ptr::eq(one.frame(), other.frame()) {
            return;
        }
        let (views, planes) = ([View::of(&one), View::of(&other)], position.game().view.cell_inputs);
        for (number, place) in position.board().places().iter().enumerate() {
            let Some(cell) = place.cell.filter(|_| one.piece(number) != other.piece(number)) else { continue };
            let from = one.frame().cells.apply(cell.into()) * planes;
            let [here, there] = views.each_ref().map(|view| &view.cells[from..from + planes]);
            assert_ne!(here, there, "{}, {}\nand\n{}", place.label, at(&one), other.drawing(None));
            seen.insert(position.game().name());
        }
    });
    for game in games {
        assert!(
            seen.contains(game.name()),
            "{}: no two moves from one position put different pieces down",
            game.name()
        );
    }
}

pub(super) fn every_input_is_written_and_every_question_answered(games: &[Game]) {
    each_position(games, |position| {
        let cells = position.topology().cells();
        for seat in crate::games::Seat::BOTH {
            if let Some(costs) = position.path_costs(seat) {
                assert_eq!(costs.len(), cells, "{}", at(position));
                assert!(
                    costs.iter().all(|step| step.cost.is_none_or(|cost| cost <= CellCost::HIGHEST)),
                    "{}",
                    at(position)
                );
            }
        }
        if position.outcome().is_some() {
            return;
        }
        let View { cells, globals } = View::of(position);
        assert!(cells.iter().chain(&globals).all(|input| input.is_finite()), "{}", at(position));
        // Setting up out of turn works, or changes nothing.
        let other = position.to_move().opponent();
        let mut handed = position.clone();
        match handed.hand_turn_to(other) {
            true => assert_eq!(handed.to_move(), other, "{}", at(position)),
            false => assert_eq!(answers(&handed), answers(position), "{}", at(position)),
        }
    });
}

pub(super) fn a_copy_is_the_same_and_goes_its_own_way(games: &[Game]) {
    let mut memory: Option<Position> = None;
    for on in boards(games) {
        for (actions, split) in random_games(on).zip([2, 3, 5].into_iter().cycle()) {
            let (now, later) = actions.split_at(actions.len() * (split - 1) / split);
            let mut position = on.game().start(on.size()).unwrap();
            now.iter().for_each(|&action| position.play(action));
            let (before, text) = (answers(&position), format!("{position:?}"));
            // Into the memory of another position, at first of another game.
            let copy = match &mut memory {
                Some(memory) => {
                    memory.clone_from(&position);
                    memory
                }
                none => none.insert(position.clone()),
            };
            assert_eq!(format!("{copy:?}"), text, "{}", at(&position));
            let mut clone = position.clone();
            for &action in later {
                clone.play(action);
                copy.play(action);
                assert_eq!(answers(copy), answers(&clone), "{}", at(&clone));
            }
            assert_eq!(format!("{copy:?}"), format!("{clone:?}"), "{}", at(&clone));
            assert_eq!((answers(&position), format!("{position:?}")), (before, text), "{}", at(&position));
        }
    }
}

/// The changes of a move explain the pieces after it by those before it, and nothing else has changed.
pub(super) fn changes_tell_what_a_move_did(games: &[Game]) {
    each_position(games, |position| {
        for action in legal_actions(position).into_iter().step_by(if is_large(position.on()) { 29 } else { 1 }) {
            let plain = after(position, action);
            let mut noted = position.clone();
            let changes = noted.play_noting(action);
            let place = || format!("'{}' made {changes:?}, {}", position.action_name(action), at(position));
            assert_eq!(answers(&noted), answers(&plain), "{}", place());
            explained(&changes, &pieces(position), &pieces(&plain))
                .unwrap_or_else(|fault| panic!("{fault}: {}", place()));
        }
    });
}

fn explained(changes: &[Change], before: &[Option<Piece>], after: &[Option<Piece>]) -> Result<(), String> {
    let is = |wanted: fn(Change) -> Option<u16>| -> Vec<usize> {
        changes.iter().filter_map(|&change| wanted(change)).map(usize::from).collect()
    };
    let placed = is(|change| if let Change::Placed(place) = change { Some(place) } else { None });
    let removed = is(|change| if let Change::Removed(place) = change { Some(place) } else { None });
    let recoloured = is(|change| if let Change::Recoloured(place) = change { Some(place) } else { None });
    let left = is(|change| if let Change::Moved(from, _) = change { Some(from) } else { None });
    let entered = is(|change| if let Change::Moved(_, to) = change { Some(to) } else { None });
    let all: Vec<usize> = [&placed, &removed, &recoloured, &left, &entered].into_iter().flatten().copied().collect();
    let fail = |what: &str, place: usize| Err(format!("{what} {place}"));
    for place in 0..before.len() {
        if before[place] != after[place] && !all.contains(&place) {
            return fail("unexplained is place", place);
        }
    }
    for kind in [&placed, &removed, &recoloured, &left, &entered] {
        if let Some(&place) = kind.iter().find(|&place| kind.iter().filter(|other| *other == place).count() > 1) {
            return fail("told twice is place", place);
        }
    }
    for &place in &placed {
        let free = before[place].is_none() || left.contains(&place) || removed.contains(&place);
        if !free || after[place].is_none() && !removed.contains(&place) {
            return fail("nothing was placed on", place);
        }
    }
    for &place in &removed {
        let there = before[place].is_some() || placed.contains(&place);
        let taken_again = entered.contains(&place) || before[place].is_some() && placed.contains(&place);
        if !there || after[place].is_some() != taken_again {
            return fail("nothing was removed from", place);
        }
    }
    for (&from, &to) in left.iter().zip(&entered) {
        let same = before[from] == after[to] || recoloured.contains(&to);
        if from == to || before[from].is_none() || !same && !removed.contains(&to) {
            return fail("nothing was moved from", from);
        }
        if after[from].is_some() && !entered.contains(&from) && !placed.contains(&from) {
            return fail("something stayed on", from);
        }
        let free = before[to].is_none() || left.contains(&to) || removed.contains(&to) || recoloured.contains(&to);
        if !free {
            return fail("no room was made on", to);
        }
    }
    for &place in &recoloured {
        let came = left.iter().zip(&entered).find(|&(_, &to)| to == place).map_or(place, |(&from, _)| from);
        if before[came].is_none() || after[place].is_none() || before[came] == after[place] {
            return fail("nothing was recoloured on", place);
        }
    }
    Ok(())
}

pub(super) fn games_end_in_time_and_as_the_game_says(games: &[Game]) {
    for on in boards(games) {
        let game = on.game();
        let mut legal = Vec::new();
        for seed in 0..if is_large(on) { 4 } else { 30 } {
            let mut rng = GameRng::seed_from_u64(seed);
            let mut position = game.start(on.size()).unwrap();
            assert_eq!((position.turns(), position.outcome()), (0, None));
            while position.outcome().is_none() {
                assert!(position.turns() < on.turn_limit(), "{}", at(&position));
                position.legal_actions(&mut legal);
                let turns = position.turns();
                position.play(legal[rng.random_range(0..legal.len())]);
                assert_eq!(position.turns(), turns + 1, "{}", at(&position));
            }
            let outcome = position.outcome().unwrap();
            assert!(
                game.endings.iter().any(|ending| ending.reason == outcome.reason),
                "{outcome:?}, {}",
                at(&position)
            );
            // The winner is ahead in what is counted, if something is.
            if let (Some(winner), Some(score)) = (outcome.winner, position.score()) {
                let [won, lost] = [winner, winner.opponent()].map(|seat| score.points[seat.index()]);
                assert!(won > lost, "{score:?}, {}", at(&position));
            }
            // A playout draws the same.
            let mut played = game.start(on.size()).unwrap();
            assert_eq!(played.playout(&mut GameRng::seed_from_u64(seed), &mut legal), outcome);
            assert_eq!(pieces(&played), pieces(&position), "{}", at(&position));
        }
    }
}

fn only_game(text: &str) -> RecordedGame {
    let mut games = recorded_games(text.as_bytes());
    let (_, recorded) = games.next().unwrap().unwrap();
    assert!(games.next().is_none());
    recorded
}

pub(super) fn records_survive_every_form(games: &[Game]) {
    for on in boards(games) {
        let game = on.game();
        for actions in random_games(on) {
            let mut position = game.start(on.size()).unwrap();
            let (mut moves, mut legal, mut states) = (Vec::new(), Vec::new(), Vec::new());
            for &action in &actions {
                moves.push((position.to_move(), action));
                legal.push(legal_actions(&position).len());
                position.play(action);
                states.push(position_text(&position));
            }
            let outcome = position.outcome().unwrap();
            let turns = actions.iter().map(|&action| TurnRecord { action, search: None }).collect();
            let whole = GameRecord { size: on.size() as u8, turns, outcome, evaluations: 7, played_out: true };
            let resignation = Outcome { winner: Some(moves[0].0), reason: EndReason::RESIGNATION };
            let given_up = GameRecord { turns: whole.turns[..1].to_vec(), outcome: resignation, ..whole.clone() };

            let shard = Shard { game: game.name().to_owned(), records: vec![whole.clone(), given_up.clone()] };
            assert_eq!(Shard::from_bytes(&shard.to_bytes().unwrap()).unwrap(), shard, "{}", at(&position));

            let line = InterchangeGame::of_record(game, &whole).unwrap().to_line();
            let recorded = only_game(&line);
            let summary = recorded.replay(ReplayOptions { states: true, legal: true }).unwrap();
            assert_eq!((summary.game.as_str(), summary.size, summary.turns), (game.name(), on.size(), actions.len()));
            assert_eq!(summary.result.as_deref(), Some(result_name(game, outcome)), "{line}");
            assert_eq!(summary.reason.as_deref(), Some(game.ending_key(outcome.reason)), "{line}");
            assert_eq!((summary.states, summary.legal), (Some(states), Some(legal)), "{line}");
            let movers = moves.iter().map(|(seat, _)| seat.index() as u8).collect();
            assert_eq!(summary.movers, Some(movers), "{line}");
            assert_eq!(recorded.rewritten(GameForm::JsonLine).as_ref(), Ok(&line));

            let sgf = recorded.rewritten(GameForm::Sgf).unwrap();
            let read = only_game(&sgf).moves(game).map(|(start, moves)| (start.size(), moves));
            assert_eq!(read, Ok((on.size(), moves)), "{sgf}");

            let line = InterchangeGame::of_record(game, &given_up).unwrap().to_line();
            let summary = only_game(&line).replay(ReplayOptions::default()).unwrap();
            assert_eq!(summary.result.as_deref(), Some(result_name(game, resignation)), "{line}");
            assert_eq!(summary.reason.as_deref(), Some("resignation"), "{line}");
        }
    }
}
