//! Coordinator of a run: assigns ranges of game numbers and gathers the games.
//!
//! Modules import only those below them:
//!
//! ```text
//! this file               Coordinator: a GameSource with one gathering loop, in lock step and streaming
//!   ├─ intake             checks a message with games and acknowledges it; banned workers
//!   │    ├─ wanted_games  games to wait for: those of an order (lock step), or those that a sink wants (streaming)
//!   │    └─ acceptance    jobs whose games are accepted, and the checks of these
//!   └─ publisher          job, run state and work at the broker; the lease: one coordinator at a time
//! ```

mod acceptance;
mod intake;
mod publisher;
mod wanted_games;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use hexzero_games::game_named;
use hexzero_nn::{Backend, Checkpoint};
use hexzero_selfplay::{
    GameOrder, GameSink, GameSource, GameSourceError, KeepGames, PlayedGames, SelfPlayJob, StreamOrder,
};
use hexzero_system::stop::StopSignal;

use crate::ClusterError;
use crate::broker::{Broker, Incoming};
use crate::status::{NoWorkers, workers};
use crate::wire::{CoordinatorStatus, Job, PROGRAM_VERSION, STATE, SUMMARY_KEY, Traffic, decode, digest, host_name};

use acceptance::{Acceptance, AcceptedJobs};
use intake::{BannedWorkers, Intake, Received};
use publisher::{Lease, Publisher, new_deal};
use wanted_games::{OrderedGames, StreamedGames, WantedGames, ranges};

/// Longest wait for a message before the loop does other work.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Interval of checks for lost work, while nothing new arrives.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Silence after which messages may be lost, or workers may wait for something that the broker has lost.
const QUIET: Duration = Duration::from_secs(15);
/// Interval of the coordinator's reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// Settings of a coordinator.
#[derive(Debug, Clone)]
pub struct CoordinatorSettings {
    /// Name of the run.
    pub run: String,
    /// Share of the coordinator's time for playing games again to check them, from 0 to 1; with 1, all of them.
    pub verify: f64,
    /// Time after which work goes to another worker if its worker has sent no signal.
    pub patience: Duration,
    /// True to accept games of other kernels and precisions; the run is then not exactly repeatable.
    pub mixed: bool,
    /// Backend that plays games again to check them.
    pub backend: Backend,
}

