//! Transpositions: the statistics that all nodes of one position share, in games where the order of moves does not
//! matter.
//!
//! A node's own visits say how often its parent chose it. Its value is the mean over all nodes of its position, which
//! other orders of the same moves reach too (UCT2 of Childs, Brodeur and Kocsis, *Transpositions and move groups in
//! Monte Carlo tree search*, 2008).

use rustc_hash::FxHashMap;

use hexzero_games::{Action, Position, WinDrawLoss};

use super::statistics::Statistics;
use super::tree::{NONE, Node};

/// The set of moves that lead to a position, as a number: equal for all their orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct MoveSet(u64);

impl MoveSet {
    /// Adds a move made in a position. The set is a sum because a move may be made twice, after a swap has taken the
    /// first stone away. What a swap does depends on the move before it, so the order of these two counts.
    pub fn with(self, position: &Position, action: Action) -> Self {
        let sum = self.0.wrapping_add(mixed(2 * u64::from(action.0) + position.to_move().index() as u64));
        Self(if position.game_board().swap() == Some(action) { mixed(sum) } else { sum })
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// The statistics of positions by their moves.
#[derive(Debug, Clone, Default)]
pub(super) struct Transpositions {
    found: Vec<Statistics>,
    /// Indices of `found`.
    places: FxHashMap<MoveSet, u32>,
}

impl Transpositions {
    /// Returns the memory allocated, in bytes.
    pub fn bytes(&self) -> usize {
        self.found.capacity() * size_of::<Statistics>() + Self::table_bytes(self.places.capacity())
    }

    /// Returns the size in bytes of a hash table for this many positions: the number of slots is a power of two, one in
    /// eight stays free, and each has a control byte.
    fn table_bytes(positions: usize) -> usize {
        let places = if positions == 0 { 0 } else { (positions * 8 / 7).next_power_of_two() };
        places * (1 + size_of::<(MoveSet, u32)>())
    }

    /// Returns the bytes that another position may take.
    pub fn growth(&self) -> usize {
        let table = Self::table_bytes(2 * self.places.capacity().max(4));
        let more = |is_full: bool, bytes: usize| if is_full { bytes } else { 0 };
        more(self.places.len() == self.places.capacity(), table)
            + more(self.found.len() == self.found.capacity(), self.found.len().max(4) * size_of::<Statistics>())
    }

    /// Returns the place of a position, a new one if need be.
    pub fn place(&mut self, moves: MoveSet) -> u32 {
        let next = self.found.len() as u32;
        let place = *self.places.entry(moves).or_insert(next);
        if place == next {
            self.found.push(Statistics::default());
        }
        place
    }

    /// Returns the shared statistics of a node's position, if they have more visits than the node itself.
    #[inline]
    pub fn of(&self, node: &Node) -> Option<&Statistics> {
        self.found.get(node.twins as usize).filter(|all| all.visits > node.statistics.visits)
    }

    #[inline]
    pub fn add(&mut self, node: &Node, outcome: WinDrawLoss) {
        if let Some(all) = self.found.get_mut(node.twins as usize) {
            all.add(outcome);
        }
    }

    /// Forgets the positions that none of these nodes has, and renumbers the others.
    pub fn keep(&mut self, nodes: &mut [Node]) {
        let mut kept = vec![NONE; self.found.len()];
        let mut found = Vec::new();
        for node in nodes.iter_mut().filter(|node| node.twins != NONE) {
            let place = &mut kept[node.twins as usize];
            if *place == NONE {
                *place = found.len() as u32;
                found.push(self.found[node.twins as usize]);
            }
            node.twins = *place;
        }
        self.found = found;
        self.places.retain(|_, place| {
            *place = kept[*place as usize];
            *place != NONE
        });
        self.places.shrink_to_fit();
    }

    pub fn clear(&mut self) {
        self.found.clear();
        self.places.clear();
    }

    pub fn free_unused(&mut self) {
        self.found.shrink_to_fit();
        self.places.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::{Evaluation, game_named};

    use super::*;
    use crate::{Limits, Puct, Search, SearchSettings};

    /// Returns the visits of the root's moves, and how many nodes share a position with another.
    fn searched(game: &str, transpositions: bool) -> (Vec<u32>, usize) {
        let settings = SearchSettings { transpositions, ..SearchSettings::from(Puct::default()) };
        let mut search = Search::new(game_named(game).unwrap().start(5).unwrap(), settings);
        let by_stones = |position: &Position, legal: &[Action]| {
            let hash = position.drawing(None).bytes().fold(7u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
            let win = (hash % 100) as f32 / 100.0;
            Evaluation { outcome: WinDrawLoss { win, draw: 0.0, loss: 1.0 - win }, ..Evaluation::uniform(legal.len()) }
        };
        search.run(&mut { by_stones }, &Limits::visits(3000));
        let joined = search.tree.nodes.iter().filter(|node| node.twins != NONE).count();
        let shared = joined - search.tree.transpositions.found.len();
        (search.root_moves().iter().map(|found| found.visits).collect(), shared)
    }

    /// A swap mirrors the stone before it: the same moves with another first stone lead elsewhere.
    #[test]
    fn swap_keeps_the_order_of_the_moves_before() {
        let after = |moves: &str| {
            let mut position = game_named("hex").unwrap().start(5).unwrap();
            moves.split(' ').fold(MoveSet::default(), |set, name| {
                let action = position.parse_action(name).unwrap();
                let set = set.with(&position, action);
                position.play(action);
                set
            })
        };
        assert_ne!(after("a2 swap c4"), after("c4 swap a2"));
        assert_eq!(after("a2 swap c4 d1 b5"), after("a2 swap b5 d1 c4"));
    }

    #[test]
    fn orders_of_the_same_moves_share_what_they_find() {
        let ((with, shared), (without, none)) = (searched("hex-noswap", true), searched("hex-noswap", false));
        assert!(shared > 100 && none == 0, "{shared} {none}");
        assert_ne!(with, without);
        assert_eq!(with, searched("hex-noswap", true).0);
        // Captures of Cachex depend on the order.
        assert_eq!(searched("cachex", true), searched("cachex", false));
    }
}
