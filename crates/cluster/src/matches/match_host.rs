//! Host of matches whose games workers play.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use hexzero_arena::players::{PlayerSource, SourceNetwork};
use hexzero_arena::{Finished, Fixture, Fixtures, Host, MatchError, OpeningSuite, PlayerFailure, Venue};
use hexzero_system::stop::StopSignal;

use crate::ClusterError;
use crate::broker::{Broker, Delivery, MATCH_TTL};
use crate::status::NoWorkers;
use crate::wire::{
    MATCH_FILES, MATCHES, MatchJob, MatchWork, PlayedFixtures, SentNetwork, SentPlayer, decode, digest, encode,
    last_token, matches_subject,
};

/// Longest wait for a message before the loop does other work.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Interval of checks for lost work, while nothing arrives.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// Limit of games that are assigned and not played, so that other matches have their turn and
/// workers soon skip what a dead host leaves behind. An even number.
const MAX_OUT: usize = 8192;
/// Games of a message of work: a pair that shares an opening.
const GAMES_PER_MESSAGE: usize = 2;

/// Callback for warnings to the user.
type Warn = Arc<dyn Fn(&str) + Send + Sync>;

/// Host of matches whose games are played by the workers at a broker.
pub struct BrokerHost {
    broker: Arc<Broker>,
    warn: Warn,
}

impl BrokerHost {
    /// Creates a host at `broker`, waiting for it until `stop` is requested. Calls `warn` with what
    /// the user should know.
    ///
    /// # Errors
    /// If the broker does not allow it, or has no JetStream.
    pub fn new(
        broker: Arc<Broker>,
        stop: &StopSignal,
        warn: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Self, ClusterError> {
        broker.retry_until(stop, || broker.set_up_matches())?;
        Ok(Self { broker, warn: Arc::new(warn) })
    }
}

impl Host for BrokerHost {
    fn venue<'p>(&self, players: &'p [(usize, PlayerSource)]) -> Result<Box<dyn Venue + 'p>, MatchError> {
        let mut files = Vec::new();
        let sent = players.iter().map(|(number, source)| Ok((*number, sent(source, &mut files)?)));
        let players = sent.collect::<Result<_, ClusterError>>().map_err(failed)?;
        Ok(Box::new(BrokerVenue { broker: self.broker.clone(), warn: self.warn.clone(), players, files }))
    }
}

fn failed(error: ClusterError) -> MatchError {
    MatchError::Elsewhere(Box::new(error))
}

/// Describes a player for workers, and adds its checkpoint to `files`.
fn sent(source: &PlayerSource, files: &mut Vec<(String, Vec<u8>)>) -> Result<SentPlayer, ClusterError> {
    let name = source.name().to_owned();
    if source.is_program() {
        return Err(ClusterError::ProgramElsewhere(name));
    }
    let Some(SourceNetwork { checkpoint, options, limits, .. }) = source.of_network() else {
        return Ok(SentPlayer::BuiltIn(name));
    };
    let bytes = checkpoint.to_bytes()?;
    let checkpoint = format!("{MATCH_FILES}{}", digest(&bytes));
    if !files.iter().any(|file| file.0 == checkpoint) {
        files.push((checkpoint.clone(), bytes));
    }
    Ok(SentPlayer::Network(SentNetwork {
        name,
        checkpoint,
        options: options.to_string(),
        visits: limits.visits,
        seconds: limits.time.map(|time| time.as_secs_f64()),
        memory: limits.memory as u64,
        early_stop: limits.early_stop,
    }))
}

/// Venue of a match, played by the workers at a broker.
struct BrokerVenue {
    broker: Arc<Broker>,
    warn: Warn,
    players: Vec<(usize, SentPlayer)>,
    /// Checkpoints by name.
    files: Vec<(String, Vec<u8>)>,
}

/// Match at the broker, removed from there when this is dropped.
struct AnnouncedMatch<'a> {
    venue: &'a BrokerVenue,
    /// Unique name.
    name: String,
    /// Name and content of the file of its job.
    job: (String, Vec<u8>),
    renewed: Instant,
}

impl Drop for AnnouncedMatch<'_> {
    fn drop(&mut self) {
        // If this fails, messages and the entry expire, and files are removed when the next match ends.
        let _ = self.venue.broker.end_match(&self.name, &self.job.0);
        self.venue.broker.flush();
    }
}

