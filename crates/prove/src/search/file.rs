//! The table as bytes, so that a later search goes on where this one stopped.
//!
//! | bytes | contents |
//! |---|---|
//! | 16 | `hexzero table 1` and a line feed |
//! | 4 | CRC-32 of what follows |
//! | … | in bincode: [`Scope`], and the positions by number |
//!
//! The version changes with the knowledge: other rules know other positions. The verdicts in a file with the right
//! checksum are trusted.

use bincode::config;
use bincode::serde::{decode_from_slice, encode_to_vec};
use serde::{Deserialize, Serialize};

use super::Prover;
use super::node::Node;
use super::table::Table;
use crate::hex::{Knowledge, MAX_FULL, MAX_OR, MAX_SEMI, Stones};

const MAGIC: &[u8] = b"hexzero table 1\n";

/// What a table and a search that uses it must have in common.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Scope {
    board: String,
    knowledge: Knowledge,
    /// The limits of the search for connections.
    limits: [usize; 3],
}

/// A position, and the positions expanded at and below it.
pub(super) type Entry<N> = (Stones, N, u32);

/// Bytes that are not a table that this search can use; the message says why.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TableError(String);

impl Prover<'_> {
    fn scope(&self) -> Scope {
        let board = format!("{} of size {}", if self.board.is_y() { "Y" } else { "Hex" }, self.board.size());
        Scope { board, knowledge: self.options.knowledge, limits: [MAX_FULL, MAX_SEMI, MAX_OR] }
    }

    /// Returns the table as bytes: what is proven, and the proof numbers of open positions.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn saved(&self) -> Result<Vec<u8>, String> {
        let failed = |error: bincode::error::EncodeError| error.to_string();
        let contents = encode_to_vec((self.scope(), self.table.entries()), config::standard()).map_err(failed)?;
        Ok([MAGIC, &crc32fast::hash(&contents).to_le_bytes(), &contents].concat())
    }

    /// Replaces the table by one that was [saved](Self::saved).
    ///
    /// # Errors
    /// If the bytes are damaged, or of a search of another board or with other knowledge.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        let damaged = |problem: &str| TableError(format!("damaged: {problem}"));
        let other = || TableError("not a table of proofs, or one of another version of the program".to_owned());
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(other)?;
        let (sum, contents) = rest.split_first_chunk().ok_or_else(|| damaged("cut off"))?;
        if crc32fast::hash(contents) != u32::from_le_bytes(*sum) {
            return Err(damaged("its checksum is wrong"));
        }
        let failed = |error: bincode::error::DecodeError| damaged(&error.to_string());
        let (scope, used): (Scope, usize) = decode_from_slice(contents, config::standard()).map_err(failed)?;
        let expected = self.scope();
        if scope.board != expected.board {
            return Err(TableError(format!("a table of {}, not {}", scope.board, expected.board)));
        }
        if scope != expected {
            return Err(TableError("a table of a search with another --knowledge".to_owned()));
        }
        let decoded = decode_from_slice(&contents[used..], config::standard()).map_err(failed)?;
        let (entries, _): (Vec<Entry<Node>>, usize) = decoded;
        if !entries.iter().all(|entry| self.may_be(entry, &entries)) {
            return Err(damaged("a position is none of this board"));
        }
        self.table = Table::of(entries);
        Ok(())
    }

    /// Returns whether an entry cannot lead a search astray: off the board, or in circles.
    fn may_be(&self, (stones, node, _): &Entry<Node>, entries: &[Entry<Node>]) -> bool {
        let count = |stones: &Stones| stones.empty(&self.board).count_ones();
        let follows = |number: u32| entries.get(number as usize).is_some_and(|(next, ..)| count(next) < count(stones));
        let is_on_board = (stones.own | stones.opponent) & !self.board.board() == 0;
        is_on_board && stones.own & stones.opponent == 0 && node.may_be(stones.empty(&self.board), follows)
    }
}
