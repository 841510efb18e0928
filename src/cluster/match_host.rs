//! Matches whose games are played by workers.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use crate::arena::{
    Finished, Fixture, Fixtures, Host, MatchError, PlayerFailure, PlayerParts, PlayerSource, Starts, Venue,
};

use super::broker::{Broker, MATCH_LASTS};
use super::delivery::Delivery;
use super::error::ClusterError;
use super::frame::{decode, encode};
use super::lonely::Loneliness;
use super::match_messages::{MatchJob, MatchWork, PlayedFixtures, SentNetwork, SentPlayer};
use super::messages::digest;
use super::names::{MATCH_FILES, MATCHES, matches_subject};

/// How long to wait for a message before looking around.
const GLANCE: Duration = Duration::from_millis(100);
/// How often to look whether all pieces are done and games are missing nevertheless, while nothing comes.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// Most games that are dealt out and not played. Other matches need not wait for all, and workers soon pass over what a host
/// that has died leaves behind. An even number.
const MOST_OUT: usize = 8192;
/// The games of a piece of work: a pair, which shares an opening.
const PIECE: usize = 2;

/// What hosts tell the user.
type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// Has matches played by the workers at a broker.
pub struct BrokerHost {
    broker: Arc<Broker>,
    tell: Tell,
}

impl fmt::Debug for BrokerHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BrokerHost").finish_non_exhaustive()
    }
}

impl BrokerHost {
    /// Plays at a broker; `tell` is called with what the user should know.
    ///
    /// # Errors
    /// If the broker does not allow it.
    pub fn new(broker: Arc<Broker>, tell: impl Fn(&str) + Send + Sync + 'static) -> Result<Self, ClusterError> {
        broker.lay_out_matches()?;
        Ok(Self { broker, tell: Arc::new(tell) })
    }
}

impl Host for BrokerHost {
    fn venue<'p>(&self, players: &'p [(usize, PlayerSource)]) -> Result<Box<dyn Venue + 'p>, MatchError> {
        let mut files = Vec::new();
        let sent = players.iter().map(|(number, source)| Ok((*number, sent(source, &mut files)?)));
        let players = sent.collect::<Result<_, ClusterError>>().map_err(elsewhere)?;
        Ok(Box::new(BrokerVenue { broker: self.broker.clone(), tell: self.tell.clone(), players, files }))
    }
}

fn elsewhere(error: ClusterError) -> MatchError {
    MatchError::Elsewhere(Box::new(error))
}

/// A player as workers can make it; its checkpoint goes to the files.
fn sent(source: &PlayerSource, files: &mut Vec<(String, Vec<u8>)>) -> Result<SentPlayer, ClusterError> {
    match source.parts() {
        PlayerParts::BuiltIn(spec) => Ok(SentPlayer::BuiltIn(spec.to_string())),
        PlayerParts::Program => Err(ClusterError::ProgramElsewhere { name: source.name().to_owned() }),
        PlayerParts::Network { checkpoint, options, limits } => {
            let bytes = checkpoint.to_bytes()?;
            let name = format!("{MATCH_FILES}{}", digest(&bytes));
            if !files.iter().any(|file| file.0 == name) {
                files.push((name.clone(), bytes));
            }
            Ok(SentPlayer::Network(SentNetwork {
                name: source.name().to_owned(),
                checkpoint: name,
                options: options.to_string(),
                visits: limits.visits,
                seconds: limits.time.map(|time| time.as_secs_f64()),
                memory: limits.memory as u64,
                early_stop: limits.early_stop,
            }))
        }
    }
}

/// The workers at a broker as the venue of a match.
struct BrokerVenue {
    broker: Arc<Broker>,
    tell: Tell,
    players: Vec<(usize, SentPlayer)>,
    /// The checkpoints, by name.
    files: Vec<(String, Vec<u8>)>,
}

impl fmt::Debug for BrokerVenue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BrokerVenue").field("players", &self.players).finish_non_exhaustive()
    }
}

/// A match at the broker, which is forgotten when this is dropped.
struct Announced<'a> {
    venue: &'a BrokerVenue,
    /// Tells it from all other matches.
    name: String,
    /// The name of the file of its job, and what is in it.
    job: (String, Vec<u8>),
    confirmed: Instant,
}

