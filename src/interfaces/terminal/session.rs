//! The conversation: the engine moves when it is its turn, the person types when it is theirs.

use std::io::{self, BufRead, Write};

use crate::games::{Game, Position, Seat};
use crate::interfaces::engine::{Engine, Played};
use crate::interfaces::lines::{Line, printable, read_line};
use crate::search::Level;

use super::command::{Command, HELP};
use super::screen::opinion;
use super::table::{Options, Table, Undone};

/// A person and an engine at a board, line by line.
pub struct Session {
    table: Table,
}

impl Session {
    /// A session that begins with the engine's present game.
    pub fn new(engine: Engine, options: Options) -> Self {
        Self { table: Table::new(engine, options) }
    }

    /// Talks until the person leaves or the input ends.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn run(mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        self.greet(&mut output)?;
        self.begin(&mut output)?;
        loop {
            self.prompt(&mut output)?;
            let line = match self.next_line(&mut input)? {
                Line::Text(line) => printable(&line),
                Line::TooLong => {
                    writeln!(output, "That line is too long; type 'help' to see what there is.")?;
                    continue;
                }
                Line::End => {
                    writeln!(output, "\nGoodbye.")?;
                    return output.flush();
                }
            };
            match Command::parse(&line) {
                Command::Nothing => {}
                Command::Help => write!(output, "{HELP}")?,
                Command::Board => self.show_board(&mut output)?,
                Command::Level(name) => self.level(name, &mut output)?,
                Command::Undo => self.undo(&mut output)?,
                Command::Hint => self.hint(&mut output)?,
                Command::Eval => self.eval(&mut output)?,
                Command::Resign => self.resign(&mut output)?,
                Command::New => {
                    self.table.restart().map_err(io::Error::other)?;
                    self.begin(&mut output)?;
                }
                Command::Quit => {
                    writeln!(output, "Goodbye.")?;
                    return output.flush();
                }
                Command::Move(text) => self.person_moves(text, &mut output)?,
            }
        }
    }

    /// Waits for the person, and puts the time to use if that is wished.
    fn next_line(&mut self, input: &mut impl BufRead) -> io::Result<Line> {
        let mut wait = || read_line(input);
        if !self.table.ponders() {
            return wait();
        }
        let limits = self.table.free_limits();
        self.table.engine.ponder(&limits, wait)
    }

    fn greet(&self, output: &mut impl Write) -> io::Result<()> {
        let size = self.table.engine.game().size();
        let name = |player| self.table.options.palette.name(player);
        writeln!(
            output,
            "{} on a {size}×{size} board; the engine judges by {}.",
            G::NAME,
            self.table.options.opponent
        )?;
        if !self.table.options.level.is_full() {
            writeln!(output, "It plays on level {}.", self.table.options.level)?;
        }
        writeln!(output, "You are {}. Type a cell such as a1, or 'help'.", name(self.table.options.person))?;
        let [first, second] = Seat::BOTH.map(name);
        writeln!(output, "{first} joins the top to the bottom, {second} the left to the right.")
    }

    /// Starts a game: the engine moves if it is first, and the board is shown.
    fn begin(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.table.engine.game().to_move() == self.table.options.person {
            writeln!(output)?;
            self.show_board(output)
        } else {
            self.engine_moves(output)
        }
    }

    fn prompt(&self, output: &mut impl Write) -> io::Result<()> {
        if self.table.is_over() {
            write!(output, "new, undo or quit> ")?;
        } else {
            for name in self.table.engine.global_actions() {
                writeln!(output, "You may type '{name}'.")?;
            }
            write!(output, "{}> ", self.table.options.palette.name(self.table.options.person))?;
        }
        output.flush()
    }

    fn show_board(&self, output: &mut impl Write) -> io::Result<()> {
        write!(output, "{}", self.table.options.palette.board(&self.table.engine))
    }

    fn tell(&self, played: &Played, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{}", self.table.options.palette.told(played))
    }

    fn person_moves(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        if self.table.is_over() {
            return self.explain_over(output);
        }
        match self.table.play_named(text) {
            Ok(played) => {
                // A quiet move was typed a moment ago; what it captured is news.
                if !played.captured.is_empty() || played.cell.is_none() {
                    self.tell(&played, output)?;
                }
                self.engine_moves(output)
            }
            Err(error) => writeln!(output, "{error}. Type 'help' for the commands."),
        }
    }

    /// Lets the engine move for as long as it is its turn; then shows the board, or how it ended.
    fn engine_moves(&mut self, output: &mut impl Write) -> io::Result<()> {
        while self.table.is_engines_turn() {
            let Some(action) = self.table.think() else { break };
            let played = self.table.engine.play(action).cloned().map_err(io::Error::other)?;
            self.tell(&played, output)?;
        }
        self.show_board(output)?;
        match self.table.engine.game().outcome() {
            Some(outcome) => writeln!(output, "{}.", Engine::ending(outcome)),
            None => Ok(()),
        }
    }

    /// Shows the levels, or changes to another from the engine's next move on.
    fn level(&mut self, name: Option<&str>, output: &mut impl Write) -> io::Result<()> {
        match name.map(str::parse) {
            Some(Ok(level)) => {
                self.table.options.level = level;
                writeln!(output, "The engine plays on level {level} from now on.")
            }
            Some(Err(error)) => writeln!(output, "{error}."),
            None => {
                for level in Level::ALL {
                    let mark = if level == self.table.options.level { '>' } else { ' ' };
                    writeln!(output, "{mark} {level}")?;
                }
                Ok(())
            }
        }
    }

    fn undo(&mut self, output: &mut impl Write) -> io::Result<()> {
        match self.table.undo() {
            Undone::Nothing => return writeln!(output, "You have made no move that could be taken back."),
            Undone::Resignation => writeln!(output, "You go on after all.")?,
            Undone::Moves(moves) => {
                for Played { player, name, .. } in moves {
                    writeln!(output, "took back {} {name}", self.table.options.palette.name(player))?;
                }
            }
        }
        self.show_board(output)
    }

    fn hint(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.table.is_over() {
            return self.explain_over(output);
        }
        match self.table.engine.think(&self.table.options.limits) {
            Some(action) => writeln!(output, "hint: {}", self.table.engine.game().action_name(action)),
            None => Ok(()),
        }
    }

    fn eval(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.table.is_over() {
            return self.explain_over(output);
        }
        self.table.engine.think(&self.table.options.limits);
        write!(output, "{}", opinion(&self.table.engine, &self.table.engine.opinion()))
    }

    fn resign(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.table.is_over() {
            return self.explain_over(output);
        }
        self.table.resigned = true;
        let winner = self.table.options.palette.name(self.table.options.person.opponent());
        writeln!(output, "You resign: {winner} wins.")
    }

    fn explain_over(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "The game is over. Type 'new' for another one, 'undo' to take back, or 'quit'.")
    }
}
