//! The game line by line: the engine moves in its turn, the person types in theirs.

use std::io::{self, BufRead, Write};
use std::path::Path;

use crate::lines::{Line, printable, read_line};
use hexzero_engine::{Engine, Played};
use hexzero_games::{ActionKind, Seat};
use hexzero_search::Level;

use super::command::{Command, example, help};
use super::saving::save;
use super::screen::opinion;
use super::table::{Options, Table, Undone};

/// A person and an engine at a board, line by line.
pub struct Session {
    table: Table,
    /// The line that has to be repeated to confirm it.
    asked: Option<String>,
}

impl Session {
    /// Begins a session with the engine's present game.
    pub fn new(engine: Engine, options: Options) -> Self {
        Self { table: Table::new(engine, options), asked: None }
    }

    /// Runs until the person leaves or the input ends.
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
            let meant = self.asked.take().is_some_and(|asked| asked == line.trim());
            match Command::parse(&line) {
                Command::New | Command::Quit if self.table.is_at_stake() && !meant => {
                    let line = line.trim();
                    writeln!(
                        output,
                        "The game is not over. Type '{line}' again if you mean it, or save it: 'save FILE'."
                    )?;
                    self.asked = Some(line.to_owned());
                }
                Command::Save(name) if !meant && Path::new(name).exists() => {
                    writeln!(output, "{name} exists. Type the same again to replace it.")?;
                    self.asked = Some(line.trim().to_owned());
                }
                Command::Save(name) => match save(&mut self.table, name) {
                    Ok(()) => writeln!(output, "The game is saved in {name}.")?,
                    Err(error) => writeln!(output, "{error}.")?,
                },
                Command::Nothing => {}
                Command::Help => write!(output, "{}", help(self.table.engine.position()))?,
                Command::Board => self.show_board(&mut output)?,
                Command::Level(name) => self.level(name, &mut output)?,
                Command::Undo => self.undo(&mut output)?,
                Command::Hint | Command::Eval | Command::Resign | Command::Move(_) if self.table.is_over() => {
                    writeln!(output, "The game is over. Type 'new' for another one, 'undo' to take back, or 'quit'.")?
                }
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

    /// Waits for the next line, and ponders meanwhile if set.
    fn next_line(&mut self, input: &mut impl BufRead) -> io::Result<Line> {
        let mut wait = || read_line(input);
        if !self.table.ponders() {
            return wait();
        }
        let limits = self.table.free_limits();
        self.table.engine.ponder(&limits, wait)
    }

    fn greet(&self, output: &mut impl Write) -> io::Result<()> {
        let (game, position) = (self.table.engine.game(), self.table.engine.position());
        let (board, opponent) = (game.a_board(position.size()), &self.table.options.opponent);
        writeln!(output, "{} on {board}; the engine uses {opponent}.", game.name())?;
        let Options { strength, warning, .. } = &self.table.options;
        let how = if strength.level.is_full() { "at" } else { "on" };
        writeln!(output, "It plays {how} {strength} (see --level, --seconds, --visits).")?;
        if let Some(warning) = warning {
            writeln!(output, "{warning}")?;
        }
        let example = example(position).unwrap_or_default();
        let person = self.name(self.table.options.person);
        writeln!(output, "You are {person}. Type a move such as {example}, or 'help'.")?;
        let [first, second] = Seat::BOTH.map(|seat| format!("{} {}", self.name(seat), game.seats[seat.index()].goal));
        writeln!(output, "{first}, {second}.")
    }

    /// Returns the name of a seat in its colour.
    fn name(&self, seat: Seat) -> String {
        self.table.options.palette.name(self.table.engine.game(), seat)
    }

    /// Starts a game: the engine moves if it is first, and the board is shown.
    fn begin(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.table.engine.position().to_move() == self.table.options.person {
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
            let mut told = "";
            for action in self.table.engine.global_actions() {
                // In a turn of several parts it is not obvious what comes next.
                if action.kind != ActionKind::Swap && action.offer != told {
                    told = action.offer;
                    writeln!(output, "{told}")?;
                }
                writeln!(output, "You may type '{}'.", action.word)?;
            }
            write!(output, "{}> ", self.name(self.table.options.person))?;
        }
        output.flush()
    }

    fn show_board(&self, output: &mut impl Write) -> io::Result<()> {
        write!(output, "{}", self.table.options.palette.board(&self.table.engine))
    }

    fn tell(&self, played: &Played, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{}", self.table.options.palette.told(self.table.engine.game(), played))
    }

    fn person_moves(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        match self.table.play_named(text) {
            Ok(played) => {
                // A quiet move was just typed; only what it captured is news.
                if !played.captured.is_empty() || !played.turned.is_empty() || played.place.is_none() {
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
        match self.table.engine.position().outcome() {
            Some(outcome) => writeln!(output, "{}.", self.table.engine.ending(outcome)),
            None => Ok(()),
        }
    }

    /// Shows the levels, or changes to another from the engine's next move on.
    fn level(&mut self, name: Option<&str>, output: &mut impl Write) -> io::Result<()> {
        match name.map(str::parse) {
            Some(Ok(level)) => {
                self.table.options.strength.level = level;
                writeln!(output, "The engine plays on level {} from now on.", level.name())
            }
            Some(Err(error)) => writeln!(output, "{error}."),
            None => {
                for level in Level::ALL {
                    let mark = if level == self.table.options.strength.level { '>' } else { ' ' };
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
                for Played { seat, name, .. } in moves {
                    writeln!(output, "took back {} {name}", self.name(seat))?;
                }
            }
        }
        self.show_board(output)
    }

    fn hint(&mut self, output: &mut impl Write) -> io::Result<()> {
        match self.table.engine.think(&self.table.move_limits()) {
            Some(action) => writeln!(output, "hint: {}", self.table.engine.position().action_name(action)),
            None => Ok(()),
        }
    }

    fn eval(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.table.engine.think(&self.table.move_limits());
        write!(output, "{}", opinion(&self.table.engine, &self.table.engine.opinion()))
    }

    fn resign(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.table.resigned = true;
        let winner = self.name(self.table.options.person.opponent());
        writeln!(output, "You resign: {winner} wins.")
    }
}
