//! A game to play between two players, and the playing of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rand::{RngCore, SeedableRng};
use serde::{Deserialize, Serialize};

use hexzero_games::{Action, GameRng, Position, Seat};
use hexzero_system::stop::StopSignal;

use super::openings::Opening;
use crate::played_game::{PlayedGame, Thinking};
use crate::players::{Player, PlayerError, ProgramError};

/// A game to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fixture {
    /// The number of the player who has the first player's side if the index is even.
    pub a: usize,
    /// The number of the other player.
    pub b: usize,
    /// The board's size.
    pub size: usize,
    /// The number of the game among those of these two on this board. Games `2i` and `2i + 1` share an opening,
    /// which is the same for all players.
    pub index: usize,
}

/// A finished game.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The game.
    pub game: PlayedGame,
    /// The moves and the time of A and of B.
    pub thinking: [Thinking; 2],
}

/// The failure of a player that ended a game, or a match: it could not play on, broke the rules, or ran out of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{player} failed in game {game} at move {turn}: {reason}")]
pub struct PlayerFailure {
    /// The player's name.
    pub player: String,
    /// The number of the game in the match, from 1.
    pub game: usize,
    /// The number of the move in the game, from 1.
    pub turn: usize,
    /// The reason of the failure.
    pub reason: String,
}

impl PlayerFailure {
    /// Describes the failure that ended a game.
    pub(crate) fn in_game(player: String, game: &PlayedGame, reason: String) -> Self {
        Self { player, game: game.index + 1, turn: game.moves.len() + 1, reason }
    }
}

/// A game that ended.
pub(super) struct Ended {
    pub finished: Finished,
    /// The failure that ended it, if it was not played to its end.
    pub fault: Option<Fault>,
    /// Which of A and B has failed, and may not be called again.
    pub failed: [bool; 2],
}

/// A failure that ended a game.
pub(super) struct Fault {
    /// 0 for A, 1 for B.
    pub player: usize,
    pub failure: PlayerFailure,
    /// True if the player could not begin the game.
    pub at_start: bool,
    /// True if the player is misconfigured, so that it would fail in other games too.
    pub is_lasting: bool,
}

/// A game in progress. Players are numbered 0 for A and 1 for B.
struct Table<'a> {
    players: [&'a mut dyn Player; 2],
    a_is_first: bool,
    opening: &'a Opening,
    position: Position,
    moves: Vec<String>,
    thinking: [Thinking; 2],
    failed: [bool; 2],
}

/// A player, and its error.
type Failed = (usize, PlayerError);

/// Plays one game; returns none if it was stopped. A player that fails loses it.
pub(super) fn play_game<'a>(
    players: [&'a mut dyn Player; 2],
    start: &Position,
    seed: u64,
    index: usize,
    opening: &'a Opening,
    stop: &StopSignal,
) -> Option<Ended> {
    // Each game has its own seeds, so it does not depend on what was played before.
    let mut seeds = GameRng::seed_from_u64(seed);
    seeds = GameRng::seed_from_u64(seeds.next_u64().wrapping_add(index as u64));
    let (a_is_first, position, moves) = (index.is_multiple_of(2), start.clone(), Vec::new());
    let mut table =
        Table { players, a_is_first, opening, position, moves, thinking: Default::default(), failed: [false; 2] };
    let begun = table.begin(start, [seeds.next_u64(), seeds.next_u64()]);
    let at_start = begun.is_err();
    let (loser, failed) = match begun.and_then(|()| table.play(stop)) {
        // A player that heeds the stop gives up with an error.
        Err(_) if stop.is_requested() => return None,
        Ok(resigned) => (resigned, None),
        Err((player, error)) => (Some(table.seat(player)), Some((player, error))),
    };
    let Table { players, opening, position, moves, thinking, failed: have_failed, .. } = table;
    let opening_moves = opening.len().min(moves.len());
    let mut game = PlayedGame::new(&position, moves, loser, index, opening_moves);
    let fault = failed.map(|(player, error)| {
        let program = error.downcast_ref::<ProgramError>();
        let failure = PlayerFailure::in_game(players[player].name(), &game, error.to_string());
        game.on_time = matches!(program, Some(ProgramError::OutOfTime(_)));
        game.fault = Some(failure.reason.clone());
        let is_lasting = matches!(program, Some(ProgramError::Swap(_)));
        Fault { player, failure, at_start, is_lasting }
    });
    Some(Ended { finished: Finished { game, thinking }, fault, failed: have_failed })
}

impl Table<'_> {
    fn seat(&self, player: usize) -> Seat {
        if (player == 0) == self.a_is_first { Seat::First } else { Seat::Second }
    }

    /// Calls a player. A panic counts as a failure.
    fn call<T>(
        &mut self,
        player: usize,
        call: impl FnOnce(&mut dyn Player, &Position) -> Result<T, PlayerError>,
    ) -> Result<T, Failed> {
        let called = catch_unwind(AssertUnwindSafe(|| call(&mut *self.players[player], &self.position)));
        called.unwrap_or_else(|panic| Err(panic_message(&*panic).into())).map_err(|error| {
            self.failed[player] = true;
            (player, error)
        })
    }

    fn begin(&mut self, start: &Position, seeds: [u64; 2]) -> Result<(), Failed> {
        (0..2).zip(seeds).try_for_each(|(number, seed)| self.call(number, |player, _| player.start_game(start, seed)))
    }

    /// Plays to the end; returns the side that resigned, if one did.
    fn play(&mut self, stop: &StopSignal) -> Result<Option<Seat>, Failed> {
        while self.position.outcome().is_none() {
            let to_move = self.position.to_move();
            let mover = usize::from(self.seat(0) != to_move);
            if stop.is_requested() {
                return Err((mover, "stopped".into()));
            }
            let Some(action) = self.choose(mover)? else { return Ok(Some(to_move)) };
            let observed = (0..2).try_for_each(|number| self.call(number, |player, at| player.observe(at, action)));
            self.moves.push(self.position.action_name(action));
            self.position.play(action);
            // A failure to observe the winning move does not matter.
            if self.position.outcome().is_none() {
                observed?;
            }
        }
        Ok(None)
    }

    /// Returns the move of the opening, or the one that the player to move chooses.
    fn choose(&mut self, mover: usize) -> Result<Option<Action>, Failed> {
        if let Some(&action) = self.opening.get(self.moves.len()) {
            return Ok(Some(action));
        }
        let began = Instant::now();
        let chosen = self.call(mover, |player, position| {
            let chosen = player.choose(position)?;
            if let Some(action) = chosen {
                let illegal = |reason| format!("action {} is not legal: {reason}", action.0);
                position.check(action).map_err(illegal)?;
            }
            Ok(chosen)
        });
        self.thinking[mover].add(began.elapsed());
        chosen
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    format!("it panicked: {}", text.unwrap_or("without a message"))
}
