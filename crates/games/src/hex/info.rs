//! Describes Hex to the rest of the program, with and without the swap.

use crate::shared::words;
use crate::shared::words::{GOAL, SEATS, SIDES, joined};
use crate::{Boards, Ending, GameInfo, GlobalAction, LessonPart};

use super::MAX_SIZE;

const CELL_INPUTS: [&str; 13] = joined(&[&["own", "enemy", "empty"], &SIDES, &["own_wins", "enemy_wins"]]);

const SWAP: GlobalAction = GlobalAction {
    offer: "Swap if black's stone is near the middle: it becomes yours, mirrored. If not, place one.",
    ..words::SWAP
};

const SWAPPING: LessonPart = LessonPart {
    text: "Moving first is an advantage. So white may take over the first stone instead of placing one: it becomes \
           white's, mirrored to white's sides. Then black moves again.",
    ..words::SWAPPING
};

const ALSO: LessonPart =
    LessonPart { title: "Also", text: "Stones stay where they are, and there is no draw.", pictures: &[] };

pub(super) const WITH_SWAP: GameInfo = GameInfo::new(
    "hex",
    "Hex",
    "connect your two sides; the second player may take over the first stone",
    Boards::sides(2..=MAX_SIZE, 11),
    SEATS,
)
.actions(&[SWAP])
.endings(&[Ending::CONNECTION])
.inputs(&CELL_INPUTS, &["swap_possible", "reply_may_swap", "size/19"])
.with_free_order()
.usual_plies(|cells| cells / 2)
.sgf(11)
.weak_levels([1.56, 1.29, 1.05])
.lesson(&[GOAL, SWAPPING, ALSO]);

pub(super) const WITHOUT_SWAP: GameInfo = WITH_SWAP
    .variant("hex-noswap", "Hex without the swap", "connect your two sides; no swap, as in solvers and handicap games")
    .lesson(&[GOAL, ALSO]);