/// Coordinator of a run, whose games are played by the workers at a broker.
pub struct Coordinator {
    broker: Arc<Broker>,
    settings: CoordinatorSettings,
    lease: Lease,
    publisher: Publisher,
    intake: Intake,
    /// State of [`GameSource::stream`] from one iteration to the next.
    stream: Mutex<Option<StreamState>>,
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// State of the stream of games: of one order in lock step, of the whole run otherwise.
#[derive(Debug)]
struct StreamState {
    incoming: Incoming,
    jobs: AcceptedJobs,
    /// All numbers below this one are assigned; `None` in lock step.
    dealt: Option<u64>,
    /// True until the missing games are assigned, unless an earlier process has assigned them.
    undealt: bool,
    began: Instant,
    used: u64,
}

impl Coordinator {
    /// Becomes the coordinator at a broker. Calls `warn` with what the user should know. Returns `None` if `stop` is requested
    /// meanwhile.
    ///
    /// # Errors
    /// If another process coordinates, or the broker does not allow it.
    pub fn new(
        broker: Arc<Broker>,
        settings: CoordinatorSettings,
        stop: &StopSignal,
        warn: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Option<Self>, ClusterError> {
        let CoordinatorSettings { run, patience, mixed, backend, .. } = settings.clone();
        let evaluation = (!mixed).then(|| backend.to_string());
        let publisher = Publisher { broker: broker.clone(), run: run.clone(), evaluation, patience };
        if broker.retry_until(stop, || publisher.set_up())?.is_none() {
            return Ok(None);
        }
        let Some(lease) = Lease::take(&broker, &run, stop)? else { return Ok(None) };
        let banned = BannedWorkers::new(broker.clone(), run);
        if broker.retry_until(stop, || banned.restore())?.is_none() {
            return Ok(None);
        }
        let intake = Intake { banned, traffic: Mutex::default(), warn: Box::new(warn), told: Mutex::default() };
        Ok(Some(Self { broker, settings, lease, publisher, intake, stream: Mutex::default() }))
    }

    /// Assigns the games of `wanted` with the job of `parts`, and gathers them until all are there
    /// (true) or `stop` is requested (false). Games of `checkpoint_age` earlier jobs are accepted
    /// too.
    fn gather<W: WantedGames>(
        &self,
        stream: &mut Option<StreamState>,
        parts: SelfPlayJob<'_>,
        checkpoint_age: usize,
        wanted: &mut W,
        stop: &StopSignal,
    ) -> Result<bool, ClusterError> {
        let begin = || self.publisher.repaired(self.begin(stream, parts, checkpoint_age, wanted));
        let Some((job, undealt)) = self.broker.retry_until(stop, begin)? else { return Ok(false) };
        let Some(stream) = stream else { return Ok(false) };
        let length = wanted.range_length(|| self.worker_threads());
        let deal = |deal: u64, numbers: &[u64]| self.publisher.deal(deal, &job, &ranges(numbers, length));
        // Deals numbers, after `first`, for as long as the broker fails; returns false if `stop` is requested meanwhile.
        let deal_until = |numbers: &[u64], first: &dyn Fn() -> Result<(), ClusterError>| {
            let id = new_deal();
            let attempt = || self.publisher.repaired(first().and_then(|()| deal(id, numbers)));
            self.broker.retry_until(stop, attempt).map(|dealt| dealt.is_some())
        };
        if undealt && !deal_until(&wanted.missing(), &|| Ok(()))? {
            return Ok(false);
        }
        let (mut checked, mut heard, mut reported) = (Instant::now(), Instant::now(), None::<Instant>);
        let mut no_workers = NoWorkers::new();
        while !wanted.is_complete() {
            self.lease.check()?;
            if stop.is_requested() {
                return Ok(false);
            }
            if reported.is_none_or(|before| before.elapsed() >= REPORT_INTERVAL) {
                self.report(W::PHASE, wanted.missing().len(), stream);
                // Published again, in case it was overwritten.
                let _ = self.publish_state(stream, Some(&job));
                reported = Some(Instant::now());
            }
            let next = wanted.next_numbers();
            if let Some(last) = next.last() {
                stream.dealt = Some(last + 1);
                // State first: numbers that are never assigned are found missing, but numbers missing from the state might
                // be assigned twice after a crash.
                if !deal_until(&next, &|| self.publish_state(stream, Some(&job)))? {
                    return Ok(false);
                }
            }
            if let Some(delivery) = stream.incoming.next(POLL_INTERVAL) {
                heard = Instant::now();
                no_workers.reset();
                match self.intake.receive(&delivery, &mut stream.jobs, wanted) {
                    Received::New(games) => {
                        stream.used += games as u64;
                        checked = Instant::now();
                    }
                    Received::Deferred => checked = Instant::now(),
                    // Useless messages must not delay the check for lost work.
                    Received::Nothing => {}
                    Received::Refused(numbers) => _ = deal(new_deal(), &wanted.to_redeal(&numbers)),
                }
            }
            if checked.elapsed() >= CHECK_INTERVAL {
                let announce = || self.publisher.store(parts).and_then(|_| self.publish_state(stream, Some(&job)));
                if self.find_losses(heard.elapsed() >= QUIET, announce, || deal(new_deal(), &wanted.missing())) {
                    heard = Instant::now();
                }
                no_workers.warn(&self.broker, &*self.intake.warn);
                checked = Instant::now();
            }
        }
        self.report("learning", 0, stream);
        Ok(true)
    }

    /// Makes the job of `parts` the present one. Returns its digest, and whether the missing games
    /// are still to be assigned.
    fn begin<W: WantedGames>(
        &self,
        stream: &mut Option<StreamState>,
        parts: SelfPlayJob<'_>,
        checkpoint_age: usize,
        wanted: &W,
    ) -> Result<(String, bool), ClusterError> {
        let [digest, checkpoint] = self.publisher.store(parts)?;
        let stream = match stream {
            Some(stream) => stream,
            None => stream.insert(self.open_stream(&digest, parts, wanted)?),
        };
        if stream.jobs.present() != Some(&digest) {
            stream.jobs.push(self.acceptance(parts, [digest.clone(), checkpoint])?, checkpoint_age + 1);
        }
        if stream.undealt {
            self.broker.purge_work()?;
        }
        self.publish_state(stream, Some(&digest))?;
        self.broker.retain_files(&stream.jobs.files())?;
        Ok((digest, std::mem::take(&mut stream.undealt)))
    }

    /// Opens the stream of games, where possible as an earlier process left it in the state at the
    /// broker.
    fn open_stream<W: WantedGames>(
        &self,
        job: &str,
        parts: SelfPlayJob<'_>,
        wanted: &W,
    ) -> Result<StreamState, ClusterError> {
        let state = self.publisher.state()?.filter(|state| state.continuous == W::CONTINUOUS);
        let (mut jobs, mut dealt, mut undealt) = (AcceptedJobs::default(), None, true);
        if W::CONTINUOUS {
            dealt = Some(0);
            if let Some(state) = state.filter(|state| state.run == self.settings.run) {
                let names = state.job.iter().chain(&state.earlier_jobs);
                jobs.0 = names.filter_map(|name| self.restore_job(name, parts)).collect();
                // Without a job of this run, the state is that of another run with the same name.
                if jobs.present().is_some() && wanted.resume_at(state.dealt) {
                    (dealt, undealt) = (Some(state.dealt), state.job.is_none());
                }
            }
        } else if let Some(state) = state {
            undealt = state.job.as_deref() != Some(job);
        }
        Ok(StreamState { incoming: self.broker.finished_games(), jobs, dealt, undealt, began: Instant::now(), used: 0 })
    }

    /// Restores a job of an earlier process, if the broker still has it and it is of the same run.
    fn restore_job(&self, name: &str, parts: SelfPlayJob<'_>) -> Option<Acceptance> {
        let bytes = self.broker.fetch(name).ok()??;
        let job = decode::<Job>(&bytes).ok().filter(|_| digest(&bytes) == name)?.unpacked();
        let checkpoint = Checkpoint::from_bytes(&self.broker.fetch(&job.checkpoint).ok()??, "of the run").ok()?;
        let is_of_run = job.game == parts.game.name()
            && job.run_seed == parts.run_seed
            && checkpoint.metadata.recipe_hash == parts.checkpoint.metadata.recipe_hash
            && checkpoint.metadata.step <= parts.checkpoint.metadata.step;
        let game = game_named(&job.game).ok().filter(|_| is_of_run)?;
        // Settings from the store may be invalid.
        job.settings.validate(game.boards.sizes.clone()).ok()?;
        let parts = SelfPlayJob { game, checkpoint: &checkpoint, settings: &job.settings, run_seed: job.run_seed };
        self.acceptance(parts, [name.to_owned(), job.checkpoint]).ok()
    }

    fn acceptance(&self, parts: SelfPlayJob<'_>, files: [String; 2]) -> Result<Acceptance, ClusterError> {
        Ok(Acceptance::new(parts, files, self.settings.verify, self.settings.mixed, &self.settings.backend)?)
    }

    fn publish_state(&self, stream: &StreamState, job: Option<&str>) -> Result<(), ClusterError> {
        self.publisher.publish_state(job, stream.jobs.except(job), stream.dealt)
    }

    /// Checks the broker for reasons why nothing new arrives: announces the job again, and
    /// reassigns the missing games if no work is left. Returns true if it did either because
    /// messages may be lost.
    fn find_losses(
        &self,
        quiet: bool,
        announce: impl Fn() -> Result<(), ClusterError>,
        deal_missing: impl FnOnce() -> Result<(), ClusterError>,
    ) -> bool {
        // Failures are not reported: the next check tries again.
        match self.broker.pending() {
            // All work is done, and yet games are missing: they were refused, or the broker lost its store and was set up again
            // without the job. Or they were delivered to a connection that is gone.
            Ok((0, games)) if games == 0 || quiet => {
                _ = self.publisher.repaired(announce()).and_then(|()| deal_missing());
                true
            }
            // Workers may wait for something that the broker has lost.
            Ok(_) if quiet => {
                _ = self.publisher.repaired(announce());
                true
            }
            Ok(_) => false,
            // A broker that lost its store has no consumers.
            Err(_) => {
                _ = self.publisher.set_up().and_then(|()| announce());
                false
            }
        }
    }

    /// Counts the threads of all workers, by their own reports.
    fn worker_threads(&self) -> u64 {
        let reports = workers(&self.broker).unwrap_or_default();
        // Reports are not trusted: the sum must not overflow.
        reports.iter().fold(0, |sum: u64, worker| sum.saturating_add(worker.threads as u64))
    }

    /// Publishes the coordinator's status.
    fn report(&self, phase: &str, missing: usize, stream: &StreamState) {
        let status = CoordinatorStatus {
            run: self.settings.run.clone(),
            host: host_name(),
            version: PROGRAM_VERSION.to_owned(),
            phase: phase.to_owned(),
            missing,
            games_per_second: stream.used as f64 / stream.began.elapsed().as_secs_f64().max(1e-3),
            traffic: *self.intake.traffic.lock(),
        };
        let bytes = serde_json::to_vec(&status).expect("texts and numbers are JSON");
        // If it fails, the next report replaces it.
        let _ = self.broker.put(STATE, SUMMARY_KEY, &bytes);
    }
}

fn failed(error: ClusterError) -> GameSourceError {
    GameSourceError::Elsewhere(Box::new(error))
}

impl GameSource for Coordinator {
    fn play(
        &self,
        order: &GameOrder<'_>,
        stop: &StopSignal,
        keep: &KeepGames<'_>,
    ) -> Result<Option<PlayedGames>, GameSourceError> {
        let mut games = OrderedGames::new(order, keep);
        let complete = self.gather(&mut None, order.job, 0, &mut games, stop).map_err(failed)?;
        Ok(complete.then(|| games.into_played()))
    }

