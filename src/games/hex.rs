//! Hex: Black joins row 1 to row n, White column a to the last column; whoever does so first has won.
//!
//! Black moves first. White may *swap* instead of placing his first stone: Black's stone becomes his, on
//! the cell with row and column exchanged, and Black moves again. Stones never move otherwise, and a full
//! board has exactly one winner.

use rand::Rng;

use crate::board::{Chains, NO_CELL, Topology, rhombus};

use super::errors::{InvalidMove, SizeError};
use super::game::{Action, EndReason, Game, NetworkView, Outcome, Player};
use super::ground::{Ground, Step};

/// The largest board.
const LARGEST: usize = 19;
/// Its cells.
const CELLS: usize = LARGEST * LARGEST;
/// A chain that touches both of its player's sides.
const BOTH_SIDES: u8 = 0b11;

/// A position of Hex, with or without the swap.
#[derive(Debug, Clone)]
pub struct HexRules<const SWAP: bool> {
    size: u8,
    to_move: Player,
    turns: u16,
    outcome: Option<Outcome>,
    stones: [Option<Player>; CELLS],
    /// Of both players: a stone is only ever joined to its own kind.
    chains: Chains<CELLS>,
}

/// Hex as it is played: with the swap.
pub type Hex = HexRules<true>;
/// Hex without the swap, as it is solved and as handicap games are played. Networks of [`Hex`] play it.
pub type HexWithoutSwap = HexRules<false>;

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

    /// Only one stone lies there, and it is the opponent's, when the second player comes to his first move.
    fn swap_is_possible(&self) -> bool {
        SWAP && self.turns == 1 && self.to_move == Player::Second && self.first_stone(Player::First).is_some()
    }

    fn first_stone(&self, player: Player) -> Option<usize> {
        self.stones[..self.cells()].iter().position(|&stone| stone == Some(player))
    }

    /// The sides of a player that a cell lies on, a bit each.
    #[inline]
    fn sides_of(&self, player: Player, cell: usize) -> u8 {
        let line = match player {
            Player::First => cell / self.side(),
            Player::Second => cell % self.side(),
        };
        u8::from(line == 0) | u8::from(line == self.side() - 1) << 1
    }

    /// The neighbours of a cell that hold stones of a player.
    #[inline]
    fn own_neighbours(&self, player: Player, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let slots = &self.topology().neighbours()[cell];
        let cells = slots.iter().filter(|&&slot| slot != NO_CELL).map(|&slot| slot as usize);
        cells.filter(move |&cell| self.stones[cell] == Some(player))
    }

    /// The sides that a player's stone on an empty cell would be joined to.
    fn sides_joined_by(&self, player: Player, cell: usize) -> u8 {
        let neighbours = self.own_neighbours(player, cell);
        neighbours.fold(self.sides_of(player, cell), |sides, neighbour| sides | self.chains.sides(neighbour))
    }

    /// Places a stone and says whether it joins its player's sides.
    #[inline]
    fn place(&mut self, player: Player, cell: usize) -> bool {
        self.stones[cell] = Some(player);
        self.chains.place(cell, self.sides_of(player, cell));
        for &neighbour in &rhombus(self.side()).neighbours()[cell] {
            if neighbour != NO_CELL && self.stones[neighbour as usize] == Some(player) {
                self.chains.join(cell, neighbour as usize);
            }
        }
        self.chains.sides(cell) == BOTH_SIDES
    }

    /// The only stone changes its owner and moves to the cell with row and column exchanged. It cannot
    /// join two sides, since no board has a single cell.
    fn swap(&mut self) {
        if let Some(cell) = self.first_stone(Player::First) {
            self.stones[cell] = None;
            self.place(Player::Second, cell % self.side() * self.side() + cell / self.side());
        }
    }
}