impl Drop for Announced<'_> {
    fn drop(&mut self) {
        // Streams and the entry are forgotten by themselves after a while, files when the next match ends.
        let _ = self.venue.broker.end_match(&self.name, &self.job.0);
        self.venue.broker.flush();
    }
}

impl<'a> Announced<'a> {
    fn new(venue: &'a BrokerVenue, fixtures: &Fixtures<'_>) -> Result<Self, ClusterError> {
        let players = venue.players.clone();
        let job = encode(&MatchJob { game: fixtures.game.name().to_owned(), seed: fixtures.seed, players })?;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        // The same match may be played by two hosts at once, or twice in a row.
        let name = digest(&[&job[..], &since.to_le_bytes(), &std::process::id().to_le_bytes()].concat());
        let job = (format!("{MATCH_FILES}{name}"), job);
        Ok(Self { venue, name, job, confirmed: Instant::now() })
    }

    /// Tells the broker of the match. The entry first: files are removed when there is none.
    fn announce(&self) -> Result<(), ClusterError> {
        let (broker, (file, job)) = (&self.venue.broker, &self.job);
        broker.put(MATCHES, &self.name, file.as_bytes())?;
        broker.store(file, job)?;
        self.venue.files.iter().try_for_each(|(file, bytes)| broker.store(file, bytes))
    }

    /// Says again and again that the match goes on.
    fn confirm(&mut self) {
        if self.confirmed.elapsed() > MATCH_LASTS / 5 {
            // The next one may get through.
            let _ = self.venue.broker.put(MATCHES, &self.name, self.job.0.as_bytes());
            self.confirmed = Instant::now();
        }
    }

    /// Deals out games.
    fn deal(&self, list: &[Fixture], places: &[usize], deal: u64) -> Result<(), ClusterError> {
        let messages = places.chunks(PIECE).map(|piece| {
            let fixtures = piece.iter().map(|&place| (place, list[place])).collect();
            let work = encode(&MatchWork { job: self.job.0.clone(), fixtures })?;
            Ok((matches_subject(&self.name), format!("{}.{deal}.{}", self.name, piece[0]), work))
        });
        self.venue.broker.publish(&messages.collect::<Result<Vec<_>, ClusterError>>()?)
    }
}

/// The games of a match that are still to come.
struct Missing<'a> {
    list: &'a [Fixture],
    starts: Starts,
    places: BTreeSet<usize>,
    /// The games below this place were dealt out.
    dealt: usize,
    failure: Option<(Fixture, PlayerFailure)>,
}

impl Missing<'_> {
    /// The games that were dealt out.
    fn out(&self) -> Vec<usize> {
        self.places.range(..self.dealt).copied().collect()
    }

    /// The games to be dealt out now, none as long as enough are out.
    fn to_deal(&self) -> Vec<usize> {
        let later = self.list.len() - self.dealt;
        let out = self.places.len() - later;
        if out > MOST_OUT / 2 { Vec::new() } else { (self.dealt..self.list.len()).take(MOST_OUT / 2).collect() }
    }

    /// Takes a message with games; whether it was the last that is wanted.
    fn take(&mut self, delivery: &Delivery, tell: &Tell, on_game: &mut dyn FnMut(usize, Finished) -> bool) -> bool {
        let worker = delivery.subject().rsplit('.').next().unwrap_or_default().to_owned();
        let played: PlayedFixtures = match decode(delivery.payload()) {
            Ok(played) => played,
            Err(problem) => {
                tell(&format!("games of worker {worker} are refused and played again: {problem}"));
                delivery.reject();
                return false;
            }
        };
        delivery.acknowledge();
        for (place, game) in played.games {
            let wanted = place < self.dealt && self.places.contains(&place);
            let Some(fixture) = self.list.get(place).filter(|_| wanted) else { continue };
            match self.starts.replay(fixture, &game.moves, game.resigned, game.thinking) {
                Ok(finished) => {
                    self.places.remove(&place);
                    if on_game(place, finished) {
                        return true;
                    }
                }
                Err(problem) => tell(&format!("a game of worker {worker} is refused and played again: {problem}")),
            }
        }
        self.failure = played.failure.filter(|(fixture, _)| self.list.contains(fixture));
        self.failure.is_some() || self.places.is_empty()
    }
}

