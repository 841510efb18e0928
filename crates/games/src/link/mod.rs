//! Link (Michael Howe, 1995): Hex in which a turn may end with moving a line of stones, which
//! pushes others along.
//!
//! Black moves first and connects row 1 to the last row, White column a to the last column. A turn
//! consists of two plies: a stone is placed, then a group of stones may be moved. The group is the
//! front part of an unbroken straight line of own stones, up to its last stone in the direction of
//! travel, and moves at most as many cells as it has stones. A single stone may move in any
//! direction. Enemy stones in the way are pushed along if they are fewer than the group. Nothing
//! leaves the board, and own stones block the way.
//!
//! If a player's sides are connected after their placement or movement, that player has won;
//! otherwise the opponent has, if connected then.

mod info;
mod movement;

use rand::Rng;

use crate::shared::rhombus::check_swap;
use crate::shared::rhombus_sets as stones;
use crate::shared::rhombus_sets::{Play, Stones};
use crate::{
    Action, Change, ChangeLog, EndReason, GameInfo, GameRng, InvalidMove, Outcome, PathCosts, Rules, Seat, Solver,
    State, flag, rules_by_fields,
};
use hexzero_board::Board;

use movement::Movement;

const MAX_SIZE: usize = 9;
/// The longest distance of a movement.
const FARTHEST: usize = MAX_SIZE - 1;
const INPUTS: usize = stones::PLANES + 4;

/// A position of Link, with or without the swap.
#[derive(Debug, Clone, Copy)]
pub struct LinkRules<const SWAP: bool> {
    stones: Stones,
    to_move: Seat,
    turns: u16,
    outcome: Option<Outcome>,
    /// Whether a stone has been placed this turn, so that an optional movement is next.
    moving: bool,
}

/// Link as published: without the swap.
pub type Link = LinkRules<false>;
/// Link in which White may take over the first stone.
pub type LinkWithSwap = LinkRules<true>;

impl<const SWAP: bool> LinkRules<SWAP> {
    fn move_action(&self, movement: Movement) -> Action {
        self.stones.action(movement.tail, movement.direction, movement.distance)
    }

    /// Returns the swap, if it is possible now. The second player's first ply follows two of the
    /// first player's: a stone, and a movement or none.
    fn swap(&self) -> Option<Action> {
        let now = SWAP && self.turns == 2 && self.to_move == Seat::Second && !self.moving;
        (now && self.stones.only_the_first_stone()).then(|| self.stones.swap_action::<Self>())
    }

    fn check_movement(&self, movement: Movement) -> Result<(), InvalidMove> {
        let name = self.stones.name(movement.tail);
        let reason = if !self.moving {
            "place a stone first; a movement may follow".to_owned()
        } else if !self.stones.has(self.to_move, movement.tail) {
            format!("{name} holds no stone of yours to move")
        } else if !movement.is_legal(&self.stones, self.to_move) {
            let (group, _) = self.stones.run(self.to_move, movement.tail, movement.direction);
            format!(
                "the {group} stone(s) from {name} cannot move {} cell(s) so: no further than their number, pushing fewer \
                 than they are, and past no stone of yours and no edge",
                movement.distance
            )
        } else {
            return Ok(());
        };
        Err(InvalidMove::refused(reason))
    }
}

impl<const SWAP: bool> Rules for LinkRules<SWAP> {
    const INFO: GameInfo = if SWAP { info::WITH_SWAP } else { info::WITHOUT_SWAP.without_swap() };
    const SOLVER: Option<Solver> = Some(Solver::exhaustive::<Self>(3..=3));

    fn new(size: usize) -> Self {
        Self { stones: Stones::new(size), to_move: Seat::First, turns: 0, outcome: None, moving: false }
    }

    rules_by_fields!(to_move, turns, outcome, frame, piece, winning_chain, action_name, picks, symmetries);

