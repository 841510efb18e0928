//! Jobs whose games are accepted, and the checks of these.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use hexzero_games::{Evaluator, Game};
use hexzero_nn::{Backend, CheckpointError, NetworkEvaluator};
use hexzero_selfplay::shards::GameRecord;
use hexzero_selfplay::{GameId, ImpossibleGame, SelfPlayJob, SelfPlaySettings, check_game, play_numbered, surprise};
use hexzero_system::stop::StopSignal;

use crate::wire::{FrameError, PlayedRange, decode, games_subject, unseal};

/// Tolerance between the surprise of a search and the same computed with priors of another kernel
/// or precision: absolute, and relative.
const SURPRISE_TOLERANCE: (f32, f32) = (0.15, 0.3);

/// Reason why a message with games is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// This many games of a job that is not accepted any more.
    #[error("its games were played with an older checkpoint")]
    Stale(usize),
    /// A message that cannot be read.
    #[error("its message cannot be used: {0}")]
    Unreadable(#[from] FrameError),
    /// A message that the worker has not signed, or that was changed since.
    #[error("its message is not signed by it")]
    Unsigned,
    /// A message sent under the name of another worker.
    #[error("it sends games under the name of {0}")]
    OtherName(String),
    /// Games played with a kernel or precision that the run does not accept.
    #[error("it evaluates with {0}, which the run does not accept")]
    OtherEvaluation(String),
    /// A game that violates the rules or the recipe.
    #[error("game {number}: {problem}")]
    Impossible { number: u64, problem: ImpossibleGame },
    /// A game that differs when it is played again.
    #[error("game {0} was not played with the checkpoint: played again it is another game")]
    NotRepeated(u64),
    /// A game whose policies do not fit the network's priors.
    #[error("game {0} was not played with the checkpoint: its surprises do not fit the network's priors")]
    Priors(u64),
}

impl Refusal {
    /// Returns true if the sender is to be banned. Messages that anybody can send in a worker's
    /// name, transmission errors, and games from before an update of the worker or of the
    /// coordinator are not held against it.
    pub fn bans(&self) -> bool {
        match self {
            Self::Stale(_) | Self::OtherEvaluation(_) => false,
            Self::Unreadable(_) | Self::Unsigned | Self::OtherName(_) => false,
            Self::Impossible { .. } | Self::NotRepeated(_) | Self::Priors(_) => true,
        }
    }
}

/// Reads games that were sent to `subject`, with the public key of their sender.
///
/// # Errors
/// If they cannot be read, are not signed, or were sent under the name of another worker.
pub fn read_range<'a>(subject: &str, bytes: &'a [u8]) -> Result<(PlayedRange, &'a str), Refusal> {
    let Some((frame, key)) = unseal(subject, bytes) else {
        // Another version may sign otherwise, or not at all.
        return Err(match decode::<PlayedRange>(bytes) {
            Err(error @ FrameError::OtherProgram(_)) => error.into(),
            _ => Refusal::Unsigned,
        });
    };
    let range: PlayedRange = decode(frame)?;
    if games_subject(&range.provenance.worker) != subject {
        return Err(Refusal::OtherName(range.provenance.worker));
    }
    Ok((range, key))
}

/// Checks of the games of a job.
#[derive(Debug)]
pub struct Acceptance {
    game: Game,
    settings: SelfPlaySettings,
    run_seed: u64,
    /// The names of the job's files: its digest, and that of its checkpoint.
    files: [String; 2],
    mixed: bool,
    /// The kernel and precision here.
    evaluation: String,
    evaluator: NetworkEvaluator,
    on_device: bool,
    /// Share of the time for playing games again.
    share: f64,
    began: Instant,
    spent: Duration,
    /// The number of games that were played again.
    repeated: u64,
}

impl Acceptance {
    /// Checks games of the job with these files. A share of the time, from 0 to 1, goes into playing games again; with 1
    /// every game is. `mixed` accepts games of other kernels and precisions; these cannot be repeated here, so their policies
    /// are compared with the network's priors.
    ///
    /// # Errors
    /// If the checkpoint is not a network for the game.
    pub fn new(
        SelfPlayJob { game, checkpoint, settings, run_seed }: SelfPlayJob<'_>,
        files: [String; 2],
        share: f64,
        mixed: bool,
        backend: &Backend,
    ) -> Result<Self, CheckpointError> {
        let evaluator = NetworkEvaluator::new(game, checkpoint, "of this run", backend.repeatable())?;
        Ok(Self {
            game,
            settings: settings.clone(),
            run_seed,
            files,
            mixed,
            evaluation: backend.to_string(),
            on_device: evaluator.device_stats().is_some(),
            evaluator,
            share,
            began: Instant::now(),
            spent: Duration::ZERO,
            repeated: 0,
        })
    }

    /// Returns the digest of the job.
    fn job(&self) -> &str {
        &self.files[0]
    }

