//! The conversation: the engine moves when it is its turn, the person types when it is theirs.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Action, Game, Player};
use crate::interfaces::engine::{Engine, Played};
use crate::interfaces::lines::{Line, printable, read_line};
use crate::search::{GameClock, Level, Limits, TimeControl, TimeLeft};

use super::command::{Command, HELP};
use super::screen::{Palette, opinion};

/// The engine varies its choice among good moves this early in the game.
const VARIED_TURNS: usize = 2;

/// How a session is to be.
#[derive(Debug, Clone)]
pub struct Options {
    /// The side of the person.
    pub person: Player,
    /// How long the engine thinks about a move, and about hints.
    pub limits: Limits,
    /// The time that the engine has for its moves of a game, which then stands for `limits`.
    pub clock: Option<TimeControl>,
    /// Whether the engine goes on thinking while the person does, if it plays at full strength.
    pub ponder: bool,
    /// How well the engine plays.
    pub level: Level,
    /// The seed of the engine's choices by chance.
    pub seed: u64,
    /// The colours of the text.
    pub palette: Palette,
    /// What the engine judges with, in words.
    pub opponent: String,
}

/// A person and an engine at a board.
pub struct Session<G: Game> {
    engine: Engine<G>,
    options: Options,
    clock: Option<GameClock>,
    /// What was on the engine's clock before each of its moves.
    left_before: Vec<TimeLeft>,
    rng: Xoshiro256PlusPlus,
    resigned: bool,
}

impl<G: Game> Session<G> {
    /// A session that begins with the engine's present game.
    pub fn new(engine: Engine<G>, options: Options) -> Self {
        let rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let clock = options.clock.map(GameClock::new);
        Self { engine, options, clock, left_before: Vec::new(), rng, resigned: false }
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
                    let size = self.engine.game().size();
                    self.engine.restart(size).map_err(io::Error::other)?;
                    self.clock = self.options.clock.map(GameClock::new);
                    self.left_before.clear();
                    self.resigned = false;
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
        if !self.options.ponder || !self.options.level.is_full() || self.is_over() {
            return wait();
        }
        let limits = Limits::default().within_memory(self.options.limits.memory);
        self.engine.ponder(&limits, wait)
    }

    fn is_over(&self) -> bool {
        self.resigned || self.engine.game().outcome().is_some()
    }

    fn greet(&self, output: &mut impl Write) -> io::Result<()> {
        let size = self.engine.game().size();
        let name = |player| self.options.palette.name::<G>(player);
        writeln!(output, "{} on a {size}×{size} board; the engine judges by {}.", G::NAME, self.options.opponent)?;
        if !self.options.level.is_full() {
            writeln!(output, "It plays on level {}.", self.options.level)?;
        }
        writeln!(output, "You are {}. Type a cell such as a1, or 'help'.", name(self.options.person))?;
        let [first, second] = Player::BOTH.map(name);
        writeln!(output, "{first} joins the top to the bottom, {second} the left to the right.")
    }

    /// Starts a game: the engine moves if it is first, and the board is shown.
    fn begin(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.engine.game().to_move() == self.options.person {
            writeln!(output)?;
            self.show_board(output)
        } else {
            self.engine_moves(output)
        }
    }

    fn prompt(&self, output: &mut impl Write) -> io::Result<()> {
        if self.is_over() {
            write!(output, "new, undo or quit> ")?;
        } else {
            for name in self.engine.global_actions() {
                writeln!(output, "You may type '{name}'.")?;
            }
            write!(output, "{}> ", self.options.palette.name::<G>(self.options.person))?;
        }
        output.flush()
    }

    fn show_board(&self, output: &mut impl Write) -> io::Result<()> {
        write!(output, "{}", self.options.palette.board(&self.engine))
    }

