//! Chameleon: stones of two colours without owners. A chain of one colour between a player's sides
//! wins for that player, even if the opponent completes it.
//!
//! Randy Cox; Bill Taylor and Cameron Browne, 2003.

use rand::Rng;

use crate::shared::rhombus_chains::{RhombusStones, joins_sides_of};
use crate::shared::two_colours::{
    CELL_INPUTS, COLOURS, JOINED, O, SEATS, X, colour_named, encode, prospects, symmetries,
};
use crate::{
    Action, Boards, Change, ChangeLog, Choice, Ending, GameInfo, GameRng, InvalidMove, LessonPart, MoveSign, Outcome,
    Pick, Picture, Rules, Seat, Solver, State, Transform, rules_by_fields,
};
use hexzero_board::Board;

const MAX_SIZE: usize = 14;

/// A position of Chameleon.
#[derive(Debug, Clone)]
pub struct Chameleon {
    to_move: Seat,
    turns: u16,
    outcome: Option<Outcome>,
    stones: RhombusStones<{ MAX_SIZE * MAX_SIZE }>,
}

impl Chameleon {
    /// Splits an action, which may be any number, into its colour and cell.
    fn parts(&self, action: Action) -> (usize, usize) {
        (action.index() / self.stones.cells(), action.index() % self.stones.cells())
    }

    fn action(&self, colour: usize, cell: usize) -> Action {
        Action((colour * self.stones.cells() + cell) as u16)
    }
}

impl Rules for Chameleon {
    const INFO: GameInfo = INFO;
    const SOLVER: Option<Solver> = Some(Solver::exhaustive_to::<Self, 3>(3..=4));

    fn new(size: usize) -> Self {
        Self { to_move: Seat::First, turns: 0, outcome: None, stones: RhombusStones::new(size) }
    }

    rules_by_fields!(to_move, hand_turn_to, turns, outcome, frame, colours, winning_chain, frames);

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let (colour, cell) = self.parts(action);
        if colour >= COLOURS.len() {
            let actions = COLOURS.len() * self.stones.cells();
            return Err(InvalidMove::NoSuchAction { index: action.index(), actions });
        }
        self.stones.check_empty(cell)
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.extend(self.stones.empty_cells().map(|cell| Action(cell as u16)));
        for index in 0..actions.len() {
            actions.push(Action(actions[index].0 + self.stones.cells() as u16));
        }
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let cell = self.stones.random_empty_cell(rng);
        Some(self.action(usize::from(rng.random::<bool>()), cell))
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (colour, cell) = self.parts(action);
        changes.note(Change::Placed(cell as u16));
        let sides = self.stones.place(cell, colour as u8);
        // The mover wins if the chain connects both pairs of sides.
        let winner = [self.to_move, self.to_move.opponent()].into_iter().find(|&seat| joins_sides_of(seat, sides));
        self.outcome = winner.map(Outcome::connection);
        self.turns += 1;
        self.to_move = self.to_move.opponent();
    }

    fn winning_action(&self) -> Option<Action> {
        // A chain from side to side needs as many stones as the board has rows.
        if self.turns() + 1 < self.stones.side() {
            return None;
        }
        let wins = |cell, colour: usize| joins_sides_of(self.to_move, self.stones.sides_with(cell, colour as u8));
        let winning =
            |cell| (0..COLOURS.len()).find(|&colour| wins(cell, colour)).map(|colour| self.action(colour, cell));
        self.stones.empty_cells().find_map(winning)
    }

    /// Parses `x:c3`.
    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        let (colour, place) = text.split_once(':').unwrap_or(("", text));
        let cell = board.parse(place).map_err(|source| InvalidMove::unreadable(source, Vec::new()))?;
        let Some(colour) = colour_named(colour) else {
            let reason = format!("say which colour: 'x:{place}' or 'o:{place}'");
            return Err(InvalidMove::refused(reason));
        };
        Ok(self.action(colour, cell))
    }

    fn action_name(&self, board: &Board, action: Action) -> String {
        let (colour, cell) = self.parts(action);
        format!("{}:{}", COLOURS[colour], board.label(cell))
    }

    fn picks(&self, _board: &Board, action: Action) -> Vec<Pick> {
        let (colour, cell) = self.parts(action);
        vec![Pick::Place(cell as u16), Pick::Choice(colour as u8)]
    }

    fn heuristic(&self) -> Option<i32> {
        Some(prospects(&self.stones, self.to_move, [1, 1]))
    }

    fn state(&self) -> Option<State> {
        self.stones.state(self.to_move, false)
    }

    /// Planes: [`crate::shared::two_colours::CELL_INPUTS`]. Globals: size / 14.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        encode(&self.stones, self.to_move, cells);
        globals[0] = self.stones.side() as f32 / MAX_SIZE as f32;
    }

    /// Returns the half turn and the exchange of the colours, which the rules treat alike.
    fn symmetries(size: usize) -> Vec<Transform> {
        symmetries(size, &Self::INFO.view, |transform| transform.with_planes(2, |colour| 1 - colour))
    }
}

