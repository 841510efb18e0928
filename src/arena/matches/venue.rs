//! Venues: the threads of this process, or other machines, on which games are played.

use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::games::{Game, SizeError};

use super::fixture::{Finished, Fixture, play_game};
use super::opening_suite::OpeningSuite;
use super::result::PlayerFailure;
use crate::players::Player;
use crate::players::PlayerSource;
use crate::stop::StopSignal;

/// Games to play.
#[derive(Debug, Clone, Copy)]
pub struct Fixtures<'a> {
    /// The game.
    pub game: Game,
    /// The games, in the order in which they are begun.
    pub list: &'a [Fixture],
    /// Decides the openings and every player's seed in every game.
    pub seed: u64,
}

/// A place that has players and plays games between them: the threads of this process, or other machines.
pub trait Venue: Debug {
    /// Plays games and reports each with its index in the list, in the order in which they end.
    ///
    /// Ends when all are played, when `on_game` asks to stop, when `stop` is requested, or when a player fails, which is
    /// returned. Games under way are then abandoned, after the present move unless the player heeds the stop sooner.
    ///
    /// # Errors
    /// If there is no such board, or the venue cannot be reached.
    fn play(
        &self,
        fixtures: &Fixtures<'_>,
        stop: &StopSignal,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<Option<(Fixture, PlayerFailure)>, MatchError>;
}

/// An error that kept games from being played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// There is no such board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The threads could not be started.
    #[error("the threads of the match could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Another venue failed.
    #[error("{0}")]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
}

/// Makes venues for players.
pub trait Host: Debug {
    /// Makes a venue with these players, each with its number.
    ///
    /// # Errors
    /// If a player cannot play there.
    fn venue<'p>(&self, players: &'p [(usize, PlayerSource)]) -> Result<Box<dyn Venue + 'p>, MatchError>;
}

/// Plays on this machine on a number of threads; 0 for one on each core.
#[derive(Debug, Clone, Copy)]
pub struct ThisMachine(pub usize);

impl Host for ThisMachine {
    fn venue<'p>(&self, players: &'p [(usize, PlayerSource)]) -> Result<Box<dyn Venue + 'p>, MatchError> {
        let make = |wanted| match players.iter().find(|(number, _)| *number == wanted) {
            Some((_, source)) => source.player(),
            None => unreachable!("player {wanted} is not at this venue"),
        };
        Ok(Box::new(Threads::new(self.0, make)))
    }
}

/// The threads of this process, which take the games in order.
pub struct Threads<M> {
    make: M,
    threads: usize,
}

impl<M> Debug for Threads<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Threads").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl<'p, M: Fn(usize) -> Box<dyn Player + 'p> + Sync> Threads<M> {
    /// Creates a venue with `threads` threads, 0 for one on each core. `make` makes the player with a number, for one
    /// thread.
    pub fn new(threads: usize, make: M) -> Self {
        Self { make, threads }
    }
}

impl<'p, M: Fn(usize) -> Box<dyn Player + 'p> + Sync> Venue for Threads<M> {
    fn play(
        &self,
        fixtures: &Fixtures<'_>,
        stop: &StopSignal,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<Option<(Fixture, PlayerFailure)>, MatchError> {
        let (list, seed) = (fixtures.list, fixtures.seed);
        let suite = OpeningSuite::new(fixtures)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let next = AtomicUsize::new(0);
        // Also requested when enough has been played, so that no thread begins or continues a game.
        let stop = &stop.child();
        let (sender, finished) = mpsc::channel();

        let work = |sender: mpsc::Sender<Result<(usize, Finished), (Fixture, PlayerFailure)>>| {
            let make = |number| {
                let mut player = (self.make)(number);
                player.heed(stop);
                player
            };
            // The players of the last game, who mostly play the next one too.
            let mut present: Option<([usize; 2], _, _)> = None;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(fixture) = list.get(number).filter(|_| !stop.is_requested()) else { return };
                let numbers = [fixture.a, fixture.b];
                let kept = present.take().filter(|(those, ..)| *those == numbers);
                let (_, a, b) = present.insert(kept.unwrap_or_else(|| (numbers, make(fixture.a), make(fixture.b))));
                let (start, opening) = suite.of(fixture);
                match play_game(a, b, start, seed, fixture.index, opening, stop) {
                    Ok(None) => return,
                    Ok(Some(game)) => sender.send(Ok((number, game))).unwrap_or_default(),
                    // A player that heeds the stop gives up with an error, and a Ctrl-C may also end the programs that play.
                    Err(_) if stop.is_requested() => return,
                    Err(failure) => {
                        stop.request();
                        return sender.send(Err((*fixture, failure))).unwrap_or_default();
                    }
                }
            }
        };

        let mut failure = None;
        pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads().min(list.len()) {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move |_| work(sender));
            }
            drop(sender);
            for ended in finished {
                let is_enough = match ended {
                    Ok((number, game)) => on_game(number, game),
                    Err(failed) => {
                        failure.get_or_insert(failed);
                        true
                    }
                };
                if is_enough {
                    stop.request();
                }
            }
        });
        Ok(failure)
    }
}
