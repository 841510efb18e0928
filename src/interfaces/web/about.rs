//! What can be played here.

use serde::Serialize;

use crate::search::Level;

use super::app_state::AppState;
use super::models::AboutGame;
use super::request::LONGEST_SEARCH;

/// What a client has to know at first. docs/web.md describes the JSON.
#[derive(Serialize)]
struct About<'a> {
    version: &'static str,
    games: Vec<&'a AboutGame>,
    levels: Vec<&'static str>,
    visits: u32,
    most_seconds: u64,
    run: Option<&'a str>,
}

/// The same as JSON.
pub(super) fn about(state: &AppState) -> String {
    let about = About {
        version: env!("CARGO_PKG_VERSION"),
        games: state.models.about().collect(),
        levels: Level::ALL.iter().map(Level::name).collect(),
        visits: state.visits,
        most_seconds: LONGEST_SEARCH.as_secs(),
        run: state.run.as_ref().map(|run| run.name()),
    };
    serde_json::to_string(&about).expect("texts and numbers are JSON")
}
