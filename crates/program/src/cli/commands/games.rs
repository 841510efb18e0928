//! `hexzero games`.

use std::io::{Write, stdout};

use clap::{Args, Subcommand};

use super::perft::PerftArgs;
use super::solve::SolveArgs;
use serde::Serialize;

use crate::cli::options::{board_size, one_of};
use crate::cli::support::write_json;
use crate::error::CliError;
use crate::goals;
use hexzero_board::Layout;
use hexzero_games::{Choice, Ending, Game, GameBoard, GlobalAction, SeatInfo, all_games};
use hexzero_models::shipped;
use hexzero_nn::Metadata;

const EXAMPLES: &str = "\
--json prints a list of {\"id\",\"title\",\"summary\",\"network\",\"boards\":{\"least\",\"most\",\"default\",
\"meaning\"},\"seats\",\"actions\",\"choices\",\"endings\",\"sgf\",\"model\"}: 'network' is the game whose
networks play this one, 'actions' are the moves off the board, 'model' is the metadata of the
shipped checkpoint, or null. With --size each game also has \"board\":{\"size\",\"cells\",\"actions\",
\"turn_limit\",\"layout\",\"text\"}: 'layout' is what the page draws, 'text' has the lines of a text
picture and each place's line and column in it, counting from 0.

Examples:
  hexzero games
  hexzero games --game hex --size 5
  hexzero games --game hex --size 5 --json
  hexzero games solve --game hex --size 3     compute the exact value of the empty board
  hexzero games perft --game hex --depth 3    count the sequences of three moves";

/// List the games with their boards and a summary of the rules.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct GamesArgs {
    #[command(subcommand)]
    command: Option<GamesCommand>,
    /// List only this game
    #[arg(long, value_name = "GAME", value_parser = one_of(all_games()))]
    game: Option<Game>,
    /// Also show the board of this size
    #[arg(long, value_name = "N", requires = "game", value_parser = board_size)]
    size: Option<usize>,
    /// Print the list as JSON on one line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum GamesCommand {
    Solve(SolveArgs),
    Perft(PerftArgs),
}

/// The description of a game.
#[derive(Serialize)]
struct About {
    id: &'static str,
    title: &'static str,
    summary: &'static str,
    network: &'static str,
    boards: AboutBoards,
    seats: &'static [SeatInfo; 2],
    actions: &'static [GlobalAction],
    choices: &'static [Choice],
    endings: &'static [Ending],
    sgf: Option<u32>,
    model: Option<Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<AboutBoard>,
}

#[derive(Serialize)]
struct AboutBoards {
    least: usize,
    most: usize,
    default: usize,
    meaning: &'static str,
}

/// One of a game's boards.
#[derive(Serialize)]
struct AboutBoard {
    size: usize,
    cells: usize,
    /// The number of actions, legal or not.
    actions: usize,
    turn_limit: usize,
    layout: Layout<'static>,
    text: AboutText,
}

/// A board as text.
#[derive(Serialize)]
struct AboutText {
    /// The lines with the labels, and spaces for the places' characters.
    lines: &'static [String],
    /// The line and column of each place's character, in the order of the layout. A line may be shorter than that.
    spots: &'static [(usize, usize)],
}

impl About {
    fn of(game: Game, on: Option<&'static GameBoard>) -> Self {
        let info = game.info();
        let boards = &info.boards;
        Self {
            id: info.id,
            title: info.title,
            summary: info.summary,
            network: info.network,
            boards: AboutBoards {
                least: *boards.sizes.start(),
                most: *boards.sizes.end(),
                default: boards.default,
                meaning: boards.meaning,
            },
            seats: &info.seats,
            actions: info.actions,
            choices: info.choices,
            endings: info.endings,
            sgf: info.sgf,
            model: shipped(game).ok().map(|checkpoint| checkpoint.metadata),
            board: on.map(|on| AboutBoard {
                size: on.size(),
                cells: on.cells(),
                actions: on.actions(),
                turn_limit: on.turn_limit(),
                layout: on.board().layout(),
                text: AboutText { lines: &on.board().text().lines, spots: &on.board().text().spots },
            }),
        }
    }
}

impl GamesArgs {
    /// Prints the games.
    pub fn run(self) -> Result<(), CliError> {
        match self.command {
            Some(GamesCommand::Solve(args)) => return args.run(),
            Some(GamesCommand::Perft(args)) => return args.run(),
            None => {}
        }
        let games = self.game.map_or_else(all_games, |game| vec![game]);
        let on = match (self.game, self.size) {
            (Some(game), Some(size)) => Some(game.game_board(size)?),
            _ => None,
        };
        let mut output = stdout().lock();
        if self.json {
            let about: Vec<About> = games.into_iter().map(|game| About::of(game, on)).collect();
            return Ok(write_json(&mut output, &about)?);
        }
        for (number, game) in games.into_iter().enumerate() {
            let blank = if number > 0 { "\n" } else { "" };
            write!(output, "{blank}{}", text(game))?;
        }
        if let Some(on) = on {
            write!(output, "\n{}", on.game().start(on.size())?.drawing(None))?;
        }
        Ok(())
    }
}

/// Describes a game in a few lines.
fn text(game: Game) -> String {
    let boards = &game.boards;
    let model = match shipped(game) {
        Ok(checkpoint) => format!("a model ships: {}", checkpoint.metadata.architecture),
        Err(_) => "no model ships".to_owned(),
    };
    let (least, most) = (boards.sizes.start(), boards.sizes.end());
    let sizes = match least == most {
        true => format!("size {least} only"),
        false => format!("sizes {least} to {most} ({}), {} by default", boards.meaning, boards.default),
    };
    format!("{}: {}\n  {}\n  {sizes}; {model}\n", game.name(), game.summary, goals(game).join("; "))
}
