//! Checks of a game's rules: moves, network inputs, changes, endings and records.

use std::collections::{BTreeSet, HashSet};

use rand::{Rng, SeedableRng};

use hexzero_board::DIRECTIONS;
use hexzero_games::{Action, CellCost, Change, EndReason, Game, GameRng, Outcome, Pick, Piece, Position, Seat};
use hexzero_replay::{GameForm, RecordedGame, ReplayOptions, position_text, recorded_games, result_name};
use hexzero_selfplay::shards::{GameRecord, GameStart, Shard, TurnRecord};

use super::boards;
use super::random_games::{View, answers, at, each_position, is_large, legal_actions, pieces, random_games};

pub(super) fn exactly_the_listed_actions_pass_the_check(games: &[Game]) {
    each_position(games, |position| {
        let legal = legal_actions(position);
        assert!(legal.is_sorted_by(|a, b| a < b), "{legal:?}, {}", at(position));
        assert_eq!(legal.is_empty(), position.outcome().is_some(), "{}", at(position));
        if let Some(swap) = position.game_board().swap().filter(|&swap| position.check(swap).is_ok()) {
            assert!(position.game().has_swap(), "{} says that it has no swap", position.game().name());
            // `Solution::moves_without_swap` expects a swap only there.
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
            assert_eq!(position.after(action).outcome().and_then(|end| end.winner), Some(mover), "{}", at(position));
        }
        let chain = position.winning_chain();
        assert!(chain.iter().all(|&cell| cell < position.topology().cells()), "{chain:?}, {}", at(position));
        assert!(chain.is_empty() || position.outcome().is_some(), "{chain:?}, {}", at(position));
    });
}

pub(super) fn names_and_picks_tell_actions_apart(games: &[Game]) {
    each_position(games, |position| {
        let (board, game) = (position.board(), position.game());
        let start = game.start(position.size()).unwrap();
        let (mut names, mut paths) = (HashSet::new(), BTreeSet::new());
        for action in legal_actions(position) {
            let name = position.action_name(action);
            assert_eq!(start.action_name(action), name, "the name depends on the position, {}", at(position));
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
        // The paths are in order, so a path stands right before the longer ones that begin with it.
        let mut pairs = paths.iter().zip(paths.iter().skip(1));
        assert!(pairs.all(|(one, next)| !next.starts_with(one)), "{paths:?}, {}", at(position));
        assert!(position.parse_action("no such move").is_err());
    });
}

/// Compares two positions with the same player to move: where different pieces stand, the network
/// inputs must differ, at the place's cell in the mover's frame.
pub(super) fn what_stands_on_a_place_is_seen_at_its_cell(games: &[Game]) {
    let mut seen = BTreeSet::new();
    each_position(games, |position| {
        let legal = legal_actions(position);
        let (Some(&first), Some(&last)) = (legal.first(), legal.last()) else { return };
        let [one, other] = [first, last].map(|action| position.after(action));
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
    for name in games.iter().map(|game| game.name()) {
        assert!(seen.contains(name), "{name}: no two moves from one position put different pieces down");
    }
}

pub(super) fn every_input_is_written_and_every_question_answered(games: &[Game]) {
    each_position(games, |position| {
        let cells = position.topology().cells();
        for seat in Seat::BOTH {
            if let Some(costs) = position.path_costs(seat) {
                assert_eq!(costs.len(), cells, "{}", at(position));
                let is_low = |step: &CellCost| step.cost.is_none_or(|cost| cost <= CellCost::HIGHEST);
                assert!(costs.iter().all(is_low), "{}", at(position));
            }
        }
        if position.outcome().is_some() {
            return;
        }
        let View { cells, globals } = View::of(position);
        assert!(cells.iter().chain(&globals).all(|input| input.is_finite()), "{}", at(position));
        // Setting up out of turn either works or changes nothing.
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
            // The copy reuses the memory of another position, which may be of another game.
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

/// Checks that the changes of a move account for every difference between the pieces before and
/// after it, and for nothing else.
pub(super) fn changes_tell_what_a_move_did(games: &[Game]) {
    each_position(games, |position| {
        let step = if is_large(position.game_board()) { 29 } else { 1 };
        for action in legal_actions(position).into_iter().step_by(step) {
            let plain = position.after(action);
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
            return fail("no change explains the difference on", place);
        }
    }
    for kind in [&placed, &removed, &recoloured, &left, &entered] {
        if let Some(&place) = kind.iter().find(|&place| kind.iter().filter(|other| *other == place).count() > 1) {
            return fail("two changes of one kind are on", place);
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
            let mut seen = vec![(pieces(&position), position.to_move())];
            while position.outcome().is_none() {
                assert!(position.turns() < on.turn_limit(), "{}", at(&position));
                position.legal_actions(&mut legal);
                let turns = position.turns();
                position.play(legal[rng.random_range(0..legal.len())]);
                assert_eq!(position.turns(), turns + 1, "{}", at(&position));
                let now = (pieces(&position), position.to_move());
                assert!(!position.repeats_within(turns + 1) || seen.contains(&now), "{}", at(&position));
                seen.push(now);
            }
            let outcome = position.outcome().unwrap();
            let is_listed = game.endings.iter().any(|ending| ending.reason == outcome.reason);
            assert!(is_listed, "{outcome:?}, {}", at(&position));
            // The winner leads in the score, if the game has one.
            if let (Some(winner), Some(score)) = (outcome.winner, position.score()) {
                let [won, lost] = [winner, winner.opponent()].map(|seat| score.points[seat.index()]);
                assert!(won > lost, "{score:?}, {}", at(&position));
            }
            // A playout draws the same moves.
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
            let (size, start) = (on.size() as u8, GameStart::Random);
            let whole = GameRecord { size, turns, outcome, evaluations: 7, played_out: true, start };
            let resignation = Outcome { winner: Some(moves[0].0), reason: EndReason::RESIGNATION };
            let given_up = GameRecord { turns: whole.turns[..1].to_vec(), outcome: resignation, ..whole.clone() };

            let shard = Shard { game: game.name().to_owned(), records: vec![whole.clone(), given_up.clone()] };
            assert_eq!(Shard::from_bytes(&shard.to_bytes().unwrap()).unwrap(), shard, "{}", at(&position));

            let line = whole.to_interchange(game).unwrap().to_line();
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

            let line = given_up.to_interchange(game).unwrap().to_line();
            let summary = only_game(&line).replay(ReplayOptions::default()).unwrap();
            assert_eq!(summary.result.as_deref(), Some(result_name(game, resignation)), "{line}");
            assert_eq!(summary.reason.as_deref(), Some("resignation"), "{line}");
        }
    }
}
