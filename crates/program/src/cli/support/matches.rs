//! Plays matches with a progress bar, and describes the results.

use indicatif::{ProgressBar, ProgressStyle};

use crate::counted::counted;
use crate::error::CliError;
use hexzero_arena::players::PlayerSource;
use hexzero_arena::{
    ELO_BOUND, EloEstimate, Host, KeptGames, MatchResult, MatchSettings, PlayerFailure, Verdict, play_match_at,
};
use hexzero_games::Game;
use hexzero_system::stop::StopSignal;

/// The maximum number of faults that are listed one by one.
const MAX_LISTED_FAULTS: usize = 10;

/// Plays a match between players 0 and 1, with a progress bar on standard error if that is a terminal.
pub fn play_with_progress(
    game: Game,
    players: &[(usize, PlayerSource); 2],
    host: &dyn Host,
    settings: &MatchSettings,
    stop: &StopSignal,
    kept: Option<&mut dyn KeptGames>,
) -> Result<MatchResult, CliError> {
    let venue = host.venue(players).map_err(CliError::failed)?;
    let names = players.each_ref().map(|(_, player)| player.name().to_owned());
    let bar =
        ProgressBar::new(settings.games as u64).with_style(style("{wide_bar} {pos}/{len} games, {msg}, {eta} left"));
    let result = play_match_at(&*venue, game, names, settings, stop, kept, |progress| {
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
    if result.stopped_early && !is_decided {
        let how = if result.failure.is_some() { "Ended" } else { "Interrupted" };
        text += &format!("{how} after {} of {} games\n", tally.games, result.planned_games);
    }
    if tally.games > 0 {
        text += &format!("Elo difference {}; {:.1} moves a game\n", elo(result), result.mean_moves());
        let faults = result.faults();
        if !faults.is_empty() {
            let lost = |name: &str, faults| format!("{name} {}", counted(faults, "game", "games"));
            let (a, b) = (lost(&result.a, tally.faults_a), lost(&result.b, tally.faults_b));
            text += &format!("Lost by faults, counted as losses: {a}, {b}\n{}", fault_lines(faults.iter(), |_| None));
        }
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

/// Describes an Elo difference with its interval. Without a win, or without a loss, it has no bound on one side.
fn elo(result: &MatchResult) -> String {
    let EloEstimate { elo, low, high } = result.elo;
    if elo <= -ELO_BOUND {
        format!("below {high:+.0} (95 % bound)")
    } else if elo >= ELO_BOUND {
        format!("above {low:+.0} (95 % bound)")
    } else {
        format!("{elo:+.0}, 95 % interval {low:+.0} to {high:+.0}")
    }
}

/// Lists faults, one a line, with the words that say in which match; the last are only counted.
pub fn fault_lines<'a>(
    faults: impl ExactSizeIterator<Item = &'a PlayerFailure>,
    mut within: impl FnMut(usize) -> Option<String>,
) -> String {
    let more = faults.len().saturating_sub(MAX_LISTED_FAULTS);
    let mut text = String::new();
    for (number, fault) in faults.take(MAX_LISTED_FAULTS).enumerate() {
        let within = within(number).map(|within| within + ", ").unwrap_or_default();
        let PlayerFailure { player, game, turn, reason } = fault;
        text += &format!("  {within}game {game}, move {turn}: {player}: {reason}\n");
    }
    if more > 0 {
        text += &format!("  and {more} more, which --json lists\n");
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
