//! The finished games of an iteration under way, so that an interruption loses only those in flight.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `HXZJOURN` |
//! | 2 | format version, little-endian like all numbers |
//! | … | entries: the first names the iteration; each other one holds a game and when it was finished |
//!
//! An entry is its length and the CRC-32 of its contents, four bytes each, and its contents in bincode. One that is cut
//! off or damaged ends the journal: the games from there on are played again.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use hexzero_system::files::{read_at_most, write_whole};

use super::GameRecord;
use super::codec;

/// The format that this program writes and the only one that it reads.
pub const JOURNAL_FORMAT: u16 = 3;

const MAGIC: &[u8; 8] = b"HXZJOURN";

/// The limit on a journal: the games of four shards, those of an iteration and of the next ones.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// The interval between syncs to disk while games are added. A written game survives the process at
/// once, and a power cut once it is synced: with the first game after this interval, or at the end
/// of the iteration ([`Journal::sync`]). Syncing each game would take longer than playing a short
/// one.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// The origin of a journal's games. Games of one origin are the same if they have the same number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalOwner {
    /// The iteration, from 0.
    pub iteration: u64,
    /// The hash of the run's recipe.
    pub recipe_hash: String,
}

/// A file that finished games are appended to.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// The bytes of all entries that are whole.
    length: u64,
    synced: Instant,
    /// True if games were added since the last sync.
    has_unsynced: bool,
}

/// A journal and its contents when opened.
#[derive(Debug)]
pub struct OpenedJournal {
    /// The journal, to append to.
    pub journal: Journal,
    /// The games with their numbers in the run, in the order in which they were added.
    pub games: Vec<(u64, GameRecord)>,
    /// Seconds of self-play that the games took.
    pub seconds: f64,
    /// True if they were followed by something other than a partial game left by an interruption.
    pub damaged: bool,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalProblem {
    /// The file cannot be read or written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// Not a journal, or the beginning is damaged.
    #[error("not a journal of games, or damaged at its beginning")]
    NotAJournal,
    /// Written in another version of the format.
    #[error("format version {found}; this program reads version {JOURNAL_FORMAT}")]
    OtherFormat {
        /// The version found.
        found: u16,
    },
    /// The journal holds games of another iteration or of another recipe.
    #[error(
        "of iteration {} and recipe {}, not of iteration {} and recipe {}",
        found.iteration, found.recipe_hash, wanted.iteration, wanted.recipe_hash
    )]
    Foreign {
        /// The origin found.
        found: JournalOwner,
        /// The origin expected.
        wanted: JournalOwner,
    },
}

/// The next part of a journal.
enum Next<'a, T> {
    /// An entry and the rest.
    Entry(T, &'a [u8]),
    /// The end, or an entry that is cut off.
    End,
    /// Something other than an entry.
    Damage,
}

fn next<T: DeserializeOwned>(bytes: &[u8]) -> Next<'_, T> {
    let Some((length, rest)) = bytes.split_first_chunk() else { return Next::End };
    let Some((sum, rest)) = rest.split_first_chunk() else { return Next::End };
    let Some((contents, rest)) = rest.split_at_checked(u32::from_le_bytes(*length) as usize) else { return Next::End };
    match codec::decode(contents) {
        Ok(value) if crc32fast::hash(contents) == u32::from_le_bytes(*sum) => Next::Entry(value, rest),
        _ => Next::Damage,
    }
}

fn entry(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let contents = codec::encode(value).map_err(io::Error::other)?;
    let length = u32::try_from(contents.len()).map_err(io::Error::other)?;
    Ok([&length.to_le_bytes()[..], &crc32fast::hash(&contents).to_le_bytes(), &contents].concat())
}

fn beginning(owner: &JournalOwner) -> io::Result<Vec<u8>> {
    Ok([&MAGIC[..], &JOURNAL_FORMAT.to_le_bytes(), &entry(owner)?].concat())
}

