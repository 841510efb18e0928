//! Plays matches with a progress bar, and describes the results.

use indicatif::{ProgressBar, ProgressStyle};

use crate::arena::{Host, MatchResult, MatchSettings, Verdict, play_match_at};
use crate::games::Game;
use crate::interfaces::counted::counted;
use crate::interfaces::error::CliError;
use crate::players::PlayerSource;
use crate::stop::StopSignal;

/// Plays a match between players 0 and 1, with a progress bar on standard error if that is a terminal.
pub fn play_with_progress(
    game: Game,
    players: &[(usize, PlayerSource); 2],
    host: &dyn Host,
    settings: &MatchSettings,
    stop: &StopSignal,
) -> Result<MatchResult, CliError> {
    let venue = host.venue(players).map_err(CliError::failed)?;
    let names = players.each_ref().map(|(_, player)| player.name().to_owned());
    let bar =
        ProgressBar::new(settings.games as u64).with_style(style("{wide_bar} {pos}/{len} games, {msg}, {eta} left"));
    let result = play_match_at(&*venue, game, names, settings, stop, |progress| {
        bar.set_position(progress.tally.games as u64);
        bar.set_message(format!("{} : {}", progress.tally.wins_a, progress.tally.wins_b));
    });
    bar.finish_and_clear();
    result.map_err(CliError::failed)
}

/// Returns the style of a progress bar; the plain one if `template` is invalid.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Describes a result in a few lines.
pub fn summary(game: Game, result: &MatchResult) -> String {
    let tally = &result.tally;
    let mut text = format!(
        "{} against {} at {}: {}, {}, {} in {} ({} distinct)\n",
        result.a,
        result.b,
        game.board_name(result.size),
        counted(tally.wins_a, "win", "wins"),
        counted(tally.wins_b, "loss", "losses"),
        counted(tally.draws, "draw", "draws"),
        counted(tally.games, "game", "games"),
        tally.distinct_games,
    );
    let is_decided = result.sequential.as_ref().is_some_and(|report| report.verdict != Verdict::Continue);
    if result.stopped_early && !is_decided && result.failure.is_none() {
        text += &format!("Interrupted after {} of {} games\n", tally.games, result.planned_games);
    }
    if tally.games > 0 {
        text += &format!(
            "Elo difference {:+.0}, 95 % interval {:+.0} to {:+.0}; {:.1} moves a game\n",
            result.elo.elo,
            result.elo.low,
            result.elo.high,
            result.mean_moves(),
        );
        let [a, b] = result.thinking.map(|thinking| seconds(thinking.seconds_per_move()));
        text += &format!("Time per move: {} {a}, {} {b}\n", result.a, result.b);
    }
    if let Some(report) = &result.sequential {
        let verdict = match report.verdict {
            Verdict::Continue => "undecided",
            Verdict::AcceptH0 => "no",
            Verdict::AcceptH1 => "yes",
        };
        text += &format!(
            "Sequential test, at least {:+.0} Elo rather than {:+.0}: {verdict} (log-likelihood ratio {:.2})\n",
            report.test.elo1, report.test.elo0, report.llr
        );
    }
    text
}

/// Formats a mean time briefly.
pub fn seconds(seconds: Option<f64>) -> String {
    match seconds {
        None => "-".to_owned(),
        Some(seconds) if seconds < 1e-3 => format!("{:.1} µs", 1e6 * seconds),
        Some(seconds) if seconds < 1.0 => format!("{:.1} ms", 1e3 * seconds),
        Some(seconds) => format!("{seconds:.2} s"),
    }
}
