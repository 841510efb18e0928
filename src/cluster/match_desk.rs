//! A worker's part in matches.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::arena::{Fixture, Fixtures, PlayerFailure, PlayerOptions, PlayerSource, PlayerSpec, Threads, Venue};
use crate::games::{Game, game_named};
use crate::network::Checkpoint;
use crate::search::Limits;

use super::broker::Broker;
use super::delivery::Delivery;
use super::error::ClusterError;
use super::frame::{FrameProblem, decode, encode};
use super::match_messages::{MatchJob, MatchWork, PlayedFixtures, SentGame, SentNetwork, SentPlayer};
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
    present: Mutex<Option<(String, Prepared)>>,
    /// The pieces under way: the name of the match, and what stops it.
    pieces: Mutex<Vec<(String, Arc<AtomicBool>)>>,
    stopped: AtomicBool,
    looked: Mutex<Instant>,
}

/// A match that is ready to be played, or why it cannot be.
type Prepared = Arc<Result<LoadedMatch, String>>;

/// A match that is ready to be played.
struct LoadedMatch {
    game: Game,
    seed: u64,
    players: Vec<(usize, PlayerSource)>,
}

impl<'a> MatchDesk<'a> {
    pub fn new(broker: &'a Broker, worker: &'a str) -> Self {
        let now = || Mutex::new(Instant::now());
        let (present, pieces) = Default::default();
        Self { broker, worker, not_before: now(), present, pieces, stopped: AtomicBool::new(false), looked: now() }
    }

    /// Stops what no longer matters: all of it if the worker stops, and pieces of matches that are over.
    pub fn look_around(&self, stopped: bool) {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if !stopped && looked.elapsed() < LOOK_AGAIN {
            return;
        }
        *looked = Instant::now();
        self.stopped.store(stopped, Ordering::SeqCst);
        let pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut goes_on = BTreeMap::new();
        for (name, stop) in pieces {
            let known = goes_on.get(&name).copied();
            let on = !stopped
                && known.unwrap_or_else(|| match self.broker.get(MATCHES, &name) {
                    Ok(entry) => entry.is_some(),
                    // Out of reach: another time.
                    Err(_) => true,
                });
            goes_on.insert(name, on);
            if !on {
                stop.store(true, Ordering::SeqCst);
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
        // Who wanted it may have died without taking it back.
        let goes_on = self.broker.get(MATCHES, &name)?.is_some();
        let loaded = if goes_on { self.load(&work.job)? } else { None };
        let Some(loaded) = loaded else {
            // The match is over.
            delivery.reject();
            return Ok(0);
        };
        let stop = Arc::new(AtomicBool::new(false));
        let piece = (name.clone(), stop.clone());
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).push(piece);
        // Looked at after it has become known, so that a stop finds one of the two.
        stop.store(self.stopped.load(Ordering::SeqCst), Ordering::SeqCst);
        let played = match &*loaded {
            Ok(loaded) => loaded.play(&work, &stop),
            Err(problem) => failed(&work, problem.clone()),
        };
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).retain(|(_, other)| !Arc::ptr_eq(other, &stop));
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

    /// A match, prepared; none if the broker does not know it any more.
    fn load(&self, job: &str) -> Result<Option<Prepared>, ClusterError> {
        // Held all the time, so that one thread loads for all.
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, loaded)) = present.as_ref().filter(|(name, _)| name == job) {
            return Ok(Some(loaded.clone()));
        }
        let Some(bytes) = self.broker.fetch(job)? else { return Ok(None) };
        let MatchJob { game, seed, players } = decode(&bytes)?;
        let game = game_named(&game)?;
        let mut made = Vec::new();
        let mut problem = None;
        for (number, player) in players {
            match player {
                SentPlayer::BuiltIn(name) => match built_in(&name) {
                    Ok(player) => made.push((number, player)),
                    Err(reason) => problem = Some(reason),
                },
                SentPlayer::Network(player) => {
                    let Some(bytes) = self.broker.fetch(&player.checkpoint)? else { return Ok(None) };
                    match network(game, player, &bytes) {
                        Ok(player) => made.push((number, player)),
                        Err(reason) => problem = Some(reason),
                    }
                }
            }
        }
        let loaded = Arc::new(problem.map_or(Ok(LoadedMatch { game, seed, players: made }), Err));
        *present = Some((job.to_owned(), loaded.clone()));
        Ok(Some(loaded))
    }
}

/// A built-in player. What comes from elsewhere names no files here.
fn built_in(name: &str) -> Result<PlayerSource, String> {
    let spec: PlayerSpec = name.parse().map_err(|error| format!("{error}"))?;
    if spec.built_in().is_none() {
        return Err(format!("'{spec}' is not built in"));
    }
    Ok(PlayerSource::built_in(spec))
}

/// A player with the network of a checkpoint.
fn network(game: Game, player: SentNetwork, checkpoint: &[u8]) -> Result<PlayerSource, String> {
    let SentNetwork { name, options, visits, seconds, memory, early_stop, .. } = player;
    let checkpoint = Checkpoint::from_bytes(checkpoint, &name).map_err(|error| error.to_string())?;
    let options = match options.strip_prefix('@') {
        Some(options) => options.parse().map_err(|error| format!("{error}"))?,
        None => PlayerOptions::default(),
    };
    let limits = Limits {
        visits,
        time: seconds.and_then(|seconds| Limits::seconds(&seconds.to_string())),
        memory: usize::try_from(memory).unwrap_or(usize::MAX),
        early_stop,
    };
    let source = PlayerSource::network(game, name, &checkpoint, options, limits, PlayerSource::CACHE);
    source.map_err(|error| error.to_string())
}

/// What is sent of games that cannot be played here.
fn failed(work: &MatchWork, reason: String) -> PlayedFixtures {
    let first = work.fixtures.first();
    let failure = |&(_, fixture): &(usize, Fixture)| {
        (fixture, PlayerFailure { player: "a worker".to_owned(), game: fixture.index + 1, turn: 1, reason })
    };
    PlayedFixtures { games: Vec::new(), failure: first.map(failure) }
}

impl LoadedMatch {
    /// Plays games on this thread.
    fn play(&self, work: &MatchWork, stop: &AtomicBool) -> PlayedFixtures {
        let player = |wanted| self.players.iter().find(|(number, _)| *number == wanted).map(|(_, player)| player);
        if work.fixtures.iter().any(|(_, fixture)| player(fixture.a).is_none() || player(fixture.b).is_none()) {
            return failed(work, "the match has no such player".to_owned());
        }
        let make = |wanted| match player(wanted) {
            Some(source) => source.player(),
            None => unreachable!("player {wanted} is in the match"),
        };
        let list: Vec<_> = work.fixtures.iter().map(|&(_, fixture)| fixture).collect();
        let fixtures = Fixtures { game: self.game, list: &list, seed: self.seed };
        let mut games = Vec::new();
        let failure = Threads::new(1, make).play(&fixtures, stop, &mut |at, finished| {
            games.push((work.fixtures[at].0, SentGame::from(finished)));
            false
        });
        match failure {
            Ok(failure) => PlayedFixtures { games, failure },
            Err(error) => failed(work, error.to_string()),
        }
    }
}