impl<const SWAP: bool> Game for HexRules<SWAP> {
    const NAME: &'static str = if SWAP { "hex" } else { "hex-noswap" };
    const NETWORK: &'static str = "hex";
    const SIZES: std::ops::RangeInclusive<usize> = 2..=LARGEST;
    const PLAYER_NAMES: [&'static str; 2] = ["black", "white"];
    const GLOBAL_ACTION_NAMES: &'static [&'static str] = &["swap"];
    // Plain `swap` exchanges the colours of the players there.
    const FOREIGN_ACTION_NAMES: &'static [&'static str] = &["swap-pieces"];
    const SGF_GAME: Option<u32> = Some(11);
    const VIEW: NetworkView =
        NetworkView { version: 1, cell_inputs: 13, global_inputs: 3, policy_planes: 1, global_actions: 1 };
    const CELL_INPUT_NAMES: &'static [&'static str] = &[
        "own",
        "enemy",
        "empty",
        "own_side_1",
        "own_side_2",
        "enemy_side_1",
        "enemy_side_2",
        "own_joined_1",
        "own_joined_2",
        "enemy_joined_1",
        "enemy_joined_2",
        "own_wins",
        "enemy_wins",
    ];
    const GLOBAL_INPUT_NAMES: &'static [&'static str] = &["swap_possible", "reply_may_swap", "size/19"];
    const SYMMETRIES: usize = 2;

    fn new(size: usize) -> Result<Self, SizeError> {
        if !Self::SIZES.contains(&size) {
            return Err(SizeError { game: Self::NAME, size, accepted: Self::SIZES });
        }
        Ok(Self {
            size: size as u8,
            to_move: Player::First,
            turns: 0,
            outcome: None,
            stones: [None; CELLS],
            chains: Chains::default(),
        })
    }

    fn size(&self) -> usize {
        self.side()
    }

    fn topology(&self) -> &'static Topology {
        rhombus(self.side())
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn turns(&self) -> usize {
        self.turns as usize
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let cell = action.index();
        if self.outcome.is_some() {
            return Err(InvalidMove::GameOver);
        }
        if action == self.swap_action() {
            let allowed = if SWAP { Ok(()) } else { Err(InvalidMove::NoSwap { game: Self::NAME }) };
            let now = self.swap_is_possible();
            return allowed.and(now.then_some(()).ok_or(InvalidMove::SwapNotNow { turn: self.turns() + 1 }));
        }
        if cell > self.cells() {
            return Err(InvalidMove::NoSuchAction { index: cell, actions: self.actions() });
        }
        match self.stones[cell] {
            Some(_) => Err(InvalidMove::Occupied { cell: self.cell_name(cell) }),
            None => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_some() {
            return;
        }
        let stones = self.stones[..self.cells()].iter().enumerate();
        actions.extend(stones.filter(|(_, stone)| stone.is_none()).map(|(cell, _)| Action(cell as u16)));
        if self.swap_is_possible() {
            actions.push(self.swap_action());
        }
    }

    fn random_action<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Action> {
        if self.outcome.is_some() {
            return None;
        }
        let places = self.cells() as u32 + u32::from(self.swap_is_possible());
        // A game that goes on has an empty cell, and seldom few.
        loop {
            let place = rng.random_range(0..places) as u16;
            if place == self.swap_action().0 || self.stones[place as usize].is_none() {
                return Some(Action(place));
            }
        }
    }

    fn play(&mut self, action: Action) {
        debug_assert_eq!(self.check(action), Ok(()));
        if action == self.swap_action() {
            self.swap();
        } else if self.place(self.to_move, action.index()) {
            self.outcome = Some(Outcome { winner: Some(self.to_move), reason: EndReason::Connection });
        }
        self.turns += 1;
        self.to_move = self.to_move.opponent();
    }

    fn winning_action(&self) -> Option<Action> {
        // A chain across the board has as many stones as the board has rows.
        if self.outcome.is_some() || self.turns() + 1 < self.side() {
            return None;
        }
        let wins =
            |&cell: &usize| self.stones[cell].is_none() && self.sides_joined_by(self.to_move, cell) == BOTH_SIDES;
        (0..self.cells()).find(wins).map(|cell| Action(cell as u16))
    }

    fn winning_chain(&self) -> Vec<usize> {
        let won = |&cell: &usize| self.stones[cell].is_some() && self.chains.sides(cell) == BOTH_SIDES;
        (0..self.cells()).filter(won).collect()
    }

    fn hand_turn_to(&mut self, player: Player) -> bool {
        self.to_move = player;
        true
    }

    fn stone(&self, cell: usize) -> Option<Player> {
        self.stones[cell]
    }

    fn ground(&self, player: Player) -> Option<Ground> {
        let step = |cell: usize| Step {
            cost: match self.stones[cell] {
                None => Some(Step::STONE),
                Some(owner) => (owner == player).then_some(0),
            },
            sides: self.sides_of(player, cell),
        };
        Some((0..self.cells()).map(step).collect())
    }

    /// Planes: own stones, enemy stones, empty; the mover's two sides and the enemy's two; stones joined
    /// to each of these four; cells where the mover, where the enemy completes a chain.
    ///
    /// Globals: swap possible, the reply may be a swap, size / 19.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let planes = Self::VIEW.cell_inputs;
        let players = [self.to_move, self.to_move.opponent()];
        for cell in 0..self.cells() {
            let inputs = &mut cells[self.in_movers_frame(cell) * planes..][..planes];
            inputs.fill(0.0);
            let mut set = |plane: usize, on: bool| inputs[plane] = f32::from(u8::from(on));
            set(2, self.stones[cell].is_none());
            for (index, &player) in players.iter().enumerate() {
                let sides = self.sides_of(player, cell);
                set(3 + 2 * index, sides & 1 != 0);
                set(4 + 2 * index, sides & 2 != 0);
                if self.stones[cell] == Some(player) {
                    let joined = self.chains.sides(cell);
                    set(index, true);
                    set(7 + 2 * index, joined & 1 != 0);
                    set(8 + 2 * index, joined & 2 != 0);
                } else if self.stones[cell].is_none() {
                    set(11 + index, self.sides_joined_by(player, cell) == BOTH_SIDES);
                }
            }
        }
        globals.copy_from_slice(&[
            f32::from(u8::from(self.swap_is_possible())),
            f32::from(u8::from(SWAP && self.turns == 0 && self.to_move == Player::First)),
            self.side() as f32 / LARGEST as f32,
        ]);
    }

    fn in_movers_frame(&self, cell: usize) -> usize {
        match self.to_move {
            Player::First => cell,
            Player::Second => cell % self.side() * self.side() + cell / self.side(),
        }
    }

    fn symmetric(&self, symmetry: usize, cell: usize) -> usize {
        match symmetry {
            0 => cell,
            _ => self.cells() - 1 - cell,
        }
    }

    fn symmetric_input(&self, symmetry: usize, plane: usize) -> usize {
        match (symmetry, plane) {
            // The half turn exchanges the two sides of each player, and what is joined to them.
            (1, 3..11) => ((plane - 3) ^ 1) + 3,
            _ => plane,
        }
    }
}
