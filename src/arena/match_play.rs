//! Matches: many games between two players, over all cores.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use rand::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{self, Game, Outcome, SizeError};

use super::match_result::{MatchResult, PlayedGame, PlayerFailure};
use super::openings::{Opening, openings};
use super::player::{Player, PlayerError};
use super::sequential::{SequentialReport, SequentialTest, Verdict};
use super::tally::Tally;

/// How often whoever counts the games looks whether the match is to stop, to tell the players.
const GLANCE: Duration = Duration::from_millis(20);

/// What is to be played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchSettings {
    /// The board's size.
    pub size: usize,
    /// The number of games. If it is odd, the last pair is only half played.
    pub games: usize,
    /// Decides the openings and every player's seed in every game.
    pub seed: u64,
    /// Stops the match when the question is answered.
    pub sequential: Option<SequentialTest>,
    /// How many games are played at once; 0 for one on each core.
    pub threads: usize,
}

/// Where a match stands after a game. Games are reported in order, whichever ended first.
#[derive(Debug)]
pub struct MatchProgress<'a> {
    /// The game that has been counted just now.
    pub last: &'a PlayedGame,
    /// All counted games.
    pub tally: &'a Tally,
    /// How many games there will be at most.
    pub planned_games: usize,
    /// The sequential test, if there is one.
    pub sequential: Option<SequentialReport>,
}

/// Why a match could not be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The threads could not be started.
    #[error("the threads of the match could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Plays a match.
