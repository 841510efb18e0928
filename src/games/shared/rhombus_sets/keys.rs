//! Keys of positions.

use crate::games::Seat;

/// A random number for each player's stone on each cell (row × 16 + column), whose exclusive or is
/// a position's key (Zobrist 1970).
static STONE_KEYS: [[u64; 256]; 2] = {
    // The splitmix64 sequence (Steele, Lea and Flood 2014).
    let mut keys = [[0; 256]; 2];
    let mut state = 0x6865_787a_6572_6f00u64;
    let mut i = 0;
    while i < 512 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i / 256][i % 256] = z ^ (z >> 31);
        i += 1;
    }
    keys
};

/// The number of a player's stone on a cell.
#[inline]
pub fn stone_key(player: Seat, row: usize, column: usize) -> u64 {
    STONE_KEYS[player.index()][row << 4 | column]
}
