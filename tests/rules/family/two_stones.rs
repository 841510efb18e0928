//! 12* Hex: one stone, then two stones a turn, which must belong to different groups.

use hexzero::board::{NO_CELL, Topology, rhombus};
use hexzero::games::{Action, EndReason, Game, InvalidMove, NetworkView, Outcome, Player, SizeError};

#[derive(Debug, Clone)]
pub struct TwoStones {
    size: usize,
    to_move: Player,
    turns: usize,
    /// The stone that was placed earlier in this turn.
    first_stone: Option<usize>,
    outcome: Option<Outcome>,
    stones: Vec<Option<Player>>,
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

impl Game for TwoStones {
    const NAME: &'static str = "two-stones";
    const SIZES: std::ops::RangeInclusive<usize> = 2..=19;
    const PLAYER_NAMES: [&'static str; 2] = ["black", "white"];
    const GLOBAL_ACTION_NAMES: &'static [&'static str] = &[];
    const VIEW: NetworkView =
        NetworkView { version: 1, cell_inputs: 4, global_inputs: 1, policy_planes: 1, global_actions: 0 };
    const SYMMETRIES: usize = 2;

    fn new(size: usize) -> Result<Self, SizeError> {
        if !{ Self::SIZES }.contains(&size) {
            return Err(SizeError { game: Self::NAME, size, accepted: Self::SIZES });
        }
        let stones = vec![None; size * size];
        Ok(Self { size, to_move: Player::First, turns: 0, first_stone: None, outcome: None, stones })
    }

    fn size(&self) -> usize {
        self.size
    }

    fn topology(&self) -> &'static Topology {
        rhombus(self.size)
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn turns(&self) -> usize {
        self.turns
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        match self.stones.get(action.index()) {
            _ if self.outcome.is_some() => Err(InvalidMove::GameOver),
            None => Err(InvalidMove::NoSuchAction { index: action.index(), actions: self.actions() }),
            Some(Some(_)) => Err(InvalidMove::Occupied { cell: self.cell_name(action.index()) }),
            Some(None) if self.barred().contains(&action.index()) => Err(InvalidMove::Forbidden {
                cell: self.cell_name(action.index()),
                rule: "touches the group of this turn's first stone; choose a cell that does not",
            }),
            Some(None) => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_none() {
            actions.extend(self.legal_cells().into_iter().map(|cell| Action(cell as u16)));
        }
    }

    fn play(&mut self, action: Action) {
        let (cell, n) = (action.index(), self.size);
        self.stones[cell] = Some(self.to_move);
        self.turns += 1;
        let line = |cell: usize| if self.to_move == Player::First { cell / n } else { cell % n };
        let group = self.group(cell);
        let second = self.first_stone.take().is_some() || self.turns == 1;
        if [0, n - 1].iter().all(|&side| group.iter().any(|&cell| line(cell) == side)) {
            self.outcome = Some(Outcome { winner: Some(self.to_move), reason: EndReason::Connection });
        } else if !second {
            self.first_stone = Some(cell);
            if !self.legal_cells().is_empty() {
                return;
            }
            self.first_stone = None;
        }
        self.to_move = self.to_move.opponent();
    }

    fn stone(&self, cell: usize) -> Option<Player> {
        self.stones[cell]
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let barred = self.barred();
        for cell in 0..self.stones.len() {
            let inputs = &mut cells[self.in_movers_frame(cell) * 4..][..4];
            let own = self.stones[cell].map(|owner| owner == self.to_move);
            let planes =
                [own == Some(true), own == Some(false), self.first_stone == Some(cell), barred.contains(&cell)];
            inputs.copy_from_slice(&planes.map(|on| f32::from(u8::from(on))));
        }
        globals[0] = f32::from(u8::from(self.first_stone.is_some()));
    }

    fn in_movers_frame(&self, cell: usize) -> usize {
        match self.to_move {
            Player::First => cell,
            Player::Second => cell % self.size * self.size + cell / self.size,
        }
    }

    fn symmetric(&self, symmetry: usize, cell: usize) -> usize {
        if symmetry == 0 { cell } else { self.stones.len() - 1 - cell }
    }
}
