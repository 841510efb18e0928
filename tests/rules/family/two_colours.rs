//! Chameleon: stones of two colours that belong to nobody. Whoever's sides a chain of one colour joins has
//! won; if one move joins both pairs, the mover has.

use hexzero::board::{Board, NO_CELL, cell_name, rhombus};
use hexzero::games::{
    Action, Boards, Change, ChangeLog, Choice, EndReason, Ending, GameInfo, InvalidMove, NetworkView, Outcome, Pick,
    Piece, Rules, Seat, SeatInfo, Transform,
};

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
    fn joins(&self, colour: usize, player: Seat) -> bool {
        let n = self.size;
        let line = |cell: usize| if player == Seat::First { cell / n } else { cell % n };
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

impl Rules for TwoColours {
    const INFO: GameInfo = GameInfo {
        id: "two-colours",
        title: "Chameleon",
        summary: "Hex with stones of two colours that belong to nobody",
        network: "two-colours",
        boards: Boards { sizes: 2..=19, default: 5, meaning: "cells on a side" },
        seats: [
            SeatInfo { name: "vert", goal: "joins row 1 to the last row", task: "Join top and bottom." },
            SeatInfo { name: "horz", goal: "joins column a to the last column", task: "Join left and right." },
        ],
        actions: &[],
        choices: &[Choice { word: "x", label: "x" }, Choice { word: "o", label: "o" }],
        endings: &[Ending { reason: EndReason::CONNECTION, key: "connection", words: "two sides are connected" }],
        counts: &[],
        view: NetworkView { version: 1, cell_inputs: 4, global_inputs: 1, policy_planes: 2, global_actions: 0 },
        cell_inputs: &["x", "o", "own_side_1", "own_side_2"],
        global_inputs: &["size/19"],
        usual_plies: |cells| 2 * cells / 3,
        sgf: None,
        lesson: &[],
    };

    fn new(size: usize) -> Self {
        Self { size, turns: 0, outcome: None, stones: vec![None; size * size] }
    }

    fn to_move(&self) -> Seat {
        Seat::BOTH[self.turns % 2]
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
                Err(InvalidMove::NoSuchAction { index: action.index(), actions: 2 * cells })
            }
            Some(_) => Err(InvalidMove::Occupied { cell: cell_name(self.size, action.index() % cells) }),
            None => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        let all = 0..2 * self.stones.len() as u16;
        actions.extend(all.map(Action).filter(|&action| self.check(action).is_ok()));
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (colour, cell) = (action.index() / self.stones.len(), action.index() % self.stones.len());
        self.stones[cell] = Some(colour);
        changes.note(Change::Placed(cell as u16));
        let mover = self.to_move();
        let winner = [mover, mover.opponent()].into_iter().find(|&player| self.joins(colour, player));
        self.outcome = winner.map(|winner| Outcome { winner: Some(winner), reason: EndReason::CONNECTION });
        self.turns += 1;
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stones[place].map(|colour| Piece { owner: None, kind: Some(COLOURS[colour]), number: 0 })
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        let (colour, cell) = text.split_at_checked(2).unwrap_or((text, ""));
        let colour = COLOURS.iter().position(|symbol| colour.strip_suffix(':') == Some(&symbol.to_string()));
        let cell = board.parse(cell).map_err(|source| InvalidMove::unreadable(source, Vec::new()))?;
        Ok(Action((colour.unwrap_or(2) * self.stones.len() + cell) as u16))
    }

    fn action_name(&self, board: &Board, action: Action) -> String {
        let (colour, cell) = (action.index() / self.stones.len(), action.index() % self.stones.len());
        format!("{}:{}", COLOURS[colour], board.label(cell))
    }

    fn picks(&self, _board: &Board, action: Action) -> Vec<Pick> {
        let (colour, cell) = (action.index() / self.stones.len(), action.index() % self.stones.len());
        vec![Pick::Place(cell as u16), Pick::Choice(colour as u8)]
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let frame = &Self::frames(self.size)[self.frame()];
        for cell in 0..self.stones.len() {
            let (row, column) = (cell / self.size, cell % self.size);
            let line = if self.to_move() == Seat::First { row } else { column };
            let stone = self.stones[cell];
            let planes = [stone == Some(0), stone == Some(1), line == 0, line == self.size - 1];
            let inputs = &mut cells[frame.cells.apply(cell) * 4..][..4];
            inputs.copy_from_slice(&planes.map(|on| f32::from(u8::from(on))));
        }
        globals[0] = self.size as f32 / 19.0;
    }

    /// The second player sees the board transposed.
    fn frames(size: usize) -> Vec<Transform> {
        let symmetries = Self::board(size).symmetries();
        [0, 2].map(|number| Transform::of(&symmetries[number], &Self::INFO.view)).into()
    }

    fn frame(&self) -> usize {
        self.to_move().index()
    }

    /// The identity and the half turn, which exchanges the mover's sides.
    fn symmetries(size: usize) -> Vec<Transform> {
        let [identity, half_turn] =
            [0, 1].map(|number| Transform::of(&Self::board(size).symmetries()[number], &Self::INFO.view));
        vec![identity, half_turn.with_inputs(|plane| if plane >= 2 { plane ^ 1 } else { plane })]
    }
}
