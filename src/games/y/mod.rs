//! Y: on a triangle both players want the same, a chain that touches all three sides. The first to have one wins.
//!
//! Black moves first. Stones never move, and a full board has exactly one winner. In the variant with the swap White may
//! take over Black's first stone, where it lies, instead of placing one; Black moves again. The stone has no other
//! place to go: both players have the same sides.

mod info;

use std::ops::RangeInclusive;

use crate::board::Shape;
use crate::games::GameInfo;
use crate::games::shared::joining::{Joining, Kind};

/// Y, with or without the swap, among the games about joining sides.
#[derive(Debug, Clone)]
pub struct YKind<const SWAP: bool>;

/// Y without the swap.
pub type Y = Joining<YKind<false>>;
/// Y with the swap. Networks of [`Y`] play it.
pub type YWithSwap = Joining<YKind<true>>;

impl<const SWAP: bool> Kind for YKind<SWAP> {
    const INFO: GameInfo = info::info(SWAP);
    const SWAP: bool = SWAP;
    const SOLVED: RangeInclusive<usize> = 3..=5;

    fn shape(size: usize) -> Shape {
        Shape::Triangle { side: size }
    }
}
