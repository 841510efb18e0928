//! Matches with their players, ready to be played.

use std::sync::Arc;

use parking_lot::Mutex;

use hexzero_arena::players::{PlayerOptions, PlayerSource, PlayerSpec};
use hexzero_arena::{Fixture, Fixtures, OpeningBook, PlayerFailure, Threads, Venue};
use hexzero_games::{Game, game_named};
use hexzero_nn::{Backend, Checkpoint};
use hexzero_search::Limits;
use hexzero_system::stop::StopSignal;

use crate::ClusterError;
use crate::wire::{MatchJob, MatchWork, PlayedFixtures, SentGame, SentNetwork, SentPlayer, decode};

/// Limit of a search tree, in bytes; that of the command line.
const MAX_MEMORY: usize = 64 << 30;
/// Cached matches.
const MAX_MATCHES: usize = 4;
/// Cached networks beside those of the latest match. Each has an evaluation cache.
const MAX_NETWORKS: usize = 6;

/// Match with its players, ready to be played.
pub struct CachedMatch {
    book: OpeningBook,
    seed: u64,
    players: Vec<(usize, Arc<PlayerSource>)>,
    /// Networks among the players, with their descriptions.
    networks: Vec<(SentNetwork, Arc<PlayerSource>)>,
}

/// Cached match, or the reason why it cannot be played.
pub type Prepared = Arc<Result<CachedMatch, String>>;

/// Recently played matches, latest last, by the names of their jobs.
#[derive(Default)]
pub struct CachedMatches {
    backend: Backend,
    kept: Mutex<Vec<(String, Prepared)>>,
}

impl CachedMatches {
    /// Keeps matches whose networks are evaluated by this backend.
    pub fn new(backend: Backend) -> Self {
        Self { backend, kept: Mutex::default() }
    }

    /// Returns the match whose job is the file `job`, or `None` if the broker does not have it any more.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn get(&self, files: Files<'_>, job: &str) -> Result<Option<Prepared>, ClusterError> {
        // Locked during the fetch, so that one thread fetches for all.
        let mut kept = self.kept.lock();
        if let Some(at) = kept.iter().position(|(name, _)| name == job) {
            let known = kept.remove(at);
            kept.push(known);
        } else {
            let Some(bytes) = files(job)? else { return Ok(None) };
            let Some(loaded) = prepare(files, &self.backend, &bytes, &kept)? else { return Ok(None) };
            kept.push((job.to_owned(), Arc::new(loaded)));
        }
        let surplus = surplus(&kept);
        kept.drain(..surplus);
        Ok(kept.last().map(|(_, loaded)| loaded.clone()))
    }
}

/// Function that fetches a file of the broker by name.
pub type Files<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>, ClusterError>;

/// Returns how many of the least recently used matches to evict.
fn surplus(kept: &[(String, Prepared)]) -> usize {
    let networks =
        |(_, loaded): &(String, Prepared)| loaded.as_ref().as_ref().map_or(0, |loaded| loaded.networks.len());
    let mut room = MAX_NETWORKS;
    let before_last = kept.len().saturating_sub(1);
    let stay = kept[..before_last].iter().rev().take(MAX_MATCHES - 1).take_while(|loaded| {
        let left = room.checked_sub(networks(loaded));
        room = left.unwrap_or_default();
        left.is_some()
    });
    before_last - stay.count()
}

