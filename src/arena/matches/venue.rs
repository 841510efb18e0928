//! Venues: the threads of this process, or other machines, on which games are played.

use std::fmt::{self, Debug};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use parking_lot::Mutex;

use crate::games::{Game, SizeError};

use super::fixture::{Ended, Finished, Fixture, play_game};
use super::opening_suite::OpeningSuite;
use super::result::PlayerFailure;
use super::roster::{Next, Roster};
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
    /// A player that fails in a game loses it. One that fails in too many games in a row is out: the rest of its games is
    /// not played. One that cannot begin its first game, or is set up wrong, ends all. The failures by which players are
    /// out are returned.
    ///
    /// Ends when all are played, when `on_game` asks to stop, or when `stop` is requested. Games under way are then
    /// abandoned, after the present move unless the player heeds the stop sooner.
    ///
    /// # Errors
    /// If there is no such board, or the venue cannot be reached.
    fn play(
        &self,
        fixtures: &Fixtures<'_>,
        stop: &StopSignal,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<Vec<(Fixture, PlayerFailure)>, MatchError>;
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

/// Plays on this machine.
#[derive(Debug, Clone, Copy)]
pub struct ThisMachine {
    /// The number of threads; 0 for one on each core.
    pub threads: usize,
    /// The number of faults in a row after which a player is out.
    pub max_faults: usize,
}

impl ThisMachine {
    /// Plays on a number of threads, 0 for one on each core; a player is out after [`MAX_FAULTS`] in a row.
    pub fn new(threads: usize) -> Self {
        Self { threads, max_faults: MAX_FAULTS }
    }
}

impl Host for ThisMachine {
    fn venue<'p>(&self, players: &'p [(usize, PlayerSource)]) -> Result<Box<dyn Venue + 'p>, MatchError> {
        let make = |wanted| match players.iter().find(|(number, _)| *number == wanted) {
            Some((_, source)) => source.player(),
            None => unreachable!("player {wanted} is not at this venue"),
        };
        Ok(Box::new(Threads::new(self.threads, make).with_max_faults(self.max_faults)))
    }
}

/// The number of faults in a row after which a player is out, unless another is asked for.
pub const MAX_FAULTS: usize = 3;

/// The threads of this process, which take the games in order.
pub struct Threads<M> {
    make: M,
    threads: usize,
    max_faults: usize,
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
        Self { make, threads, max_faults: MAX_FAULTS }
    }

    /// Returns the same venue, where a player is out after `max_faults` faults in a row.
    pub fn with_max_faults(self, max_faults: usize) -> Self {
        Self { max_faults, ..self }
    }
}

impl<'p, M: Fn(usize) -> Box<dyn Player + 'p> + Sync> Venue for Threads<M> {
    fn play(
        &self,
        fixtures: &Fixtures<'_>,
        stop: &StopSignal,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<Vec<(Fixture, PlayerFailure)>, MatchError> {
        let (list, seed) = (fixtures.list, fixtures.seed);
        let suite = OpeningSuite::new(fixtures)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let next = AtomicUsize::new(0);
        // Also requested when enough has been played, so that no thread begins or continues a game.
        let stop = &stop.child();
        let (sender, finished) = mpsc::channel();

        let roster = Mutex::new(Roster::new(self.max_faults));
        let work = |sender: mpsc::Sender<(usize, Finished)>| {
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
                if !roster.lock().plays(fixture) {
                    continue;
                }
                let numbers = [fixture.a, fixture.b];
                let kept = present.take().filter(|(those, ..)| *those == numbers);
                let (_, a, b) = present.insert(kept.unwrap_or_else(|| (numbers, make(fixture.a), make(fixture.b))));
                let (start, opening) = suite.of(fixture);
                let ended = play_game([&mut **a, &mut **b], start, seed, fixture.index, opening, stop);
                let Some(Ended { finished, fault, failed }) = ended else { return };
                // Programs are started again for the next game.
                [(a, fixture.a), (b, fixture.b)].into_iter().zip(failed).for_each(|((player, number), failed)| {
                    if failed {
                        *player = make(number);
                    }
                });
                match roster.lock().note(fixture, fault.as_ref()) {
                    Next::Count => sender.send((number, finished)).unwrap_or_default(),
                    Next::End => return stop.request(),
                }
            }
        };

        pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads().min(list.len()) {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move |_| work(sender));
            }
            drop(sender);
            for (number, game) in finished {
                if on_game(number, game) {
                    stop.request();
                }
            }
        });
        Ok(roster.into_inner().into_failures())
    }
}
