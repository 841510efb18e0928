//! `hexzero study balanced`.

use std::io::stdout;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::cli::options::{GameArg, board_size, thread_count, threads_or_cores, visit_count};
use crate::cli::support::{bar_of, interrupted, write_json};
use crate::error::CliError;
use hexzero_engine::balanced::{BalancedOpening, BalancedSearch};
use hexzero_nn::Backend;
use hexzero_system::notice;
use hexzero_train::model_files::{digest_of, load_evaluator};

const EXAMPLES: &str = "\
Prints games as JSON lines: the moves, the share of the points that the player to move can expect,
the visits and the model. Candidates are drawn from the model's policy; a search of a twentieth of
the visits discards most of them. Openings have two, four, six and on large boards up to twelve
plies, no swap, and differ in more than a symmetry of the board.

Examples:
  hexzero study balanced --game hex --size 7 > openings.jsonl
  hexzero study balanced runs/mine --count 400 --visits 5000 > openings.jsonl
  hexzero arena runs/mine shipped --openings openings.jsonl";

/// Find openings that give both sides even chances, for matches.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BalancedArgs {
    /// The checkpoint, or the folder of a run, to judge with (default: the model that ships with the program)
    #[arg(value_name = "MODEL")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The board's size (default: the game's own; 'hexzero games' lists the sizes)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    /// Find N openings, or as many as there are
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Search V visits for the value of an opening, which is accepted from 0.4 to 0.6
    #[arg(long, value_name = "V", default_value_t = 2000, value_parser = visit_count())]
    visits: u32,
    /// The seed of the candidates
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Search T positions at the same time (default: one per core)
    #[arg(long, value_name = "T", value_parser = thread_count())]
    threads: Option<u32>,
}

/// An opening as a line of JSON: a game with its value.
#[derive(Serialize)]
struct Line<'a> {
    game: &'a str,
    size: usize,
    moves: &'a [String],
    value: f32,
    visits: u32,
    model: Option<&'a str>,
}

impl BalancedArgs {
    /// Finds the openings and prints them.
    pub fn run(self) -> Result<(), CliError> {
        let game = self.game.or_of_model(self.model.as_deref())?;
        let size = self.size.unwrap_or(game.boards.default);
        game.game_board(size)?;
        let model = load_evaluator(game, self.model.as_deref(), &Backend::default())?;
        let digest = digest_of(game, self.model.as_deref())?;
        let threads = threads_or_cores(self.threads);
        let count = self.count as usize;
        let bar = bar_of(count, "openings");
        let search = BalancedSearch { game, size, count, visits: self.visits, seed: self.seed };
        let openings = search.run(&model, threads, interrupted(), |found| bar.set_position(found as u64));
        bar.finish_and_clear();
        let openings = openings?;
        let mut output = stdout().lock();
        for BalancedOpening { moves, value } in &openings {
            let (game, visits, model) = (game.name(), self.visits, digest.as_deref());
            let line = Line { game, size, moves, value: *value, visits, model };
            write_json(&mut output, &line)?;
        }
        if openings.len() < count {
            let why = if interrupted().is_requested() { "stopped" } else { "hardly any others are balanced" };
            notice(format_args!("{} of {count} openings: {why}", openings.len()));
        }
        Ok(())
    }
}
