//! Proofs of positions of any game, from its rules alone.
//!
//! Positions that differ by a symmetry or by an exchange of the seats count as one. In games where positions can
//! repeat, wins are proven within a number of plies. No rule about repetition can affect them, because a player who
//! always wins as fast as possible never repeats a position. If neither player can win before the turn limit, the
//! position is drawn.

mod guess;
mod search;
mod table;

use hexzero_games::{Action, EndgameSolver, Evaluator, GameBoard, Position, Value};

use self::search::{Frame, Question};
use self::table::{INFINITE, Table};
use crate::search::{Progress, Watch};

/// The limits of a proof search.
#[derive(Debug, Clone, Copy)]
pub struct ProofLimits {
    /// The most positions to visit.
    pub max_nodes: u64,
    /// The most bytes of the table.
    pub max_bytes: usize,
    /// The most plies of a win in games where positions can repeat, at most 250.
    pub max_plies: u8,
    /// Whether the swap is forbidden.
    pub without_swap: bool,
}

impl Default for ProofLimits {
    fn default() -> Self {
        Self { max_nodes: u64::MAX, max_bytes: 2 << 30, max_plies: 100, without_swap: false }
    }
}

/// Proves positions of one game on one board. Later calls reuse what is proven.
pub struct GameProver<'a> {
    limits: ProofLimits,
    /// Whether positions can repeat.
    is_bounded: bool,
    table: Table,
    frames: Vec<Frame>,
    after: Option<Position>,
    /// The game's own solver of endgames.
    ends: Option<Box<dyn EndgameSolver>>,
    /// The action to leave out: the swap, if it is forbidden.
    without: Option<Action>,
    /// Whether a search has met a drawn game.
    has_draws: bool,
    /// The last move found to reach its player's goal.
    reached_by: Option<Action>,
    visited: u64,
    /// Neither player wins the last position within this many plies.
    open_plies: u8,
    watch: Option<Watch<'a>>,
    is_over: bool,
    /// Guesses how hard moves are to prove.
    guide: Option<Box<dyn Evaluator + 'a>>,
}

impl<'a> GameProver<'a> {
    /// Creates a prover with an empty table. `None` if the board is too large, or the game does not describe its
    /// positions.
    pub fn new(board: &'static GameBoard, limits: ProofLimits) -> Option<Self> {
        let game = board.game();
        game.start(board.size()).ok()?.state()?;
        let is_bounded = game.endings.iter().any(|ending| ending.key == "repetition");
        let without = if limits.without_swap { board.swap() } else { None };
        Some(Self {
            limits,
            is_bounded,
            table: Table::new(limits.max_bytes),
            frames: Vec::new(),
            after: None,
            ends: None,
            without,
            has_draws: false,
            reached_by: None,
            visited: 0,
            open_plies: 0,
            watch: None,
            is_over: false,
            guide: None,
        })
    }

    /// Lets `watch` follow and end the searches.
    pub fn watched(mut self, watch: Watch<'a>) -> Self {
        self.watch = Some(watch);
        self
    }

    /// Lets a network guess how hard moves are to prove. It cannot make a proof wrong, only slow.
    pub fn guided(mut self, guide: Box<dyn Evaluator + 'a>) -> Self {
        self.guide = Some(guide);
        self
    }

    /// Returns the number of positions visited so far.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Returns whether a limit other than that of plies ended the last search.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the plies within which neither player wins the last position, where positions can repeat.
    pub fn open_plies(&self) -> Option<u8> {
        self.is_bounded.then_some(self.open_plies)
    }

    /// Returns whether proofs are of wins within a number of plies only.
    pub fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// Proves the value of a position for its mover, ignoring its history. `None` if a limit ends the search, or the
    /// game is over.
    pub fn prove(&mut self, position: &Position) -> Option<Value> {
        if position.outcome().is_some() {
            return None;
        }
        (self.is_over, self.ends, self.open_plies) = (false, position.endgame_solver(), 0);
        let (mover, last, most) = (position.to_move(), self.last_ply(position), self.limits.max_plies);
        if !self.is_bounded {
            if self.wins(position, Question { attacker: mover, plies: 1 })? {
                return Some(Value::Win(None));
            }
            let is_lost = !self.has_draws || self.wins(position, Question { attacker: mover.opponent(), plies: 1 })?;
            return Some(if is_lost { Value::Loss(None) } else { Value::Draw });
        }
        // A win usually ends with a move of the winner, so ask this of the player who makes the last of the plies.
        let questions = (1..=last.min(most))
            .map(|plies| (if plies % 2 == 1 { mover } else { mover.opponent() }, plies))
            .chain([(mover, last), (mover.opponent(), last)].into_iter().filter(|_| last <= most));
        for (attacker, plies) in questions {
            if self.wins(position, Question { attacker, plies })? {
                let value = if attacker == mover { Value::Win } else { Value::Loss };
                return Some(value(Some(plies)));
            }
            // The other player does not win within one ply less.
            self.open_plies = plies - 1;
        }
        // A player who does not win before the turn limit never wins, and a repetition only draws earlier.
        (last <= most).then_some(Value::Draw)
    }

    /// Returns the plies left to the turn limit, at most 254; 1 where positions cannot repeat.
    fn last_ply(&self, position: &Position) -> u8 {
        let left = position.turn_limit().saturating_sub(position.turns());
        if self.is_bounded { left.min(254) as u8 } else { 1 }
    }

    /// Returns a move that keeps the proven value of a position, if it is not lost.
    pub fn best_move(&mut self, position: &Position, value: Value) -> Option<Action> {
        let mover = position.to_move();
        let question = match value {
            Value::Win(plies) => Question { attacker: mover, plies: plies.unwrap_or(1) },
            Value::Draw => Question { attacker: mover.opponent(), plies: self.last_ply(position) },
            Value::Loss(_) => return None,
        };
        self.look(position, question).filter(|&reached| reached).and(self.reached_by)
    }

    /// Returns whether the attacker wins. `None` if a limit ends the search.
    fn wins(&mut self, position: &Position, question: Question) -> Option<bool> {
        let mut reached = self.look(position, question);
        let key = self.key(&self.frames[0].position, question);
        while reached.is_none() {
            let numbers = self.visit(0, key, question, [INFINITE; 2]);
            if self.is_over {
                return None;
            }
            reached = match numbers {
                [0, _] => Some(true),
                [_, 0] => Some(false),
                _ => None,
            };
        }
        reached.map(|reached| reached == (position.to_move() == question.attacker))
    }

    /// Returns whether the mover's goal is reached, or `None` if a single move does not decide that.
    fn look(&mut self, position: &Position, question: Question) -> Option<bool> {
        self.frames.clear();
        self.frames.push(Frame::new(position));
        self.frames[0].position.forget_history();
        self.expand(0, question)
    }

    /// Returns true if the search has to end.
    fn should_stop(&mut self) -> bool {
        let progress = Progress { expanded: self.visited, bytes: self.table.bytes() };
        self.is_over = self.is_over
            || self.visited >= self.limits.max_nodes
            || self.visited.is_multiple_of(64) && self.watch.as_mut().is_some_and(|watch| watch(progress));
        self.is_over
    }
}