    /// Each turn adds a stone and has at most two plies.
    fn turn_limit(size: usize) -> usize {
        2 * size * size + usize::from(SWAP)
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let refused = |reason: &str| Err(InvalidMove::refused(reason));
        match self.stones.read::<Self>(action) {
            None => Err(self.stones.no_such_action::<Self>(action)),
            Some(Play::Swap) => check_swap(Self::INFO.id, SWAP, self.swap().is_some(), self.turns()),
            Some(Play::Stay) if self.moving => Ok(()),
            Some(Play::Stay) => refused("place a stone; no movement is to be made now"),
            Some(Play::Place(_)) if self.moving => {
                refused("a stone has been placed; move stones of yours, or move nothing ('-')")
            }
            Some(Play::Place(cell)) => self.stones.check_empty(cell),
            Some(Play::Move(tail, direction, distance)) => self.check_movement(Movement { tail, direction, distance }),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        if self.moving {
            movement::each(&self.stones, self.to_move, |movement| actions.push(self.move_action(movement)));
            actions.sort_unstable();
            actions.push(self.stones.first_global::<Self>());
            return;
        }
        self.stones.push_actions(0, self.stones.empty(), actions);
        actions.extend(self.swap());
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        if !self.moving {
            return self.stones.draw(self.stones.empty(), self.swap(), rng);
        }
        // Movements are counted, then chosen by their index, so no list needs to be stored.
        let chosen = rng.random_range(0..=movement::count(&self.stones, self.to_move));
        let (mut number, mut drawn) = (0, self.stones.first_global::<Self>());
        movement::each(&self.stones, self.to_move, |movement| {
            if number == chosen {
                drawn = self.move_action(movement);
            }
            number += 1;
        });
        Some(drawn)
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let mover = self.to_move;
        self.moving = false;
        match self.stones.read::<Self>(action) {
            Some(Play::Place(cell)) => {
                self.stones.put(mover, cell);
                self.moving = true;
                changes.note(Change::Placed(action.0));
            }
            Some(Play::Move(tail, direction, distance)) => {
                Movement { tail, direction, distance }.make(&mut self.stones, mover, changes);
            }
            Some(Play::Swap) => self.stones.swap(changes),
            Some(Play::Stay) | None => (),
        }
        self.turns += 1;
        // The player who has just moved comes first. No placement can connect the other player.
        let winner = [mover, mover.opponent()].into_iter().find(|&player| self.stones.joins(player));
        if winner.is_some() {
            self.outcome = Some(Outcome { winner, reason: EndReason::CONNECTION });
            self.moving = false;
        }
        if !self.moving {
            self.to_move = mover.opponent();
        }
    }

    fn winning_action(&self) -> Option<Action> {
        if !self.moving {
            let cell = self.stones.completing(self.to_move).iter().next()?;
            return Some(Action(self.stones.number(cell) as u16));
        }
        if self.stones.of(self.to_move).count() < self.stones.side() {
            return None;
        }
        let mut winning = None;
        movement::each(&self.stones, self.to_move, |movement| {
            if winning.is_none() {
                let mut after = self.stones;
                movement.make(&mut after, self.to_move, &mut ());
                winning = after.joins(self.to_move).then(|| self.move_action(movement));
            }
        });
        winning
    }

    fn hand_turn_to(&mut self, player: Seat) -> bool {
        // The turn is not over between the placement and the movement.
        let may = !self.moving || player == self.to_move;
        if may {
            self.to_move = player;
        }
        may
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        self.stones.parse_action::<Self>(board, text, |distance| match distance {
            Some(distance) if distance <= FARTHEST => Ok(distance),
            Some(_) => Err(format!("'{text}' goes too far: {FARTHEST} cells at most")),
            None => Err(format!("say how many cells: '{text}-1' or more")),
        })
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        // The side to move can push first.
        Some(self.stones.path_costs(player, self.to_move, |seat| movement::reach(&self.stones, seat).1, [3, 4]))
    }

    fn state(&self) -> Option<State> {
        self.stones.state(self.to_move, &[self.swap().is_some(), self.moving])
    }

    /// Planes after the common ones: the stones that the mover and that the enemy could move; the
    /// enemy stones that the mover could push, and vice versa.
    ///
    /// Globals: an optional movement is next, swap possible, the reply may be a swap, size / 9.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (mover, enemy) = (self.to_move, self.to_move.opponent());
        let (own_movers, own_pushes) = movement::reach(&self.stones, mover);
        let (enemy_movers, enemy_pushes) = movement::reach(&self.stones, enemy);
        let planes = [own_movers, enemy_movers, own_pushes, enemy_pushes];
        self.stones.encode::<INPUTS>(mover, &planes, cells);
        globals.copy_from_slice(&[
            flag(self.moving),
            flag(self.swap().is_some()),
            flag(SWAP && self.turns < 2 && mover == Seat::First),
            self.stones.side() as f32 / MAX_SIZE as f32,
        ]);
    }
}