    fn traffic(&self) -> Option<String> {
        let Traffic { acknowledged, used, doubled, stale, refused, repeated, .. } = *self.intake.traffic.lock();
        Some(format!(
            "cluster: {acknowledged} games acknowledged, {used} used, {doubled} doubled, {stale} stale, {repeated} played \
             again; {refused} messages refused",
        ))
    }

    fn stream(&self, order: &StreamOrder<'_>, stop: &StopSignal, sink: &dyn GameSink) -> Result<(), GameSourceError> {
        let mut games = StreamedGames::new(order, sink);
        let mut stream = self.stream.lock();
        self.gather(&mut stream, order.job, order.checkpoint_age, &mut games, stop).map_err(failed)?;
        Ok(())
    }
}

impl Drop for Coordinator {
    /// Tells the workers that no more games are wanted.
    fn drop(&mut self) {
        let dealt = self.stream.get_mut().take().and_then(|stream| stream.dealt);
        if self.lease.check().is_err() {
            // Another coordinator has the workers.
            return;
        }
        // If the broker cannot be reached, workers play the rest of the work, and the games wait for the run.
        if self.publisher.publish_state(None, Vec::new(), dealt).is_ok() {
            let _ = self.broker.purge_work();
        }
        self.broker.flush();
    }
}
