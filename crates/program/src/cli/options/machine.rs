//! Threads, memory and exact values of a search, for commands that search one position at a time.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use clap::Args;
use clap::builder::TypedValueParser;

use crate::error::CliError;
use hexzero_engine::model::LoadedModel;
use hexzero_games::{Game, GameBoard};
use hexzero_search::{Exact, Limits, MAX_THREADS};
use hexzero_system::announced;

/// Threads, memory and exact values of a search.
#[derive(Debug, Clone, Copy, Args)]
pub struct MachineArgs {
    /// Search on T threads (default: one per core; with --visits one, so that results repeat)
    #[arg(long, value_name = "T", value_parser = thread_count())]
    threads: Option<u32>,
    /// Limit the search tree to MIB mebibytes; a full tree frees its least visited branches (default: a quarter of the
    /// machine's memory, from 512 to 8192; 512 where several trees grow at a time)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: Option<u32>,
    /// Solve the board first, if 'hexzero games solve' takes it (up to a minute and 0.8 GB), and search
    /// with its exact values (levels below full do without)
    #[arg(long)]
    exact: bool,
}

impl MachineArgs {
    /// Returns the number of threads given, if any.
    pub fn threads(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(self.threads? as usize)
    }

    /// Returns the largest size of the search tree, in bytes.
    pub fn memory(&self) -> usize {
        self.memory.map_or_else(Limits::memory_of_machine, bytes_of)
    }

    /// Returns a model whose searches use exact values, if they are asked for. The board is solved here, if it can be.
    pub fn with_exact(&self, mut model: LoadedModel, game: Game, size: usize) -> Result<LoadedModel, CliError> {
        if self.exact {
            model.search.exact = Exact::Board;
            let start = game.start(size)?;
            let board = start.game_board();
            // A solver may leave the work until it is asked.
            announced(solving(board), || board.solution().map(|solution| solution.moves(&start)));
        }
        Ok(model)
    }

    /// Checks that a board can be solved, if exact values are asked for.
    pub fn check_exact(&self, game: Game, size: usize) -> Result<(), CliError> {
        let can_be = game.solver().is_some_and(|solver| solver.sizes.contains(&size));
        if !self.exact || can_be || game.game_board(size).is_err() {
            return Ok(());
        }
        let (name, board) = (game.name(), game.a_board(size));
        let problem = format!("{name} on {board} cannot be solved; leave out --exact, or choose a smaller --size");
        Err(CliError::Request(problem))
    }

    /// Adds the memory limit to `limits`, for each of several trees.
    pub fn bound_each(&self, limits: Limits) -> Limits {
        self.memory.map_or(limits, |_| self.bound(limits))
    }

    /// Adds the memory limit to `limits`, for the only tree.
    pub fn bound(&self, limits: Limits) -> Limits {
        limits.within_memory(self.memory())
    }
}

/// Returns a parser of a number of threads that search.
pub fn thread_count() -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=MAX_THREADS as i64)
}

/// Returns a parser of a number of threads that each play a game of their own.
pub fn worker_count() -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=1024)
}

/// Converts mebibytes to bytes, up to the most that an allocation may have on this system.
pub fn bytes_of(mebibytes: u32) -> usize {
    usize::try_from(u64::from(mebibytes) << 20).unwrap_or(usize::MAX).min(isize::MAX as usize)
}

/// Returns the number of threads given, or one for each core.
pub fn threads_or_cores(given: Option<u32>) -> NonZeroUsize {
    let given = given.and_then(|threads| NonZeroUsize::new(threads as usize));
    given.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// Describes the work of solving a board.
pub fn solving(on: &GameBoard) -> String {
    format!("solving {} on {}", on.game().name(), on.game().a_board(on.size()))
}
