//! `hexzero games solve`.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::cli::options::{board_size, one_of, solving};
use crate::cli::support::print_result;
use crate::error::CliError;
use hexzero_games::{Action, Game, Position, Solution, Solver, Value, all_games, play_all};
use hexzero_system::{announced, threads};

const EXAMPLES: &str = "\
Without moves, prints the value of each first move for the player who makes it, in games with a swap
also as if there were none, and the replies that beat it. With moves, prints the value of the
position after them for the player to move, and the values of its moves. 'won in 5 plies' counts the
moves of both players, including the valued one.

Values depend on the board and the player to move only, not on the history: draws by repetition
and by a turn limit are left out, and endless play, which neither player can leave without losing,
is a draw. On the largest boards of some games only the winner is known, without plies. Most
boards take seconds and tens of megabytes; imnyss --size 4 takes a minute and 0.8 GB. For larger
boards of Hex, where the winner is all that counts, there is 'hexzero prove'.

--json prints {\"game\",\"size\",\"openings\":[{\"move\",\"value\",\"plies\",\"without_swap\",
\"beaten_by\"}]} or {\"game\",\"size\",\"moves\",\"to_move\",\"value\",\"plies\",\"choices\":[{\"move\",
\"value\",\"plies\"}]}, the best choice first; a value is \"won\", \"lost\" or \"drawn\", the last
without plies; plies are null where only the winner is known.

Examples:
  hexzero games solve --size 3
  hexzero games solve --size 4 d2 swap c3
  hexzero games solve --size 4 --json a1";

/// Print exact values of openings and positions on a small board.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// The game, one with a solver (default: the first of these)
    #[arg(long, value_name = "GAME", value_parser = one_of(solved_games()))]
    game: Option<Game>,
    /// The board's size; solvers take small boards only
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: usize,
    /// Print the values as a JSON object
    #[arg(long)]
    json: bool,
    /// The moves so far, such as 'd2 swap c3'
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
}

/// Returns the games that have a solver.
fn solved_games() -> impl Iterator<Item = Game> {
    all_games().into_iter().filter(|&game| game.solver().is_some())
}

/// The values of all openings.
#[derive(Serialize)]
struct Openings {
    game: &'static str,
    size: usize,
    openings: Vec<SolvedMove>,
}

#[derive(Serialize)]
struct SolvedMove {
    #[serde(rename = "move")]
    name: String,
    #[serde(flatten)]
    value: Value,
    /// The value if swapping were forbidden; none in games without a swap.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_swap: Option<Value>,
    /// The opponent's winning replies; none if it is still the same player's turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    beaten_by: Option<Vec<String>>,
}

/// The value of a position.
#[derive(Serialize)]
struct Solved<'a> {
    game: &'static str,
    size: usize,
    moves: &'a [String],
    to_move: &'static str,
    #[serde(flatten)]
    value: Value,
    choices: Vec<SolvedMove>,
}

impl SolveArgs {
    /// Solves the board and prints the values.
    pub fn run(self) -> Result<(), CliError> {
        let game = self.game.or_else(|| solved_games().next()).ok_or_else(no_solver)?;
        let solver = self.solver(game)?;
        let mut position = game.start(self.size)?;
        play_all(&mut position, &self.moves.join(" "))?;
        if position.outcome().is_some() {
            return Err(game_over());
        }
        threads::start_shared().map_err(|error| CliError::Failed(error.into()))?;
        let solve = || (solver.solve)(self.size);
        let title = solving(position.game_board());
        if self.moves.is_empty() {
            let told = announced(title, || openings(&*solve(), &position));
            return Ok(print_result(self.json, &told, |output| write_openings(output, &told))?);
        }
        let moves = announced(title, || solve().moves(&position));
        let Some(&(_, value)) = moves.first() else { return Err(game_over()) };
        let choice = |(action, value)| SolvedMove {
            name: position.action_name(action),
            value,
            without_swap: None,
            beaten_by: None,
        };
        let told = Solved {
            game: game.name(),
            size: self.size,
            moves: &self.moves,
            to_move: game.seat_name(position.to_move()),
            value,
            choices: moves.into_iter().map(choice).collect(),
        };
        let printed = print_result(self.json, &told, |output| {
            writeln!(output, "{} to move: {}", told.to_move, told.value)?;
            told.choices.iter().try_for_each(|choice| writeln!(output, "{:<7}  {}", choice.name, choice.value))
        });
        Ok(printed?)
    }

    /// Returns the solver of a game, if it takes boards of this size.
    fn solver(&self, game: Game) -> Result<&'static Solver, CliError> {
        let solver = game.solver().ok_or_else(no_solver)?;
        if solver.sizes.contains(&self.size) {
            return Ok(solver);
        }
        let (least, most) = (solver.sizes.start(), solver.sizes.end());
        let sizes = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let (game, size) = (game.name(), self.size);
        Err(CliError::Request(format!("the solver of {game} takes boards of size {sizes}, not {size}")))
    }
}

fn no_solver() -> CliError {
    CliError::Request("no game has a solver".to_owned())
}

/// Returns the error that there is no move to value.
pub fn game_over() -> CliError {
    CliError::Request("the game is over after these moves; give fewer of them".to_owned())
}

fn openings(solution: &dyn Solution, start: &Position) -> Openings {
    let without_swap = if start.game().has_swap() { solution.moves_without_swap(start) } else { Vec::new() };
    let opening = |(action, value): (Action, Value)| {
        let after = start.after(action);
        let answers = after.to_move() != start.to_move();
        let winning = solution.moves(&after).into_iter().filter(|(_, value)| matches!(value, Value::Win(_)));
        SolvedMove {
            name: start.action_name(action),
            value,
            without_swap: without_swap.iter().find(|(other, _)| *other == action).map(|&(_, value)| value),
            beaten_by: answers.then(|| winning.map(|(reply, _)| after.action_name(reply)).collect()),
        }
    };
    let mut openings = solution.moves(start);
    openings.sort_by_key(|&(action, _)| action);
    Openings { game: start.game().name(), size: start.size(), openings: openings.into_iter().map(opening).collect() }
}

fn write_openings(output: &mut impl Write, told: &Openings) -> io::Result<()> {
    let swap = told.openings.iter().any(|opening| opening.without_swap.is_some());
    let heading = if swap { format!("{:<17}  ", "without the swap") } else { String::new() };
    writeln!(output, "opening  {:<17}  {heading}beaten by", "value")?;
    for SolvedMove { name, value, without_swap, beaten_by } in &told.openings {
        let without_swap = without_swap.map_or(String::new(), |value| format!("{value:<17}  "));
        let beaten_by = match beaten_by {
            None => String::new(),
            Some(replies) if replies.is_empty() => "nothing".to_owned(),
            Some(replies) => replies.join(" "),
        };
        writeln!(output, "{name:<7}  {value:<17}  {without_swap}{beaten_by}")?;
    }
    Ok(())
}
