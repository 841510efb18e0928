//! Venues: the threads of this process, or other machines, on which games are played.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use parking_lot::Mutex;

use hexzero_games::SizeError;

use super::book::OpeningBook;
use super::fixture::{Ended, Finished, Fixture, PlayerFailure, play_game};
use super::opening_suite::OpeningSuite;
use super::roster::Roster;
use crate::players::{Player, PlayerSource};
use hexzero_system::stop::StopSignal;

/// Games to play.
#[derive(Debug, Clone, Copy)]
pub struct Fixtures<'a> {
    /// The openings of the game.
    pub book: &'a OpeningBook,
    /// The games, in the order in which they are begun.
    pub list: &'a [Fixture],
    /// Decides the order of the openings and every player's seed in every game.
    pub seed: u64,
}

/// A place that has players and plays games between them: the threads of this process, or other machines.
pub trait Venue {
    /// Plays games and reports each with its index in the list, in the order in which they end.
    ///
    /// A player that fails in a game loses it. A player that fails in too many games in a row is
    /// out: its remaining games are not played. A player that cannot begin its first game, or is
    /// misconfigured, ends all games. Returns the failures by which players are out.
    ///
    /// Returns when all games are played, when `on_game` asks to stop, or when `stop` is requested.
    /// Games under way are then abandoned, after the present move unless the player heeds the stop
    /// sooner.
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
pub trait Host {
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
    /// Creates a host with this many threads, 0 for one on each core; a player is out after
    /// [`MAX_FAULTS`] in a row.
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
        Ok(Box::new(Threads::new(self.threads, self.max_faults, make)))
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

/// The numbers of two players, and the players.
type Seated<'p> = ([usize; 2], [Box<dyn Player + 'p>; 2]);

impl<'p, M: Fn(usize) -> Box<dyn Player + 'p> + Sync> Threads<M> {
    /// Creates a venue with `threads` threads: 0 for one on each core, 1 for the caller's own. A player is out after
    /// `max_faults` faults in a row. `make` makes the player with a number, for one thread.
    pub fn new(threads: usize, max_faults: usize, make: M) -> Self {
        Self { make, threads, max_faults }
    }
}

impl<'p, M: Fn(usize) -> Box<dyn Player + 'p> + Sync> Venue for Threads<M> {
    fn play(
        &self,
        fixtures: &Fixtures<'_>,
        stop: &StopSignal,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<Vec<(Fixture, PlayerFailure)>, MatchError> {
        let work = Work {
            make: &self.make,
            fixtures,
            suite: OpeningSuite::new(fixtures)?,
            next: AtomicUsize::new(0),
            roster: Mutex::new(Roster::new(self.max_faults)),
            stop: stop.child(),
        };
        let mut report = |number, game| {
            if on_game(number, game) {
                work.stop.request();
            }
        };
        if self.threads == 1 {
            work.play(&mut report);
        } else {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
            let (sender, finished) = mpsc::channel();
            pool.in_place_scope(|scope| {
                for _ in 0..pool.current_num_threads().min(fixtures.list.len()) {
                    let (sender, work) = (sender.clone(), &work);
                    scope
                        .spawn(move |_| work.play(&mut |number, game| sender.send((number, game)).unwrap_or_default()));
                }
                drop(sender);
                finished.into_iter().for_each(|(number, game)| report(number, game));
            });
        }
        Ok(work.roster.into_inner().into_failures())
    }
}

/// What the threads share while they play.
struct Work<'a, M> {
    make: &'a M,
    fixtures: &'a Fixtures<'a>,
    suite: OpeningSuite,
    /// The index of the next game.
    next: AtomicUsize,
    roster: Mutex<Roster>,
    /// Also requested once enough games are played, so that no thread begins or continues one.
    stop: StopSignal,
}

impl<'p, M: Fn(usize) -> Box<dyn Player + 'p>> Work<'_, M> {
    fn player(&self, number: usize) -> Box<dyn Player + 'p> {
        let mut player = (self.make)(number);
        player.set_stop_signal(&self.stop);
        player
    }

    /// Plays games and reports them until there is none left or they are stopped.
    fn play(&self, report: &mut dyn FnMut(usize, Finished)) {
        // The players of the last game, who usually play the next one too.
        let mut present: Option<Seated<'p>> = None;
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(fixture) = self.fixtures.list.get(index).filter(|_| !self.stop.is_requested()) else { return };
            if !self.roster.lock().plays(fixture) {
                continue;
            }
            let numbers = [fixture.a, fixture.b];
            let kept = present.take().filter(|(those, _)| *those == numbers);
            let make = || (numbers, numbers.map(|number| self.player(number)));
            let (_, players) = present.insert(kept.unwrap_or_else(make));
            let (start, opening) = self.suite.of(fixture);
            let [a, b] = players.each_mut();
            let ended = play_game([&mut **a, &mut **b], start, self.fixtures.seed, fixture.index, opening, &self.stop);
            let Some(Ended { finished, fault, failed }) = ended else { return };
            for ((player, number), _) in players.iter_mut().zip(numbers).zip(failed).filter(|&(_, failed)| failed) {
                // A failed program is started again for the next game.
                *player = self.player(number);
            }
            if !self.roster.lock().note(fixture, fault.as_ref()) {
                return self.stop.request();
            }
            report(index, finished);
        }
    }
}
