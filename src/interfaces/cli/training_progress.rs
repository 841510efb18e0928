//! What a run shows while it works: bars on a terminal, a line an iteration anywhere.

use std::io::Write;
use std::time::Duration;

use indicatif::ProgressBar;

use crate::ladder::{LadderStanding, RatingNews};
use crate::replay::GameRecord;
use crate::training::{IterationReport, Losses, Progress};

use super::matches::style;

/// Shows a run's progress on standard error; lines go to standard output.
#[derive(Clone)]
pub(super) struct TrainingProgress {
    bar: ProgressBar,
}

impl TrainingProgress {
    pub fn new() -> Self {
        Self { bar: ProgressBar::new(0).with_style(style("{msg:10} {wide_bar} {pos}/{len} ({per_sec}), {eta} left")) }
    }

    /// Writes a line without disturbing the bar.
    pub fn line(&self, text: &str) {
        self.bar.suspend(|| {
            // A reader that has gone away must not end the training.
            let _ = writeln!(std::io::stdout(), "{text}");
        });
    }

    /// Takes the bar off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn begin(&self, what: &'static str, count: u64) {
        self.bar.reset();
        self.bar.set_length(count);
        self.bar.set_message(what);
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    /// One line for an iteration; `left` says how much of the limit remains.
    pub fn report(&self, report: &IterationReport, left: &str) {
        let counters = &report.counters;
        let seconds = report.selfplay_seconds;
        let speed = (seconds > 0.0).then(|| format!(", {:.0} games/s", report.games.new_games as f64 / seconds));
        self.line(&format!(
            "{:4}  {} games, {:.1} plies{}{}  step {}  loss {}  {left}",
            counters.iteration,
            counters.games,
            report.games.mean_plies,
            speed.unwrap_or_default(),
            report.cache_hits.map_or_else(String::new, |hits| format!(", {:.0} % from the cache", 100.0 * hits)),
            counters.step,
            report.losses,
        ));
    }
}

/// What the rating of the checkpoints tells meanwhile.
impl TrainingProgress {
    pub fn rating(&self, news: RatingNews) {
        match news {
            RatingNews::Rated { standing: LadderStanding { standing, .. }, anchor } => {
                if let (Some(elo), Some(low), Some(high)) = (standing.elo, standing.elo_low, standing.elo_high) {
                    let name = &standing.name;
                    self.line(&format!("      {name}: {elo:+.0} Elo ({low:+.0} to {high:+.0}), {anchor} = 0"));
                }
            }
            RatingNews::Ended(error) => self.warn(&format!("the checkpoints are no longer rated: {error}")),
        }
    }
}

impl Progress for TrainingProgress {
    fn selfplay_begins(&self, games: u64) {
        self.begin("self-play", games);
    }

    fn game_finished(&self, _: &GameRecord) {
        self.bar.inc(1);
    }

    fn training_begins(&self, steps: u64) {
        self.begin("training", steps);
    }

    fn step_finished(&self, _: &Losses) {
        self.bar.inc(1);
    }

    fn warn(&self, message: &str) {
        self.bar.suspend(|| {
            // As above.
            let _ = writeln!(std::io::stderr(), "warning: {message}");
        });
    }
}
