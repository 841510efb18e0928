//! A worker's part in matches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::arena::{Fixtures, MatchError, PlayerOptions, PlayerSource, PlayerSpec, Threads, Venue};
use crate::games::{Game, game_named};
use crate::network::Checkpoint;
use crate::search::Limits;

use super::broker::Broker;
use super::delivery::Delivery;
use super::error::ClusterError;
use super::frame::{FrameProblem, decode, encode};
use super::match_messages::{MatchJob, MatchWork, PlayedFixtures, SentGame, SentPlayer};
use super::names::{MATCHES, results_subject};

/// No match has more games; openings are drawn from the first one on.
const MOST_GAMES: usize = 1_000_000;
/// How long not to ask a broker that knows of no matches.
const ASK_AGAIN: Duration = Duration::from_secs(3);
/// How often to look whether a match goes on.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// Plays pieces of matches, for all threads of a worker.
pub(super) struct MatchDesk<'a> {
    broker: &'a Broker,
    worker: &'a str,
    /// When there may be matches again.
    not_before: Mutex<Instant>,
    present: Mutex<Option<Arc<LoadedMatch>>>,
    /// The pieces under way: the name of the match, and what stops it.
    pieces: Mutex<Vec<(String, Arc<AtomicBool>)>>,
    looked: Mutex<Instant>,
}

/// A match that is ready to be played.
struct LoadedMatch {
    job: String,
    game: Game,
    seed: u64,
    players: Vec<(usize, PlayerSource)>,
}

impl<'a> MatchDesk<'a> {
    pub fn new(broker: &'a Broker, worker: &'a str) -> Self {
        let now = || Mutex::new(Instant::now());
        Self { broker, worker, not_before: now(), present: Mutex::default(), pieces: Mutex::default(), looked: now() }
    }

    /// Stops what no longer matters: all of it if the worker stops, and pieces of matches that are over.
    pub fn look_around(&self, stopped: bool) {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if !stopped && looked.elapsed() < LOOK_AGAIN {
            return;
        }
        *looked = Instant::now();
        let pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (name, stop) in pieces {
            if stopped || self.broker.get(MATCHES, &name).is_ok_and(|entry| entry.is_none()) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Plays a piece of a match, if one waits; the number of games, none if there was nothing to do.
    ///
    /// # Errors
    /// If this program cannot play it.
    pub fn play_piece(&self) -> Result<Option<u64>, ClusterError> {
        if *self.not_before.lock().unwrap_or_else(PoisonError::into_inner) > Instant::now() {
            return Ok(None);
        }
        match self
            .broker
            .next_match_work()
            .and_then(|delivery| delivery.map(|delivery| self.take(&delivery)).transpose())
        {
            // The broker is out of reach, or knows of no matches.
            Err(ClusterError::Broker { .. }) => {
                *self.not_before.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now() + ASK_AGAIN;
                Ok(None)
            }
            played => played,
        }
    }

    fn take(&self, delivery: &Delivery) -> Result<u64, ClusterError> {
        let _keeping = delivery.keep();
        let played = self.play(delivery);
        if played.is_err() {
            delivery.give_back();
        }
        played
    }

    fn play(&self, delivery: &Delivery) -> Result<u64, ClusterError> {
        let name = delivery.subject().rsplit('.').next().unwrap_or_default().to_owned();
        let work: MatchWork = match decode(delivery.payload()) {
            Ok(work) => work,
            Err(FrameProblem::OtherProgram { theirs }) => return Err(ClusterError::OtherVersion { theirs }),
            Err(_) => {
                delivery.reject();
                return Ok(0);
            }
        };
        if work.fixtures.iter().any(|(_, fixture)| fixture.index > MOST_GAMES) {
            delivery.reject();
            return Ok(0);
        }
        let Some(loaded) = self.load(&work.job)? else {
            // The match is over, and its files are gone.
            delivery.reject();
            return Ok(0);
        };
        let stop = Arc::new(AtomicBool::new(false));
        let piece = (name.clone(), stop.clone());
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).push(piece);
        let played = loaded.play(&work, &stop);
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).retain(|(_, other)| !Arc::ptr_eq(other, &stop));
        let played = played.map_err(|error| ClusterError::broker("to play a match", error))?;
        if stop.load(Ordering::Relaxed) && played.failure.is_none() && played.games.len() < work.fixtures.len() {
            delivery.give_back();
            return Ok(0);
        }
        let games = played.games.len() as u64;
        let places: Vec<String> = work.fixtures.iter().map(|(place, _)| place.to_string()).collect();
        let id = format!("{name}.{}.{}", delivery.sequence(), places.join("."));
        self.broker.publish(&[(results_subject(&name, self.worker), id, encode(&played)?)])?;
        delivery.acknowledge();
        Ok(games)
    }

