//! Shards of games: any bytes, and payloads with the right header.
#![no_main]

use hexzero::games::game_named;
use hexzero::replay::{SHARD_FORMAT, Shard};
use libfuzzer_sys::fuzz_target;

/// Limit of the bytes of an input that are put into a shard.
const MAX_BYTES: usize = 1 << 20;

/// Returns a file with these games and the right header.
fn shard(raw: &[u8], games: u32) -> Vec<u8> {
    let payload = zstd::bulk::compress(raw, 1).expect("memory takes it");
    let mut bytes = b"HXZGAMES".to_vec();
    bytes.extend(SHARD_FORMAT.to_le_bytes());
    bytes.extend(b"\x06cachex");
    bytes.extend(games.to_le_bytes());
    bytes.extend((raw.len() as u64).to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&[&bytes[..], &payload].concat()).to_le_bytes());
    bytes.extend(payload);
    bytes
}

fuzz_target!(|bytes: &[u8]| {
    let read = match bytes.split_first() {
        Some((&games, raw)) if games < 8 && raw.len() < MAX_BYTES => Shard::from_bytes(&shard(raw, games.into())),
        _ => Shard::from_bytes(bytes),
    };
    let Ok(shard) = read else { return };
    // Compared as bytes, since NaN does not equal itself.
    let written = shard.to_bytes().expect("it was read");
    let again = Shard::from_bytes(&written).expect("it was written");
    assert!(again.to_bytes().expect("it was read") == written);
    if let Ok(game) = game_named(&shard.game) {
        for record in &shard.records {
            if let Some(game) = record.to_interchange(game) {
                assert!(!game.to_line().contains('\n'));
            }
        }
    }
});
