//! What a search remembers: a table of bounded size that forgets what was searched least.

/// The proof numbers of a position that is solved.
pub(super) const INFINITE: u32 = 1 << 30;

/// The number of entries in a bucket, of which the one with the least work is replaced.
const BUCKET: usize = 4;
/// The number of entries in a new table.
const FIRST: usize = 1 << 12;

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// The position and the role of its mover, or 0 for a free entry.
    key: u128,
    /// Proof and disproof number of the mover's goal, while it is open.
    pub numbers: [u32; 2],
    /// The positions visited at and below this one.
    work: u32,
    /// The attacker wins with at least this many plies left.
    pub wins_from: u8,
    /// The defender holds with fewer plies left.
    pub holds_below: u8,
}

const FREE: Entry = Entry { key: 0, numbers: [1, 1], work: 0, wins_from: u8::MAX, holds_below: 0 };

impl Entry {
    /// Returns whether the attacker wins with this many plies left, if that is known.
    pub fn attacker_wins(&self, left: u8) -> Option<bool> {
        if left >= self.wins_from {
            return Some(true);
        }
        (left < self.holds_below).then_some(false)
    }
}

/// Entries by key. Doubles in size when a bucket is full and more than half of the entries are used, up to a limit.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    used: usize,
    max_bytes: usize,
}

impl Table {
    pub fn new(max_bytes: usize) -> Self {
        Self { entries: vec![FREE; FIRST], used: 0, max_bytes }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// Returns what is known of a position.
    pub fn get(&self, key: u128) -> Option<&Entry> {
        self.entries[self.bucket(key)..][..BUCKET].iter().find(|entry| entry.key == key)
    }

    /// Updates the entry of a position, below which `work` positions were visited.
    pub fn update(&mut self, key: u128, work: u64, change: impl FnOnce(&mut Entry)) {
        let mut bucket = self.bucket(key);
        let place = |entries: &[Entry]| entries.iter().position(|entry| entry.key == key || entry.key == 0);
        let mut found = place(&self.entries[bucket..][..BUCKET]);
        if found.is_none() && 2 * self.used > self.entries.len() && 2 * self.bytes() <= self.max_bytes {
            self.grow();
            bucket = self.bucket(key);
            found = place(&self.entries[bucket..][..BUCKET]);
        }
        let entries = &mut self.entries[bucket..][..BUCKET];
        let least = || (0..BUCKET).min_by_key(|&index| entries[index].work).unwrap_or_default();
        let entry = &mut entries[found.unwrap_or_else(least)];
        if entry.key != key {
            self.used += usize::from(entry.key == 0);
            *entry = Entry { key, ..FREE };
        }
        entry.work = entry.work.saturating_add(work.try_into().unwrap_or(u32::MAX));
        change(entry);
    }

    /// Returns the first entry of a key's bucket.
    fn bucket(&self, key: u128) -> usize {
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        // The length is a power of two.
        (mixed >> 24) as usize & (self.entries.len() - 1) & !(BUCKET - 1)
    }

    fn grow(&mut self) {
        let larger = vec![FREE; 2 * self.entries.len()];
        let entries = std::mem::replace(&mut self.entries, larger);
        self.used = 0;
        for entry in entries.into_iter().filter(|entry| entry.key != 0) {
            self.update(entry.key, 0, |new| *new = entry);
        }
    }
}