impl<'a> AnnouncedMatch<'a> {
    fn new(venue: &'a BrokerVenue, fixtures: &Fixtures<'_>) -> Result<Self, ClusterError> {
        let players = venue.players.clone();
        let Fixtures { book, seed, .. } = *fixtures;
        let job = encode(&MatchJob { game: book.game().name().to_owned(), seed, openings: book.names(), players })?;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        // Unique even if the same match is played by two hosts at once, or twice in a row.
        let name = digest(&[&job[..], &since.to_le_bytes(), &std::process::id().to_le_bytes()].concat());
        let job = (format!("{MATCH_FILES}{name}"), job);
        Ok(Self { venue, name, job, renewed: Instant::now() })
    }

    /// Publishes the match. The entry comes first, as files are removed while there is no match.
    fn announce(&self) -> Result<(), ClusterError> {
        let (broker, (file, job)) = (&self.venue.broker, &self.job);
        broker.put(MATCHES, &self.name, file.as_bytes())?;
        broker.store(file, job)?;
        self.venue.files.iter().try_for_each(|(file, bytes)| broker.store(file, bytes))
    }

    /// Renews the entry of the match, if it is time.
    fn renew(&mut self) {
        if self.renewed.elapsed() > MATCH_TTL / 5 {
            // If this fails, the next renewal may succeed.
            let _ = self.venue.broker.put(MATCHES, &self.name, self.job.0.as_bytes());
            self.renewed = Instant::now();
        }
    }

    /// Assigns the games of `list` with these indices. Repeating a call with the same `deal` does
    /// not assign them twice.
    fn deal(&self, list: &[Fixture], indices: &[usize], deal: u64) -> Result<(), ClusterError> {
        let messages = indices.chunks(GAMES_PER_MESSAGE).map(|indices| {
            let fixtures = indices.iter().map(|&index| (index, list[index])).collect();
            let work = encode(&MatchWork { job: self.job.0.clone(), fixtures })?;
            Ok((matches_subject(&self.name), format!("{}.{deal}.{}", self.name, indices[0]), work))
        });
        self.venue.broker.publish(&messages.collect::<Result<Vec<_>, ClusterError>>()?)
    }
}

/// Missing games of a match.
struct MissingGames<'a> {
    list: &'a [Fixture],
    starts: OpeningSuite,
    indices: BTreeSet<usize>,
    /// All games below this index are assigned.
    dealt: usize,
    failure: Option<(Fixture, PlayerFailure)>,
}

impl MissingGames<'_> {
    /// Returns the missing games that are assigned.
    fn out(&self) -> Vec<usize> {
        self.indices.range(..self.dealt).copied().collect()
    }

    /// Returns the games to assign now, none while enough are in flight.
    fn next_games(&self) -> Vec<usize> {
        let later = self.list.len() - self.dealt;
        let out = self.indices.len() - later;
        if out > MAX_OUT / 2 { Vec::new() } else { (self.dealt..self.list.len()).take(MAX_OUT / 2).collect() }
    }

    /// Takes the games of a message. Returns true if no more are wanted.
    fn take(&mut self, delivery: &Delivery, warn: &Warn, on_game: &mut dyn FnMut(usize, Finished) -> bool) -> bool {
        let worker = last_token(delivery.subject());
        let played: PlayedFixtures = match decode(delivery.payload()) {
            Ok(played) => played,
            Err(problem) => {
                warn(&format!("games of worker {worker} are refused and played again: {problem}"));
                delivery.reject();
                return false;
            }
        };
        delivery.acknowledge();
        for (index, game) in played.games {
            let wanted = index < self.dealt && self.indices.contains(&index);
            let Some(fixture) = self.list.get(index).filter(|_| wanted) else { continue };
            match self.starts.replay(fixture, &game.moves, game.resigned, game.thinking) {
                Ok(finished) => {
                    self.indices.remove(&index);
                    if on_game(index, finished) {
                        return true;
                    }
                }
                Err(problem) => warn(&format!("a game of worker {worker} is refused and played again: {problem}")),
            }
        }
        self.failure = played.failure.filter(|(fixture, _)| self.list.contains(fixture));
        self.failure.is_some() || self.indices.is_empty()
    }
}

