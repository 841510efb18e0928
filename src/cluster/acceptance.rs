//! Which games a coordinator takes.

use std::time::{Duration, Instant};

use crate::games::{Evaluator, Game};
use crate::network::{Checkpoint, CheckpointError, Computing, NetworkEvaluator};
use crate::replay::GameRecord;
use crate::selfplay::{ImpossibleGame, SelfPlaySettings, check_game, play_numbered, surprise};

use super::frame::{FrameProblem, decode};
use super::messages::{PlayedRange, evaluation_name};
use super::names::games_subject;

/// How far the surprise of a search may be from that of the same policy by the priors of another kernel or precision:
/// so much, and such a share of it.
const SURPRISE_SLACK: (f32, f32) = (0.15, 0.3);

/// Why a message with games is not taken.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// It was played for another job, which is past.
    #[error("its games were played with an older checkpoint")]
    Stale {
        /// How many games.
        games: usize,
    },
    /// It cannot be read.
    #[error("its message cannot be used: {0}")]
    Unreadable(#[from] FrameProblem),
    /// It was sent under the name of another.
    #[error("it sends games under the name of {0}")]
    OtherName(String),
    /// Played with a kernel or precision that the run does not want.
    #[error("it evaluates with {0}, which the run does not want")]
    OtherEvaluation(String),
    /// A game that the rules or the recipe do not allow.
    #[error("game {number}: {problem}")]
    Impossible {
        /// The game's number.
        number: u64,
        /// What is not allowed.
        problem: ImpossibleGame,
    },
    /// A game that comes out otherwise when it is played again.
    #[error("game {0} was not played with the checkpoint: played again it is another game")]
    NotRepeated(u64),
    /// A game whose policies do not fit the network.
    #[error("game {0} was not played with the checkpoint: its surprises do not fit the network's priors")]
    Priors(u64),
}

impl Refusal {
    /// Whether nothing more is to be taken from this worker. Accidents, and games from before a worker or the coordinator
    /// was exchanged for another version, do not tell against it.
    pub fn bans(&self) -> bool {
        match self {
            Self::Stale { .. } | Self::OtherEvaluation(_) => false,
            Self::Unreadable(problem) => {
                !matches!(problem, FrameProblem::Damaged(_) | FrameProblem::OtherProgram { .. })
            }
            Self::OtherName(_) | Self::Impossible { .. } | Self::NotRepeated(_) | Self::Priors(_) => true,
        }
    }
}

/// Reads games that were sent to a subject.
///
/// # Errors
/// If they cannot be read, or were sent under another's name.
pub fn read_range(subject: &str, bytes: &[u8]) -> Result<PlayedRange, Refusal> {
    let range: PlayedRange = decode(bytes)?;
    if games_subject(&range.provenance.worker) != subject {
        return Err(Refusal::OtherName(range.provenance.worker));
    }
    Ok(range)
}

/// Checks the games of a job.
#[derive(Debug)]
pub struct Acceptance {
    game: Game,
    settings: SelfPlaySettings,
    run_seed: u64,
    job: String,
    mixed: bool,
    evaluator: NetworkEvaluator,
    on_card: bool,
    /// The share of the time that may be spent on playing games again.
    share: f64,
    began: Instant,
    spent: Duration,
    repeated: u64,
}

impl Acceptance {
    /// Checks games of the job with digest `job`. `share` of the time, from 0 to 1, goes into playing games again; with
    /// 1 every game is. `mixed` takes games of other kernels and precisions, which cannot be repeated here: their
    /// policies are compared with the network's priors.
    ///
    /// # Errors
    /// If the checkpoint is not a network for the game.
    pub fn new(
        game: Game,
        checkpoint: &Checkpoint,
        (settings, run_seed): (&SelfPlaySettings, u64),
        job: String,
        (share, mixed): (f64, bool),
    ) -> Result<Self, CheckpointError> {
        let evaluator = NetworkEvaluator::new(game, checkpoint, "of this run", Computing::best().repeatable())?;
        let (began, spent) = (Instant::now(), Duration::ZERO);
        let settings = settings.clone();
        let on_card = evaluator.card_use().is_some();
        Ok(Self { game, settings, run_seed, job, mixed, evaluator, on_card, share, began, spent, repeated: 0 })
    }

    /// The games that were played again.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The digest of the job.
    pub fn job(&self) -> &str {
        &self.job
    }

    /// Reads and checks a message that was sent to a subject.
    ///
    /// # Errors
    /// Says why it is not taken.
    pub fn judge(&mut self, subject: &str, bytes: &[u8]) -> Result<PlayedRange, Refusal> {
        let range = read_range(subject, bytes)?;
        self.check(&range)?;
        Ok(range)
    }

    /// Checks games.
    ///
    /// # Errors
    /// Says why they are not taken.
    pub fn check(&mut self, range: &PlayedRange) -> Result<(), Refusal> {
        if range.job != self.job {
            return Err(Refusal::Stale { games: range.games.len() });
        }
        let same_evaluation = range.provenance.evaluation == evaluation_name();
        if !same_evaluation && !self.mixed {
            return Err(Refusal::OtherEvaluation(range.provenance.evaluation.clone()));
        }
        for &(number, ref record) in &range.games {
            let possible = check_game(self.game, &self.settings, record);
            possible.map_err(|problem| Refusal::Impossible { number, problem })?;
            if !same_evaluation && !self.fits_priors(number, record) {
                return Err(Refusal::Priors(number));
            }
            if same_evaluation && !self.is_repeated(number, record) {
                return Err(Refusal::NotRepeated(number));
            }
        }
        Ok(())
    }

