//! Hex: Black joins row 1 to row n, White column a to the last column; the first to do so wins.
//!
//! Black moves first. White may *swap* instead of placing a first stone: Black's stone becomes
//! White's, on the cell with row and column exchanged, and Black moves again. Stones never move
//! otherwise, and a full board has exactly one winner.

mod info;

use hexzero_board as board;
use hexzero_board::{Chains, NO_CELL, cell_name};

use super::shared::rhombus::{BOTH_SIDES, check_swap, path_costs, sides_of, transposed};
use crate::{
    Action, Change, ChangeLog, GameInfo, GameRng, InvalidMove, Outcome, PathCosts, Piece, Rules, Seat, Solver, State,
    draw_until_legal, flag, rules_by_fields,
};

const MAX_SIZE: usize = 19;
const CELLS: usize = MAX_SIZE * MAX_SIZE;

/// A position of Hex, with or without the swap.
#[derive(Debug, Clone)]
pub struct HexRules<const SWAP: bool> {
    size: u8,
    to_move: Seat,
    turns: u16,
    outcome: Option<Outcome>,
    stones: [Option<Seat>; CELLS],
    /// The chains of both players. A stone is only ever joined to stones of its own colour.
    chains: Chains<CELLS>,
}

/// Hex as it is usually played: with the swap.
pub type Hex = HexRules<true>;
/// Hex without the swap, as it is solved and as handicap games are played. Networks of [`Hex`] play
/// it too.
pub type HexWithoutSwap = HexRules<false>;

/// Adds the sides that a stone is connected to, to the cells beside it.
fn join(joined: &mut [u8; CELLS], slots: &[u16], sides: u8) {
    let beside = slots.iter().filter(|&&slot| sides != 0 && slot != NO_CELL);
    beside.for_each(|&slot| joined[slot as usize] |= sides);
}

impl<const SWAP: bool> HexRules<SWAP> {
    fn side(&self) -> usize {
        self.size as usize
    }

    fn cells(&self) -> usize {
        self.side() * self.side()
    }

    fn swap_action(&self) -> Action {
        Action(self.cells() as u16)
    }

    /// Returns whether the side to move may swap: the only stone on the board is the opponent's, at
    /// the second player's first move.
    fn swap_is_possible(&self) -> bool {
        let now = SWAP && self.turns == 1 && self.to_move == Seat::Second;
        now && self.stones[..self.cells()].contains(&Some(Seat::First))
    }

    /// Returns, for each empty cell, the sides that a player's stone there would be connected to.
    fn sides_joined(&self, player: Seat) -> [u8; CELLS] {
        let mut joined = self.edges_joined(player);
        // Go from the stones to the cells beside them, because few stones are connected to a side.
        for (cell, slots) in board::rhombus(self.side()).neighbours().iter().enumerate() {
            if self.stones[cell] == Some(player) {
                join(&mut joined, slots, self.chains.sides(cell));
            }
        }
        joined
    }

    /// Returns the sides of a player that each cell lies on.
    fn edges_joined(&self, player: Seat) -> [u8; CELLS] {
        let side = self.side();
        let mut joined = [0; CELLS];
        for line in 0..side {
            let [near, far] = [0, side - 1].map(|edge| match player {
                Seat::First => edge * side + line,
                Seat::Second => line * side + edge,
            });
            joined[near] |= 1;
            joined[far] |= 2;
        }
        joined
    }

    /// Returns the empty cells where the side to move completes a chain.
    pub fn winning_cells(&self) -> impl Iterator<Item = usize> + '_ {
        // A chain across the board needs as many stones as the board has rows.
        let (cells, joined) = match self.turns() + 1 < self.side() {
            true => (0, [0; CELLS]),
            false => (self.cells(), self.sides_joined(self.to_move)),
        };
        (0..cells).filter(move |&cell| self.stones[cell].is_none() && joined[cell] == BOTH_SIDES)
    }

    /// Places a stone and returns whether it connects its player's sides.
    #[inline]
    fn place(&mut self, player: Seat, cell: usize) -> bool {
        self.stones[cell] = Some(player);
        self.chains.place(cell, sides_of(self.side(), player, cell));
        for &neighbour in &board::rhombus(self.side()).neighbours()[cell] {
            if neighbour != NO_CELL && self.stones[neighbour as usize] == Some(player) {
                self.chains.join(cell, neighbour as usize);
            }
        }
        self.chains.sides(cell) == BOTH_SIDES
    }

    /// Gives the only stone on the board to the other player and mirrors its cell, exchanging row and column. The stone
    /// cannot connect two sides, since no board has a single cell.
    fn swap(&mut self, changes: &mut impl ChangeLog) {
        let mut stones = (0..self.cells()).filter_map(|cell| Some((cell, self.stones[cell]?)));
        if let (Some((cell, owner)), None) = (stones.next(), stones.next()) {
            let mirrored = transposed(self.side(), cell);
            self.stones[cell] = None;
            self.place(owner.opponent(), mirrored);
            if mirrored != cell {
                changes.note(Change::Moved(cell as u16, mirrored as u16));
            }
            changes.note(Change::Recoloured(mirrored as u16));
        }
    }
}

impl<const SWAP: bool> Rules for HexRules<SWAP> {
    const INFO: GameInfo = if SWAP { info::WITH_SWAP } else { info::WITHOUT_SWAP.without_swap() };
    const SOLVER: Option<Solver> = Some(Solver::exhaustive_to::<Self, 3>(2..=4));

