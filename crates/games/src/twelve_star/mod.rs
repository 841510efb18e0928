//! 12* Hex (Bill Taylor and João Neto, 2016): Hex in which a turn is two stones that must not end
//! up in one group.
//!
//! Black opens with one stone; from then on each turn is two stones, a ply each. When both are on
//! the board they must belong to different groups of connected stones. A stone that connects its
//! player's sides wins at once, even the first of a turn. If no cell is left for the second stone,
//! the turn is over.

mod groups;

use crate::shared::rhombus::in_frame_of;
use crate::shared::words::{BLACK, JOINED, SEATS, WHITE, input_names};
use crate::{
    Action, Boards, ChangeLog, Ending, GameInfo, GameRng, HexWithoutSwap, InvalidMove, LessonPart, Outcome, PathCosts,
    Picture, Piece, Rules, Seat, Solver, State, flag, rules_by_fields,
};
use hexzero_board::cell_name;

use groups::{CellSet, group};

const MAX_SIZE: usize = 19;
/// The number of input planes of Hex, which come first.
const HEX_INPUTS: usize = HexWithoutSwap::INFO.view.cell_inputs;
const INPUTS: usize = HEX_INPUTS + 3;

/// A position of 12* Hex.
#[derive(Debug, Clone)]
pub struct TwelveStar {
    size: u8,
    /// The stones, their chains, and the side to move.
    hex: HexWithoutSwap,
    /// The first stone of this turn, if the second is still to be placed.
    first: Option<u16>,
    /// The empty cells where the second stone would be in the same group as the first.
    barred: CellSet,
}

impl TwelveStar {
    fn cells(&self) -> usize {
        usize::from(self.size) * usize::from(self.size)
    }

    fn allows(&self, action: Action) -> bool {
        !self.barred.contains(action.index())
    }
}

impl Rules for TwelveStar {
    const INFO: GameInfo = INFO;
    const SOLVER: Option<Solver> = Some(Solver::exhaustive_to::<Self, 3>(4..=4));

    fn new(size: usize) -> Self {
        Self { size: size as u8, hex: HexWithoutSwap::new(size), first: None, barred: CellSet::EMPTY }
    }

    fn to_move(&self) -> Seat {
        self.hex.to_move()
    }

    fn turns(&self) -> usize {
        self.hex.turns()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.hex.outcome()
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (index, actions) = (action.index(), self.cells());
        if index >= actions {
            return Err(InvalidMove::NoSuchAction { index, actions });
        }
        self.hex.check(action)?;
        if self.allows(action) {
            return Ok(());
        }
        let [cell, first] = [index, self.first.map_or(0, usize::from)].map(|cell| cell_name(self.size.into(), cell));
        let reason = format!("{cell} would be in one group with {first}; the two stones of a turn must not");
        Err(InvalidMove::refused(reason))
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        self.hex.legal_actions(actions);
        if self.first.is_some() {
            actions.retain(|&action| self.allows(action));
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        // An unfinished turn has a cell for the second stone.
        loop {
            let action = self.hex.random_action(rng)?;
            if self.allows(action) {
                return Some(action);
            }
        }
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (mover, opens) = (self.to_move(), self.turns() == 0);
        let starts = self.first.take().is_none();
        self.barred = CellSet::EMPTY;
        self.hex.play(action, changes);
        if opens || !starts || self.outcome().is_some() {
            return;
        }
        let (_, barred) = group(&self.hex, self.size.into(), action.index());
        // No stone is ever removed, so each ply has filled a cell.
        if self.cells() - self.turns() > barred.count() {
            self.hex.hand_turn_to(mover);
            (self.first, self.barred) = (Some(action.0), barred);
        }
    }

    fn winning_action(&self) -> Option<Action> {
        self.hex.winning_cells().map(|cell| Action(cell as u16)).find(|&action| self.allows(action))
    }

    fn winning_chain(&self) -> Vec<usize> {
        self.hex.winning_chain()
    }

    fn hand_turn_to(&mut self, player: Seat) -> bool {
        // In the middle of a turn, the other player's turn would begin too early.
        (self.first.is_none() || player == self.to_move()) && self.hex.hand_turn_to(player)
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.hex.piece(place)
    }

    fn state(&self) -> Option<State> {
        Some(self.hex.state()?.with_marked(self.first.map(usize::from)))
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        self.hex.path_costs(player)
    }

    /// Planes after those of Hex: the first stone of this turn, its group, the cells barred to the
    /// second stone.
    ///
    /// Globals: a second stone is to be placed, this is the first turn, size / 19.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (count, side) = (self.cells(), usize::from(self.size));
        self.hex.encode(&mut cells[..count * HEX_INPUTS], globals);
        for cell in (0..count).rev() {
            cells.copy_within(cell * HEX_INPUTS..(cell + 1) * HEX_INPUTS, cell * INPUTS);
        }
        let group = self.first.map_or(CellSet::EMPTY, |first| group(&self.hex, side, first.into()).0);
        for cell in 0..count {
            let seen = in_frame_of(side, self.to_move(), cell);
            let own = [self.first == Some(cell as u16), group.contains(cell), self.barred.contains(cell)];
            cells[seen * INPUTS + HEX_INPUTS..][..3].copy_from_slice(&own.map(flag));
        }
        globals.copy_from_slice(&[flag(self.first.is_some()), flag(self.turns() == 0), side as f32 / MAX_SIZE as f32]);
    }