///
/// `make_a` and `make_b` make a player for each thread. Games are played in pairs from the same
/// opening (see [`openings`]); A is the first player in the first game of a pair and the second
/// player in the other. The result does not depend on the number of threads, unless a player looks
/// at the clock: games are counted in order, and when the sequential test ends the match after a
/// pair, later games that other threads have finished do not count.
///
/// When `stop` becomes true the games under way are abandoned, after the present move unless the player heeds the
/// stop sooner ([`Player::heed`]), and all finished ones are counted. The same if a player fails or breaks the rules, which the result then tells.
///
/// # Errors
/// If there is no such board, or threads cannot be started.
pub fn play_match<G: Game, A: Player<G>, B: Player<G>>(
    make_a: impl Fn() -> A + Sync,
    make_b: impl Fn() -> B + Sync,
    settings: &MatchSettings,
    stop: &AtomicBool,
    mut on_game: impl FnMut(&MatchProgress),
) -> Result<MatchResult, MatchError> {
    let planned_games = settings.games;
    let openings = openings::<G>(settings.size, planned_games.div_ceil(2), settings.seed)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build()?;
    let next_game = AtomicUsize::new(0);
    // Set when enough has been played, so that nobody begins or goes on.
    let enough = Arc::new(AtomicBool::new(false));
    let halted = || enough.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
    let (sender, finished) = mpsc::channel();

    let start = G::new(settings.size)?;
    let work = |sender: mpsc::Sender<Result<PlayedGame, PlayerFailure>>| {
        let (mut a, mut b) = (make_a(), make_b());
        a.heed(&enough);
        b.heed(&enough);
        loop {
            let index = next_game.fetch_add(1, Ordering::Relaxed);
            if index >= planned_games || halted() {
                return;
            }
            match play_game(&mut a, &mut b, &start, settings.seed, index, &openings[index / 2], halted) {
                Ok(None) => return,
                Ok(Some(game)) => sender.send(Ok(game)).unwrap_or_default(),
                // Who heeds the stop gives up with an error, and a Ctrl-C may end the programs that play, too.
                Err(_) if halted() => return,
                Err(failure) => {
                    enough.store(true, Ordering::Relaxed);
                    return sender.send(Err(failure)).unwrap_or_default();
                }
            }
        }
    };

    let mut failure = None;
    let mut count = Count { tally: Tally::default(), sequential: None, played: Vec::new() };
    count.sequential = settings.sequential.map(|test| test.report(count.tally.pairs, 1.0));
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads().min(planned_games) {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move |_| work(sender));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        loop {
            match finished.recv_timeout(GLANCE) {
                Ok(Ok(game)) => drop(waiting.insert(game.index, game)),
                Ok(Err(failed)) => {
                    failure.get_or_insert(failed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while !count.decided()
                && let Some(game) = waiting.remove(&count.played.len())
            {
                count.add(game, planned_games, &mut on_game);
            }
            if count.decided() || stop.load(Ordering::Relaxed) {
                enough.store(true, Ordering::Relaxed);
            }
        }
        // Only a stop from outside and a failure leave gaps.
        for game in waiting.into_values() {
            if !count.decided() {
                count.add(game, planned_games, &mut on_game);
            }
        }
    });

    Ok(MatchResult {
        elo: count.tally.elo(),
        a: make_a().name(),
        b: make_b().name(),
        game: G::NAME,
        size: settings.size,
        planned_games,
        tally: count.tally,
        sequential: count.sequential,
        stopped_early: count.played.len() < planned_games,
        failure,
        played: count.played,
    })
}

/// The games that count so far.
struct Count {
    tally: Tally,
    sequential: Option<SequentialReport>,
    played: Vec<PlayedGame>,
}

impl Count {
    fn decided(&self) -> bool {
        self.sequential.is_some_and(|report| report.verdict != Verdict::Continue)
    }

    fn add(&mut self, game: PlayedGame, planned_games: usize, on_game: &mut impl FnMut(&MatchProgress)) {
        self.tally.add(&game);
        let (pairs, independence) = (self.tally.pairs, self.tally.independence());
        self.sequential = self.sequential.map(|report| report.test.report(pairs, independence));
        let sequential = self.sequential;
        on_game(&MatchProgress { last: &game, tally: &self.tally, planned_games, sequential });
        self.played.push(game);
    }
}

/// Plays one game of a match; none if it was halted.
fn play_game<G: Game>(
    a: &mut impl Player<G>,
    b: &mut impl Player<G>,
    start: &G,
    seed: u64,
    index: usize,
    opening: &Opening,
    halted: impl Fn() -> bool,
) -> Result<Option<PlayedGame>, PlayerFailure> {
    // Each game has its own seeds, so it does not matter who played what before.
    let mut seeds = Xoshiro256PlusPlus::seed_from_u64(seed);
    seeds = Xoshiro256PlusPlus::seed_from_u64(seeds.next_u64().wrapping_add(index as u64));
    let names = [a.name(), b.name()];
    let failed = |player: usize, turn: usize| {
        let player = names[player].clone();
        move |reason: PlayerError| PlayerFailure { player, game: index + 1, turn: turn + 1, reason: reason.to_string() }
    };
    a.start_game(start, seeds.next_u64()).map_err(failed(0, 0))?;
    b.start_game(start, seeds.next_u64()).map_err(failed(1, 0))?;

    let a_is_first = index.is_multiple_of(2);
    let mut game = start.clone();
    let mut moves = Vec::new();
    let winner = loop {
        if let Some(Outcome { winner, .. }) = game.outcome() {
            break winner;
        }
        if halted() {
            return Ok(None);
        }
        let turn = moves.len();
        let a_moves = (game.to_move() == games::Player::First) == a_is_first;
        let mover = usize::from(!a_moves);
        let chosen = match opening.get(turn) {
            Some(&action) => Ok(Some(action)),
            None if a_moves => a.choose(&game),
            None => b.choose(&game),
        };
        let Some(action) = chosen.map_err(failed(mover, turn))? else {
            break Some(game.to_move().opponent());
        };
        if let Err(reason) = game.check(action) {
            return Err(failed(mover, turn)(format!("action {} is not legal: {reason}", action.0).into()));
        }
        a.observe(&game, action).map_err(failed(0, turn))?;
        b.observe(&game, action).map_err(failed(1, turn))?;
        moves.push(game.action_name(action));
        game.play(action);
    };
    let name = |player: games::Player| G::PLAYER_NAMES[player.index()];
    let resigned = game.outcome().is_none();
    Ok(Some(PlayedGame {
        game: G::NAME,
        size: game.size(),
        moves,
        result: (!resigned).then(|| winner.map_or("draw", name)),
        resigned: winner.filter(|_| resigned).map(|winner| name(winner.opponent())),
        winner,
        index,
        a_is_first,
        opening_moves: opening.len(),
    }))
}
