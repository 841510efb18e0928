//! Checkpoints and the states of runs.
#![no_main]

use hexzero::games::all_games;
use hexzero::network::{Checkpoint, NetworkEvaluator, Precision};
use hexzero::training::TrainingState;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = TrainingState::from_bytes(bytes);
    let Ok(checkpoint) = Checkpoint::from_bytes(bytes, "fuzz") else { return };
    let again = checkpoint.to_bytes().expect("it was read");
    // Compared as bytes, since NaN does not equal itself.
    let read = Checkpoint::from_bytes(&again, "again").expect("it was written");
    assert!(read.to_bytes().expect("it was read") == again);
    if let Some(game) = all_games().into_iter().find(|game| checkpoint.check_game(*game, "fuzz").is_ok()) {
        let _ = NetworkEvaluator::new(game, &checkpoint, "fuzz", Precision::F32);
    }
});
