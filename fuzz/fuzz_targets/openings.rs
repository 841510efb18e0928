//! Files of opening maps: what is read can be written and read again, and is turned by every symmetry of its board.
#![no_main]

use hexzero::engine::openings::OpeningMaps;
use hexzero::games::game_named;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(maps) = OpeningMaps::parse(text) else { return };
    let written = maps.to_text();
    assert_eq!(OpeningMaps::parse(&written).expect("it was written").to_text(), written);
    for map in maps.maps() {
        if let Ok(game) = game_named(&map.game) {
            let _ = map.unfolded(game);
        }
    }
});
