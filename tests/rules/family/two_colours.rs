//! Chameleon: stones of two colours that belong to nobody. Whoever's sides a chain of one colour joins has
//! won; if one move joins both pairs, the mover has.

use hexzero::board::{NO_CELL, Topology, cell_name, parse_cell, rhombus};
use hexzero::games::{Action, EndReason, Game, InvalidMove, NetworkView, Outcome, Player, SizeError};

const COLOURS: [char; 2] = ['x', 'o'];

#[derive(Debug, Clone)]
pub struct TwoColours {
    size: usize,
    turns: usize,
    outcome: Option<Outcome>,
    /// The colour of the stone on each cell.
    stones: Vec<Option<usize>>,
}

impl TwoColours {
    fn joins(&self, colour: usize, player: Player) -> bool {
        let n = self.size;
        let line = |cell: usize| if player == Player::First { cell / n } else { cell % n };
        let mut reached: Vec<usize> =
            (0..n * n).filter(|&cell| line(cell) == 0 && self.stones[cell] == Some(colour)).collect();
        let mut at = 0;
        while let Some(&cell) = reached.get(at) {
            for &next in rhombus(n).neighbours()[cell].iter().filter(|&&slot| slot != NO_CELL) {
                let next = next as usize;
                if self.stones[next] == Some(colour) && !reached.contains(&next) {
                    reached.push(next);
                }
            }
            at += 1;
        }
        reached.iter().any(|&cell| line(cell) == n - 1)
    }
}

impl Game for TwoColours {
    const NAME: &'static str = "two-colours";
    const SIZES: std::ops::RangeInclusive<usize> = 2..=19;
    const PLAYER_NAMES: [&'static str; 2] = ["vert", "horz"];
    const GLOBAL_ACTION_NAMES: &'static [&'static str] = &[];
    const VIEW: NetworkView =
        NetworkView { version: 1, cell_inputs: 4, global_inputs: 1, policy_planes: 2, global_actions: 0 };
    const SYMMETRIES: usize = 2;

    fn new(size: usize) -> Result<Self, SizeError> {
        if !{ Self::SIZES }.contains(&size) {
            return Err(SizeError { game: Self::NAME, size, accepted: Self::SIZES });
        }
        Ok(Self { size, turns: 0, outcome: None, stones: vec![None; size * size] })
    }

    fn size(&self) -> usize {
        self.size
    }

    fn topology(&self) -> &'static Topology {
        rhombus(self.size)
    }

    fn to_move(&self) -> Player {
        Player::BOTH[self.turns % 2]
    }

    fn turns(&self) -> usize {
        self.turns
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let cells = self.stones.len();
        match self.stones[action.index() % cells] {
            _ if self.outcome.is_some() => Err(InvalidMove::GameOver),
            _ if action.index() >= 2 * cells => {
                Err(InvalidMove::NoSuchAction { index: action.index(), actions: self.actions() })
            }
            Some(_) => Err(InvalidMove::Occupied { cell: self.cell_name(action.index() % cells) }),
            None => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        actions.extend((0..self.actions() as u16).map(Action).filter(|&action| self.check(action).is_ok()));
    }

    fn play(&mut self, action: Action) {
        let (colour, cell) = (action.index() / self.stones.len(), action.index() % self.stones.len());
        self.stones[cell] = Some(colour);
        let mover = self.to_move();
        let winner = [mover, mover.opponent()].into_iter().find(|&player| self.joins(colour, player));
        self.outcome = winner.map(|winner| Outcome { winner: Some(winner), reason: EndReason::Connection });
        self.turns += 1;
    }

    fn stone(&self, _: usize) -> Option<Player> {
        None
    }

    fn symbol(&self, cell: usize) -> char {
        self.stones[cell].map_or('.', |colour| COLOURS[colour])
    }

    fn parse_action(&self, text: &str) -> Result<Action, InvalidMove> {
        let (colour, cell) = text.split_at_checked(2).unwrap_or((text, ""));
        let colour = COLOURS.iter().position(|symbol| colour.strip_suffix(':') == Some(&symbol.to_string()));
        let cell = parse_cell(self.size, cell)
            .map_err(|source| InvalidMove::Unreadable { source, words: Self::GLOBAL_ACTION_NAMES })?;
        Ok(Action((colour.unwrap_or(2) * self.stones.len() + cell) as u16))
    }

    fn action_name(&self, action: Action) -> String {
        let (colour, cell) = (action.index() / self.stones.len(), action.index() % self.stones.len());
        format!("{}:{}", COLOURS[colour], cell_name(self.size, cell))
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        for cell in 0..self.stones.len() {
            let (row, column) = (cell / self.size, cell % self.size);
            let line = if self.to_move() == Player::First { row } else { column };
            let stone = self.stones[cell];
            let planes = [stone == Some(0), stone == Some(1), line == 0, line == self.size - 1];
            let inputs = &mut cells[self.in_movers_frame(cell) * 4..][..4];
            inputs.copy_from_slice(&planes.map(|on| f32::from(u8::from(on))));
        }
        globals[0] = self.size as f32 / 19.0;
    }

    fn in_movers_frame(&self, cell: usize) -> usize {
        match self.to_move() {
            Player::First => cell,
            Player::Second => cell % self.size * self.size + cell / self.size,
        }
    }

    fn symmetric(&self, symmetry: usize, cell: usize) -> usize {
        if symmetry == 0 { cell } else { self.stones.len() - 1 - cell }
    }

    fn symmetric_input(&self, symmetry: usize, plane: usize) -> usize {
        if symmetry == 1 && plane >= 2 { plane ^ 1 } else { plane }
    }
}