    rules_by_fields!(symmetries);

    fn frame(&self) -> usize {
        self.to_move().index()
    }
}

const NAMES: [&str; INPUTS] = input_names(["first_stone", "first_group", "barred"]);

const GOAL: LessonPart = LessonPart {
    title: "Connect your two sides",
    text: "Black opens with one stone. From then on place two stones a turn, on any empty cells. A chain of your \
           stones between the two sides of your colour wins at once.",
    pictures: &[JOINED],
};

const GROUPS: LessonPart = LessonPart {
    title: "Two groups",
    text: "The two stones of a turn must not end up in one group of connected stones. So whatever you start with the \
           first stone, the second has to help you elsewhere.",
    pictures: &[
        Picture {
            pieces: &[("b2 b3 d4", BLACK), ("c2 d1", WHITE)],
            marked: "b1 c1 a2 a3 c3 a4 b4",
            label: "Two black stones that touch, and cells around them marked",
            caption: "Black has placed b3: the marked cells are barred now",
            ..Picture::empty(5)
        },
        Picture {
            pieces: &[("b2 b3 d4 d3", BLACK), ("c2 d1", WHITE)],
            label: "Black has two groups, one of b2 and b3, one of d3 and d4",
            caption: "d3 joins the other group, so it may be the second stone",
            ..Picture::empty(5)
        },
    ],
};

const END: LessonPart = LessonPart {
    title: "No way on",
    text: "If there is no cell for the second stone, the turn is over after the first. There is no swap, for a single \
           stone is a small advantage, and there is no draw.",
    pictures: &[],
};

const INFO: GameInfo = GameInfo::new(
    "12star",
    "12* Hex",
    "connect your two sides with two stones a turn, which must not end in one group",
    Boards::sides(4..=MAX_SIZE, 11),
    SEATS,
)
.endings(&[Ending::CONNECTION])
.inputs(&NAMES, &["second_stone", "opening", "size/19"])
.usual_plies(|cells| 3 * cells / 4)
.weak_levels([1.51, 1.29, 1.0])
.lesson(&[GOAL, GROUPS, END]);

#[cfg(test)]
mod tests {
    use super::*;

    fn winner(position: &TwelveStar) -> Seat {
        if let Some(outcome) = position.outcome() {
            return outcome.winner.expect("there is no draw");
        }
        let (mover, mut legal) = (position.to_move(), Vec::new());
        position.legal_actions(&mut legal);
        let wins = |&action: &Action| winner(&after(position, action)) == mover;
        if legal.iter().any(wins) { mover } else { mover.opponent() }
    }

    fn after(position: &TwelveStar, action: Action) -> TwelveStar {
        let mut next = position.clone();
        next.play(action, &mut ());
        next
    }

    /// Checks boards smaller than those that are played on.
    #[test]
    fn openings_that_win_on_small_boards() {
        let winning = |size: usize| -> Vec<usize> {
            let start = TwelveStar::new(size);
            let wins = |&cell: &usize| winner(&after(&start, Action(cell as u16))) == Seat::First;
            (0..size * size).filter(wins).collect()
        };
        assert_eq!(winning(2), [1, 2]);
        assert_eq!(winning(3), [4]);
    }

    #[test]
    fn second_stone_keeps_away_from_the_first_group() {
        let mut game = TwelveStar::new(5);
        let cell = |name: &str| Action(hexzero_board::parse_cell(5, name).unwrap() as u16);
        for name in ["e5", "b2"] {
            game.play(cell(name), &mut ());
        }
        assert_eq!(game.to_move(), Seat::Second);
        let fault = game.check(cell("b3")).unwrap_err().to_string();
        assert_eq!(fault, "b3 would be in one group with b2; the two stones of a turn must not");
        for barred in ["b1", "c1", "a2", "c2", "a3"] {
            assert!(game.check(cell(barred)).is_err(), "{barred}");
        }
        assert_eq!(game.check(cell("c3")), Ok(()), "not next to it");
        assert_eq!(game.winning_action(), None);
        game.play(cell("c3"), &mut ());
        assert_eq!((game.to_move(), game.check(cell("b3"))), (Seat::First, Ok(())));
    }
}