    /// A match, ready to be played; none if the broker does not know it any more.
    fn load(&self, job: &str) -> Result<Option<Arc<LoadedMatch>>, ClusterError> {
        // Held all the time, so that one thread loads for all.
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = present.as_ref().filter(|loaded| loaded.job == job) {
            return Ok(Some(loaded.clone()));
        }
        let Some(bytes) = self.broker.fetch(job)? else { return Ok(None) };
        let MatchJob { game, seed, players } = decode(&bytes)?;
        let game = game_named(&game)?;
        let mut made = Vec::new();
        for (number, player) in players {
            let Some(player) = self.make(game, player)? else { return Ok(None) };
            made.push((number, player));
        }
        let loaded = Arc::new(LoadedMatch { job: job.to_owned(), game, seed, players: made });
        *present = Some(loaded.clone());
        Ok(Some(loaded))
    }

    /// A player; none if the broker does not know its network any more.
    fn make(&self, game: Game, player: SentPlayer) -> Result<Option<PlayerSource>, ClusterError> {
        let unknown = |problem: String| ClusterError::broker("to make a player of a match", problem);
        match player {
            SentPlayer::BuiltIn(name) => {
                let spec: PlayerSpec = name.parse().map_err(|error| unknown(format!("{error}")))?;
                // What comes from elsewhere names no files here.
                spec.built_in().ok_or_else(|| unknown(format!("'{spec}' is not built in")))?;
                Ok(Some(PlayerSource::built_in(spec)))
            }
            SentPlayer::Network { name, checkpoint, options, visits, seconds, memory, early_stop } => {
                let Some(bytes) = self.broker.fetch(&checkpoint)? else { return Ok(None) };
                let checkpoint = Checkpoint::from_bytes(&bytes, &name)?;
                let options = match options.strip_prefix('@') {
                    Some(options) => options.parse().map_err(|error| unknown(format!("{error}")))?,
                    None => PlayerOptions::default(),
                };
                let limits = Limits {
                    visits,
                    time: seconds.and_then(|seconds| Limits::seconds(&seconds.to_string())),
                    memory: usize::try_from(memory).unwrap_or(usize::MAX),
                    early_stop,
                };
                let source = PlayerSource::network(game, name, &checkpoint, options, limits, PlayerSource::CACHE)?;
                Ok(Some(source))
            }
        }
    }
}

impl LoadedMatch {
    /// Plays games on this thread.
    fn play(&self, work: &MatchWork, stop: &AtomicBool) -> Result<PlayedFixtures, MatchError> {
        let make = |wanted| match self.players.iter().find(|(number, _)| *number == wanted) {
            Some((_, source)) => source.player(),
            None => PlayerSource::built_in(PlayerSpec::Random).player(),
        };
        let list: Vec<_> = work.fixtures.iter().map(|&(_, fixture)| fixture).collect();
        let fixtures = Fixtures { game: self.game, list: &list, seed: self.seed };
        let mut games = Vec::new();
        let failure = Threads::new(1, make).play(&fixtures, stop, &mut |at, finished| {
            games.push((work.fixtures[at].0, SentGame::from(finished)));
            false
        })?;
        Ok(PlayedFixtures { games, failure })
    }
}