    fn new(size: usize) -> Self {
        Self {
            size: size as u8,
            to_move: Seat::First,
            turns: 0,
            outcome: None,
            stones: [None; CELLS],
            chains: Chains::default(),
        }
    }

    fn arranged(size: usize, stones: &[Option<Seat>], to_move: Seat) -> Option<Self> {
        let mut position = Self { to_move, ..Self::new(size) };
        for (cell, player) in stones.iter().enumerate() {
            let Some(player) = *player else { continue };
            if position.place(player, cell) {
                position.outcome = Some(Outcome::connection(player));
            }
            position.turns += 1;
        }
        Some(position)
    }

    rules_by_fields!(to_move, turns, outcome, frame, symmetries);

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let cell = action.index();
        if action == self.swap_action() {
            return check_swap(Self::INFO.id, SWAP, self.swap_is_possible(), self.turns());
        }
        if cell > self.cells() {
            return Err(InvalidMove::NoSuchAction { index: cell, actions: self.cells() + 1 });
        }
        match self.stones[cell] {
            Some(_) => Err(InvalidMove::Occupied { cell: cell_name(self.side(), cell) }),
            None => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        let stones = self.stones[..self.cells()].iter().enumerate();
        actions.extend(stones.filter(|(_, stone)| stone.is_none()).map(|(cell, _)| Action(cell as u16)));
        if self.swap_is_possible() {
            actions.push(self.swap_action());
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let cells = self.cells();
        let places = cells as u32 + u32::from(self.swap_is_possible());
        Some(draw_until_legal(rng, 0..places, |place| place == cells || self.stones[place].is_none()))
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        if action == self.swap_action() {
            self.swap(changes);
        } else {
            changes.note(Change::Placed(action.0));
            if self.place(self.to_move, action.index()) {
                self.outcome = Some(Outcome::connection(self.to_move));
            }
        }
        self.turns += 1;
        self.to_move = self.to_move.opponent();
    }

    fn winning_action(&self) -> Option<Action> {
        self.winning_cells().next().map(|cell| Action(cell as u16))
    }

    fn winning_chain(&self) -> Vec<usize> {
        let won = |&cell: &usize| self.stones[cell].is_some() && self.chains.sides(cell) == BOTH_SIDES;
        (0..self.cells()).filter(won).collect()
    }

    /// Handing the turn back to the swapper directly after the swap means that the players
    /// exchanged colours, so the stone gets its place and colour back.
    fn hand_turn_to(&mut self, player: Seat) -> bool {
        if player != self.to_move && self.turns == 2 {
            self.swap(&mut ());
        }
        self.to_move = player;
        true
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stones[place].map(Piece::stone)
    }

    fn owner(&self, cell: usize) -> Option<Seat> {
        self.stones[cell]
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        Some(path_costs(self.side(), player, |cell| self.stones[cell].map(|owner| owner == player)))
    }

    fn state(&self) -> Option<State> {
        let state = State::of_owners(self.cells(), self.to_move, |cell| self.stones[cell])?;
        Some(state.with_flags(&[self.swap_is_possible()]))
    }

    /// Planes: own stones, enemy stones, empty cells; the mover's two sides and the enemy's two;
    /// stones connected to each of these four; cells where the mover and where the enemy completes
    /// a chain.
    ///
    /// Globals: swap possible, the reply may be a swap, size / 19.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (planes, side) = (Self::INFO.view.cell_inputs, self.side());
        // Few inputs are 1.
        cells[..side * side * planes].fill(0.0);
        // The mover's sides are the first and last row of the frame: the second seat sees the board transposed.
        for at in 0..side {
            for (edge, plane) in [(0, 3), (side - 1, 4)] {
                cells[(edge * side + at) * planes + plane] = 1.0;
                cells[(at * side + edge) * planes + plane + 2] = 1.0;
            }
        }
        let players = [self.to_move, self.to_move.opponent()];
        let mut joined = players.map(|player| self.edges_joined(player));
        let (down, right) = match self.to_move {
            Seat::First => (side, 1),
            Seat::Second => (1, side),
        };
        let neighbours = board::rhombus(side).neighbours();
        for (row, stones) in self.stones[..side * side].chunks_exact(side).enumerate() {
            for (column, stone) in stones.iter().enumerate() {
                let (cell, place) = (row * side + column, (row * down + column * right) * planes);
                let Some(player) = stone else {
                    cells[place + 2] = 1.0;
                    continue;
                };
                let index = usize::from(*player != self.to_move);
                cells[place + index] = 1.0;
                let sides = self.chains.sides(cell);
                if sides != 0 {
                    cells[place + 7 + 2 * index] = flag(sides & 1 != 0);
                    cells[place + 8 + 2 * index] = flag(sides & 2 != 0);
                    join(&mut joined[index], &neighbours[cell], sides);
                }
            }
        }
        for (row, stones) in self.stones[..side * side].chunks_exact(side).enumerate() {
            for column in (0..side).filter(|&column| stones[column].is_none()) {
                let (cell, place) = (row * side + column, (row * down + column * right) * planes);
                for index in 0..2 {
                    cells[place + 11 + index] = flag(joined[index][cell] == BOTH_SIDES);
                }
            }
        }
        globals.copy_from_slice(&[
            flag(self.swap_is_possible()),
            flag(SWAP && self.turns == 0 && self.to_move == Seat::First),
            self.side() as f32 / MAX_SIZE as f32,
        ]);
    }
}
