//! Plays matches with a progress bar, and describes the results.

use std::fmt;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::interrupt::interrupted;
use crate::counted;
use crate::error::CliError;
use hexzero_arena::players::PlayerSource;
use hexzero_arena::{
    ELO_BOUND, EloEstimate, Host, MatchPlan, MatchResult, OpeningUse, PlayerFailure, PointsEstimate, StoredGame, Tally,
    Tournament, Verdict, play_match_at,
};
use hexzero_games::Game;
use hexzero_models::SHIPPED;
use hexzero_system::plain_line;

/// The maximum number of faults that are listed one by one.
const MAX_LISTED_FAULTS: usize = 10;

/// Plays a match between the two players of a tournament as [`play_match_at`] does, until the user interrupts it, with
/// a progress bar on standard error if that is a terminal.
pub fn play_with_progress(
    games: &mut Tournament,
    players: &[(usize, PlayerSource)],
    host: &dyn Host,
    plan: &MatchPlan,
    keep: impl FnMut(&StoredGame) -> bool,
) -> Result<MatchResult, CliError> {
    let venue = host.venue(players)?;
    let bar = games_bar(plan.games, 0);
    let result = play_match_at(&*venue, games, plan, interrupted(), keep, |progress| {
        bar.set_position(progress.tally.games as u64);
        bar.set_message(format!("{} : {}", progress.tally.wins_a, progress.tally.wins_b));
    });
    bar.finish_and_clear();
    Ok(result?)
}

/// Makes a progress bar for `games` games, of which `played` have been played.
pub fn games_bar(games: usize, played: usize) -> ProgressBar {
    let bar = ProgressBar::new(games as u64).with_position(played as u64);
    bar.set_style(style("{wide_bar} {pos}/{len} games, {msg}, {eta} left"));
    bar.reset_eta();
    bar
}

/// Makes a progress bar for a number of `things`, which are named in the plural.
pub fn bar_of(count: usize, things: &str) -> ProgressBar {
    ProgressBar::new(count as u64).with_style(style(&format!("{{wide_bar}} {{pos}}/{{len}} {things}, {{eta}} left")))
}

/// Shows on a bar that a game has ended.
pub fn advance(bar: &ProgressBar, ended: &StoredGame) {
    let StoredGame { conditions, size, a, b, .. } = ended;
    let told = format!("{} - {} at {}", a.name, b.name, conditions.game.board_name(*size));
    bar.set_message(plain_line(&told).into_owned());
    bar.inc(1);
}

/// Returns the style of a progress bar; the plain one if `template` is invalid. `{rate}` is the rounded number per
/// second.
///
/// The cursor goes back to the start of the bar: behind a bar that fills the line, the `^C` that a terminal echoes
/// would begin another line and leave the bar there.
pub fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(&format!("{template}\r")).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
        let _ = text.write_str(&rate(state.per_sec()));
    })
}

/// Formats a number per second, with a decimal below ten.
fn rate(per_second: f64) -> String {
    let decimals = usize::from(per_second < 9.95);
    format!("{per_second:.decimals$}/s")
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
        text += &pairs(&result.tally);
        text += &openings(game, result.size, &result.openings);
        if let Some(PointsEstimate { what, mean, low, high }) = result.points() {
            text += &format!(
                "Points ({what}) of {} less {}: {mean:+.1} a game, 95 % interval {low:+.1} to {high:+.1}\n",
                result.a, result.b
            );
        }
        let faults = result.faults();
        if !faults.is_empty() {
            let lost = |name: &str, faults: usize| format!("{name} {}", counted(faults, "game", "games"));
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

/// Counts split and decided pairs, and says what Elo difference the latter can show.
fn pairs(tally: &Tally) -> String {
    let (decided, split) = (tally.pairs_decided(), tally.pairs_split());
    let shows = match tally.resolution() {
        Some(elo) => format!("they show differences from {elo:.0} Elo"),
        None => "too few to show a difference".to_owned(),
    };
    format!("{} split 1:1, {decided} decided: {shows}\n", counted(split, "pair", "pairs"))
}

/// Describes the openings of pairs on a board.
fn openings(game: Game, size: usize, OpeningUse { book, listed, random }: &OpeningUse) -> String {
    let book = book.as_ref().map(|book| if book == SHIPPED { "shipped, balanced" } else { book.as_str() });
    match (book, random) {
        (Some(book), 0) => format!("Openings: {listed} ({book})\n"),
        (Some(book), random) => format!("Openings: {listed} ({book}), then {random} of random plies\n"),
        (None, _) => {
            format!("Openings: random plies on {}; 'hexzero study balanced' finds better ones\n", game.a_board(size))
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_rounded() {
        assert_eq!([0.0, 1.2756, 9.96, 42.2756].map(rate), ["0.0/s", "1.3/s", "10/s", "42/s"]);
    }
}
