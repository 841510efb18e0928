//! Matches as a worker has them ready.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use crate::arena::{Fixture, Fixtures, PlayerFailure, PlayerOptions, PlayerSource, PlayerSpec, Threads, Venue};
use crate::games::{Game, game_named};
use crate::network::Checkpoint;
use crate::search::Limits;

use super::broker::Broker;
use super::error::ClusterError;
use super::frame::decode;
use super::match_messages::{MatchJob, MatchWork, PlayedFixtures, SentGame, SentNetwork, SentPlayer};

/// The largest tree that the command line grants a player.
const MOST_MEMORY: usize = 64 << 30;

/// So many matches are kept ready while others are played.
const MOST_MATCHES: usize = 4;
/// So many networks, beside those of the match that was asked for last: each has a cache of its own.
const MOST_NETWORKS: usize = 6;

/// A match that is ready to be played.
pub(super) struct LoadedMatch {
    game: Game,
    seed: u64,
    players: Vec<(usize, Arc<PlayerSource>)>,
    /// The networks among the players, and what they were made of.
    networks: Vec<(SentNetwork, Arc<PlayerSource>)>,
}

/// A match that is ready to be played, or why it cannot be.
pub(super) type Prepared = Arc<Result<LoadedMatch, String>>;

/// The matches that were played of late.
#[derive(Default)]
pub(super) struct LoadedMatches(Mutex<Vec<(String, Prepared)>>);

impl LoadedMatches {
    /// The match whose job is a file of the broker; none if the broker does not know it any more.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn load(&self, broker: &Broker, job: &str) -> Result<Option<Prepared>, ClusterError> {
        self.load_from(&|name: &str| broker.fetch(name), job)
    }

    fn load_from(&self, files: Files<'_>, job: &str) -> Result<Option<Prepared>, ClusterError> {
        // Held all the time, so that one thread loads for all.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|(name, _)| name == job) {
            let known = kept.remove(at);
            kept.push(known);
        } else {
            let Some(bytes) = files(job)? else { return Ok(None) };
            let Some(loaded) = prepare(files, &bytes, &kept)? else { return Ok(None) };
            kept.push((job.to_owned(), Arc::new(loaded)));
        }
        let surplus = surplus(&kept);
        kept.drain(..surplus);
        Ok(kept.last().map(|(_, loaded)| loaded.clone()))
    }
}

/// Fetches a file by its name.
type Files<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>, ClusterError>;

/// How many of the matches that were asked for longest ago are not to be kept.
fn surplus(kept: &[(String, Prepared)]) -> usize {
    let networks =
        |(_, loaded): &(String, Prepared)| loaded.as_ref().as_ref().map_or(0, |loaded| loaded.networks.len());
    let mut room = MOST_NETWORKS;
    let before_last = kept.len().saturating_sub(1);
    let stay = kept[..before_last].iter().rev().take(MOST_MATCHES - 1).take_while(|loaded| {
        let left = room.checked_sub(networks(loaded));
        room = left.unwrap_or_default();
        left.is_some()
    });
    before_last - stay.count()
}

