//! A file of games.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `HXZGAMES` |
//! | 2 | format version, little-endian like all numbers |
//! | 1 + n | length and name of the game |
//! | 4 | number of games |
//! | 8 | length of the payload before compression |
//! | 8 | length of the payload |
//! | 4 | CRC-32 of everything above and of the payload |
//! | … | the payload: the games in bincode, compressed with zstd |

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use hexzero_games::Outcome;
use hexzero_system::files::{read_at_most, write_whole};

use super::codec::{self, checksum, compress, decompress};
use super::{GameRecord, GameStart, TurnRecord};

/// The format that this program writes. It also reads version 2, whose games do not say how they began.
pub const SHARD_FORMAT: u16 = 3;

const MAGIC: &[u8; 8] = b"HXZGAMES";
/// Games are small; a payload that claims more than this is damaged.
const MAX_PAYLOAD_BYTES: u64 = 1 << 28;
/// The limit on a file: a payload that does not shrink, and the header.
const MAX_FILE_BYTES: u64 = MAX_PAYLOAD_BYTES + (MAX_PAYLOAD_BYTES >> 8) + 1024;
/// The memory that the games of any shard may take, and how much more they may take per byte of the
/// file, so that a small file cannot claim gigabytes. Real games take at most a hundred times the
/// size of their file.
const MEMORY_OF_ANY: usize = 1 << 26;
const MEMORY_OF_A_BYTE: usize = 4000;
const MAX_MEMORY: usize = 1 << 31;
/// No game takes fewer bytes than this before compression; a shard that claims more games is damaged.
const MIN_GAME_BYTES: u64 = 6;

/// Games of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Shard {
    /// The game's name.
    pub game: String,
    /// The games.
    pub records: Vec<GameRecord>,
}

/// Why a shard cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("shard {}: {problem}", path.display())]
pub struct ShardError {
    /// Which file.
    pub path: PathBuf,
    /// The problem.
    pub problem: ShardProblem,
}

/// The fault of a shard.
#[derive(Debug, thiserror::Error)]
pub enum ShardProblem {
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// Not a shard.
    #[error("not a hexzero game shard (it does not begin with HXZGAMES)")]
    NotAShard,
    /// Written in another version of the format.
    #[error("format version {found}; this program reads versions 2 and {SHARD_FORMAT}")]
    OtherFormat {
        /// The version found.
        found: u16,
    },
    /// The file ends too early, or goes on too long.
    #[error("{found} bytes long where its header says {expected}")]
    Length {
        /// Bytes in the file.
        found: usize,
        /// Expected length.
        expected: u64,
    },
    /// The file ends inside the header.
    #[error("cut off inside the header")]
    CutOff,
    /// The checksum does not fit.
    #[error("damaged: its checksum is {found:08x}, expected {expected:08x}")]
    Checksum {
        /// The checksum of the contents.
        found: u32,
        /// The checksum in the header.
        expected: u32,
    },
    /// There are more games than a shard holds.
    #[error(
        "its games take {found} bytes, and a shard like this holds {most}; play fewer games an iteration (training.games_per_iteration)"
    )]
    TooLarge {
        /// Bytes of the games, before compression or in memory.
        found: u64,
        /// The limit.
        most: u64,
    },
    /// The contents are intact but not understood.
    #[error("cannot be decoded: {0}")]
    Contents(String),
}

/// A game of format version 2.
#[derive(Deserialize)]
struct OldRecord {
    size: u8,
    turns: Vec<TurnRecord>,
    outcome: Outcome,
    evaluations: u32,
    played_out: bool,
}

impl From<OldRecord> for GameRecord {
    fn from(OldRecord { size, turns, outcome, evaluations, played_out }: OldRecord) -> Self {
        let record = Self { size, turns, outcome, evaluations, played_out, start: GameStart::Empty };
        Self { start: GameStart::of_random(record.opening_plies()), ..record }
    }
}

