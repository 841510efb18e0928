//! `hexzero games perft`.

use std::io::{Write, stdout};

use clap::Args;
use rayon::prelude::*;

use crate::cli::options::{GameArg, board_size};
use crate::error::CliError;
use hexzero_games::{Action, Position, play_all};
use hexzero_system::threads;

const EXAMPLES: &str = "\
Prints a line for each depth: the depth and the number of sequences of that many actions. A finished
game has no continuation. Two implementations of the same rules give the same numbers.

Examples:
  hexzero games perft --game hex --size 4 --depth 4
  hexzero games perft --size 4 --depth 3 a1 swap";

/// Count the sequences of legal actions up to a depth, to check an implementation of the rules.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PerftArgs {
    #[command(flatten)]
    game: GameArg,
    /// The board's size (default: the game's own; 'hexzero games' lists the sizes)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    /// Count sequences of up to D actions
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: u32,
    /// Count from the position after these moves
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
}

impl PerftArgs {
    /// Counts the sequences and prints them.
    pub fn run(self) -> Result<(), CliError> {
        threads::start_shared().map_err(|error| CliError::Failed(error.into()))?;
        let game = self.game.or_of_model(None)?;
        let mut position = game.start(self.size.unwrap_or(game.boards.default))?;
        play_all(&mut position, &self.moves.join(" "))?;
        let mut output = stdout().lock();
        for depth in 1..=self.depth as usize {
            writeln!(output, "{depth} {}", sequences(&position, depth))?;
            output.flush()?;
        }
        Ok(())
    }
}

/// A position and its legal actions: buffers for one ply, which are used again.
#[derive(Clone)]
struct Ply {
    position: Position,
    legal: Vec<Action>,
}

/// Counts the sequences of `depth` legal actions from a position, on all cores.
fn sequences(position: &Position, depth: usize) -> u64 {
    let legal = position.legal();
    if depth <= 1 {
        return legal.len() as u64;
    }
    let plies = || vec![Ply { position: position.clone(), legal: Vec::new() }; depth];
    let after = |plies: &mut Vec<Ply>, action: Action| {
        let Some((first, deeper)) = plies.split_first_mut() else { return 0 };
        first.position.clone_from(position);
        first.position.play(action);
        count(&first.position, deeper)
    };
    legal.into_par_iter().map_init(plies, after).sum()
}

/// Counts the sequences of `plies.len()` legal actions from a position.
fn count(position: &Position, plies: &mut [Ply]) -> u64 {
    let Some((next, deeper)) = plies.split_first_mut() else { return 1 };
    position.legal_actions(&mut next.legal);
    if deeper.is_empty() {
        return next.legal.len() as u64;
    }
    let mut sum = 0;
    for &action in &next.legal {
        next.position.clone_from(position);
        next.position.play(action);
        sum += count(&next.position, deeper);
    }
    sum
}
