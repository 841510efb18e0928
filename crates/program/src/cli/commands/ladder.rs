//! `hexzero tournament ladder`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;

use crate::cli::options::game::board_size;
use crate::cli::options::venue::VenueArgs;
use crate::cli::support::interrupt::interrupted;
use crate::cli::support::matches::style;
use crate::cli::support::output_files::warn_of_torn;
use crate::cli::support::standings::ladder_table;
use crate::error::CliError;
use hexzero_experiments::ladder::{Ladder, LadderSettings, LadderStandings};
use hexzero_games::Game;
use hexzero_nn::Backend;
use hexzero_search::Limits;
use hexzero_system::notice;
use hexzero_system::{Plain, plain_line};
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
    pub run: PathBuf,
    /// The board's size (default: the one that the run plays most in its last stage)
    #[arg(long, value_name = "N", value_parser = board_size)]
    pub size: Option<usize>,
    /// Play until there are G games on this board, including those of earlier calls (default: 40 per
    /// checkpoint and opponent)
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub games: Option<u32>,
    /// Let checkpoints search V visits per move (default: as in the existing games, or 50)
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MAX_VISITS)))]
    pub visits: Option<u32>,
    /// Print the ratings as a JSON object on one line
    #[arg(long)]
    pub json: bool,
    /// Where the games are played.
    #[command(flatten)]
    pub venue: VenueArgs,
}

/// The default number of games per player.
const GAMES: usize = 40;

impl LadderArgs {
    /// Plays the games and prints the ratings.
    pub fn run(self) -> Result<(), CliError> {
        let folder = RunFolder::open(&self.run).map_err(CliError::failed)?;
        let game = game_of(&self.run)?;
        let size = match self.size {
            Some(size) => size,
            None => Recipe::read(game, &folder.recipe()).map_err(CliError::failed)?.final_size(),
        };
        let settings = LadderSettings { size, visits: self.visits, backend: Backend::default() };
        // A call that plays nothing needs neither a writable disk nor the lock of a run that
        // trains.
        let open = if self.games == Some(0) { Ladder::read } else { Ladder::open };
        let mut ladder = open(game, &folder, settings).map_err(CliError::failed)?;
        warn_of_torn(&folder.ladder(), ladder.torn());
        ladder.admit(u64::MAX).map_err(CliError::failed)?;
        let games = self.games.map_or(GAMES * ladder.players(), |games| games as usize);
        let host = self.venue.host()?;
        let stop = interrupted();
        let bar = ProgressBar::new(games as u64).with_position(ladder.games() as u64);
        bar.set_style(style("{wide_bar} {pos}/{len} games, {msg}, {eta} left"));
        bar.reset_eta();
        let outcome = ladder.play(games, &*host, stop, |played| {
            bar.set_message(plain_line(&format!("{} - {}", played.a.name, played.b.name)).into_owned());
            bar.inc(1);
        });
        bar.finish_and_clear();
        show(game, &ladder.standings(), self.json)?;
        outcome.map_err(CliError::failed)?;
        if stop.is_requested() {
            notice("stopped; run the same command to continue");
        }
        Ok(())
    }
}

/// Prints the ratings.
fn show(game: Game, standings: &LadderStandings, json: bool) -> Result<(), CliError> {
    let mut output = stdout().lock();
    if json {
        let json = serde_json::to_string(standings).map_err(std::io::Error::from)?;
        writeln!(output, "{json}")?;
        return Ok(());
    }
    let LadderStandings { size, limits, anchor, .. } = standings;
    let games: usize = standings.players.iter().map(|player| player.standing.games).sum();
    write!(
        Plain(output),
        "{} {}, {limits}, {} games, {anchor} = 0:\n\n{}",
        game.name(),
        game.board_name(*size),
        games / 2,
        ladder_table(standings)
    )?;
    Ok(())
}
