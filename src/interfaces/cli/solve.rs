//! `hexzero solve`.

use std::io::{Write, stdout};

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;

use crate::games::{Action, Cachex, Game, Position, play_named};
use crate::interfaces::error::CliError;
use crate::solver::{Solution, Value};

const EXAMPLES: &str = "\
Without moves it tells what each opening is worth to the player who makes it, with the swap and
without, and which replies beat it. With moves it tells what the position after them is worth to
the player to move, and each of his moves. 'won in 5 plies' counts the moves of both players, the
move that is judged included.

The table knows stones and the player to move, but no history: draws by repetition and by the turn
limit are left out of it, and endless play, which neither player can break off without losing,
counts as a draw. 3×3 takes an instant; 4×4 has 43 million boards and takes some seconds and
less than 50 MB of memory.

With --json that is {\"game\",\"size\",\"openings\":[{\"move\",\"value\",\"plies\",\"without_swap\",
\"beaten_by\"}]} or {\"game\",\"size\",\"moves\",\"to_move\",\"value\",\"plies\",\"choices\":[{\"move\",
\"value\",\"plies\"}]}, the best choice first; a value is \"won\", \"lost\" or \"drawn\", the last
without plies.

Examples:
  hexzero solve --size 3
  hexzero solve --size 4 d2 swap c3
  hexzero solve --size 4 --json a1";

/// Tell the exact values of openings and positions on a small board.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// The game
    #[arg(long, value_name = "GAME", default_value = Cachex::NAME, value_parser = PossibleValuesParser::new([Cachex::NAME]))]
    game: String,
    /// Cells on a side of the board: 3 or 4
    #[arg(long, value_name = "N")]
    size: usize,
    /// Give the values as one JSON object
    #[arg(long)]
    json: bool,
    /// The moves so far, such as 'd2 swap c3'
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
}

/// What is told of the whole board.
#[derive(Serialize)]
struct Openings {
    game: &'static str,
    size: usize,
    openings: Vec<Opening>,
}

#[derive(Serialize)]
struct Opening {
    #[serde(rename = "move")]
    name: String,
    #[serde(flatten)]
    value: Value,
    /// What it would be worth if it could not be swapped.
    without_swap: Value,
    /// The replies that win.
    beaten_by: Vec<String>,
}

/// What is told of a position.
#[derive(Serialize)]
struct Position<'a> {
    game: &'static str,
    size: usize,
    moves: &'a [String],
    to_move: &'static str,
    #[serde(flatten)]
    value: Value,
    choices: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    #[serde(rename = "move")]
    name: String,
    #[serde(flatten)]
    value: Value,
}

impl SolveArgs {
    /// Solves the board and tells what was asked for.
    pub(super) fn run(self) -> Result<(), CliError> {
        let mut game = Solution::start(self.size).map_err(CliError::failed)?;
        for text in self.moves.iter().flat_map(|words| words.split_whitespace()) {
            play_named(&mut game, text)?;
        }
        if game.outcome().is_some() {
            return Err(CliError::failed(GameOver));
        }
        let output = &mut stdout().lock();
        let solution = Solution::new(self.size).map_err(CliError::failed)?;
        if self.moves.is_empty() {
            let told = openings(&solution, &game);
            return if self.json { write_json(output, &told) } else { write_openings(output, &told) };
        }
        let moves = solution.moves(&game);
        let Some(&(_, value)) = moves.first() else { return Err(CliError::failed(GameOver)) };
        let told = Position {
            game: Cachex::NAME,
            size: self.size,
            moves: &self.moves,
            to_move: Cachex::PLAYER_NAMES[game.to_move().index()],
            value,
            choices: moves
                .into_iter()
                .map(|(action, value)| Choice { name: game.action_name(action), value })
                .collect(),
        };
        if self.json { write_json(output, &told) } else { write_position(output, &told) }
    }
}

/// There is no move left to tell the value of.
#[derive(Debug, thiserror::Error)]
#[error("the game is over after these moves; give fewer of them")]
struct GameOver;

fn openings(solution: &Solution, start: &Cachex) -> Openings {
    let opening = |(action, value): (Action, Value)| {
        let mut after = start.clone();
        after.play(action);
        let winning = solution.moves(&after).into_iter().filter(|(_, value)| matches!(value, Value::Win(_)));
        Opening {
            name: start.action_name(action),
            value,
            without_swap: solution.value_of_stones(&after).map_or(Value::Draw, Value::before),
            beaten_by: winning.map(|(reply, _)| after.action_name(reply)).collect(),
        }
    };
    let mut openings = solution.moves(start);
    openings.sort_by_key(|&(action, _)| action);
    Openings { game: Cachex::NAME, size: start.size(), openings: openings.into_iter().map(opening).collect() }
}

fn write_json(output: &mut impl Write, told: &impl Serialize) -> Result<(), CliError> {
    serde_json::to_writer(&mut *output, told).map_err(std::io::Error::from)?;
    Ok(writeln!(output)?)
}

fn write_openings(output: &mut impl Write, told: &Openings) -> Result<(), CliError> {
    writeln!(output, "opening  value              without the swap   beaten by")?;
    for Opening { name, value, without_swap, beaten_by } in &told.openings {
        let beaten_by = if beaten_by.is_empty() { "nothing".to_owned() } else { beaten_by.join(" ") };
        writeln!(output, "{name:<7}  {value:<17}  {without_swap:<17}  {beaten_by}")?;
    }
    Ok(())
}

fn write_position(output: &mut impl Write, told: &Position) -> Result<(), CliError> {
    writeln!(output, "{} to move: {}", told.to_move, told.value)?;
    for Choice { name, value } in &told.choices {
        writeln!(output, "{name:<7}  {value}")?;
    }
    Ok(())
}
