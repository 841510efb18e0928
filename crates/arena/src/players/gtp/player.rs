//! Other programs as players.

use std::time::Duration;

use hexzero_games::{Action, InvalidMove, Position, Seat};

use super::options::ProgramOptions;
use super::program::{GtpProgram, ProgramError, answered};
use super::swap::{SwapMirror, SwapStyle};
use crate::players::{Player, PlayerError};
use hexzero_system::stop::StopSignal;

/// The swap's name in programs that exchange the players' colours.
const SWAP_SIDES: &str = "swap-sides";

/// A program that speaks the Go Text Protocol. Started when its first game begins; plays all games of a thread.
#[derive(Debug)]
pub struct GtpPlayer {
    name: String,
    words: Vec<String>,
    options: ProgramOptions,
    patience: Duration,
    running: Option<Running>,
    /// Requested when the match is to stop.
    stop: StopSignal,
    /// The program's own last move, which need not be sent to it.
    own_move: Option<Action>,
    /// The mirror of the rest of the game, if the program has exchanged colours.
    mirror: Option<SwapMirror>,
}

/// A running program and its detected abilities.
#[derive(Debug)]
struct Running {
    program: GtpProgram,
    /// Whether the program has accepted its time for a move, once that was sent.
    accepts_time: Option<bool>,
    /// True if the program has answered a command.
    has_answered: bool,
    /// True if the swap rule has been sent to the program.
    knows_rules: bool,
    /// The program's swap style, once detected.
    swap: Option<SwapStyle>,
}

impl GtpPlayer {
    /// The timeout for a program to start, and for a move without a time limit. All other commands
    /// of a match must be answered within a tenth of this.
    pub const PATIENCE: Duration = Duration::from_secs(600);

    /// The default margin on a program's time per move, for the round trip.
    pub const MARGIN: Duration = Duration::from_secs(1);

    /// Creates a player from a program's file, the first of the words, and its arguments, the others. A program that
    /// takes more than its time for a move and the margin loses. The time is sent to it, unless it reports that it
    /// knows no `time_settings`.
    pub fn new(name: impl Into<String>, words: Vec<String>, options: ProgramOptions) -> Self {
        let (name, patience, stop) = (name.into(), Self::PATIENCE, StopSignal::new());
        Self { name, words, options, patience, running: None, stop, own_move: None, mirror: None }
    }

    /// Returns the same player, given up after `patience` without a reply.
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    fn running(&mut self) -> Result<&mut Running, ProgramError> {
        Ok(match &mut self.running {
            Some(running) => running,
            none => {
                let program = GtpProgram::start(&self.words)?;
                let (accepts_time, has_answered, knows_rules, swap) = Default::default();
                none.insert(Running { program, accepts_time, has_answered, knows_rules, swap })
            }
        })
    }

    fn ask(&mut self, command: &str) -> Result<String, ProgramError> {
        let has_answered = self.running.as_ref().is_some_and(|running| running.has_answered);
        self.ask_within(command, if has_answered { self.patience / 10 } else { self.patience })
    }

    fn ask_within(&mut self, command: &str, patience: Duration) -> Result<String, ProgramError> {
        let stop = self.stop.clone();
        let running = self.running()?;
        let answer = running.program.ask(command, patience, &stop);
        running.has_answered = true;
        answer
    }

    /// Asks for a move, within the time for it.
    fn ask_for_a_move(&mut self, command: &str) -> Result<String, ProgramError> {
        let Some(time) = self.options.time else { return self.ask_within(command, self.patience) };
        let margin = self.options.margin.unwrap_or(Self::MARGIN);
        let is_known = matches!(self.running, Some(Running { accepts_time: Some(true), .. }));
        self.ask_within(command, time + margin).map_err(|error| match error {
            ProgramError::Silent(_) => {
                let [time, margin] = [time, margin].map(|time| time.as_secs_f64());
                let no_answer = format!("no answer to '{command}' in {time} seconds and a margin of {margin}");
                let why = "; it does not know its time, as it has no time_settings ('@time=SECONDS' sets another)";
                ProgramError::OutOfTime(format!("it lost on time: {no_answer}{}", if is_known { "" } else { why }))
            }
            error => error,
        })
    }