    /// Checks the games of `range`, which must be of this job; those of a suspect are all played
    /// again, unless no games are to be.
    ///
    /// # Errors
    /// If a game must not be accepted.
    fn check(&mut self, range: &PlayedRange, is_suspect: bool) -> Result<(), Refusal> {
        let same_evaluation = range.provenance.evaluation == self.evaluation;
        if !same_evaluation && !self.mixed {
            return Err(Refusal::OtherEvaluation(range.provenance.evaluation.clone()));
        }
        for &(number, ref record) in &range.games {
            let possible = check_game(self.game, &self.settings, record);
            possible.map_err(|problem| Refusal::Impossible { number, problem })?;
            if !same_evaluation && !self.fits_priors(number, record) {
                return Err(Refusal::Priors(number));
            }
            if same_evaluation && !self.is_repeated(number, record, is_suspect) {
                return Err(Refusal::NotRepeated(number));
            }
        }
        Ok(())
    }

    /// Plays a game again if there is time or it `must` be played; returns false if it differs.
    fn is_repeated(&mut self, number: u64, record: &GameRecord, must: bool) -> bool {
        let has_time = self.spent.as_secs_f64() <= self.share * self.began.elapsed().as_secs_f64();
        if self.share == 0.0 || !(has_time || must) {
            return true;
        }
        let began = Instant::now();
        let again = play_numbered(
            self.game,
            &mut self.evaluator,
            &self.settings,
            GameId { run_seed: self.run_seed, number },
            &StopSignal::new(),
        );
        // Games of suspects do not use up the time for the others.
        if !must {
            self.spent += began.elapsed();
        }
        if self.on_device && self.evaluator.device_stats().is_none() {
            // The device has failed and kernels went on in its place, so nothing is known about the game.
            return true;
        }
        self.repeated += 1;
        again.as_ref() == Some(record)
    }

    /// Returns false if the surprise of one search of a game does not fit the network's priors.
    fn fits_priors(&mut self, number: u64, record: &GameRecord) -> bool {
        let has_surprise = |turn: &usize| {
            let search = record.turns[*turn].search.as_ref();
            search.is_some_and(|search| !search.proven && search.surprise > 0.0)
        };
        let turns: Vec<usize> = record.policy_turns().filter(has_surprise).collect();
        let Some(&turn) = turns.get((number % turns.len().max(1) as u64) as usize) else { return true };
        let Some(search) = &record.turns[turn].search else { return true };
        let Some(position) = record.position_before(self.game, turn) else { return false };
        let legal = position.legal();
        let evaluation = self.evaluator.evaluate(&position, &legal);
        let priors: Vec<_> = legal.iter().copied().zip(evaluation.priors).collect();
        let found = surprise(&search.policy, &priors);
        let (least, share) = SURPRISE_TOLERANCE;
        (found - search.surprise).abs() <= least + share * found.max(search.surprise)
    }
}

/// Jobs whose games are accepted, latest first.
#[derive(Debug, Default)]
pub struct AcceptedJobs(pub VecDeque<Acceptance>);

impl AcceptedJobs {
    /// Returns the digest of the present job, if there is one.
    pub fn present(&self) -> Option<&str> {
        self.0.front().map(Acceptance::job)
    }

    /// Makes `job` the present one, and drops the oldest so that at most `limit` jobs are left.
    pub fn push(&mut self, job: Acceptance, limit: usize) {
        self.0.push_front(job);
        self.0.truncate(limit);
    }

    /// Returns the digests of all jobs but `present`.
    pub fn except(&self, present: Option<&str>) -> Vec<String> {
        let digests = self.0.iter().map(Acceptance::job);
        digests.filter(|&digest| Some(digest) != present).map(str::to_owned).collect()
    }

    /// Returns the names of the files of all jobs.
    pub fn files(&self) -> Vec<String> {
        self.0.iter().flat_map(|job| job.files.clone()).collect()
    }

