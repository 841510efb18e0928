//! Signs: on a hexagon, put an x or an o on an empty cell. The first line of three equal signs wins for the player who
//! completes it: the signs have no owner, and both players may use both.

use hexzero::board::{Board, NO_CELL, Shape};
use hexzero::games::{
    Action, Boards, Change, ChangeLog, Choice, EndReason, Ending, GameInfo, InvalidMove, LessonPart, Outcome, Pick,
    Picture, Piece, Rules, Seat, SeatInfo, Transform,
};

const SIGNS: [char; 2] = ['x', 'o'];
const FULL: EndReason = EndReason(1);
const X: Piece = Piece { owner: None, kind: Some('x'), number: 0 };

/// A position of Signs.
#[derive(Debug, Clone)]
pub struct Signs {
    size: usize,
    /// The number of the sign on each cell.
    signs: Vec<Option<u8>>,
    turns: usize,
    outcome: Option<Outcome>,
}

impl Signs {
    fn to_cell(&self, action: Action) -> (u8, usize) {
        ((action.index() / self.signs.len()) as u8, action.index() % self.signs.len())
    }

    /// Counts the equal signs in a row from a cell in a direction, without the cell itself.
    fn run(&self, cell: usize, direction: usize) -> usize {
        let neighbours = Self::board(self.size).topology().neighbours();
        let next = |&cell: &usize| match neighbours[cell][direction] {
            NO_CELL => None,
            next => Some(next as usize),
        };
        let sign = self.signs[cell];
        std::iter::successors(next(&cell), next).take_while(|&cell| self.signs[cell] == sign).count()
    }
}

impl Rules for Signs {
    const INFO: GameInfo = GameInfo::new(
        "toy-hexagon",
        "Signs",
        "the first line of three equal signs wins",
        Boards::sides(2..=4, 3),
        [
            SeatInfo::new("alma", "completes a line of three", "Complete a line of three equal signs."),
            SeatInfo::new("bert", "completes a line of three", "Complete a line of three equal signs."),
        ],
    )
    .choices(&[Choice { word: "x", label: "x" }, Choice { word: "o", label: "o" }])
    .endings(&[
        Ending::new(EndReason(0), "line", "three equal signs are in a line"),
        Ending::new(FULL, "full", "the board is full"),
    ])
    .inputs(&["x", "o", "empty"], &["size/4"])
    .policy_planes(2)
    .usual_plies(|cells| cells / 2)
    .lesson(&[LessonPart {
        title: "Three in a line",
        text: "Put an x or an o on an empty cell. The player who completes three equal signs in a line wins.",
        pictures: &[Picture {
            pieces: &[("a1 b2", X)],
            marked: "c3",
            label: "An x at a1 and at b2",
            caption: "An x at c3 wins",
            ..Picture::empty(2)
        }],
    }]);

    fn board(size: usize) -> &'static Board {
        Board::of(&Shape::Hexagon { side: size })
    }

    fn new(size: usize) -> Self {
        Self { size, signs: vec![None; Self::board(size).topology().cells()], turns: 0, outcome: None }
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
        let actions = 2 * self.signs.len();
        if action.index() >= actions {
            return Err(InvalidMove::NoSuchAction { index: action.index(), actions });
        }
        let (_, cell) = self.to_cell(action);
        let taken = || InvalidMove::Occupied { cell: Self::board(self.size).label(cell).to_owned() };
        if self.signs[cell].is_some() { Err(taken()) } else { Ok(()) }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        let all = 0..2 * self.signs.len() as u16;
        actions.extend(all.map(Action).filter(|&action| self.check(action).is_ok()));
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (sign, cell) = self.to_cell(action);
        self.signs[cell] = Some(sign);
        changes.note(Change::Placed(cell as u16));
        let mover = self.to_move();
        self.turns += 1;
        let line = (0..3).any(|direction| self.run(cell, direction) + self.run(cell, direction + 3) >= 2);
        if line {
            self.outcome = Some(Outcome { winner: Some(mover), reason: EndReason(0) });
        } else if self.signs.iter().all(Option::is_some) {
            self.outcome = Some(Outcome { winner: None, reason: FULL });
        }
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.signs[place].map(|sign| Piece { owner: None, kind: Some(SIGNS[sign as usize]), number: 0 })
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        let unreadable = |source| InvalidMove::unreadable(source, Vec::new());
        let sign = SIGNS.iter().position(|sign| text.to_ascii_lowercase().starts_with(&format!("{sign}:")));
        let place = board.parse(if sign.is_some() { &text[2..] } else { text }).map_err(unreadable)?;
        let Some(sign) = sign else {
            let reason = format!("say which sign: 'x:{text}' or 'o:{text}'");
            return Err(InvalidMove::Refused { reason });
        };
        Ok(Action((sign * self.signs.len() + place) as u16))
    }

    fn action_name(&self, board: &Board, action: Action) -> String {
        let (sign, cell) = self.to_cell(action);
        format!("{}:{}", SIGNS[sign as usize], board.label(cell))
    }

    fn picks(&self, _board: &Board, action: Action) -> Vec<Pick> {
        let (sign, cell) = self.to_cell(action);
        vec![Pick::Place(cell as u16), Pick::Choice(sign)]
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        for (inputs, sign) in cells.chunks_exact_mut(3).zip(&self.signs) {
            inputs.fill(0.0);
            inputs[sign.map_or(2, usize::from)] = 1.0;
        }
        globals[0] = self.size as f32 / 4.0;
    }

    /// Returns the twelve symmetries of the hexagon, each with and without an exchange of the signs.
    fn symmetries(size: usize) -> Vec<Transform> {
        let view = &Self::INFO.view;
        let both = |symmetry| {
            let plain = Transform::of(symmetry, view);
            let exchanged = |plane: usize| if plane < 2 { 1 - plane } else { plane };
            [plain.clone(), plain.with_planes(2, exchanged).with_inputs(exchanged)]
        };
        Self::board(size).symmetries().iter().flat_map(both).collect()
    }
}