impl BrokerVenue {
    /// Makes what a broker that lost its store has no more, where an attempt failed.
    fn laid_out<T>(&self, attempt: impl FnOnce() -> Result<T, ClusterError>) -> Result<T, ClusterError> {
        let done = attempt();
        if matches!(done, Err(ClusterError::Broker { .. })) {
            let _ = self.broker.lay_out_matches();
        }
        done
    }

    fn gather(
        &self,
        fixtures: &Fixtures<'_>,
        missing: &mut Missing<'_>,
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<(), ClusterError> {
        let mut announced = Announced::new(self, fixtures)?;
        if self.broker.persist(stop, || self.laid_out(|| announced.announce()))?.is_none() {
            return Ok(());
        }
        let arriving = self.broker.match_results(&announced.name);
        let mut deal = 0;
        let mut lonely = Loneliness::new();
        let mut looked = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            announced.confirm();
            let places = missing.to_deal();
            if let Some(last) = places.last() {
                let deal_out = || self.laid_out(|| announced.deal(fixtures.list, &places, deal));
                if self.broker.persist(stop, deal_out)?.is_none() {
                    return Ok(());
                }
                missing.dealt = last + 1;
            }
            if let Some(delivery) = arriving.next(GLANCE) {
                lonely.ends();
                if missing.take(&delivery, &self.tell, on_game) {
                    break;
                }
            } else if lonely.lasts() && looked.elapsed() > LOOK_AGAIN {
                match self.broker.match_work_waiting(&announced.name) {
                    // All has been played, and yet games are missing: refused, or the broker lost its store.
                    Ok(0) => {
                        deal += 1;
                        // Another match that ended may have taken files of this one with it.
                        let announced_again = announced.announce();
                        let _ = announced_again.and_then(|()| announced.deal(fixtures.list, &missing.out(), deal));
                    }
                    Ok(_) => {}
                    // A broker that lost its store has no consumers.
                    Err(_) => _ = self.broker.lay_out_matches().and_then(|()| announced.announce()),
                }
                lonely.tell(&self.broker, &*self.tell);
                looked = Instant::now();
            }
        }
        Ok(())
    }
}

impl Venue for BrokerVenue {
    fn play(
        &self,
        fixtures: &Fixtures<'_>,
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(usize, Finished) -> bool,
    ) -> Result<Option<(Fixture, PlayerFailure)>, MatchError> {
        let starts = Starts::new(fixtures)?;
        let mut missing = Missing {
            list: fixtures.list,
            starts,
            places: (0..fixtures.list.len()).collect(),
            dealt: 0,
            failure: None,
        };
        if !missing.places.is_empty() {
            self.gather(fixtures, &mut missing, stop, on_game).map_err(elsewhere)?;
        }
        Ok(missing.failure)
    }
}

#[cfg(test)]
mod tests {
    use crate::games::game_named;

    use super::*;

    #[test]
    fn every_game_is_dealt_out_once_and_few_are_out() {
        let list: Vec<Fixture> = (0..3 * MOST_OUT + 7).map(|index| Fixture { a: 0, b: 1, size: 3, index }).collect();
        let fixtures = Fixtures { game: game_named("cachex").unwrap(), list: &list[..2], seed: 0 };
        let starts = Starts::new(&fixtures).unwrap();
        let mut missing = Missing { list: &list, starts, places: (0..list.len()).collect(), dealt: 0, failure: None };
        let mut dealt = Vec::new();
        while !missing.places.is_empty() {
            let places = missing.to_deal();
            // Pairs share an opening.
            assert!(places.first().is_none_or(|first| first.is_multiple_of(PIECE)));
            missing.dealt = places.last().map_or(missing.dealt, |last| last + 1);
            dealt.extend(places);
            let out = missing.out();
            assert!(!out.is_empty() && out.len() <= MOST_OUT);
            out[..out.len().min(1000)].iter().for_each(|place| _ = missing.places.remove(place));
        }
        assert!(dealt.into_iter().eq(0..list.len()));
    }
}
