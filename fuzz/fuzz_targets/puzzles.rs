//! Files of puzzles: what is read can be written and read again, and its moves are played.
#![no_main]

use hexzero::engine::puzzles::PuzzleFile;
use hexzero::games::game_named;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(file) = PuzzleFile::parse(text) else { return };
    assert_eq!(PuzzleFile::parse(&file.to_text()).expect("it was written"), file);
    let Ok(game) = game_named(&file.game) else { return };
    for puzzle in &file.puzzles {
        if let Ok((position, solution)) = puzzle.position(game) {
            assert!(position.check(solution).is_ok(), "{}", puzzle.id);
        }
    }
});