impl Journal {
    /// Opens the journal in a file, or creates one.
    ///
    /// # Errors
    /// If the file holds something else, or cannot be read and written.
    pub fn open(path: &Path, owner: &JournalOwner) -> Result<OpenedJournal, JournalProblem> {
        let bytes = match read_at_most(path, MAX_FILE_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let beginning = beginning(owner)?;
                write_whole(path, &beginning)?;
                beginning
            }
            read => read?,
        };
        let rest = bytes.strip_prefix(MAGIC).ok_or(JournalProblem::NotAJournal)?;
        let (version, rest) = rest.split_first_chunk().ok_or(JournalProblem::NotAJournal)?;
        let found = u16::from_le_bytes(*version);
        if found != JOURNAL_FORMAT {
            return Err(JournalProblem::OtherFormat { found });
        }
        let Next::Entry(found, mut rest) = next::<JournalOwner>(rest) else { return Err(JournalProblem::NotAJournal) };
        if found != *owner {
            return Err(JournalProblem::Foreign { found, wanted: owner.clone() });
        }
        let (mut games, mut numbers) = (Vec::new(), HashSet::new());
        let mut seconds = 0.0;
        let damaged = loop {
            match next::<(u64, f64, GameRecord)>(rest) {
                Next::Entry((number, finished_at, record), after) => {
                    if numbers.insert(number) {
                        games.push((number, record));
                    }
                    seconds = finished_at.max(seconds);
                    rest = after;
                }
                Next::End => break false,
                Next::Damage => break true,
            }
        };
        let journal = Self::at_end(path, (bytes.len() - rest.len()) as u64)?;
        Ok(OpenedJournal { journal, games, seconds, damaged })
    }

    /// Writes a new journal with these games, finished after `seconds` of self-play, in place of the one in the file.
    ///
    /// # Errors
    /// If it cannot be written; the one before is then untouched.
    pub fn create<'a>(
        path: &Path,
        owner: &JournalOwner,
        seconds: f64,
        games: impl IntoIterator<Item = &'a (u64, GameRecord)>,
    ) -> io::Result<Self> {
        let mut bytes = beginning(owner)?;
        for (number, record) in games {
            bytes.extend(entry(&(number, seconds, record))?);
        }
        write_whole(path, &bytes)?;
        Self::at_end(path, bytes.len() as u64)
    }

    fn at_end(path: &Path, length: u64) -> io::Result<Self> {
        // Not in append mode, in which Windows refuses to cut a file off.
        let mut file = File::options().write(true).open(path)?;
        file.set_len(length)?;
        file.seek(SeekFrom::Start(length))?;
        Ok(Self { file, length, synced: Instant::now(), has_unsynced: false })
    }

    /// Adds finished games, all or none, `seconds` of self-play after the iteration began, including those of
    /// interrupted processes for the games in the journal.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add_all(&mut self, games: &[(u64, &GameRecord)], seconds: f64) -> io::Result<()> {
        let mut bytes = Vec::new();
        for &(number, record) in games {
            bytes.extend(entry(&(number, seconds, record))?);
        }
        // Written in one piece, so that only an interruption leaves a partial entry.
        if let Err(error) = self.file.write_all(&bytes) {
            // The next attempt must not follow a partial entry; if truncating fails too, that entry
            // ends the journal.
            let _ = self.file.set_len(self.length).and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
            return Err(error);
        }
        self.length += bytes.len() as u64;
        self.has_unsynced = true;
        if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Syncs the games to disk, so that they survive a power cut.
    ///
    /// # Errors
    /// If the system cannot write them.
    pub fn sync(&mut self) -> io::Result<()> {
        if self.has_unsynced {
            self.file.sync_data()?;
            (self.synced, self.has_unsynced) = (Instant::now(), false);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::{GameStart, TurnRecord};
    use super::*;
    use hexzero_games::{Action, EndReason, Outcome};
    use proptest::prelude::*;

    fn owner() -> JournalOwner {
        JournalOwner { iteration: 3, recipe_hash: "0123abcd".to_owned() }
    }

    fn game(length: usize) -> GameRecord {
        let turns = (0..length).map(|turn| TurnRecord { action: Action(turn as u16), search: None }).collect();
        let outcome = Outcome { winner: None, reason: EndReason(2) };
        GameRecord { size: 5, turns, outcome, evaluations: length as u32, played_out: true, start: GameStart::Empty }
    }

    /// A journal with games of these lengths, numbered from 100, and its bytes.
    fn written(lengths: &[usize]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = Journal::open(&path, &owner()).unwrap().journal;
        for (number, &length) in (100..).zip(lengths) {
            journal.add_all(&[(number, &game(length))], number as f64 / 4.0).unwrap();
        }
        fs::read(path).unwrap()
    }

    /// The lengths of the games in a journal, which must be numbered from 100; then one more game is added and
    /// everything is read again.
    fn read_and_continued(bytes: &[u8]) -> Result<(Vec<usize>, bool), JournalProblem> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        fs::write(&path, bytes).unwrap();
        let OpenedJournal { mut journal, mut games, seconds, damaged } = Journal::open(&path, &owner())?;
        assert_eq!(seconds, games.last().map_or(0.0, |&(last, _)| last as f64 / 4.0));
        assert!(games.iter().map(|game| game.0).eq(100..100 + games.len() as u64));
        let lengths = games.iter().map(|(_, game)| game.turns.len()).collect();
        journal.add_all(&[(7, &game(300))], 1000.0).unwrap();
        games.push((7, game(300)));
        let again = Journal::open(&path, &owner())?;
        assert!(again.games == games && again.seconds == 1000.0 && !again.damaged, "what was left is overwritten");
        Ok((lengths, damaged))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn cut_leaves_the_games_before_it(lengths in prop::collection::vec(0usize..300, 0..6), cut in 0.0..=1.0f64) {
            let bytes = written(&lengths);
            let beginning = written(&[]).len();
            let cut = (cut * bytes.len() as f64) as usize;
            match read_and_continued(&bytes[..cut]) {
                Ok((found, damaged)) => {
                    prop_assert!(cut >= beginning && !damaged);
                    prop_assert!(lengths.starts_with(&found));
                    let whole = |count: usize| written(&lengths[..count]).len();
                    prop_assert!(whole(found.len()) <= cut);
                    prop_assert!(found.len() == lengths.len() || whole(found.len() + 1) > cut);
                }
                Err(error) => prop_assert!(cut < beginning && matches!(error, JournalProblem::NotAJournal)),
            }
        }
    }
}
