//! Messages of a cluster: any bytes, and payloads in the right frame.
#![no_main]

use hexzero::cluster::{
    Job, MatchJob, MatchWork, Message, PROGRAM_VERSION, PlayedFixtures, PlayedRange, RunState, Work, decode, encode,
};
use hexzero::games::game_named;
use hexzero::selfplay::{SelfPlaySettings, check_game};
use libfuzzer_sys::fuzz_target;

/// Returns a message of this kind with the right frame.
fn framed(kind: u8, raw: &[u8]) -> Vec<u8> {
    let payload = zstd::bulk::compress(raw, 1).expect("memory takes it");
    let mut bytes = b"HXZMSG".to_vec();
    bytes.extend(1_u16.to_le_bytes());
    bytes.push(PROGRAM_VERSION.len() as u8);
    bytes.extend(PROGRAM_VERSION.as_bytes());
    bytes.push(kind);
    bytes.extend((raw.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&[&bytes[..], &payload].concat()).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// Reads a message of one kind, which can be written and read again.
fn read<M: Message>(bytes: &[u8]) -> Option<M> {
    let message: M = decode(bytes).ok()?;
    // Compared as bytes, since NaN does not equal itself.
    let written = encode(&message).expect("it was read");
    assert!(encode(&decode::<M>(&written).expect("it was written")).expect("it was read") == written);
    Some(message)
}

fuzz_target!(|input: &[u8]| {
    let made = match input.split_first() {
        Some((&kind, raw)) if kind < 8 => framed(kind, raw),
        _ => input.to_vec(),
    };
    read::<Job>(&made);
    read::<Work>(&made);
    read::<RunState>(&made);
    read::<MatchJob>(&made);
    read::<MatchWork>(&made);
    read::<PlayedFixtures>(&made);
    let Some(range) = read::<PlayedRange>(&made) else { return };
    // As the coordinator checks the games of workers.
    let game = game_named("cachex").expect("it is built in");
    for (_, record) in range.games.iter().take(8) {
        let _ = check_game(game, &SelfPlaySettings::default(), record);
    }
});
