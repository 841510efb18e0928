//! Files of games in any form: JSON lines, SGF, links of HexWorld. What is read can be written in every form and read again.
#![no_main]

use hexzero::replay::{GameForm, ReplayOptions, replays, rewritten};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let options = ReplayOptions { states: file.len() % 2 == 0, legal: file.len() % 3 == 0 };
    for summary in replays(file, options).flatten() {
        assert!(!summary.to_line().contains('\n'));
    }
    for form in [GameForm::JsonLine, GameForm::Tree, GameForm::Sgf, GameForm::HexWorld] {
        for text in rewritten(file, form).flatten() {
            if form == GameForm::Tree {
                continue;
            }
            let again: Vec<_> = rewritten(text.as_bytes(), form).collect();
            assert!(matches!(&again[..], [Ok(again)] if *again == text), "{text} becomes {again:?}");
        }
    }
});
