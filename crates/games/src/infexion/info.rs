//! Describes Infexion to the network and to the rest of the program, with either rule for the result.

use crate::shared::words::joined;
use crate::{
    Boards, Count, Counted, Ending, GameInfo, LessonPart, MoveSign, Picture, Piece, Rules, Seat, SeatInfo, Transform,
    flag,
};
use hexzero_board::{DIRECTIONS, Symmetry};

use super::{GONE, HIGHEST, InfexionRules, PLANES, SIDE, SIDES, TURNS};

const fn red(power: u8) -> Piece {
    Piece { owner: Some(Seat::First), kind: None, number: power }
}

const fn blue(power: u8) -> Piece {
    Piece { owner: Some(Seat::Second), kind: None, number: power }
}

const NAMES: [&str; CELL_INPUTS] = joined(&[
    &["own_1", "own_2", "own_3", "own_4", "own_5", "own_6"],
    &["enemy_1", "enemy_2", "enemy_3", "enemy_4", "enemy_5", "enemy_6"],
    &["empty", "own_reach/6", "enemy_reach/6"],
    &["own_gain_0/8", "own_gain_1/8", "own_gain_2/8", "own_gain_3/8", "own_gain_4/8", "own_gain_5/8"],
    &["enemy_gain_0/8", "enemy_gain_1/8", "enemy_gain_2/8", "enemy_gain_3/8", "enemy_gain_4/8", "enemy_gain_5/8"],
    &["own_best/8", "enemy_best/8"],
]);

const TOKENS: LessonPart = LessonPart {
    title: "Spawn",
    text: "Spawn a stack of power 1 on an empty cell, as long as both colours together have less power than the board \
           has cells: 49 on the usual board. Red moves first, and each player's first move is a spawn. Cells are named \
           by row and column, as the numbers at the rim show: 3,2 is in row 3 and column 2.",
    pictures: &[Picture {
        pieces: &[("3,2", red(1)), ("2,4", blue(1))],
        label: "A red and a blue stack of power 1",
        caption: "Red has spawned at 3,2, blue at 2,4",
        ..Picture::empty(SIDE)
    }],
};

const SPREADING: LessonPart = LessonPart {
    title: "Spread",
    text: "Or select a stack of yours and one of the six directions, shown as arrows. The stack leaves its cell, and \
           each of the next cells in that direction, as many as its power, gains one power and becomes yours, empty or \
           not.",
    pictures: &[
        Picture {
            pieces: &[("3,1", red(3)), ("3,2", blue(2)), ("3,4", red(1))],
            marked: "3,1",
            label: "A red stack of power 3 at 3,1, blue with power 2 beside it",
            caption: "Red spreads from 3,1 to the lower right …",
            ..Picture::empty(SIDE)
        },
        Picture {
            pieces: &[("3,2", red(3)), ("3,3", red(1)), ("3,4", red(2))],
            taken: "3,1",
            label: "Three red stacks of power 3, 1 and 2 in a row",
            caption: "… takes blue's stack, fills a cell and raises its own stack",
            ..Picture::empty(SIDE)
        },
    ],
};

const TORUS: LessonPart = LessonPart {
    title: "No edges",
    text: "The board wraps around: what leaves it on one side comes back on the opposite side. A stack that would \
           reach a power of 7, the number of cells in a row, disappears.",
    pictures: &[
        Picture {
            pieces: &[("2,6", red(2)), ("2,1", blue(6))],
            marked: "2,6",
            label: "A red stack of power 2 at the end of row 2, a blue one of power 6 at its beginning",
            caption: "Red spreads from 2,6 over the rim …",
            ..Picture::empty(SIDE)
        },
        Picture {
            pieces: &[("2,0", red(1))],
            taken: "2,6 2,1",
            label: "A red stack of power 1 at 2,0",
            caption: "… to 2,0 and 2,1. There the stack would reach 7, so it is gone",
            ..Picture::empty(SIDE)
        },
    ],
};

const RESULT: LessonPart = LessonPart {
    title: "The end",
    text: "The game ends when a colour has no power left, or after 343 moves (7·7·7). The colour with more power wins \
           if it leads by at least 2. Otherwise it is a draw.",
    pictures: &[],
};

const RESULT_BY_SPECIFICATION: LessonPart = LessonPart {
    title: "The end",
    text: "A colour that alone has power left wins. If neither has any, it is a draw. After 343 moves (7·7·7) the \
           colour with more power wins if it leads by at least 2. Otherwise it is a draw.",
    pictures: &[],
};

