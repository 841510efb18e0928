//! Code shared by games on boards of any shape, in which stones never move and a chain that touches
//! all of its player's sides wins; and a complete implementation of the simplest of them: place a
//! stone, connect your sides.
//!
//! | file | subject |
//! |---|---|
//! | `links` | [`Links`]: a board as chains see it, with its frames and symmetries |
//! | `stones` | [`Stones`]: stones and chains on it, what a network sees of them, how near each player is |

mod links;
mod stones;

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use crate::{
    Action, Change, ChangeLog, EndgameSolver, GameInfo, GameRng, InvalidMove, Outcome, Rules, Seat, Solver, State,
    draw_until_legal, flag, rules_by_fields,
};
use hexzero_board::Shape;

pub use links::Links;
pub use stones::Stones;

/// Upper bound on the cells of a board.
pub const MAX_CELLS: usize = 128;

/// The differences between games in which a turn is a stone on an empty cell and the first player
/// to connect their sides wins.
pub trait Kind: std::fmt::Debug + Clone + Send + Sync + 'static {
    /// The description of the game. Its last global input is size / largest size. If the game or a
    /// variant has a swap, two inputs come before that one, swap possible and the reply may be a
    /// swap, and the swap is the only global action.
    const INFO: GameInfo;
    /// True if the second player may take over the first stone, which keeps its cell, instead of
    /// placing one. Fair only where both players have the same sides.
    const SWAP: bool = false;
    /// The sizes of the boards that are small enough to be solved.
    const SOLVED: RangeInclusive<usize>;

    /// Returns the board of a size, with at most [`MAX_CELLS`] cells.
    fn shape(size: usize) -> Shape;
    /// Returns a solver of the endgames that follow from a position, if there is one.
    fn endgame_solver(_position: &Joining<Self>) -> Option<Box<dyn EndgameSolver>> {
        None
    }
    /// Writes the planes of a cell in the mover's frame that come after those of
    /// [`Stones::encode`].
    fn encode_more(_links: &Links, _cell: usize, _inputs: &mut [f32]) {}
}

/// A position of a game of this kind.
#[derive(Debug, Clone)]
pub struct Joining<K> {
    size: u8,
    to_move: Seat,
    turns: u8,
    outcome: Option<Outcome>,
    stones: Stones<MAX_CELLS>,
    kind: PhantomData<K>,
}

impl<K: Kind> Joining<K> {
    /// Returns the stones and their board.
    pub fn stones(&self) -> &Stones<MAX_CELLS> {
        &self.stones
    }

    fn links(size: usize) -> &'static Links {
        Links::of(&K::shape(size))
    }

    fn swap_action(&self) -> Action {
        Action(self.stones.cells() as u16)
    }

    /// Returns the stone that a swap would take over: the only stone, the opponent's, at the second
    /// player's first move.
    fn stone_to_swap(&self) -> Option<usize> {
        let now = K::SWAP && self.turns == 1 && self.to_move == Seat::Second;
        if now { self.stones.owners().iter().position(|&stone| stone == Some(Seat::First)) } else { None }
    }
}

impl<K: Kind> Rules for Joining<K> {
    const INFO: GameInfo = K::INFO;
    const SOLVER: Option<Solver> = Some(Solver::exhaustive::<Self>(K::SOLVED));

    fn new(size: usize) -> Self {
        Self {
            size: size as u8,
            to_move: Seat::First,
            turns: 0,
            outcome: None,
            stones: Stones::new(Self::links(size)),
            kind: PhantomData,
        }
    }

    fn arranged(size: usize, stones: &[Option<Seat>], to_move: Seat) -> Option<Self> {
        let mut position = Self { to_move, ..Self::new(size) };
        for (cell, player) in stones.iter().enumerate() {
            let Some(player) = *player else { continue };
            if position.stones.place(player, cell) {
                position.outcome = Some(Outcome::connection(player));
            }
            position.turns += 1;
        }
        Some(position)
    }

    rules_by_fields!(to_move, hand_turn_to, turns, outcome, frame, piece, winning_chain, links);

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (cell, actions) = (action.index(), self.stones.cells() + K::INFO.view.global_actions);
        match self.stones.owners().get(cell) {
            Some(None) => Ok(()),
            Some(Some(_)) => Err(InvalidMove::Occupied { cell: self.stones.name(cell) }),
            None if cell >= actions => Err(InvalidMove::NoSuchAction { index: cell, actions }),
            None if !K::SWAP => Err(InvalidMove::refused(format!("there is no swap in {}", K::INFO.title))),
            None if self.stone_to_swap().is_none() => Err(InvalidMove::swap_not_now(self.turns() + 1)),
            None => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        let stones = self.stones.owners().iter().enumerate();
        actions.extend(stones.filter(|(_, stone)| stone.is_none()).map(|(cell, _)| Action(cell as u16)));
        actions.extend(self.stone_to_swap().map(|_| self.swap_action()));
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let places = self.stones.cells() as u32 + u32::from(self.stone_to_swap().is_some());
        let is_legal = |place: usize| self.stones.owners().get(place).is_none_or(Option::is_none);
        Some(draw_until_legal(rng, 0..places, is_legal))
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let swapped = if action == self.swap_action() { self.stone_to_swap() } else { None };
        let (cell, change) = match swapped {
            Some(cell) => (cell, Change::Recoloured(cell as u16)),
            None => (action.index(), Change::Placed(action.0)),
        };
        changes.note(change);
        if self.stones.place(self.to_move, cell) {
            self.outcome = Some(Outcome::connection(self.to_move));
        }
        self.turns += 1;
        self.to_move = self.to_move.opponent();
    }

