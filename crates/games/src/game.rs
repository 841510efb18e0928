//! Games by name, and games on a board of one size.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::{Mutex, OnceLock, PoisonError};

use hexzero_board::{Board, Shape};

use super::registry::AnyRules;
use crate::{Action, ActionKind, GameInfo, Piece, Rules, Seat, SizeError, Solution, Solver, Transform};

/// A registered game: its description and its boards. Cheap to copy; two games are equal if they
/// have the same name.
#[derive(Clone, Copy)]
pub struct Game(&'static Entry);

/// Makes a position from stones; see [`Rules::arranged`].
type Arrange = fn(usize, &[Option<Seat>], Seat) -> Option<Box<dyn AnyRules>>;

/// The data of a [`Game`].
struct Entry {
    info: GameInfo,
    solver: Option<Solver>,
    make_board: fn(Game, usize) -> GameBoard,
    start: fn(usize) -> Box<dyn AnyRules>,
    arrange: Arrange,
    boards: Mutex<BTreeMap<usize, &'static GameBoard>>,
}

/// A game on a board of one size: the data that all its positions share.
pub struct GameBoard {
    game: Game,
    size: usize,
    board: &'static Board,
    frames: Vec<Transform>,
    symmetries: Vec<Transform>,
    turn_limit: usize,
    solution: OnceLock<Option<Box<dyn Solution>>>,
}

impl Game {
    /// Creates a game with these rules. The game is never freed, so call this once for each game.
    pub fn new<R: Rules>() -> Self {
        Self(Box::leak(Box::new(Entry {
            info: R::INFO,
            solver: R::SOLVER,
            make_board: GameBoard::new::<R>,
            start: |size| Box::new(R::new(size)),
            arrange: |size, stones, to_move| Some(Box::new(R::arranged(size, stones, to_move)?)),
            boards: Mutex::default(),
        })))
    }

    /// Returns the game's name in files and on the command line.
    pub fn name(self) -> &'static str {
        self.0.info.id
    }

    /// Returns the game's description.
    pub fn info(self) -> &'static GameInfo {
        &self.0.info
    }

    /// Returns the solver of the game's small boards, if there is one.
    pub fn solver(self) -> Option<&'static Solver> {
        self.0.solver.as_ref()
    }

    /// Returns the game on a board of this size.
    ///
    /// # Errors
    /// If the rules do not allow the size.
    pub fn game_board(self, size: usize) -> Result<&'static GameBoard, SizeError> {
        let accepted = &self.boards.sizes;
        if !accepted.contains(&size) {
            return Err(SizeError { game: self.name(), size, accepted: accepted.clone() });
        }
        let mut boards = self.0.boards.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(boards.entry(size).or_insert_with(|| Box::leak(Box::new((self.0.make_board)(self, size)))))
    }

    /// Returns the name of a board of this size: `7×7` if it has as many rows as columns, otherwise
    /// `size 7`.
    pub fn board_name(self, size: usize) -> String {
        match self.game_board(size).map(|on| on.board().shape()) {
            Ok(Shape::Rhombus { side } | Shape::Torus { side }) => format!("{side}×{side}"),
            _ => format!("size {size}"),
        }
    }

    /// Returns the name of a board of this size with its article: `a 7×7 board`, `an 8×8 board`.
    pub fn a_board(self, size: usize) -> String {
        let name = self.board_name(size);
        let begins_with_vowel = name.starts_with('8') || ["11×", "18×"].iter().any(|start| name.starts_with(start));
        format!("{} {name} board", if begins_with_vowel { "an" } else { "a" })
    }

    /// Returns the name of a seat.
    pub fn seat_name(self, seat: Seat) -> &'static str {
        self.0.info.seats[seat.index()].name
    }

    /// Returns a seat's name in protocols that know only black and white: black for the first and
    /// white for the second, unless the game itself has them the other way round.
    pub fn protocol_colour(self, seat: Seat) -> &'static str {
        let exchanged = self.seat_name(Seat::First) == "white" || self.seat_name(Seat::Second) == "black";
        ["black", "white"][seat.index() ^ usize::from(exchanged)]
    }

    /// Returns a piece's character in text: that of its kind, or else the initial of its owner's
    /// name.
    pub fn symbol(self, piece: Piece) -> char {
        let initial = |seat: Seat| self.seat_name(seat).chars().next().map(|letter| letter.to_ascii_uppercase());
        piece.kind.or_else(|| piece.owner.and_then(initial)).unwrap_or('?')
    }
}

impl Deref for Game {
    type Target = GameInfo;

    fn deref(&self) -> &GameInfo {
        &self.0.info
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Game({})", self.name())
    }
}

impl fmt::Debug for GameBoard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "GameBoard({}, size {})", self.game.name(), self.size)
    }
}

impl GameBoard {
    fn new<R: Rules>(game: Game, size: usize) -> Self {
        Self {
            game,
            size,
            board: R::board(size),
            frames: R::frames(size),
            symmetries: R::symmetries(size),
            turn_limit: R::turn_limit(size),
            solution: OnceLock::new(),
        }
    }

    /// Returns the rules at the start of a game.
    pub(super) fn first_rules(&self) -> Box<dyn AnyRules> {
        (self.game.0.start)(self.size)
    }

    /// Returns the rules in a position with these stones, if the game defines such positions.
    pub(super) fn arranged_rules(&self, stones: &[Option<Seat>], to_move: Seat) -> Option<Box<dyn AnyRules>> {
        (self.game.0.arrange)(self.size, stones, to_move)
    }

    /// Returns the game.
    #[inline]
    pub fn game(&self) -> Game {
        self.game
    }

    /// Returns the board's size.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the board.
    #[inline]
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// Returns the number of network cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.board.topology().cells()
    }

    /// Returns the transforms into the frame of each player to move.
    #[inline]
    pub fn frames(&self) -> &[Transform] {
        &self.frames
    }

    /// Returns the group of transforms of the mover's frame that keep every rule and the mover's
    /// direction, identity first.
    #[inline]
    pub fn symmetries(&self) -> &[Transform] {
        &self.symmetries
    }

    /// Returns the turn limit, in plies.
    pub fn turn_limit(&self) -> usize {
        self.turn_limit
    }

    /// Returns the values of all positions, or `None` if the game's solver does not accept this
    /// board. The first call solves the board and keeps the result.
    pub fn solution(&self) -> Option<&dyn Solution> {
        let solver = self.game.solver().filter(|solver| solver.sizes.contains(&self.size));
        self.solution.get_or_init(|| solver.map(|solver| (solver.solve)(self.size))).as_deref()
    }

    /// Returns the number of actions, legal or not.
    #[inline]
    pub fn actions(&self) -> usize {
        self.game.view.policy_planes * self.cells() + self.game.view.global_actions
    }

    /// Returns the number of a global action, or `None` for actions on cells and invalid ones.
    #[inline]
    pub fn global_action(&self, action: Action) -> Option<usize> {
        let global = action.index().checked_sub(self.game.view.policy_planes * self.cells())?;
        (global < self.game.view.global_actions).then_some(global)
    }

    /// Returns the global action with this number.
    pub fn global(&self, number: usize) -> Action {
        Action((self.game.view.policy_planes * self.cells() + number) as u16)
    }

    /// Returns the swap, if the game has one among its actions, legal or not.
    pub fn swap(&self) -> Option<Action> {
        let number = self.game().actions.iter().position(|action| action.kind == ActionKind::Swap)?;
        Some(self.global(number))
    }
}