pub(super) const INFEXION: GameInfo = GameInfo::new(
    "infexion",
    "Infexion",
    "spread stacks over a board without edges until your opponent has none left",
    Boards::new(SIDES, SIDE, "cells in a row"),
    [
        SeatInfo::new("red", "removes all of blue's stacks", "Remove all of blue's stacks."),
        SeatInfo::new("blue", "removes all of red's stacks", "Remove all of red's stacks."),
    ],
)
.notation(&[MoveSign::new("s", "spawn on"), MoveSign::new("m", "spread from")], &super::spreading::DIRECTION_NAMES)
.endings(&[
    Ending::new(GONE, "gone", "a colour has no power left"),
    Ending::new(TURNS, "turns", "the turn limit has been reached"),
])
.counts(&[Count { key: "raised", title: "stacks raised or taken", what: Counted::Recoloured }])
.view_version(2)
.inputs(&NAMES, &["own_power/cells", "enemy_power/cells", "lead/cells", "plies/limit", "spawn_possible"])
.policy_planes(7)
.usual_plies(|cells| 6 * cells * cells.isqrt() / SIDE)
.weak_levels([1.25, 1.05, 0.87])
.lesson(&[TOKENS, SPREADING, TORUS, RESULT]);

pub(super) const BY_SPECIFICATION: GameInfo = INFEXION
    .variant(
        "infexion-spec",
        "Infexion, original rules",
        "Infexion in which a colour that alone has stacks left always wins",
    )
    .lesson(&[TOKENS, SPREADING, TORUS, RESULT_BY_SPECIFICATION]);

/// The first plane of the stacks: the mover's of power 1; those of higher powers and the enemy's
/// follow.
const STACKS: usize = 0;
const EMPTY: usize = STACKS + 2 * HIGHEST as usize;
/// The plane that counts how many spreads of the mover reach a cell; the next plane counts the
/// enemy's.
const REACH: usize = EMPTY + 1;
/// The first plane of gains: by how much a spread from a cell raises its player's lead, one plane
/// for each direction, first the mover's spreads, then the enemy's.
const GAINS: usize = REACH + 2;
/// The plane of the greatest gain in lead among the mover's spreads that land on a cell; the next
/// plane is the enemy's.
const BEST: usize = GAINS + 2 * DIRECTIONS;
pub(super) const CELL_INPUTS: usize = BEST + 2;

/// Divisors of the reach planes and the gain planes.
const REACH_SCALE: f32 = 6.0;
const GAIN_SCALE: f32 = 8.0;

impl<const SPEC: bool> InfexionRules<SPEC> {
    /// Writes the planes above, and the globals: the mover's power, the enemy's power and the lead,
    /// divided by the number of cells; plies / their limit; whether a spawn is possible.
    pub(super) fn encode_view(&self, cells: &mut [f32], globals: &mut [f32]) {
        let mover = self.to_move;
        let landing = Seat::BOTH.map(|seat| self.landing(seat));
        cells.fill(0.0);
        for (cell, stack) in self.on_board().iter().enumerate() {
            let Some((owner, power)) = *stack else {
                cells[cell * CELL_INPUTS + EMPTY] = 1.0;
                continue;
            };
            let enemy = usize::from(owner != mover);
            cells[cell * CELL_INPUTS + STACKS + usize::from(HIGHEST) * enemy + usize::from(power) - 1] = 1.0;
            for direction in 0..DIRECTIONS {
                let gain = landing[owner.index()].gain(cell, direction, power) as f32 / GAIN_SCALE;
                cells[cell * CELL_INPUTS + GAINS + DIRECTIONS * enemy + direction] = gain;
                for &at in self.torus.landings(cell, direction, power) {
                    let inputs = &mut cells[usize::from(at) * CELL_INPUTS..][..CELL_INPUTS];
                    inputs[REACH + enemy] += 1.0 / REACH_SCALE;
                    inputs[BEST + enemy] = inputs[BEST + enemy].max(gain);
                }
            }
        }
        let [own, enemy] =
            [mover, mover.opponent()].map(|seat| f32::from(self.power[seat.index()]) / self.torus.cells as f32);
        globals.copy_from_slice(&[
            own,
            enemy,
            own - enemy,
            f32::from(self.turns) / Self::turn_limit(self.torus.side) as f32,
            flag(self.spawn_is_possible()),
        ]);
    }
}

/// Applies a symmetry to the view: the direction planes are permuted with the board, in the policy
/// as in the inputs.
pub(super) fn transform(symmetry: &Symmetry) -> Transform {
    let turned = |direction: usize| symmetry.direction(0, direction);
    let policy = |plane: usize| plane.checked_sub(1).map_or(0, |direction| 1 + turned(direction));
    let input = |plane: usize| match plane.checked_sub(GAINS) {
        Some(gain) if gain < 2 * DIRECTIONS => GAINS + gain / DIRECTIONS * DIRECTIONS + turned(gain % DIRECTIONS),
        _ => plane,
    };
    let view = &InfexionRules::<false>::INFO.view;
    Transform::of(symmetry, view).with_planes(PLANES, policy).with_inputs(input)
}
