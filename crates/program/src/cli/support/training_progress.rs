//! Shows the progress of a training run: bars in a terminal, and a line per iteration.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::counted;
use hexzero_arena::EloEstimate;
use hexzero_experiments::experiment::{ExperimentProgress, MatchResult};
use hexzero_experiments::ladder::RatingNews;
use hexzero_selfplay::shards::GameRecord;
use hexzero_system::{text_output, threads, warning};
use hexzero_train::{IterationReport, Losses, Progress};

use super::matches::style;

/// The width of lines that are not written to a terminal.
const USUAL_COLUMNS: usize = 80;

/// Shows bars on standard error and prints lines on standard output.
#[derive(Clone)]
pub struct TrainingProgress {
    bar: ProgressBar,
}

impl TrainingProgress {
    pub fn new() -> Self {
        Self { bar: ProgressBar::new(0).with_style(style("{msg:10} {wide_bar} {pos}/{len} ({rate}), {eta} left")) }
    }

    /// Prints a line above the bar.
    pub fn line(&self, text: &str) {
        self.bar.suspend(|| {
            // A broken pipe must not end the training.
            let _ = writeln!(text_output(), "{text}");
        });
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn begin(&self, what: &'static str, count: u64) {
        self.bar.reset();
        self.bar.set_length(count);
        self.bar.set_message(what);
        // Without a thread of its own the bar moves only when something happens.
        if threads::try_some(1).is_ok() {
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }

    /// Prints a line about an iteration, as much as fits; `left` describes what remains of the limit.
    pub fn report(&self, report: &IterationReport, left: &str) {
        let counters = &report.counters;
        let seconds = report.selfplay_seconds;
        let mut parts = vec![
            format!("{:4}", counters.iteration),
            counted(counters.games, "game", "games"),
            format!("step {}", counters.step),
            format!("loss {:.3}", report.losses.total),
            left.to_owned(),
            format!("{:.1} plies", report.games.mean_plies),
        ];
        parts.extend((seconds > 0.0).then(|| format!("{:.0} games/s", report.games.new_games as f64 / seconds)));
        parts.extend(report.cache_hits.map(|hits| format!("{:.0} % cached", 100.0 * hits)));
        let playing = ["policy", "outcome"].into_iter();
        parts.extend(playing.filter_map(|name| Some(format!("{name} {:.3}", report.losses.get(name)?))));
        self.line(&fitted(&parts, columns()));
    }

    /// Prints the rating of a checkpoint.
    pub fn rating(&self, news: RatingNews) {
        match news {
            RatingNews::Rated { standing, anchor } => {
                if let Some(EloEstimate { elo, low, high }) = standing.rating() {
                    let name = &standing.name;
                    self.line(&format!("      {name}: {elo:+.0} Elo ({low:+.0} to {high:+.0}), {anchor} = 0"));
                }
            }
            RatingNews::Ended(error) => self.warn(&format!("the checkpoints are no longer rated: {error}")),
        }
    }
}

/// Returns the width of the terminal, or [`USUAL_COLUMNS`].
fn columns() -> usize {
    let terminal = std::io::stdout().is_terminal().then(ratatui::crossterm::terminal::size);
    terminal.and_then(Result::ok).map(|(columns, _)| usize::from(columns)).filter(|&c| c > 0).unwrap_or(USUAL_COLUMNS)
}

/// Joins as many of the first parts as fit into `columns`, at least one.
fn fitted(parts: &[String], columns: usize) -> String {
    let mut line = String::new();
    for part in parts {
        let gap = if line.is_empty() { 0 } else { 2 };
        if gap > 0 && line.chars().count() + gap + part.chars().count() > columns {
            break;
        }
        line.push_str(&" ".repeat(gap));
        line.push_str(part);
    }
    line
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
        self.bar.suspend(|| warning(message));
    }
}

impl ExperimentProgress for TrainingProgress {
    fn run_begins(&self, run: &str, number: usize, of: usize) {
        self.line(&format!("{run} (run {number} of {of})"));
    }

    fn iteration(&self, report: &IterationReport, left: &str) {
        self.report(report, left);
    }

    fn traffic(&self, traffic: &str) {
        self.line(traffic);
    }

    fn match_begins(&self, a: &str, b: &str, games: usize) {
        self.line(&format!("{a} against {b}, {} to play", counted(games, "game", "games")));
        self.begin("match", games as u64);
    }

    fn match_game(&self) {
        self.bar.inc(1);
    }

    fn match_ends(&self, a: &str, b: &str, result: &MatchResult) {
        let MatchResult { games, wins, losses, draws, elo, elo_low, elo_high, .. } = result;
        self.line(&format!(
            "{a} against {b}: {wins} : {losses}, {} of {}, {elo:+.0} Elo ({elo_low:+.0} to {elo_high:+.0})",
            counted(*draws, "draw", "draws"),
            counted(*games, "game", "games"),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_line_keeps_the_first_parts() {
        let parts = ["   1", "6 games", "step 12", "loss 2.500"].map(str::to_owned);
        assert_eq!(fitted(&parts, 80), "   1  6 games  step 12  loss 2.500");
        assert_eq!(fitted(&parts, 33), "   1  6 games  step 12");
        assert_eq!(fitted(&parts, 1), "   1");
    }
}