    fn tell(&self, played: &Played, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "{}", self.options.palette.told::<G>(played))
    }

    fn person_moves(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        if self.is_over() {
            return self.explain_over(output);
        }
        let played = self.engine.legal_action(text).and_then(|action| self.engine.play(action).cloned());
        match played {
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

    /// The engine's move.
    fn think(&mut self) -> Option<Action> {
        let Options { level, limits, .. } = self.options;
        let best = match &mut self.clock {
            Some(clock) => {
                self.left_before.push(clock.left(self.options.person.opponent()));
                let limits = self.engine.prepare(level, &Limits::default().within_memory(limits.memory));
                self.engine.think_by_clock(clock, &limits, Instant::now())
            }
            None => {
                let limits = self.engine.prepare(level, &limits);
                self.engine.think(&limits)
            }
        };
        match self.engine.game().turns() {
            _ if !level.is_full() => self.engine.action_on(level, &mut self.rng),
            turns if turns < VARIED_TURNS => self.engine.varied_action(&mut self.rng),
            _ => best,
        }
    }

    /// Lets the engine move for as long as it is its turn; then shows the board, or how it ended.
    fn engine_moves(&mut self, output: &mut impl Write) -> io::Result<()> {
        while self.engine.game().outcome().is_none() && self.engine.game().to_move() != self.options.person {
            let chosen = self.think();
            let Some(action) = chosen else { break };
            let played = self.engine.play(action).cloned().map_err(io::Error::other)?;
            self.tell(&played, output)?;
        }
        self.show_board(output)?;
        match self.engine.game().outcome() {
            Some(outcome) => writeln!(output, "{}.", Engine::<G>::ending(outcome)),
            None => Ok(()),
        }
    }

    /// Shows the levels, or changes to another from the engine's next move on.
    fn level(&mut self, name: Option<&str>, output: &mut impl Write) -> io::Result<()> {
        match name.map(str::parse) {
            Some(Ok(level)) => {
                self.options.level = level;
                writeln!(output, "The engine plays on level {level} from now on.")
            }
            Some(Err(error)) => writeln!(output, "{error}."),
            None => {
                for level in Level::ALL {
                    let mark = if level == self.options.level { '>' } else { ' ' };
                    writeln!(output, "{mark} {level}")?;
                }
                Ok(())
            }
        }
    }

    /// Goes back to where the person moved last; the engine's clock goes back too.
    fn undo(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.resigned {
            self.resigned = false;
            writeln!(output, "You go on after all.")?;
            return self.show_board(output);
        }
        if !self.engine.played().iter().any(|played| played.player == self.options.person) {
            return writeln!(output, "You have made no move that could be taken back.");
        }
        while let Some(played) = self.engine.undo() {
            writeln!(output, "took back {} {}", self.options.palette.name::<G>(played.player), played.name)?;
            if played.player == self.options.person {
                break;
            }
            if let (Some(clock), Some(left)) = (&mut self.clock, self.left_before.pop()) {
                clock.set(played.player, left);
            }
        }
        self.show_board(output)
    }

    fn hint(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.is_over() {
            return self.explain_over(output);
        }
        match self.engine.think(&self.options.limits) {
            Some(action) => writeln!(output, "hint: {}", self.engine.game().action_name(action)),
            None => Ok(()),
        }
    }

    fn eval(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.is_over() {
            return self.explain_over(output);
        }
        self.engine.think(&self.options.limits);
        write!(output, "{}", opinion(&self.engine, &self.engine.opinion()))
    }

    fn resign(&mut self, output: &mut impl Write) -> io::Result<()> {
        if self.is_over() {
            return self.explain_over(output);
        }
        self.resigned = true;
        let winner = self.options.palette.name::<G>(self.options.person.opponent());
        writeln!(output, "You resign: {winner} wins.")
    }

    fn explain_over(&self, output: &mut impl Write) -> io::Result<()> {
        writeln!(output, "The game is over. Type 'new' for another one, 'undo' to take back, or 'quit'.")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::games::{Cachex, Evaluation};
    use crate::interfaces::model::LoadedModel;

    #[test]
    fn undo_takes_the_engines_time_back() {
        let evaluator = Box::new(|_: &Cachex, legal: &[Action]| Evaluation::uniform(legal.len()));
        let engine = Engine::new(4, LoadedModel { description: "uniform".into(), evaluator }).unwrap();
        let control = TimeControl::whole_game(Duration::from_secs(600), Duration::ZERO);
        let options = Options {
            person: Player::First,
            limits: Limits::default(),
            clock: Some(control),
            ponder: false,
            // It looks at a few positions only, whatever the clock allows.
            level: Level::ALL[0],
            seed: 0,
            palette: Palette::when(false),
            opponent: "uniform".into(),
        };
        let mut session = Session::new(engine, options);
        let left = |session: &Session<Cachex>| session.clock.as_ref().unwrap().left(Player::Second).time;
        session.person_moves("a1", &mut io::sink()).unwrap();
        let after_one = left(&session);
        assert!(after_one < control.main);
        let mut free = Vec::new();
        session.engine.game().legal_actions(&mut free);
        let second = session.engine.game().action_name(free[0]);
        session.person_moves(&second, &mut io::sink()).unwrap();
        assert!(left(&session) < after_one);
        session.undo(&mut io::sink()).unwrap();
        assert_eq!(left(&session), after_one);
        session.undo(&mut io::sink()).unwrap();
        assert_eq!(left(&session), control.main);
    }
}