/// Makes the players of a match; equal networks of cached matches are shared. Returns `None` if a checkpoint is gone.
fn prepare(
    files: Files<'_>,
    backend: &Backend,
    job: &[u8],
    kept: &[(String, Prepared)],
) -> Result<Option<Result<CachedMatch, String>>, ClusterError> {
    // An invalid match is reported to its host; the worker goes on with others.
    let read = || -> Result<(MatchJob, Game, OpeningBook), String> {
        let job: MatchJob = decode(job).map_err(|error| error.to_string())?;
        let game = game_named(&job.game).map_err(|error| error.to_string())?;
        let book = OpeningBook::from_names(game, "openings", &job.openings).map_err(|error| error.to_string())?;
        Ok((job, game, book))
    };
    let (MatchJob { seed, players, .. }, game, book) = match read() {
        Ok(read) => read,
        Err(problem) => return Ok(Some(Err(problem))),
    };
    let mut loaded = CachedMatch { book, seed, players: Vec::new(), networks: Vec::new() };
    for (number, player) in players {
        let made = match player {
            SentPlayer::BuiltIn(name) => built_in(&name).map(Arc::new),
            SentPlayer::Network(player) => {
                let others = kept.iter().filter_map(|(_, other)| other.as_ref().as_ref().ok());
                let mut others = others.filter(|other| other.book.game() == game);
                let same = others.find_map(|other| other.networks.iter().find(|(sent, _)| *sent == player));
                let made = if let Some((_, source)) = same {
                    Ok(source.clone())
                } else {
                    let Some(bytes) = files(&player.checkpoint)? else { return Ok(None) };
                    network(game, &player, &bytes, backend).map(Arc::new)
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

/// Makes a built-in player. Refuses all other players, as their names may be files of this machine.
fn built_in(name: &str) -> Result<PlayerSource, String> {
    let spec: PlayerSpec = name.parse().map_err(|error| format!("{error}"))?;
    if spec.built_in().is_none() {
        return Err(format!("'{spec}' is not a built-in player"));
    }
    Ok(PlayerSource::built_in(spec))
}

/// Makes a player with the network of a checkpoint.
fn network(game: Game, player: &SentNetwork, checkpoint: &[u8], backend: &Backend) -> Result<PlayerSource, String> {
    let SentNetwork { name, options, visits, seconds, memory, early_stop, .. } = player;
    let checkpoint = Checkpoint::from_bytes(checkpoint, name).map_err(|error| error.to_string())?;
    let options = match options.strip_prefix('@') {
        Some(options) => options.parse().map_err(|error| format!("{error}"))?,
        None => PlayerOptions::default(),
    };
    if let Some(visits) = visits.filter(|visits| !(1..=Limits::MAX_VISITS).contains(visits)) {
        return Err(format!("{visits} visits; accepted: 1 to {}", Limits::MAX_VISITS));
    }
    let time = seconds.and_then(|seconds| Limits::seconds(&seconds.to_string()));
    if seconds.is_some() && time.is_none() {
        return Err(format!("invalid time; accepted: {}", Limits::accepted_seconds()));
    }
    if visits.is_none() && time.is_none() {
        return Err("neither visits nor a time".to_owned());
    }
    let limits = Limits {
        visits: *visits,
        time,
        memory: usize::try_from(*memory).unwrap_or(usize::MAX).min(MAX_MEMORY),
        early_stop: *early_stop,
    };
    let source = PlayerSource::network(game, name.clone(), &checkpoint, backend, options, limits, PlayerSource::CACHE);
    source.map_err(|error| error.to_string())
}

/// Returns the answer to match work that cannot be played here.
pub fn failed(work: &MatchWork, reason: String) -> PlayedFixtures {
    let first = work.fixtures.first();
    let failure = |&(_, fixture): &(usize, Fixture)| {
        (fixture, PlayerFailure { player: "a worker".to_owned(), game: fixture.index + 1, turn: 1, reason })
    };
    PlayedFixtures { games: Vec::new(), failure: first.map(failure) }
}

impl CachedMatch {
    /// Plays the games of `work` on this thread.
    pub fn play(&self, work: &MatchWork, stop: &StopSignal) -> PlayedFixtures {
        let player = |wanted| self.players.iter().find(|(number, _)| *number == wanted).map(|(_, player)| player);
        if work.fixtures.iter().any(|(_, fixture)| player(fixture.a).is_none() || player(fixture.b).is_none()) {
            return failed(work, "the match has no such player".to_owned());
        }
        let make = |wanted| match player(wanted) {
            Some(source) => source.player(),
            None => unreachable!("player {wanted} is in the match"),
        };
        let list: Vec<_> = work.fixtures.iter().map(|&(_, fixture)| fixture).collect();
        let fixtures = Fixtures { book: &self.book, list: &list, seed: self.seed };
        let mut games = Vec::new();
        // A fault may be this machine's, so it is reported and the game is not counted.
        let failures = Threads::new(1, 1, make).play(&fixtures, stop, &mut |at, finished| {
            if finished.game.fault.is_none() {
                games.push((work.fixtures[at].0, SentGame::from(finished)));
            }
            false
        });
        match failures {
            Ok(failures) => PlayedFixtures { games, failure: failures.into_iter().next() },
            Err(error) => failed(work, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::tests::checkpoint;
    use crate::wire::encode;

    fn sent(checkpoint: &str, visits: u32) -> SentPlayer {
        SentPlayer::Network(SentNetwork {
            name: checkpoint.to_owned(),
            checkpoint: checkpoint.to_owned(),
            options: String::new(),
            visits: Some(visits),
            seconds: None,
            memory: 1 << 20,
            early_stop: hexzero_search::EarlyStop::Never,
        })
    }

    fn job(game: &str, players: &[SentPlayer]) -> Vec<u8> {
        let players = players.iter().cloned().enumerate().collect();
        encode(&MatchJob { game: game.to_owned(), seed: 0, openings: Vec::new(), players }).unwrap()
    }

    #[test]
    fn cache_is_bounded_and_shares_networks() {
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
                // Another match, with the same network as all others.
                _ => Some(job("cachex", &[sent("net", 20), SentPlayer::BuiltIn("random".to_owned())])),
            })
        };
        let matches = CachedMatches::default();
        let load = |name: &str| matches.get(&files, name).unwrap();
        let loads = |name: &str| {
            fetched.borrow_mut().clear();
            assert!(load(name).unwrap().is_ok());
            fetched.borrow().join(" ")
        };
        assert_eq!(loads("a"), "a net");
        assert_eq!(loads("b"), "b");
        for _ in 0..3 {
            // Loaded in turn, as if two hosts assigned games at once.
            assert_eq!([loads("a"), loads("b")], ["", ""]);
        }
        assert_eq!([loads("c"), loads("d"), loads("e")], ["c", "d", "e"]);
        // Evicted as the least recently used one.
        assert_eq!(loads("a"), "a");
        assert_eq!([loads("e"), loads("d")], ["", ""]);
        assert!(load("gone").is_none() && load("gone-net").is_none());
        let problem = |name: &str| load(name).unwrap().as_ref().as_ref().err().unwrap().clone();
        assert!(problem("unknown").contains("chess") && problem("damaged").contains("not a hexzero message"));
        assert_eq!(matches.kept.lock().len(), MAX_MATCHES);
        // Has more networks than are cached beside others, so it stays only while it is the latest
        // match.
        assert_eq!(loads("many"), "many net net net net net net net net");
        assert_eq!(loads("many"), "");
        assert_eq!(loads("a"), "a");
        assert_eq!(loads("many"), "many net net net net net net net net");
    }
}
