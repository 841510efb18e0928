//! A game to play between two players, and the playing of it.

use std::time::Instant;

use rand::{RngCore, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::games::{GameRng, Outcome, Position, Seat};
use crate::stop::StopSignal;

use super::openings::Opening;
use super::result::PlayerFailure;
use crate::arena::played_game::{PlayedGame, Thinking};
use crate::players::{Player, PlayerError};

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

/// Plays one game; none if it was stopped.
pub(super) fn play_game(
    a: &mut impl Player,
    b: &mut impl Player,
    start: &Position,
    seed: u64,
    index: usize,
    opening: &Opening,
    stop: &StopSignal,
) -> Result<Option<Finished>, PlayerFailure> {
    // Each game has its own seeds, so it does not depend on what was played before.
    let mut seeds = GameRng::seed_from_u64(seed);
    seeds = GameRng::seed_from_u64(seeds.next_u64().wrapping_add(index as u64));
    let names = [a.name(), b.name()];
    let failed = |player: usize, turn: usize| {
        let player = names[player].clone();
        move |reason: PlayerError| PlayerFailure { player, game: index + 1, turn: turn + 1, reason: reason.to_string() }
    };
    a.start_game(start, seeds.next_u64()).map_err(failed(0, 0))?;
    b.start_game(start, seeds.next_u64()).map_err(failed(1, 0))?;

    let a_is_first = index.is_multiple_of(2);
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut thinking = [Thinking::default(); 2];
    let winner = loop {
        if let Some(Outcome { winner, .. }) = position.outcome() {
            break winner;
        }
        if stop.is_requested() {
            return Ok(None);
        }
        let turn = moves.len();
        let a_moves = (position.to_move() == Seat::First) == a_is_first;
        let mover = usize::from(!a_moves);
        let began = Instant::now();
        let chosen = match opening.get(turn) {
            Some(&action) => Ok(Some(action)),
            None if a_moves => a.choose(&position),
            None => b.choose(&position),
        };
        if turn >= opening.len() {
            thinking[mover].add(began.elapsed());
        }
        let Some(action) = chosen.map_err(failed(mover, turn))? else {
            break Some(position.to_move().opponent());
        };
        if let Err(reason) = position.check(action) {
            return Err(failed(mover, turn)(format!("action {} is not legal: {reason}", action.0).into()));
        }
        a.observe(&position, action).map_err(failed(0, turn))?;
        b.observe(&position, action).map_err(failed(1, turn))?;
        moves.push(position.action_name(action));
        position.play(action);
    };
    let resigned = winner.filter(|_| position.outcome().is_none()).map(Seat::opponent);
    let game = PlayedGame::new(&position, moves, resigned, index, opening.len());
    Ok(Some(Finished { game, thinking }))
}