const LESSON: &[LessonPart] = &[
    LessonPart {
        title: "Two colours for both players",
        text: "Take turns to put a stone on an empty cell: an x or an o, as you like. Stones have no owner and stay \
               where they are. Vert moves first.",
        pictures: &[Picture {
            pieces: &[("b2", X), ("c3", O)],
            label: "An x at b2, an o at c3",
            caption: "Vert has placed an x, horz an o",
            ..Picture::empty(4)
        }],
    },
    LessonPart {
        title: "Connect your two sides",
        text: "A chain of one colour from row 1 to the last row wins for vert, one from column a to the last column \
               for horz. Either colour will do.",
        pictures: &[
            JOINED,
            Picture {
                pieces: &[("a3 b3 c2 d2", X), ("b2 c3 d3", O)],
                chain: "a3 b3 c2 d2",
                label: "A chain of x from column a to column d",
                caption: "Horz wins with a chain of x",
                ..Picture::empty(4)
            },
        ],
    },
    LessonPart {
        title: "Do not finish the other player's chain",
        text: "The chain counts, not who completes it. Only a stone that joins both pairs of sides at once wins for \
               the player who places it.",
        pictures: &[
            Picture {
                pieces: &[("c1 c2 b4", X), ("a2 b2 a4", O)],
                marked: "b3",
                label: "x at c1, c2 and b4, b3 empty",
                caption: "An x on b3 wins for vert, placed by either player",
                ..Picture::empty(4)
            },
            Picture {
                pieces: &[("c1 a3 d2 b4", X), ("b2 c3", O), ("c2", X)],
                marked: "b3",
                label: "x at c1, c2, d2, a3 and b4, b3 empty",
                caption: "An x on b3 joins both pairs: it wins for the player who places it",
                ..Picture::empty(4)
            },
        ],
    },
];

const INFO: GameInfo = GameInfo::new(
    "chameleon",
    "Chameleon",
    "connect your two sides in either of two colours, which both players place",
    Boards::sides(3..=MAX_SIZE, 10),
    SEATS,
)
.choices(&[Choice { word: "x", label: "x" }, Choice { word: "o", label: "o" }])
.notation(&[MoveSign::new("x", "put x on"), MoveSign::new("o", "put o on")], &[])
.endings(&[Ending::connection("a chain of one colour joins its two sides")])
.inputs(&CELL_INPUTS, &["size/14"])
.policy_planes(2)
.with_free_order()
.usual_plies(|cells| 2 * cells / 3)
.weak_levels([1.75, 1.46, 1.15])
.lesson(LESSON);

#[cfg(test)]
mod tests {
    use crate::Game;
    use crate::position::after;

    use super::*;

    #[test]
    fn chain_colour_decides_not_the_completer() {
        let winner = |moves| {
            let position = after(Game::new::<Chameleon>(), 3, moves);
            position.outcome().and_then(|outcome| outcome.winner)
        };
        assert_eq!(winner("x:a1 x:a2"), None);
        assert_eq!(winner("x:a1 x:a2 x:a3"), Some(Seat::First), "vert completes his own");
        assert_eq!(winner("x:a1 x:a2 o:c3 x:a3"), Some(Seat::First), "horz completes vert's");
        assert_eq!(winner("o:a2 x:a1 o:c2 x:c3 o:b2"), Some(Seat::Second), "vert completes horz's");
        // b2 connects both pairs of sides at once: b1 above, c2 on the right, a3 in the corner.
        assert_eq!(winner("x:b1 x:a3 x:c2 x:b2"), Some(Seat::Second), "horz is the mover");
        assert_eq!(winner("x:b1 x:a3 x:c2 o:c3 x:b2"), Some(Seat::First), "vert is the mover");
    }

    #[test]
    fn score_counts_both_colours_and_both_sides() {
        let mut start = Chameleon::new(5);
        assert_eq!(start.heuristic(), Some(0));
        start.play(Action(12), &mut ());
        assert_eq!(start.heuristic(), Some(0), "the middle is on both players' ways");
        start.play(Action(7), &mut ());
        let score = start.heuristic().unwrap();
        assert!(score > 0 && start.to_move() == Seat::First, "two stones in a column: {score}");
        assert!(start.hand_turn_to(Seat::Second));
        assert_eq!(start.heuristic(), Some(-score));
    }
}
