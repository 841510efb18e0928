//! The actions of games in which stones are placed and perhaps moved in a direction: a plane of placements, a plane for
//! each distance and direction, and global actions, the last of which is the swap.

use rand::Rng;

use crate::{Action, ActionKind, GameRng, InvalidMove, Pick, Rules, parse_placement};
use hexzero_board::{Board, DIRECTIONS, RhombusSet};

use super::{Cell, Directed, Stones};

/// The meaning of an action.
#[derive(Debug, Clone, Copy)]
pub enum Play {
    /// A stone is placed on a cell.
    Place(Cell),
    /// A move from a cell in a direction over a distance from 1.
    Move(Cell, usize, usize),
    /// Nothing is moved after the placement.
    Stay,
    /// The second player takes over the first stone.
    Swap,
}

/// Returns the policy plane of moves in a direction over a distance from 1; placements are on the
/// first plane.
#[inline]
fn on_plane(direction: usize, distance: usize) -> usize {
    1 + DIRECTIONS * (distance - 1) + direction
}

/// Returns the letter that a game's moves begin with.
fn letter<R: Rules>() -> char {
    R::INFO.signs.iter().find_map(|sign| sign.sign.chars().next()).unwrap_or('m')
}

impl Stones {
    /// Returns the meaning of an action, which may be any number.
    #[inline]
    pub fn read<R: Rules>(&self, action: Action) -> Option<Play> {
        let (plane, cell) = (action.index() / self.cells(), self.at(action.index() % self.cells()));
        let planes = R::INFO.view.policy_planes;
        match plane.checked_sub(1) {
            None => Some(Play::Place(cell)),
            Some(rest) if plane < planes => Some(Play::Move(cell, rest % DIRECTIONS, 1 + rest / DIRECTIONS)),
            Some(_) => match R::INFO.actions.get(action.index() - planes * self.cells())?.kind {
                ActionKind::Swap => Some(Play::Swap),
                _ => Some(Play::Stay),
            },
        }
    }

    /// Returns the action that moves from a cell in a direction over a distance from 1.
    #[inline]
    pub fn action(&self, from: Cell, direction: usize, distance: usize) -> Action {
        Action((on_plane(direction, distance) * self.cells() + self.number(from)) as u16)
    }

    /// Returns the first global action: [`Play::Stay`] in a game that has it.
    #[inline]
    pub fn first_global<R: Rules>(&self) -> Action {
        Action((R::INFO.view.policy_planes * self.cells()) as u16)
    }

    /// Returns the swap, the last action.
    #[inline]
    pub fn swap_action<R: Rules>(&self) -> Action {
        Action(self.first_global::<R>().0 + R::INFO.view.global_actions as u16 - 1)
    }

    /// Returns the error for a number that is no action.
    pub fn no_such_action<R: Rules>(&self, action: Action) -> InvalidMove {
        InvalidMove::NoSuchAction { index: action.index(), actions: self.swap_action::<R>().index() + 1 }
    }

    /// Adds the moves over a distance of 1 that start on some cells, by direction.
    pub fn push_moves(&self, from: &[RhombusSet; DIRECTIONS], actions: &mut Vec<Action>) {
        for (direction, &from) in from.iter().enumerate() {
            self.push_actions(on_plane(direction, 1) * self.cells(), from, actions);
        }
    }

    /// Draws uniformly from the moves of [`Stones::push_moves`] and `more` other things. Returns `None` for one of the
    /// others. There must be at least one thing to draw.
    #[inline]
    pub fn draw_move(&self, from: &[RhombusSet; DIRECTIONS], more: usize, rng: &mut GameRng) -> Option<Action> {
        let counts = from.each_ref().map(RhombusSet::count);
        let mut index = rng.random_range(0..counts.iter().sum::<usize>() + more);
        for (direction, (from, count)) in from.iter().zip(counts).enumerate() {
            if index < count {
                return from.nth(index).map(|cell| self.action(cell, direction, 1));
            }
            index -= count;
        }
        None
    }

    /// Parses an action, legal or not; moves begin with the game's sign. `distance` converts the distance in the text,
    /// if there is one, into that of the move, or returns why it cannot.
    ///
    /// # Errors
    /// If the text names no action, or `distance` returns a reason.
    pub fn parse_action<R: Rules>(
        &self,
        board: &Board,
        text: &str,
        distance: impl FnOnce(Option<usize>) -> Result<usize, String>,
    ) -> Result<Action, InvalidMove> {
        let Some(directed) = Directed::parse(board, letter::<R>(), text) else {
            return parse_placement::<R>(board, text);
        };
        let Directed { cell, direction, distance: stated } = directed?;
        Ok(self.action(self.at(cell), direction, distance(stated).map_err(InvalidMove::refused)?))
    }

    /// Returns the name of an action. Moves have a distance where there is a choice of distances.
    pub fn action_name<R: Rules>(&self, board: &Board, action: Action) -> String {
        match self.read::<R>(action) {
            Some(Play::Place(cell)) => board.label(self.number(cell)).to_owned(),
            Some(Play::Move(from, direction, distance)) => {
                let distance = (R::INFO.view.policy_planes > 1 + DIRECTIONS).then_some(distance);
                Directed { cell: self.number(from), direction, distance }.name(board, letter::<R>())
            }
            Some(Play::Swap) => "swap".to_owned(),
            Some(Play::Stay) | None => "-".to_owned(),
        }
    }

    /// Returns the picks that make up an action. A move is entered as the cell that it starts from and the one that it
    /// leads to.
    pub fn picks<R: Rules>(&self, action: Action) -> Vec<Pick> {
        let place = |cell: Cell| Pick::Place(self.number(cell) as u16);
        match self.read::<R>(action) {
            Some(Play::Place(cell)) => vec![place(cell)],
            Some(Play::Move(from, direction, distance)) => {
                vec![place(from), place(self.away(from, direction, distance))]
            }
            Some(Play::Swap) => vec![Pick::Button(R::INFO.view.global_actions as u8 - 1)],
            Some(Play::Stay) | None => vec![Pick::Button(0)],
        }
    }
}