impl BrokerVenue {
    /// Passes on the result of a request. If the broker failed, it may have lost its store, and is set up again.
    fn repaired<T>(&self, result: Result<T, ClusterError>) -> Result<T, ClusterError> {
        if result.as_ref().is_err_and(ClusterError::is_temporary) {
            let _ = self.broker.set_up_matches();
        }
        result
    }

    fn gather(
        &self,
        fixtures: &Fixtures<'_>,
        missing: &mut MissingGames<'_>,
        stop: &StopSignal,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<(), ClusterError> {
        let mut announced = AnnouncedMatch::new(self, fixtures)?;
        if self.broker.retry_until(stop, || self.repaired(announced.announce()))?.is_none() {
            return Ok(());
        }
        let mut incoming = self.broker.match_results(&announced.name);
        let mut deal = 0;
        let mut no_workers = NoWorkers::new();
        let mut checked = Instant::now();
        while !stop.is_requested() {
            announced.renew();
            let next = missing.next_games();
            if let Some(last) = next.last() {
                let deal_out = || self.repaired(announced.deal(fixtures.list, &next, deal));
                if self.broker.retry_until(stop, deal_out)?.is_none() {
                    return Ok(());
                }
                missing.dealt = last + 1;
            }
            if let Some(delivery) = incoming.next(POLL_INTERVAL) {
                no_workers.reset();
                if missing.take(&delivery, &self.warn, on_game) {
                    break;
                }
            } else if no_workers.is_silent() && checked.elapsed() > CHECK_INTERVAL {
                match self.broker.match_work_pending(&announced.name) {
                    // All work is done, and yet games are missing: they were refused, or the broker lost its store.
                    Ok(0) => {
                        deal += 1;
                        // The end of another match may have removed files of this one.
                        let _ = announced.announce().and_then(|()| announced.deal(fixtures.list, &missing.out(), deal));
                    }
                    Ok(_) => {}
                    // A broker that lost its store has no consumers.
                    Err(_) => _ = self.broker.set_up_matches().and_then(|()| announced.announce()),
                }
                no_workers.warn(&self.broker, &*self.warn);
                checked = Instant::now();
            }
        }
        Ok(())
    }
}

impl Venue for BrokerVenue {
    fn play(
        &self,
        fixtures: &Fixtures<'_>,
        stop: &StopSignal,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<Vec<(Fixture, PlayerFailure)>, MatchError> {
        let starts = OpeningSuite::new(fixtures)?;
        let mut missing = MissingGames {
            list: fixtures.list,
            starts,
            indices: (0..fixtures.list.len()).collect(),
            dealt: 0,
            failure: None,
        };
        if !missing.indices.is_empty() {
            self.gather(fixtures, &mut missing, stop, on_game).map_err(failed)?;
        }
        Ok(missing.failure.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use hexzero_arena::OpeningBook;
    use hexzero_games::game_named;

    use super::*;

    #[test]
    fn games_are_dealt_once_and_few_at_a_time() {
        let list: Vec<Fixture> = (0..3 * MAX_OUT + 7).map(|index| Fixture { a: 0, b: 1, size: 3, index }).collect();
        let book = OpeningBook::random(game_named("cachex").unwrap());
        let fixtures = Fixtures { book: &book, list: &list[..2], seed: 0 };
        let starts = OpeningSuite::new(&fixtures).unwrap();
        let mut missing =
            MissingGames { list: &list, starts, indices: (0..list.len()).collect(), dealt: 0, failure: None };
        let mut dealt = Vec::new();
        while !missing.indices.is_empty() {
            let next = missing.next_games();
            // Pairs share an opening.
            assert!(next.first().is_none_or(|first| first.is_multiple_of(GAMES_PER_MESSAGE)));
            missing.dealt = next.last().map_or(missing.dealt, |last| last + 1);
            dealt.extend(next);
            let out = missing.out();
            assert!(!out.is_empty() && out.len() <= MAX_OUT);
            out[..out.len().min(1000)].iter().for_each(|index| _ = missing.indices.remove(index));
        }
        assert!(dealt.into_iter().eq(0..list.len()));
    }
}
