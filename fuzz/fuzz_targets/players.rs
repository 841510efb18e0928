//! Names of players with their options, as the command line, recipes and matches at a broker have them.
#![no_main]

use hexzero::players::{PlayerOptions, PlayerSpec};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = text.parse::<PlayerSpec>();
    if let Ok(options) = text.parse::<PlayerOptions>() {
        let written = options.to_string();
        if let Some(written) = written.strip_prefix('@') {
            assert_eq!(written.parse::<PlayerOptions>().ok(), Some(options), "{text} becomes {written}");
        }
    }
});
