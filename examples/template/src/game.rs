//! Fours, on a hexagon: put a stone on an empty cell. Four of your stones in a line win, but three in a line without a fourth lose.
//!
//! The game of the template: replace it by your own.

use hexzero_board::{Board, NO_CELL, Shape};
use hexzero_games::{
    Action, Boards, Change, ChangeLog, EndReason, Ending, GameInfo, InvalidMove, LessonPart, Outcome, Piece, Rules,
    Seat, SeatInfo, Transform,
};

const FOUR: EndReason = EndReason(0);
const THREE: EndReason = EndReason(1);
const FULL: EndReason = EndReason(2);

const TASK: &str = "Make a line of four and no line of three.";

/// A position of Fours.
#[derive(Debug, Clone)]
pub struct Fours {
    size: usize,
    stones: Vec<Option<Seat>>,
    turns: usize,
    outcome: Option<Outcome>,
}

impl Fours {
    /// Counts the stones in a row from `cell` in a direction that equal the one on it, without that one.
    fn run(&self, cell: usize, direction: usize) -> usize {
        let neighbours = Self::board(self.size).topology().neighbours();
        let next = |&cell: &usize| match neighbours[cell][direction] {
            NO_CELL => None,
            next => Some(usize::from(next)),
        };
        let stone = self.stones[cell];
        std::iter::successors(next(&cell), next).take_while(|&cell| self.stones[cell] == stone).count()
    }
}

impl Rules for Fours {
    const INFO: GameInfo = GameInfo::new(
        "fours",
        "Fours",
        "four in a line win, three in a line lose",
        Boards::sides(3..=6, 4),
        [SeatInfo::new("black", "makes a line of four", TASK), SeatInfo::new("white", "makes a line of four", TASK)],
    )
    .endings(&[
        Ending::new(FOUR, "four", "there is a line of four"),
        Ending::new(THREE, "three", "there is a line of only three"),
        Ending::new(FULL, "full", "the board is full"),
    ])
    // Two planes and one number go into the network; each cell is an action.
    .inputs(&["own", "enemy"], &["size/6"])
    .usual_plies(|cells| cells / 2)
    .lesson(&[LessonPart {
        title: "Four, not three",
        text: "Put a stone on an empty cell. Four of your stones in a line win; three without a fourth lose.",
        pictures: &[],
    }]);

    fn board(size: usize) -> &'static Board {
        Board::of(&Shape::Hexagon { side: size })
    }

    fn new(size: usize) -> Self {
        Self { size, stones: vec![None; Self::board(size).topology().cells()], turns: 0, outcome: None }
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
        match self.stones.get(action.index()) {
            None => Err(InvalidMove::NoSuchAction { index: action.index(), actions: self.stones.len() }),
            Some(Some(_)) => {
                Err(InvalidMove::Occupied { cell: Self::board(self.size).label(action.index()).to_owned() })
            }
            Some(None) => Ok(()),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.extend((0..self.stones.len() as u16).map(Action).filter(|&action| self.check(action).is_ok()));
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (cell, mover) = (action.index(), self.to_move());
        self.stones[cell] = Some(mover);
        changes.note(Change::Placed(cell as u16));
        self.turns += 1;
        let longest = (0..3).map(|line| 1 + self.run(cell, line) + self.run(cell, line + 3)).max();
        let end = |winner, reason| Some(Outcome { winner, reason });
        self.outcome = match longest {
            Some(4..) => end(Some(mover), FOUR),
            Some(3) => end(Some(mover.opponent()), THREE),
            _ if self.stones.iter().all(Option::is_some) => end(None, FULL),
            _ => None,
        };
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        self.stones[place].map(Piece::stone)
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let mover = self.to_move();
        for (inputs, stone) in cells.chunks_exact_mut(2).zip(&self.stones) {
            inputs[0] = f32::from(u8::from(*stone == Some(mover)));
            inputs[1] = f32::from(u8::from(*stone == Some(mover.opponent())));
        }
        globals[0] = self.size as f32 / 6.0;
    }

    /// Returns all twelve symmetries of the hexagon. Without them the game works, but the network learns more slowly.
    fn symmetries(size: usize) -> Vec<Transform> {
        Self::board(size).symmetries().iter().map(|symmetry| Transform::of(symmetry, &Self::INFO.view)).collect()
    }
}
