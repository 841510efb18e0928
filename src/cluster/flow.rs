//! Games that come in any order while the network learns.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::games::game_named;
use crate::network::Checkpoint;
use crate::replay::GameRecord;
use crate::selfplay::{GameSink, StreamOrder};

use super::acceptance::{Acceptance, Refusal, read_range};
use super::coordinator::{BrokerGames, JobFiles, LARGEST_RANGE, LOOK_AGAIN, QUIET, REPORT, new_deal};
use super::delivery::{Arriving, Delivery};
use super::error::ClusterError;
use super::frame::decode;
use super::lonely::Loneliness;
use super::messages::{Job, digest};

/// How long to wait for a message before looking around.
const GLANCE: Duration = Duration::from_millis(20);
/// Ranges are so small that about this many are out.
const RANGES: u64 = 128;

/// What lasts from one iteration to the next.
#[derive(Debug)]
pub(super) struct Flow {
    arriving: Arriving,
    /// The jobs whose games are taken, the latest first.
    jobs: VecDeque<Known>,
    /// All numbers below this one are dealt out.
    pub(super) dealt: u64,
    began: Instant,
    used: u64,
    /// Whether what a process that ended has dealt out is still good.
    goes_on: bool,
    /// Whether the broker knows of what was found at the beginning.
    begun: bool,
}

/// A job whose games are taken.
#[derive(Debug)]
struct Known {
    acceptance: Acceptance,
    files: JobFiles,
}

impl BrokerGames {
    /// Deals out what a sink wants and hands it what comes, until `done` is set.
    pub(super) fn keep_flowing(
        &self,
        order: &StreamOrder<'_>,
        done: &AtomicBool,
        sink: &dyn GameSink,
    ) -> Result<(), ClusterError> {
        let mut flow = self.flow.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((job, again)) = self.broker.persist(done, || self.laid_out(|| self.renew(order, &mut flow, sink)))?
        else {
            return Ok(());
        };
        let Some(flow) = flow.as_mut() else { return Ok(()) };
        let longest = (order.games / (RANGES / 2)).clamp(1, LARGEST_RANGE);
        let (deal, out) = (new_deal(), ranges(&sink.out(), longest));
        if again && self.broker.persist(done, || self.laid_out(|| self.deal_as(deal, &job, &out)))?.is_none() {
            return Ok(());
        }
        let [mut looked, mut heard] = [Instant::now(); 2];
        let (mut reported, mut lonely) = (None::<Instant>, Loneliness::new());
        while !done.load(Ordering::Relaxed) {
            self.lease.held()?;
            let wanted = sink.deal();
            if let Some(last) = wanted.last() {
                flow.dealt = last + 1;
                let deal = new_deal();
                let dealt = || {
                    // First: what was never published is missed one day, but what is not known might be dealt out twice.
                    self.tell_of(flow, Some(job.clone()))?;
                    self.deal_as(deal, &job, &ranges(&wanted, longest))
                };
                if self.broker.persist(done, || self.laid_out(dealt))?.is_none() {
                    return Ok(());
                }
            }
            if let Some(delivery) = flow.arriving.next(GLANCE) {
                heard = Instant::now();
                // What brings nothing must not put off the search for what is missing.
                if self.take_in(&delivery, flow, sink, |lost| _ = self.deal(&job, &ranges(lost, longest))) {
                    looked = Instant::now();
                }
                lonely.ends();
            }
            if looked.elapsed() >= LOOK_AGAIN {
                let announce = || {
                    self.store(order.game, order.checkpoint, order.settings, order.run_seed)?;
                    self.tell_of(flow, Some(job.clone()))
                };
                let quiet = heard.elapsed() >= QUIET;
                match self.broker.waiting() {
                    // As in lock step.
                    Ok((0, games)) if games == 0 || quiet => {
                        let announced = self.laid_out(announce);
                        _ = announced.and_then(|()| self.deal(&job, &ranges(&sink.out(), longest)));
                        heard = Instant::now();
                    }
                    Ok(_) if quiet => {
                        _ = self.laid_out(announce);
                        heard = Instant::now();
                    }
                    Ok(_) => {}
                    // A broker that lost its store has no consumers.
                    Err(_) => _ = self.broker.lay_out(self.settings.patience).and_then(|()| announce()),
                }
                lonely.tell(&self.broker, &*self.tell);
                looked = Instant::now();
            }
            if reported.is_none_or(|before| before.elapsed() >= REPORT) {
                self.report("playing and learning", sink.out().len(), (flow.used, flow.began));
                reported = Some(Instant::now());
            }
        }
        Ok(())
    }