    /// Checks the games of `range` and returns how many were played again for that; of a suspect's
    /// games, all are.
    pub fn check(&mut self, range: &PlayedRange, is_suspect: bool) -> (u64, Result<(), Refusal>) {
        let Some(job) = self.0.iter_mut().find(|job| job.job() == range.job) else {
            return (0, Err(Refusal::Stale(range.games.len())));
        };
        let before = job.repeated;
        let checked = job.check(range, is_suspect);
        (job.repeated - before, checked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{checkpoint, provenance};
    use hexzero_games::game_named;
    use hexzero_nn::{Checkpoint, Precision};
    use hexzero_selfplay::SizeWeight;

    fn settings() -> SelfPlaySettings {
        SelfPlaySettings {
            sizes: vec![SizeWeight::of(4)],
            full_visits: 24,
            cheap_visits: 6,
            full_share: 1.0,
            ..SelfPlaySettings::default()
        }
    }

    /// Plays games as a worker with `checkpoint` does.
    fn range(checkpoint: &Checkpoint) -> PlayedRange {
        let game = game_named("cachex").unwrap();
        let mut evaluator = NetworkEvaluator::new(game, checkpoint, "of a test", Precision::best()).unwrap();
        let games = (10..14).map(|number| {
            let id = GameId { run_seed: 3, number };
            (number, play_numbered(game, &mut evaluator, &settings(), id, &StopSignal::new()).unwrap())
        });
        PlayedRange { job: "j".to_owned(), provenance: provenance(), games: games.collect() }
    }

    fn acceptance(checkpoint: &Checkpoint, share: f64, mixed: bool) -> Acceptance {
        let (game, settings) = (game_named("cachex").unwrap(), settings());
        let parts = SelfPlayJob { game, checkpoint, settings: &settings, run_seed: 3 };
        Acceptance::new(parts, ["j", "network"].map(str::to_owned), share, mixed, &Backend::default()).unwrap()
    }

    fn judged(range: &PlayedRange, share: f64, mixed: bool) -> Result<(), Refusal> {
        acceptance(&checkpoint(1), share, mixed).check(range, false)
    }

    #[test]
    fn honest_games_are_taken() {
        let mut honest = range(&checkpoint(1));
        assert_eq!(judged(&honest, 1.0, false), Ok(()));
        honest.provenance.evaluation = "neon f32".to_owned();
        assert_eq!(judged(&honest, 1.0, true), Ok(()));
    }

    #[test]
    fn made_up_games_are_refused() {
        let honest = range(&checkpoint(1));
        let changed = |change: &dyn Fn(&mut PlayedRange)| {
            let mut changed = honest.clone();
            change(&mut changed);
            judged(&changed, 1.0, false).unwrap_err()
        };
        // One visit more or less, which the rules and the recipe allow.
        let visits = changed(&|range| {
            let turn = range.games[2].1.policy_turns().next().unwrap();
            let search = range.games[2].1.turns[turn].search.as_mut().unwrap();
            search.policy[0].1 = if search.policy[0].1 > 1 { search.policy[0].1 - 1 } else { 2 };
        });
        assert_eq!(visits, Refusal::NotRepeated(12));
        assert!(visits.bans());
        let number = changed(&|range| range.games[1].0 = 99);
        assert_eq!(number, Refusal::NotRepeated(99), "a game of another number");
        let illegal = changed(&|range| range.games[3].1.turns[1].action = range.games[3].1.turns[0].action);
        assert!(matches!(illegal, Refusal::Impossible { number: 13, .. }) && illegal.bans(), "{illegal}");
        let kernel = changed(&|range| range.provenance.evaluation = "neon f32".to_owned());
        assert_eq!(kernel, Refusal::OtherEvaluation("neon f32".to_owned()));
        assert!(!kernel.bans());
        // Another network's games: refused when they are played again, or by their priors on another kernel.
        let mut foreign = range(&checkpoint(2));
        assert_eq!(judged(&foreign, 1.0, false), Err(Refusal::NotRepeated(10)));
        foreign.provenance.evaluation = "neon f32".to_owned();
        for (_, record) in &mut foreign.games {
            record.turns.iter_mut().filter_map(|turn| turn.search.as_mut()).for_each(|search| search.surprise += 1.0);
        }
        assert!(matches!(judged(&foreign, 1.0, true), Err(Refusal::Priors(_))));
    }

    #[test]
    fn replays_keep_to_their_share_of_time() {
        let checkpoint = checkpoint(1);
        let range = range(&checkpoint);
        for (share, repeated) in [(0.0, 0), (1e-12, 1), (1.0, 4)] {
            let mut acceptance = acceptance(&checkpoint, share, false);
            acceptance.check(&range, false).unwrap();
            assert_eq!(acceptance.repeated, repeated, "{share}");
        }
        let mut acceptance = acceptance(&checkpoint, 1e-12, false);
        acceptance.check(&range, true).unwrap();
        assert_eq!(acceptance.repeated, 4, "all of a suspect's");
        acceptance.check(&range, false).unwrap();
        assert_eq!(acceptance.repeated, 5, "a suspect takes nothing of the others' share");
    }

    #[test]
    fn games_of_dropped_jobs_are_stale() {
        let (checkpoint, mut jobs) = (checkpoint(1), AcceptedJobs::default());
        for name in ["a", "b", "c"] {
            let files = [name.to_owned(), format!("checkpoint of {name}")];
            jobs.push(Acceptance { files, ..acceptance(&checkpoint, 0.0, false) }, 2);
        }
        assert_eq!(jobs.except(Some("c")), ["b"]);
        assert_eq!(jobs.files(), ["c", "checkpoint of c", "b", "checkpoint of b"]);
        let mut check = |job: &str| {
            jobs.check(&PlayedRange { job: job.to_owned(), provenance: provenance(), games: Vec::new() }, false)
        };
        assert_eq!([check("b"), check("a")], [(0, Ok(())), (0, Err(Refusal::Stale(0)))]);
    }
}
