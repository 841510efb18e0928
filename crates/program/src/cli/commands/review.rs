//! `hexzero review`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::cli::options::{board_size, thread_count, threads_or_cores, visit_count};
use crate::cli::support::recorded::recorded_moves;
use crate::cli::support::review_page::page;
use crate::cli::support::{bar_of, interrupted, remarks, write_json};
use crate::counted;
use crate::error::CliError;
use hexzero_engine::review::{DEFAULT_VISITS, Review, ReviewedGame, ReviewedMove, ReviewedPlayer};
use hexzero_games::Game;
use hexzero_nn::Backend;
use hexzero_system::Plain;
use hexzero_train::model_files::load_evaluator;

const EXAMPLES: &str = "\
Examples:
  hexzero review game.sgf
  hexzero review games.jsonl --number 3 --visits 5000
  hexzero review game.sgf --html > game.html
  zcat games.jsonl.gz | hexzero review - --json

Each position is searched with the same number of visits. The loss of a move is the difference of
its player's expected score before and after it: from 0.05 the move is an inaccuracy, from 0.1 a
mistake, from 0.2 a blunder. A player's accuracy is the mean of 100 exp(-4 loss) over the moves.
Proven results are remarked on, as in 'black wins in 5'.";

/// Review a game: the chances after each move, its loss, and better moves.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReviewArgs {
    /// The file with the game, as JSON lines or SGF; '-' reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Review game K of the file, counting from 1
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// The board's size of a game in SGF that does not state it (default for Hex: 11)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    /// The checkpoint, or the folder of a run, to analyse with (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Search V visits at each position of the game; fewer if the tree reaches 512 MiB
    #[arg(long, value_name = "V", default_value_t = DEFAULT_VISITS, value_parser = visit_count())]
    visits: u32,
    /// Search T positions at the same time (default: one per core)
    #[arg(long, value_name = "T", value_parser = thread_count())]
    threads: Option<u32>,
    /// Print a JSON object on one line; docs/formats.md describes it
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Print a web page
    #[arg(long)]
    html: bool,
}

impl ReviewArgs {
    /// Reviews the game and prints the review.
    pub fn run(self) -> Result<(), CliError> {
        let (start, moves, _) = recorded_moves(&self.file, self.number, self.size)?;
        let game = start.game();
        let model = load_evaluator(game, self.model.as_deref(), &Backend::default())?;
        let reviewed = ReviewedGame { start, moves };
        let threads = threads_or_cores(self.threads);
        let bar = bar_of(reviewed.positions(), "positions");
        let review = reviewed.review(&model, self.visits, threads, interrupted(), |done, _| {
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let unfinished = || CliError::Request("interrupted before the whole game was reviewed".to_owned());
        let review = review?.ok_or_else(unfinished)?;
        let mut output = stdout().lock();
        match (self.json, self.html) {
            (true, _) => write_json(&mut output, &review)?,
            (_, true) => write!(output, "{}", page(game, &review))?,
            _ => write!(Plain(output), "{}", text(game, &review))?,
        }
        Ok(())
    }
}

/// Summarises a player's moves: accuracy and number of faults.
fn summary(player: &ReviewedPlayer) -> String {
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
    let (board, moves) = (game.a_board(review.size), counted(review.moves.len(), "move", "moves"));
    let mut text = format!("{} on {board}, {moves}, {} visits each\n", review.game, review.visits);
    text += &format!("{:>4}  {:<8}{:<8}{:>8}{:>7}\n", "ply", "player", "move", first, "loss");
    for (index, reviewed) in review.moves.iter().enumerate() {
        let ReviewedMove { ply, player, name, loss, .. } = reviewed;
        let chance = format!("{:.1}%", 100.0 * review.chances[index + 1]);
        let loss = if *loss > 0.0 { format!("{:.1}%", 100.0 * loss) } else { String::new() };
        let remarks = remarks(game, review, index);
        let line = format!("{ply:>4}  {player:<8}{name:<8}{chance:>8}{loss:>7}  {remarks}");
        text += line.trim_end();
        text.push('\n');
    }
    review.players.iter().for_each(|player| text += &format!("{}\n", summary(player)));
    text
}
