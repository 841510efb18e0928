//! The journal of an iteration: any bytes, and entries with the right checksums. A journal that was read can be extended and read again.
#![no_main]

use std::cell::RefCell;
use std::fs;

use hexzero::replay::{Journal, JournalOwner};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("hexzero-fuzz-journal-{}", std::process::id()));
    let owner = JournalOwner { iteration: 3, recipe_hash: "0123abcd".to_owned() };
    thread_local!(static BEGINNING: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) });
    let beginning = BEGINNING.with(|beginning| {
        let mut beginning = beginning.borrow_mut();
        if beginning.is_empty() {
            let _ = fs::remove_file(&path);
            Journal::open(&path, &owner).expect("an empty journal");
            *beginning = fs::read(&path).expect("it was written");
        }
        beginning.clone()
    });
    let file = match bytes.split_first() {
        Some((&0, contents)) => {
            let mut file = beginning;
            for entry in contents.split(|&byte| byte == 0xff) {
                file.extend((entry.len() as u32).to_le_bytes());
                file.extend(crc32fast::hash(entry).to_le_bytes());
                file.extend(entry);
            }
            file
        }
        _ => bytes.to_vec(),
    };
    fs::write(&path, file).expect("there is room");
    let Ok(opened) = Journal::open(&path, &owner) else { return };
    let mut journal = opened.journal;
    let games: Vec<_> = opened.games.iter().take(2).map(|(number, record)| (*number, record)).collect();
    journal.add_all(&games, opened.seconds).expect("they were read");
    drop(journal);
    let again = Journal::open(&path, &owner).expect("it was read before");
    // Compared as texts, since NaN does not equal itself.
    assert!(!again.damaged && format!("{:?}", again.games) == format!("{:?}", opened.games));
});