    /// Has games played with the checkpoint of an order from now on; the digest of its job, and whether what was dealt out
    /// before has to be dealt out again.
    fn renew(
        &self,
        order: &StreamOrder<'_>,
        flow: &mut Option<Flow>,
        sink: &dyn GameSink,
    ) -> Result<(String, bool), ClusterError> {
        let StreamOrder { game, checkpoint, settings, run_seed, checkpoint_age, .. } = *order;
        let (job, files) = self.store(game, checkpoint, settings, run_seed)?;
        if flow.is_none() {
            let state = self.known()?.filter(|state| state.run == self.settings.run && state.continuous);
            let (mut jobs, mut dealt, mut goes_on) = (VecDeque::new(), 0, false);
            if let Some(state) = &state {
                jobs.extend(state.job.iter().chain(&state.before).filter_map(|job| self.recall(job, order)));
                // Another run may have had this name.
                if !jobs.is_empty() {
                    (dealt, goes_on) = (state.dealt, state.job.is_some());
                }
            }
            if !sink.dealt_below(dealt) {
                (dealt, goes_on) = (0, false);
            }
            let (began, used) = (Instant::now(), 0);
            *flow = Some(Flow { arriving: self.broker.games(), jobs, dealt, began, used, goes_on, begun: false });
        }
        let Some(flow) = flow.as_mut() else { return Ok((job, false)) };
        if flow.jobs.front().is_none_or(|known| known.acceptance.job() != job) {
            let checks = (self.settings.verify, self.settings.mixed);
            let acceptance = Acceptance::new(game, checkpoint, (settings, run_seed), job.clone(), checks)?;
            flow.jobs.push_front(Known { acceptance, files });
        }
        flow.jobs.truncate(checkpoint_age + 1);
        let anew = !flow.begun && !flow.goes_on;
        if anew {
            self.broker.take_work_back()?;
        }
        self.tell_of(flow, Some(job.clone()))?;
        self.broker.keep_files(&flow.jobs.iter().flat_map(|known| known.files.clone()).collect::<Vec<_>>())?;
        flow.begun = true;
        Ok((job, anew))
    }

    fn tell_of(&self, flow: &Flow, job: Option<String>) -> Result<(), ClusterError> {
        let before = flow.jobs.iter().map(|known| known.acceptance.job().to_owned());
        let before = before.filter(|before| Some(before) != job.as_ref()).collect();
        self.tell_workers(job, before, Some(flow.dealt))
    }

    /// A job of a process that ended, if the broker still has it and it is of the same run.
    fn recall(&self, name: &str, order: &StreamOrder<'_>) -> Option<Known> {
        let bytes = self.broker.fetch(name).ok()??;
        let job: Job = decode(&bytes).ok().filter(|_| digest(&bytes) == name)?;
        let checkpoint = Checkpoint::from_bytes(&self.broker.fetch(&job.checkpoint).ok()??, "of the run").ok()?;
        let step = |checkpoint: &Checkpoint| checkpoint.metadata.step;
        let is_of_run = job.game == order.game.name()
            && job.run_seed == order.run_seed
            && checkpoint.metadata.recipe_hash == order.checkpoint.metadata.recipe_hash
            && step(&checkpoint) <= step(order.checkpoint);
        if !is_of_run {
            return None;
        }
        let checks = (self.settings.verify, self.settings.mixed);
        let (settings, game) = ((&job.settings, job.run_seed), game_named(&job.game).ok()?);
        // Settings from the store may be invalid.
        if job.settings.problem(game.boards.sizes.clone()).is_some() {
            return None;
        }
        let acceptance = Acceptance::new(game, &checkpoint, settings, name.to_owned(), checks).ok()?;
        Some(Known { acceptance, files: [name.to_owned(), job.checkpoint] })
    }

    /// Takes a message with games; whether it brought any that were missing, now or for later.
    ///
    /// Games of it that are not taken are dealt out again at once.
    fn take_in(&self, delivery: &Delivery, flow: &mut Flow, sink: &dyn GameSink, again: impl Fn(&[u64])) -> bool {
        let Some(worker) = self.sender(delivery) else { return false };
        let mut numbers = Vec::new();
        let judged = read_range(delivery.subject(), delivery.payload()).and_then(|range| {
            numbers = range.games.iter().map(|game| game.0).collect();
            let known = flow.jobs.iter_mut().find(|known| known.acceptance.job() == range.job);
            let acceptance = &mut known.ok_or(Refusal::Stale { games: range.games.len() })?.acceptance;
            let before = acceptance.repeated();
            let checked = acceptance.check(&range);
            self.count(|traffic| traffic.repeated += acceptance.repeated() - before);
            checked.map(|()| range)
        });
        match judged {
            Ok(range) => {
                let games: Vec<(u64, &GameRecord)> = range.games.iter().map(|(n, record)| (*n, record)).collect();
                match sink.take(&games) {
                    Some(used) => {
                        flow.used += used as u64;
                        self.taken(delivery, games.len(), used);
                        used > 0
                    }
                    None => {
                        self.put_off(delivery);
                        true
                    }
                }
            }
            Err(refusal) => {
                self.not_taken(delivery, &worker, &refusal);
                let out = sink.out();
                numbers.retain(|number| out.contains(number));
                again(&numbers);
                false
            }
        }
    }
}

/// Ascending numbers as ranges of at most `longest`: the first number of each and how many there are.
fn ranges(numbers: &[u64], longest: u64) -> Vec<(u64, u32)> {
    let mut ranges: Vec<(u64, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((first, games)) if *first + u64::from(*games) == number && u64::from(*games) < longest => *games += 1,
            _ => ranges.push((number, 1)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_a_bound_and_no_gaps() {
        assert_eq!(ranges(&[3, 4, 5, 6, 7, 9, 12, 13], 3), [(3, 3), (6, 2), (9, 1), (12, 2)]);
        assert_eq!(ranges(&[], 3), []);
    }
}
