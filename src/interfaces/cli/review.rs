//! `hexzero review`.

use std::io::{Write, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Args;
use indicatif::ProgressBar;

use crate::engine::analysis::Proven;
use crate::engine::model::load_evaluator;
use crate::engine::review::{DEFAULT_VISITS, Review, ReviewedGame, ReviewedMove, ReviewedPlayer};
use crate::games::Game;
use crate::interfaces::counted::counted;
use crate::interfaces::error::CliError;
use crate::report::Words;
use crate::search::{Limits, MOST_THREADS};

use super::interrupt::interrupted;
use super::matches::style;
use super::recorded::recorded_moves;
use super::review_page::page;
use super::words::WordsArg;

/// The moves of a better line that are shown.
const LINE_SHOWN: usize = 6;

const EXAMPLES: &str = "\
Examples:
  hexzero review game.sgf
  hexzero review games.jsonl --number 3 --visits 5000
  hexzero review game.sgf --html > game.html
  zcat games.jsonl.gz | hexzero review - --json

Each position is searched with the same number of visits. A move gives away the difference between
what its player could expect before it and after it, in shares of the points: from 0.05 it is an
inaccuracy, from 0.1 a mistake, from 0.2 a blunder. The accuracy of a player is the mean over the
moves of 100 exp(-4 loss). Where the result is certain the text says so, as in 'black wins in 5'.";

/// Review a whole game: the chances after each move, what it gave away, and what was better.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReviewArgs {
    /// The file with the game, as JSON lines or SGF; '-' reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The number of the game in the file
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// The checkpoint, or the folder of a run, to judge with (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Search V visits at each position of the game, fewer where their tree would take more than 512 MiB
    #[arg(long, value_name = "V", default_value_t = DEFAULT_VISITS, value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_VISITS)))]
    visits: u32,
    /// Search T of the game's positions at a time (default: one a core)
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS as i64))]
    threads: Option<u32>,
    /// Print one JSON object on a line; docs/formats.md describes it
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Print a page for the browser
    #[arg(long)]
    html: bool,
    #[command(flatten)]
    words: WordsArg,
}

/// It was stopped before the end.
#[derive(Debug, thiserror::Error)]
#[error("interrupted before the whole game was reviewed")]
struct Interrupted;

impl ReviewArgs {
    /// Reviews the game and prints what was found.
    pub(super) fn run(self) -> Result<(), CliError> {
        let words = self.words.read()?;
        let (start, moves) = recorded_moves(&self.file, self.number)?;
        let game = start.game();
        let model = load_evaluator(game, self.model.as_deref())?;
        let reviewed = ReviewedGame { start, moves };
        let asked = self.threads.and_then(|threads| NonZeroUsize::new(threads as usize));
        let threads = asked.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
        let bar = ProgressBar::new(reviewed.positions() as u64)
            .with_style(style("{wide_bar} {pos}/{len} positions, {eta} left"));
        let review = reviewed.review(&model, self.visits, threads, interrupted(), |done, _| {
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let review = review.map_err(CliError::failed)?.ok_or_else(|| CliError::failed(Interrupted))?;
        let mut output = stdout().lock();
        match (self.json, self.html) {
            (true, _) => writeln!(output, "{}", serde_json::to_string(&review).map_err(std::io::Error::from)?)?,
            (_, true) => write!(output, "{}", page(game, &review, &words))?,
            _ => write!(output, "{}", text(game, &review))?,
        }
        Ok(())
    }
}

/// What is to be said of a move's fault: the better move and its line.
pub(super) fn remark(reviewed: &ReviewedMove, words: &Words) -> String {
    let Some(fault) = reviewed.fault else { return String::new() };
    let line = reviewed.line[..reviewed.line.len().min(LINE_SHOWN)].join(" ");
    let fault = words.say(&format!("fault.{}", fault.name()), &[]);
    let (key, plies) = match reviewed.proven_before {
        Some(proven) if proven.is_win() == Some(true) => ("review.best.wins", proven.plies().to_string()),
        _ => ("review.best", String::new()),
    };
    words.say(key, &[("fault", &fault), ("best", &reviewed.best), ("n", &plies), ("line", &line)])
}

/// A certain result for a player, as in `black wins in 5`.
fn certain(game: Game, proven: Proven, player: &str, words: &Words) -> String {
    let other = game.seats.iter().map(|seat| seat.name).find(|&name| name != player).unwrap_or_default();
    let winner = match proven.is_win() {
        Some(true) => player,
        Some(false) => other,
        None => return words.say("review.draw", &[]),
    };
    words.say("review.wins", &[("player", words.theirs(winner)), ("n", &proven.plies().to_string())])
}

/// What is to be said of a move: its fault, and a result that is certain after it.
pub(super) fn remarks(game: Game, review: &Review, index: usize, words: &Words) -> String {
    let reviewed = &review.moves[index];
    let known = reviewed.proven_after.map(|proven| certain(game, proven, reviewed.next, words));
    let remarks = [remark(reviewed, words), known.unwrap_or_default()];
    let said: Vec<String> = remarks.into_iter().filter(|remark| !remark.is_empty()).collect();
    said.join(&words.say("review.semicolon", &[]))
}

/// What a player's moves come to.
fn account(player: &ReviewedPlayer) -> String {
    let accuracy = player.accuracy.map_or_else(|| "no moves".to_owned(), |accuracy| format!("accuracy {accuracy} %"));
    let faults = [
        counted(player.inaccuracies, "inaccuracy", "inaccuracies"),
        counted(player.mistakes, "mistake", "mistakes"),
        counted(player.blunders, "blunder", "blunders"),
    ];
    format!("{}: {accuracy}, {}", player.player, faults.join(", "))
}

fn text(game: Game, review: &Review) -> String {
    let first = review.players[0].player;
    let (board, moves) = (game.board_name(review.size), counted(review.moves.len(), "move", "moves"));
    let mut text = format!("{} on a {board} board, {moves}, {} visits each\n", review.game, review.visits);
    text += &format!("{:>4}  {:<8}{:<8}{:>8}{:>7}\n", "ply", "player", "move", first, "loss");
    for (index, reviewed) in review.moves.iter().enumerate() {
        let ReviewedMove { ply, player, name, loss, .. } = reviewed;
        let chance = format!("{:.1}%", 100.0 * review.chances[index + 1]);
        let loss = if *loss > 0.0 { format!("{:.1}%", 100.0 * loss) } else { String::new() };
        let remarks = remarks(game, review, index, Words::english());
        let line = format!("{ply:>4}  {player:<8}{name:<8}{chance:>8}{loss:>7}  {remarks}");
        text += line.trim_end();
        text.push('\n');
    }
    review.players.iter().for_each(|player| text += &format!("{}\n", account(player)));
    text
}
