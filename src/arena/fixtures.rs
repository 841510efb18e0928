//! Plays a list of games between any players on several threads.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use rand::{RngCore, SeedableRng};

use crate::games::{Game, GameRng, Outcome, Position, Seat, SizeError};

use super::match_result::PlayerFailure;
use super::openings::{Opening, openings};
use super::played_game::{PlayedGame, Thinking};
use super::player::{Player, PlayerError};

/// How often the thread that counts the games checks `stop`, to pass it on to the players.
const GLANCE: Duration = Duration::from_millis(20);

/// A game to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
pub(super) struct Finished {
    pub game: PlayedGame,
    pub thinking: [Thinking; 2],
}

/// Why games could not be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The threads could not be started.
    #[error("the threads of the match could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Plays games on `threads` threads (0 for one on each core), which take them in order, and reports each with its
/// fixture's number in the order in which they end. `make` makes the player with a number, for one thread.
///
/// Ends when all are played, when `on_game` asks to stop, when `stop` becomes true, or when a player fails; games
/// under way are then abandoned, after the present move unless the player heeds the stop sooner.
pub(super) fn play_fixtures<'p>(
    game: Game,
    fixtures: &[Fixture],
    make: impl Fn(usize) -> Box<dyn Player + 'p> + Sync,
    seed: u64,
    threads: usize,
    stop: &AtomicBool,
    mut on_game: impl FnMut(usize, Finished) -> bool,
) -> Result<Option<(Fixture, PlayerFailure)>, MatchError> {
    let mut boards: BTreeMap<usize, (Position, Vec<Opening>)> = BTreeMap::new();
    for &Fixture { size, .. } in fixtures {
        if let Entry::Vacant(board) = boards.entry(size) {
            let last = fixtures.iter().filter(|fixture| fixture.size == size).map(|fixture| fixture.index).max();
            let pairs = last.map_or(0, |index| index / 2 + 1);
            board.insert((game.start(size)?, openings(game, size, pairs, seed)?));
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let next = AtomicUsize::new(0);
    // Set when enough has been played, so that no thread begins or continues a game.
    let enough = Arc::new(AtomicBool::new(false));
    let halted = || enough.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
    let (sender, finished) = mpsc::channel();

    let work = |sender: mpsc::Sender<Result<(usize, Finished), (Fixture, PlayerFailure)>>| {
        let make = |number| {
            let mut player = make(number);
            player.heed(&enough);
            player
        };
        // The players of the last game, who mostly play the next one too.
        let mut present: Option<([usize; 2], _, _)> = None;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(fixture) = fixtures.get(number).filter(|_| !halted()) else { return };
            let numbers = [fixture.a, fixture.b];
            let kept = present.take().filter(|(those, ..)| *those == numbers);
            let (_, a, b) = present.insert(kept.unwrap_or_else(|| (numbers, make(fixture.a), make(fixture.b))));
            let (start, openings) = &boards[&fixture.size];
            match play_game(a, b, start, seed, fixture.index, &openings[fixture.index / 2], halted) {
                Ok(None) => return,
                Ok(Some(game)) => sender.send(Ok((number, game))).unwrap_or_default(),
                // A player that heeds the stop gives up with an error, and a Ctrl-C may also end the programs that play.
                Err(_) if halted() => return,
                Err(failure) => {
                    enough.store(true, Ordering::Relaxed);
                    return sender.send(Err((*fixture, failure))).unwrap_or_default();
                }
            }
        }
    };

    let mut failure = None;
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads().min(fixtures.len()) {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move |_| work(sender));
        }
        drop(sender);
        loop {
            let halt = match finished.recv_timeout(GLANCE) {
                Ok(Ok((number, game))) => on_game(number, game),
                Ok(Err(failed)) => {
                    failure.get_or_insert(failed);
                    true
                }
                Err(RecvTimeoutError::Timeout) => false,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if halt || stop.load(Ordering::Relaxed) {
                enough.store(true, Ordering::Relaxed);
            }
        }
    });
    Ok(failure)
}

/// Plays one game; none if it was halted.
fn play_game(
    a: &mut impl Player,
    b: &mut impl Player,
    start: &Position,
    seed: u64,
    index: usize,
    opening: &Opening,
    halted: impl Fn() -> bool,
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
        if halted() {
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
    let game = position.game();
    let name = |seat: Seat| game.seat_name(seat);
    let resigned = position.outcome().is_none();
    let played = PlayedGame {
        game: game.name(),
        size: position.size(),
        moves,
        result: (!resigned).then(|| winner.map_or("draw", name)),
        resigned: winner.filter(|_| resigned).map(|winner| name(winner.opponent())),
        winner,
        index,
        a_is_first,
        opening_moves: opening.len(),
    };
    Ok(Some(Finished { game: played, thinking }))
}