    fn winning_action(&self) -> Option<Action> {
        // The shortest winning chains have at least as many stones as the size says.
        if self.turns() + 1 < usize::from(self.size) {
            return None;
        }
        self.stones.joining_cell(self.to_move, 0..self.stones.cells()).map(|cell| Action(cell as u16))
    }

    fn heuristic(&self) -> Option<i32> {
        Some(self.stones.points(self.to_move, 0) - self.stones.points(self.to_move.opponent(), 0))
    }

    fn endgame_solver(&self) -> Option<Box<dyn EndgameSolver>> {
        K::endgame_solver(self)
    }

    fn state(&self) -> Option<State> {
        let state = State::of_owners(self.stones.cells(), self.to_move, |cell| self.stones.owners()[cell])?;
        Some(state.with_flags(&[self.stone_to_swap().is_some()]))
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (planes, links) = (K::INFO.view.cell_inputs, self.stones.links());
        self.stones.encode(self.to_move, cells, planes);
        for (cell, inputs) in cells.chunks_exact_mut(planes).enumerate() {
            K::encode_more(links, cell, &mut inputs[links.planes()..]);
        }
        let may_be_answered = K::SWAP && self.turns == 0 && self.to_move == Seat::First;
        if let [now, reply, _] = globals {
            *now = flag(self.stone_to_swap().is_some());
            *reply = flag(may_be_answered);
        }
        globals[globals.len() - 1] = f32::from(self.size) / *K::INFO.boards.sizes.end() as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_board::Board;

    #[test]
    fn bridges_and_cells_join_as_they_are_drawn() {
        let gale = Shape::Crossings { size: 3 };
        let mut stones = Stones::<MAX_CELLS>::new(Links::of(&gale));
        let cell = |name: &str| Board::of(&gale).parse(name).unwrap();
        // Down the first column of the first player's dots, and along the second player's first
        // row.
        let joined = ["1,1", "3,1", "5,1"].map(|name| stones.place(Seat::First, cell(name)));
        assert_eq!(joined, [false, false, true]);
        let won = Some(Outcome::connection(Seat::First));
        assert_eq!(stones.winning_chain(won), ["1,1", "3,1", "5,1"].map(cell));
        let mut stones = Stones::<MAX_CELLS>::new(Links::of(&gale));
        let joined = ["1,1", "1,5"].map(|name| stones.place(Seat::Second, cell(name)));
        assert_eq!(joined, [false, false]);
        assert!(stones.would_join(Seat::Second, cell("1,3")));
        // From the first row of dots to the second and along it to the right: not connected to the
        // end yet.
        assert!(!stones.place(Seat::Second, cell("2,2")));
        assert!(!stones.would_join(Seat::Second, cell("3,3")));
        assert!(!stones.would_join(Seat::First, cell("1,3")));
    }

    #[test]
    fn points_count_the_stones_that_are_needed() {
        let y = Links::of(&Shape::Triangle { side: 3 });
        let mut stones = Stones::<MAX_CELLS>::new(y);
        let board = Board::of(&Shape::Triangle { side: 3 });
        // A side has three cells and touches the others at its ends; there are no cells but those
        // of the three sides.
        let empty = stones.points(Seat::First, 0);
        assert_eq!(empty, stones.points(Seat::Second, 0));
        for name in ["a2", "b2"] {
            stones.place(Seat::First, board.parse(name).unwrap());
        }
        // One more stone on the third side wins: a3, b3 or c3.
        assert_eq!(stones.points(Seat::First, 0), 4 * 3 - 40);
        assert!(stones.points(Seat::Second, 0) < empty);
        let own = stones.joining_cell(Seat::First, 0..6);
        assert_eq!(own, Some(board.parse("a3").unwrap()));
    }

    #[test]
    fn each_of_several_boards_has_its_own_frame() {
        use hexzero_board::Prefixed;
        let hex = Shape::Rhombus { side: 3 };
        let two = Links::of(&Shape::several([Prefixed::new("L", hex.clone()).exchanged(), Prefixed::new("R", hex)]));
        // Boards that exchange the players swap places, and none is turned.
        assert_eq!([0, 5, 9, 14].map(|cell| two.in_frame_of(Seat::Second, cell)), [9, 14, 0, 5]);
        assert_eq!(two.planes(), 3 + 8 + 8 + 2);
        let alone = Links::of(&Shape::Rhombus { side: 3 });
        assert_eq!(alone.in_frame_of(Seat::Second, 1), 3);
        let y = Links::of(&Shape::Triangle { side: 3 });
        assert_eq!((y.in_frame_of(Seat::Second, 1), y.planes()), (1, 3 + 3 + 6 + 2));
    }
}