impl Shard {
    /// Returns true if a file begins like a shard.
    pub fn is_shard(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads and checks a shard.
    ///
    /// # Errors
    /// If the file cannot be read, is not a shard, is of another format version, or is damaged.
    pub fn read(path: &Path) -> Result<Self, ShardError> {
        let problem = |problem| ShardError { path: path.to_owned(), problem };
        let bytes = read_at_most(path, MAX_FILE_BYTES).map_err(|error| problem(error.into()))?;
        Self::from_bytes(&bytes).map_err(problem)
    }

    /// Reads and checks a shard in memory.
    ///
    /// # Errors
    /// As [`Shard::read`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ShardProblem> {
        let cut_off = || ShardProblem::CutOff;
        let rest = bytes.strip_prefix(MAGIC).ok_or(ShardProblem::NotAShard)?;
        let (version, rest) = rest.split_first_chunk().ok_or_else(cut_off)?;
        let found = u16::from_le_bytes(*version);
        if !(2..=SHARD_FORMAT).contains(&found) {
            return Err(ShardProblem::OtherFormat { found });
        }
        let (&name_length, rest) = rest.split_first().ok_or_else(cut_off)?;
        let (game, rest) = rest.split_at_checked(usize::from(name_length)).ok_or_else(cut_off)?;
        let (games, rest) = rest.split_first_chunk().ok_or_else(cut_off)?;
        let (raw_length, rest) = rest.split_first_chunk().ok_or_else(cut_off)?;
        let (length, rest) = rest.split_first_chunk().ok_or_else(cut_off)?;
        let header = &bytes[..bytes.len() - rest.len()];
        let (sum, payload) = rest.split_first_chunk().ok_or_else(cut_off)?;
        let (games, expected_sum) = (u64::from(u32::from_le_bytes(*games)), u32::from_le_bytes(*sum));
        let [raw_length, length] = [raw_length, length].map(|number| u64::from_le_bytes(*number));
        if payload.len() as u64 != length {
            let expected = (bytes.len() - payload.len()) as u64;
            return Err(ShardProblem::Length { found: bytes.len(), expected: expected.saturating_add(length) });
        }
        let found_sum = checksum(header, payload);
        if found_sum != expected_sum {
            return Err(ShardProblem::Checksum { found: found_sum, expected: expected_sum });
        }
        let contents = ShardProblem::Contents;
        let game = std::str::from_utf8(game).map_err(|error| contents(error.to_string()))?.to_owned();
        let most = most_memory(bytes.len());
        if raw_length > MAX_PAYLOAD_BYTES.min(most as u64) || games > raw_length / MIN_GAME_BYTES {
            return Err(contents(format!("{games} games in a payload of {raw_length} bytes")));
        }
        let raw = decompress(payload, raw_length as usize).map_err(|error| contents(error.to_string()))?;
        let records: Result<Vec<GameRecord>, _> = match found {
            2 => codec::decode_list(&raw, most, |record: &OldRecord| GameRecord::memory(&record.turns))
                .map(|records| records.into_iter().map(GameRecord::from).collect()),
            _ => codec::decode_list(&raw, most, |record: &GameRecord| GameRecord::memory(&record.turns)),
        };
        let records = records.map_err(contents)?;
        if records.len() as u64 != games {
            return Err(contents(format!("{} games where the header says {games}", records.len())));
        }
        Ok(Self { game, records })
    }

    /// Writes the file, whole or not at all. The same games give the same bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), ShardError> {
        let problem = |problem| ShardError { path: path.to_owned(), problem };
        let bytes = self.to_bytes().map_err(problem)?;
        write_whole(path, &bytes).map_err(|error| problem(error.into()))
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// If the games cannot be encoded, or are too many.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ShardProblem> {
        let raw = codec::encode(&self.records).map_err(ShardProblem::Contents)?;
        if raw.len() as u64 > MAX_PAYLOAD_BYTES {
            return Err(ShardProblem::TooLarge { found: raw.len() as u64, most: MAX_PAYLOAD_BYTES });
        }
        let payload = compress(&raw)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(SHARD_FORMAT.to_le_bytes());
        bytes.push(self.game.len() as u8);
        bytes.extend(self.game.as_bytes());
        bytes.extend((self.records.len() as u32).to_le_bytes());
        bytes.extend((raw.len() as u64).to_le_bytes());
        bytes.extend((payload.len() as u64).to_le_bytes());
        bytes.extend(checksum(&bytes, &payload).to_le_bytes());
        bytes.extend(payload);
        let found = self.records.iter().map(|record| GameRecord::memory(&record.turns)).sum::<usize>();
        let most = most_memory(bytes.len());
        match found > most {
            true => Err(ShardProblem::TooLarge { found: found as u64, most: most as u64 }),
            false => Ok(bytes),
        }
    }
}

/// Returns the limit on the memory of the games of a file of this length.
fn most_memory(length: usize) -> usize {
    length.saturating_mul(MEMORY_OF_A_BYTE).saturating_add(MEMORY_OF_ANY).min(MAX_MEMORY)
}

#[cfg(test)]
mod tests {
    use super::super::{SearchRecord, TurnRecord};
    use super::*;
    use hexzero_games::{Action, EndReason, Outcome, Seat, WinDrawLoss};

    fn shard() -> Shard {
        let search = SearchRecord {
            full: true,
            visits: 40,
            policy: vec![(Action(3), 30), (Action(9), 10)],
            outcome: WinDrawLoss { win: 0.5, draw: 0.25, loss: 0.25 },
            proven: false,
            surprise: 0.75,
        };
        let turns = vec![
            TurnRecord { action: Action(9), search: Some(search) },
            TurnRecord { action: Action(25), search: None },
        ];
        let outcome = Outcome { winner: Some(Seat::Second), reason: EndReason::CONNECTION };
        let record =
            GameRecord { size: 5, turns, outcome, evaluations: 300, played_out: true, start: GameStart::Empty };
        Shard { game: "cachex".to_owned(), records: vec![record] }
    }

    #[test]
    fn payload_matches_its_documentation() {
        let expected: &[u8] = &[
            &[1u8, 5, 2][..],      // One game, of 5×5, two turns.
            &[9, 1, 1, 40],        // The first at 9, with a search, a full one of 40 visits:
            &[2, 3, 30, 9, 10],    // two moves with weights,
            &0.5f32.to_le_bytes(), // three chances,
            &0.25f32.to_le_bytes(),
            &0.25f32.to_le_bytes(),
            &[0],                   // not proven,
            &0.75f32.to_le_bytes(), // surprise.
            &[25, 0],               // The second at 25, without a search.
            &[1, 1, 0],             // Won by the second player, by connection.
            &[251, 0x2c, 0x01],     // 300 evaluations.
            &[1],                   // No side could resign.
            &[0],                   // It began on the empty board.
        ]
        .concat();
        assert_eq!(codec::encode(&shard().records).unwrap(), expected);
    }

    #[test]
    fn cuts_are_detected() {
        let bytes = shard().to_bytes().unwrap();
        for at in 0..bytes.len() {
            assert!(Shard::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(matches!(Shard::from_bytes(&longer), Err(ShardProblem::Length { .. })));
    }
}