/// Makes the players of a match, with networks of others where they are the same. None if a checkpoint is gone.
fn prepare(
    files: Files<'_>,
    job: &[u8],
    kept: &[(String, Prepared)],
) -> Result<Option<Result<LoadedMatch, String>>, ClusterError> {
    // What is wrong with the match is for its host to know; the worker is there for others.
    let MatchJob { game, seed, players } = match decode(job) {
        Ok(job) => job,
        Err(problem) => return Ok(Some(Err(problem.to_string()))),
    };
    let game = match game_named(&game) {
        Ok(game) => game,
        Err(problem) => return Ok(Some(Err(problem.to_string()))),
    };
    let mut loaded = LoadedMatch { game, seed, players: Vec::new(), networks: Vec::new() };
    for (number, player) in players {
        let made = match player {
            SentPlayer::BuiltIn(name) => built_in(&name).map(Arc::new),
            SentPlayer::Network(player) => {
                let others = kept.iter().filter_map(|(_, other)| other.as_ref().as_ref().ok());
                let mut others = others.filter(|other| other.game.name() == game.name());
                let same = others.find_map(|other| other.networks.iter().find(|(sent, _)| *sent == player));
                let made = if let Some((_, source)) = same {
                    Ok(source.clone())
                } else {
                    let Some(bytes) = files(&player.checkpoint)? else { return Ok(None) };
                    network(game, &player, &bytes).map(Arc::new)
                };
                loaded.networks.extend(made.iter().map(|source| (player.clone(), source.clone())));
                made
            }
        };
        match made {
            Ok(source) => loaded.players.push((number, source)),
            Err(problem) => return Ok(Some(Err(problem))),
        }
    }
    Ok(Some(Ok(loaded)))
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
fn network(game: Game, player: &SentNetwork, checkpoint: &[u8]) -> Result<PlayerSource, String> {
    let SentNetwork { name, options, visits, seconds, memory, early_stop, .. } = player;
    let checkpoint = Checkpoint::from_bytes(checkpoint, name).map_err(|error| error.to_string())?;
    let options = match options.strip_prefix('@') {
        Some(options) => options.parse().map_err(|error| format!("{error}"))?,
        None => PlayerOptions::default(),
    };
    if let Some(visits) = visits.filter(|visits| !(1..=Limits::MOST_VISITS).contains(visits)) {
        return Err(format!("{visits} visits; accepted: 1 to {}", Limits::MOST_VISITS));
    }
    let time = seconds.and_then(|seconds| Limits::seconds(&seconds.to_string()));
    if seconds.is_some() && time.is_none() {
        return Err(format!("a time that is not accepted; accepted: {}", Limits::accepted_seconds()));
    }
    if visits.is_none() && time.is_none() {
        return Err("neither visits nor a time".to_owned());
    }
    let limits = Limits {
        visits: *visits,
        time,
        memory: usize::try_from(*memory).unwrap_or(usize::MAX).min(MOST_MEMORY),
        early_stop: *early_stop,
    };
    let source = PlayerSource::network(game, name.clone(), &checkpoint, options, limits, PlayerSource::CACHE);
    source.map_err(|error| error.to_string())
}

/// What is sent of games that cannot be played here.
pub(super) fn failed(work: &MatchWork, reason: String) -> PlayedFixtures {
    let first = work.fixtures.first();
    let failure = |&(_, fixture): &(usize, Fixture)| {
        (fixture, PlayerFailure { player: "a worker".to_owned(), game: fixture.index + 1, turn: 1, reason })
    };
    PlayedFixtures { games: Vec::new(), failure: first.map(failure) }
}

impl LoadedMatch {
    /// Plays games on this thread.
    pub fn play(&self, work: &MatchWork, stop: &AtomicBool) -> PlayedFixtures {
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::super::acceptance::tests::checkpoint;
    use super::super::frame::encode;
    use super::*;

    fn sent(checkpoint: &str, visits: u32) -> SentPlayer {
        SentPlayer::Network(SentNetwork {
            name: checkpoint.to_owned(),
            checkpoint: checkpoint.to_owned(),
            options: String::new(),
            visits: Some(visits),
            seconds: None,
            memory: 1 << 20,
            early_stop: false,
        })
    }

    fn job(game: &str, players: &[SentPlayer]) -> Vec<u8> {
        let players = players.iter().cloned().enumerate().collect();
        encode(&MatchJob { game: game.to_owned(), seed: 0, players }).unwrap()
    }

    #[test]
    fn a_few_matches_are_kept_and_share_their_networks() {
        let network = checkpoint(1).to_bytes().unwrap();
        let fetched = RefCell::new(Vec::new());
        let files = |name: &str| {
            fetched.borrow_mut().push(name.to_owned());
            Ok(match name {
                "many" => Some(job("cachex", &[1, 2, 3, 4, 5, 6, 7, 8].map(|visits| sent("net", visits)))),
                "gone" => None,
                "gone-net" => Some(job("cachex", &[sent("gone", 1)])),
                "unknown" => Some(job("chess", &[])),
                "damaged" => Some(vec![7; 30]),
                "net" => Some(network.clone()),
                // A match of its own, with the same network in the same hands as all others.
                _ => Some(job("cachex", &[sent("net", 20), SentPlayer::BuiltIn("random".to_owned())])),
            })
        };
        let matches = LoadedMatches::default();
        let load = |name: &str| matches.load_from(&files, name).unwrap();
        let loads = |name: &str| {
            fetched.borrow_mut().clear();
            assert!(load(name).unwrap().is_ok());
            fetched.borrow().join(" ")
        };
        assert_eq!(loads("a"), "a net");
        assert_eq!(loads("b"), "b");
        for _ in 0..3 {
            // In turn, as where two hosts want games at once.
            assert_eq!([loads("a"), loads("b")], ["", ""]);
        }
        assert_eq!([loads("c"), loads("d"), loads("e")], ["c", "d", "e"]);
        // Asked for longest ago.
        assert_eq!(loads("a"), "a");
        assert_eq!([loads("e"), loads("d")], ["", ""]);
        assert!(load("gone").is_none() && load("gone-net").is_none());
        let problem = |name: &str| load(name).unwrap().as_ref().as_ref().err().unwrap().clone();
        assert!(problem("unknown").contains("chess") && problem("damaged").contains("no message of hexzero"));
        assert_eq!(matches.0.lock().unwrap().len(), MOST_MATCHES);
        // More networks than are kept beside others: while it is asked for it stays, and then it goes.
        assert_eq!(loads("many"), "many net net net net net net net net");
        assert_eq!(loads("many"), "");
        assert_eq!(loads("a"), "a");
        assert_eq!(loads("many"), "many net net net net net net net net");
    }
}
