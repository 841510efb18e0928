//! Code for several games.
//!
//! | file | subject |
//! |---|---|
//! | `rhombus` | the players' sides, frames and symmetries of a rhombus; hash keys of stones |
//! | `rhombus_sets/` | stones on a rhombus as sets of cells, for games in which stones move, change hands or vanish |
//! | `rhombus_chains` | stones on a rhombus as chains, for games in which stones never move; they need no owners |
//! | `two_colours` | on top of the chains: stones of two colours without owners |
//! | `words` | the seats, the swap and the input planes in words |
//! | `joining/` | chains on boards of any shape, or on several, for games in which stones never move |

pub mod joining;
pub mod rhombus;
pub mod rhombus_chains;
pub mod rhombus_sets;
pub mod two_colours;
pub mod words;

/// Yields the members of a set of numbers below 64, which is given as bits.
#[inline]
pub(crate) fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        first
    })
}