    /// Whether a game comes out the same when it is played again, if there is time for it.
    fn is_repeated(&mut self, number: u64, record: &GameRecord) -> bool {
        if self.share == 0.0 || self.spent.as_secs_f64() > self.share * self.began.elapsed().as_secs_f64() {
            return true;
        }
        let began = Instant::now();
        let again = play_numbered(self.game, &mut self.evaluator, &self.settings, (self.run_seed, number), || false);
        self.spent += began.elapsed();
        if self.on_card && self.evaluator.card_use().is_none() {
            // The card has failed, and kernels went on in its place: nothing is known about the game.
            return true;
        }
        self.repeated += 1;
        again.as_ref() == Some(record)
    }

    /// Whether the policy of one search is as surprising as it says, by the network's priors.
    fn fits_priors(&mut self, number: u64, record: &GameRecord) -> bool {
        let judged = |turn: &usize| {
            let search = record.turns[*turn].search.as_ref();
            search.is_some_and(|search| !search.proven && search.surprise > 0.0)
        };
        let turns: Vec<usize> = record.policy_turns().filter(judged).collect();
        let Some(&turn) = turns.get((number % turns.len().max(1) as u64) as usize) else { return true };
        let Some(search) = &record.turns[turn].search else { return true };
        let Ok(mut position) = self.game.start(usize::from(record.size)) else { return false };
        record.turns[..turn].iter().for_each(|before| position.play(before.action));
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        let evaluation = self.evaluator.evaluate(&position, &legal);
        let priors: Vec<_> = legal.iter().copied().zip(evaluation.priors).collect();
        let found = surprise(&search.policy, &priors);
        let (least, share) = SURPRISE_SLACK;
        (found - search.surprise).abs() <= least + share * found.max(search.surprise)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::frame::encode;
    use super::super::messages::Provenance;
    use super::*;
    use crate::games::game_named;
    use crate::network::Precision;
    use crate::selfplay::SizeWeight;
    use crate::training::{Recipe, Trainer};

    fn settings() -> SelfPlaySettings {
        SelfPlaySettings {
            sizes: vec![SizeWeight::of(4)],
            full_visits: 24,
            cheap_visits: 6,
            full_share: 1.0,
            ..SelfPlaySettings::default()
        }
    }

    pub fn checkpoint(seed: u64) -> Checkpoint {
        let game = game_named("cachex").unwrap();
        let mut recipe = Recipe { seed, ..Recipe::of(game) };
        (recipe.network.blocks, recipe.network.channels) = (1, 16);
        let metadata = crate::network::Metadata {
            format_version: crate::network::FORMAT_VERSION,
            game: game.network.to_owned(),
            architecture: recipe.network.clone(),
            view: game.view.clone(),
            step: 0,
            games: 0,
            positions: 0,
            parent: None,
            recipe_hash: None,
            rating: None,
        };
        Checkpoint { metadata, tensors: Trainer::new(game, &recipe).unwrap().averaged().unwrap() }
    }

    /// Games as a worker with this checkpoint sends them.
    fn range(checkpoint: &Checkpoint) -> PlayedRange {
        let game = game_named("cachex").unwrap();
        let mut evaluator = NetworkEvaluator::new(game, checkpoint, "of a test", Precision::best()).unwrap();
        let games = (10..14)
            .map(|number| (number, play_numbered(game, &mut evaluator, &settings(), (3, number), || false).unwrap()));
        let provenance =
            Provenance { worker: "w".to_owned(), evaluation: evaluation_name(), seconds: 1.0, cache_hits: None };
        PlayedRange { job: "j".to_owned(), provenance, games: games.collect() }
    }

    fn judged(range: &PlayedRange, share: f64, mixed: bool) -> Result<PlayedRange, Refusal> {
        let settings = settings();
        let game = game_named("cachex").unwrap();
        let mut acceptance =
            Acceptance::new(game, &checkpoint(1), (&settings, 3), "j".to_owned(), (share, mixed)).unwrap();
        acceptance.judge("hexzero.games.w", &encode(range).unwrap())
    }

    #[test]
    fn honest_games_are_taken() {
        let honest = range(&checkpoint(1));
        assert_eq!(judged(&honest, 1.0, false), Ok(honest.clone()));
        let mut elsewhere = honest.clone();
        elsewhere.provenance.evaluation = "neon f32".to_owned();
        assert_eq!(judged(&elsewhere, 1.0, true), Ok(elsewhere));
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
        let stale = changed(&|range| range.job = "older".to_owned());
        assert!(stale == Refusal::Stale { games: 4 } && !stale.bans());
        assert_eq!(changed(&|range| range.provenance.worker = "v".to_owned()), Refusal::OtherName("v".to_owned()));
        let kernel = changed(&|range| range.provenance.evaluation = "neon f32".to_owned());
        assert_eq!(kernel, Refusal::OtherEvaluation("neon f32".to_owned()));
        assert!(!kernel.bans());
        let theirs = "0.0.1".to_owned();
        assert!(!Refusal::Unreadable(FrameProblem::OtherProgram { theirs }).bans());
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
    fn only_a_share_of_the_time_goes_into_playing_again() {
        let (settings, checkpoint) = (settings(), checkpoint(1));
        let game = game_named("cachex").unwrap();
        let bytes = encode(&range(&checkpoint)).unwrap();
        for (share, repeated) in [(0.0, 0), (1e-12, 1), (1.0, 4)] {
            let mut acceptance =
                Acceptance::new(game, &checkpoint, (&settings, 3), "j".to_owned(), (share, false)).unwrap();
            acceptance.judge("hexzero.games.w", &bytes).unwrap();
            assert_eq!(acceptance.repeated(), repeated, "{share}");
        }
    }
}
