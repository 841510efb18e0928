//! `hexzero tournament ladder`.

use std::path::PathBuf;

use clap::Args;

use crate::cli::options::{BookArgs, VenueArgs, board_size, visit_count};
use crate::cli::support::{Report, advance, games_bar, interrupted, open_games};
use crate::error::CliError;
use hexzero_arena::GameStore;
use hexzero_experiments::ladder::{ANCHOR, Ladder, LadderSettings};
use hexzero_nn::Backend;
use hexzero_system::notice;
use hexzero_train::model_files::game_of;
use hexzero_train::{Recipe, RunFolder};

const EXAMPLES: &str = "\
The games are kept in RUN/ladder.jsonl; the ratings use all of them, including those that
'hexzero train' played during the run and those of earlier calls. Pairings are chosen to be
informative: close games between players with uncertain ratings.

Ratings are relative to alphabeta:2, which is rated 0. The other opponents are random,
alphabeta:3 and mcts:1000.

Examples:
  hexzero tournament ladder runs/cachex-001
  hexzero tournament ladder runs/cachex-001 --games 2000 --size 7
  hexzero tournament ladder runs/cachex-001 --games 0 --json   the ratings so far";

/// Rate the checkpoints of a run against each other and the built-in opponents.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LadderArgs {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The board's size (default: the one that the run plays most in its last stage)
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: Option<usize>,
    /// Play until there are G games on this board, including those of earlier calls (default: 40 per
    /// checkpoint and opponent)
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    games: Option<u32>,
    /// Let checkpoints search V visits per move (default: as in the existing games, or 50)
    #[arg(long, value_name = "V", value_parser = visit_count())]
    visits: Option<u32>,
    /// Print the ratings as a JSON object on one line
    #[arg(long)]
    json: bool,
    /// The openings of further games; those so far may have others.
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    venue: VenueArgs,
}

/// The default number of games per player.
const GAMES: usize = 40;

impl LadderArgs {
    /// Plays the games and prints the ratings.
    pub fn run(self) -> Result<(), CliError> {
        let folder = RunFolder::open(&self.run)?;
        let game = game_of(&self.run)?;
        let size = match self.size {
            Some(size) => size,
            None => Recipe::read(game, &folder.recipe())?.final_size(),
        };
        let book = self.book.given(game, &[size])?;
        let settings = LadderSettings { size, visits: self.visits, backend: Backend::default(), book };
        // A call that plays nothing needs neither a writable disk nor the lock of a run that trains.
        let store = match self.games {
            Some(0) => GameStore::read(&folder.ladder())?,
            _ => open_games(Some(&folder.ladder()))?,
        };
        let mut ladder = Ladder::new(game, &folder, settings, store).map_err(CliError::Failed)?;
        ladder.admit(u64::MAX).map_err(CliError::Failed)?;
        let games = self.games.map_or(GAMES * ladder.players(), |games| games as usize);
        let host = self.venue.host()?;
        let stop = interrupted();
        let bar = games_bar(games, ladder.games());
        let outcome = ladder.play(games, &*host, stop, |ended| advance(&bar, ended));
        bar.finish_and_clear();
        Report::new(ladder.tournament(), &[size], ANCHOR).print(self.json)?;
        outcome.map_err(CliError::Failed)?;
        if stop.is_requested() {
            notice("stopped; run the same command to continue");
        }
        Ok(())
    }
}
