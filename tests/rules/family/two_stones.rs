//! 12* Hex: one stone, then two stones a turn, which must belong to different groups.

use hexzero::board::{NO_CELL, cell_name, rhombus};
use hexzero::games::{
    Action, Boards, Change, ChangeLog, EndReason, Ending, GameInfo, InvalidMove, NetworkView, Outcome, Piece, Rules,
    Seat, SeatInfo, Transform,
};

#[derive(Debug, Clone)]
pub struct TwoStones {
    size: usize,
    to_move: Seat,
    turns: usize,
    /// The stone that was placed earlier in this turn.
    first_stone: Option<usize>,
    outcome: Option<Outcome>,
    stones: Vec<Option<Seat>>,
}

impl TwoStones {
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let slots = rhombus(self.size).neighbours()[cell].iter();
        slots.filter(|&&slot| slot != NO_CELL).map(|&slot| slot as usize)
    }

    /// The group of the stone on a cell.
    fn group(&self, cell: usize) -> Vec<usize> {
        let mut group = vec![cell];
        let mut at = 0;
        while let Some(&cell) = group.get(at) {
            let more = self.neighbours(cell).filter(|&next| self.stones[next] == self.stones[cell]);
            let more: Vec<usize> = more.filter(|next| !group.contains(next)).collect();
            group.extend(more);
            at += 1;
        }
        group
    }

    /// The cells that touch the group of this turn's first stone.
    fn barred(&self) -> Vec<usize> {
        let group = self.first_stone.map(|cell| self.group(cell)).unwrap_or_default();
        group.iter().flat_map(|&cell| self.neighbours(cell).collect::<Vec<_>>()).collect()
    }

    fn legal_cells(&self) -> Vec<usize> {
        let barred = self.barred();
        (0..self.stones.len()).filter(|cell| self.stones[*cell].is_none() && !barred.contains(cell)).collect()
    }
}

impl Rules for TwoStones {
    const INFO: GameInfo = GameInfo {
        id: "two-stones",
        title: "Two stones a turn",
        summary: "Hex with two stones a turn, which must belong to different groups",
        network: "two-stones",
        boards: Boards { sizes: 2..=19, default: 5, meaning: "cells on a side" },
        seats: [
            SeatInfo { name: "black", goal: "joins row 1 to the last row", task: "Join the two black sides." },
            SeatInfo { name: "white", goal: "joins column a to the last column", task: "Join the two white sides." },
        ],
        actions: &[],
        choices: &[],
        endings: &[Ending { reason: EndReason::CONNECTION, key: "connection", words: "the two sides are connected" }],
        counts: &[],
        view: NetworkView { version: 1, cell_inputs: 4, global_inputs: 1, policy_planes: 1, global_actions: 0 },
        cell_inputs: &["own", "enemy", "first_stone", "barred"],
        global_inputs: &["second_stone"],
        usual_plies: |cells| 2 * cells / 3,
        sgf: None,
        lesson: &[],
    };

    fn new(size: usize) -> Self {
        let stones = vec![None; size * size];
        Self { size, to_move: Seat::First, turns: 0, first_stone: None, outcome: None, stones }
    }

    fn to_move(&self) -> Seat {
        self.to_move
    }

    fn turns(&self) -> usize {
        self.turns
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let cell = || cell_name(self.size, action.index());
        match self.stones.get(action.index()) {
            _ if self.outcome.is_some() => Err(InvalidMove::GameOver),
            None => Err(InvalidMove::NoSuchAction { index: action.index(), actions: self.stones.len() }),
            Some(Some(_)) => Err(InvalidMove::Occupied { cell: cell() }),
            Some(None) if self.barred().contains(&action.index()) => {
                let rule = "touches the group of this turn's first stone; choose a cell that does not";
                Err(InvalidMove::Refused { reason: format!("{} {rule}", cell()) })
            }
            Some(None) => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_none() {
            actions.extend(self.legal_cells().into_iter().map(|cell| Action(cell as u16)));
        }
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (cell, n) = (action.index(), self.size);
        self.stones[cell] = Some(self.to_move);
        changes.note(Change::Placed(action.0));
        self.turns += 1;
        let line = |cell: usize| if self.to_move == Seat::First { cell / n } else { cell % n };
        let group = self.group(cell);
        let second = self.first_stone.take().is_some() || self.turns == 1;
        if [0, n - 1].iter().all(|&side| group.iter().any(|&cell| line(cell) == side)) {
            self.outcome = Some(Outcome { winner: Some(self.to_move), reason: EndReason::CONNECTION });
        } else if !second {
            self.first_stone = Some(cell);
            if !self.legal_cells().is_empty() {
                return;
            }
            self.first_stone = None;
        }
        self.to_move = self.to_move.opponent();
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stones[place].map(Piece::stone)
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let (barred, frame) = (self.barred(), &Self::frames(self.size)[self.frame()]);
        for cell in 0..self.stones.len() {
            let inputs = &mut cells[frame.cells.apply(cell) * 4..][..4];
            let own = self.stones[cell].map(|owner| owner == self.to_move);
            let planes =
                [own == Some(true), own == Some(false), self.first_stone == Some(cell), barred.contains(&cell)];
            inputs.copy_from_slice(&planes.map(|on| f32::from(u8::from(on))));
        }
        globals[0] = f32::from(u8::from(self.first_stone.is_some()));
    }

    /// The second player sees the board transposed.
    fn frames(size: usize) -> Vec<Transform> {
        let symmetries = Self::board(size).symmetries();
        [0, 2].map(|number| Transform::of(&symmetries[number], &Self::INFO.view)).into()
    }

    fn frame(&self) -> usize {
        self.to_move.index()
    }

    /// The identity and the half turn.
    fn symmetries(size: usize) -> Vec<Transform> {
        let symmetries = Self::board(size).symmetries();
        [0, 1].map(|number| Transform::of(&symmetries[number], &Self::INFO.view)).into()
    }
}