    /// Sends a command; returns whether the program accepts it.
    fn accepts(&mut self, command: &str) -> Result<bool, ProgramError> {
        match self.ask(command) {
            Ok(_) => Ok(true),
            Err(ProgramError::Failure(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns whether the program knows a command; none if it gives no clear answer.
    fn knows(&mut self, command: &str) -> Result<Option<bool>, ProgramError> {
        match self.ask(&format!("known_command {command}")) {
            Ok(answer) => Ok(answer.parse().ok()),
            Err(ProgramError::Failure(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Empties the board and starts the clock anew.
    fn clear(&mut self) -> Result<(), ProgramError> {
        self.ask("clear_board")?;
        let Some(time) = self.options.time else { return Ok(()) };
        let known = match self.running()?.accepts_time {
            Some(true) => None,
            Some(false) => Some(false),
            None => self.knows("time_settings")?,
        };
        // Periods of one move each.
        let command = format!("time_settings 0 {} 1", time.as_secs_f64());
        let is_accepted = match known {
            Some(true) => self.ask(&command).map(|_| true)?,
            Some(false) => false,
            None => self.accepts(&command)?,
        };
        self.running()?.accepts_time = Some(is_accepted);
        Ok(())
    }

    /// Sends the swap rule to the program once, if it has a command for it.
    fn send_rules(&mut self, start: &Position) -> Result<(), ProgramError> {
        if start.game_board().swap().is_none() || std::mem::replace(&mut self.running()?.knows_rules, true) {
            return Ok(());
        }
        if self.knows("param_game")? == Some(true) {
            let swaps = self.options.swap != SwapStyle::None && SwapMirror::of(start).is_some();
            self.accepts(&format!("param_game allow_swap {}", u8::from(swaps)))?;
        }
        Ok(())
    }

    fn play_stone(position: &Position, seat: Seat, place: usize) -> String {
        format!("play {} {}", position.game().protocol_colour(seat), position.board().label(place))
    }

    fn set_up(&mut self, position: &Position) -> Result<(), ProgramError> {
        self.clear()?;
        for place in 0..position.board().places().len() {
            if let Some(owner) = position.piece(place).and_then(|piece| piece.owner) {
                self.ask(&Self::play_stone(position, owner, place))?;
            }
        }
        Ok(())
    }

    /// Detects how a program handles the swap, on a separate board: by which of the two cells is
    /// then taken.
    fn detect_swap_style(
        &mut self,
        swap: &str,
        start: &Position,
        mirror: &SwapMirror,
    ) -> Result<SwapStyle, ProgramError> {
        let Some((stone, image)) = mirror.moved() else { return Ok(SwapStyle::Pieces) };
        self.clear()?;
        let first = |place| Self::play_stone(start, Seat::First, place);
        self.ask(&first(stone))?;
        if !self.accepts(swap)? {
            return Ok(SwapStyle::SetUp);
        }
        let free = [self.accepts(&first(image))?, self.accepts(&first(stone))?];
        Ok(match free {
            [false, true] => SwapStyle::Pieces,
            [true, false] => SwapStyle::Sides,
            // `play` may succeed for any style: only the position is proof.
            _ => SwapStyle::SetUp,
        })
    }

    /// Brings the program to the position after the swap, or finds that it holds another.
    /// `is_known` is true if the program itself made the swap.
    fn take_swap(&mut self, before: &Position, swap: Action, mut is_known: bool) -> Result<(), ProgramError> {
        let start = before.game().start(before.size()).ok();
        let Some((start, mirror)) = start.and_then(|start| SwapMirror::of(&start).map(|mirror| (start, mirror))) else {
            return Ok(());
        };
        let colour = before.game().protocol_colour(before.to_move());
        let command = format!("play {colour} {}", before.foreign_action_name(swap));
        let style = match (self.options.swap, self.running()?.swap) {
            (SwapStyle::Auto, Some(found)) => found,
            (SwapStyle::Auto, None) => {
                let found = self.detect_swap_style(&command, &start, &mirror)?;
                self.set_up(before)?;
                is_known = false;
                *self.running()?.swap.insert(found)
            }
            (asked, _) => asked,
        };
        let after = before.after(swap);
        let stone = |position: &Position| {
            (0..position.board().places().len()).find(|&place| position.piece(place).is_some()).unwrap_or_default()
        };
        let taken = match style {
            SwapStyle::None => {
                let problem = "the swap was played, but swap=none says the program does not know it; choose \
                               swap=pieces, swap=sides or swap=setup, or a game without the swap";
                return Err(ProgramError::Swap(problem.to_owned()));
            }
            SwapStyle::SetUp => return self.set_up(&after),
            SwapStyle::Sides => stone(before),
            SwapStyle::Auto | SwapStyle::Pieces => stone(&after),
        };
        if !is_known {
            self.ask(&command)?;
        }
        let mover = if style == SwapStyle::Sides { before.to_move() } else { after.to_move() };
        if style == SwapStyle::Sides {
            self.mirror = Some(mirror);
        }
        // A detected style needs no further proof.
        let probe = Self::play_stone(before, mover, taken);
        if self.options.swap != SwapStyle::Auto && self.accepts(&probe)? {
            let problem = format!("accepts '{probe}' on a cell that is taken with swap={style}");
            let advice = "choose another of swap=pieces, swap=sides and swap=setup";
            return Err(ProgramError::Swap(format!("after the swap the program {problem}; {advice}")));
        }
        Ok(())
    }

    /// Returns the colour to move, as the program sees it.
    fn mover(&self, position: &Position) -> &'static str {
        let seat = position.to_move();
        position.game().protocol_colour(if self.mirror.is_some() { seat.opponent() } else { seat })
    }

    fn parse(&self, position: &Position, answer: &str) -> Result<Action, InvalidMove> {
        let action = match (&self.mirror, position.game_board().swap()) {
            (_, Some(swap)) if answer.eq_ignore_ascii_case(SWAP_SIDES) => swap,
            (Some(mirror), _) => mirror.parse(position, answer)?,
            (None, _) => position.parse_action(answer)?,
        };
        position.check(action).map(|()| action)
    }
}

impl Player for GtpPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn set_stop_signal(&mut self, stop: &StopSignal) {
        self.stop = stop.clone();
    }

    fn start_game(&mut self, start: &Position, _seed: u64) -> Result<(), PlayerError> {
        self.own_move = None;
        self.mirror = None;
        let size = format!("boardsize {}", start.size());
        let was_running = self.running.is_some();
        match self.ask(&size) {
            // The program ended after its last game, which is no fault in this one.
            Err(ProgramError::Ended(_)) if was_running => {
                self.running = None;
                self.ask(&size)?
            }
            answer => answer?,
        };
        self.clear()?;
        Ok(self.send_rules(start)?)
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        let command = format!("genmove {}", self.mover(position));
        let answer = self.ask_for_a_move(&command)?;
        if answer.eq_ignore_ascii_case("resign") {
            return Ok(None);
        }
        let action = self.parse(position, &answer).map_err(|reason| {
            let answered = answered(&command, &answer);
            ProgramError::Other(format!("{answered}, which cannot be played: {reason}"))
        });
        self.own_move = Some(action?);
        Ok(self.own_move)
    }

    fn observe(&mut self, before: &Position, action: Action) -> Result<(), PlayerError> {
        let is_own = self.own_move.take() == Some(action);
        if before.game_board().swap() == Some(action) {
            return Ok(self.take_swap(before, action, is_own)?);
        }
        if !is_own {
            let name = match &self.mirror {
                Some(mirror) => mirror.name(before, action),
                None => before.foreign_action_name(action),
            };
            self.ask(&format!("play {} {name}", self.mover(before)))?;
        }
        Ok(())
    }
}
