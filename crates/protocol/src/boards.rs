//! Boards by query: their layouts, and their opening maps.

use serde_json::json;

use hexzero_engine::openings::{OpeningMap, shipped_map};
use hexzero_games::{GameBoard, game_named};

use super::position_view::no_game;

/// The reason why there is no layout.
#[derive(Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// There is no such game.
    Game(String),
    /// The query is invalid, or the game has no such board.
    Board(String),
}

/// Returns the board that a query `game=G&size=N` names; `what` is the thing asked for, for the error.
fn board_of(query: &str, what: &str) -> Result<&'static GameBoard, LayoutError> {
    let field = |name: &str| {
        let mut fields = query.split('&').filter_map(|field| field.split_once('='));
        fields.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let (Some(game), Some(size)) = (field("game"), field("size")) else {
        return Err(LayoutError::Board(format!("ask for {what} with ?game=NAME&size=NUMBER")));
    };
    let game = game_named(game).map_err(|_| LayoutError::Game(no_game(game)))?;
    let size = size.parse().map_err(|_| LayoutError::Board("the size must be a whole number".to_owned()))?;
    game.on(size).map_err(|error| LayoutError::Board(error.to_string()))
}

/// Returns the layout of the board that a query `game=G&size=N` names, as JSON.
///
/// # Errors
/// If the query names no game or no size of its boards.
pub fn layout(query: &str) -> Result<String, LayoutError> {
    let on = board_of(query, "a layout")?;
    Ok(serde_json::to_string(&on.board().layout()).expect("texts and numbers are JSON"))
}

/// Returns the opening map that ships for the board that a query `game=G&size=N` names, with all first moves, as JSON;
/// `null` if none ships.
///
/// # Errors
/// If the query names no game or no size of its boards.
pub fn openings(query: &str) -> Result<String, LayoutError> {
    let on = board_of(query, "an opening map")?;
    let (game, size) = (on.game(), on.size());
    let unfold = |map: OpeningMap| {
        let openings = map.unfolded(game).ok()?;
        Some(json!({"visits": map.visits, "reply_visits": map.reply_visits, "openings": openings}))
    };
    Ok(shipped_map(game, size).and_then(unfold).unwrap_or_default().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_by_query() {
        let json = layout("game=hex&size=3").unwrap();
        assert!(json.starts_with("{\"shape\":{\"kind\":\"rhombus\",\"side\":3}"), "{json}");
        assert_eq!(layout("size=3&game=hex"), Ok(json));
        assert!(matches!(layout("game=chess&size=3"), Err(LayoutError::Game(message)) if message.contains("'chess'")));
        for query in ["", "game=hex", "size=3", "game=hex&size=x", "game=hex&size=-1", "game=hex&size=1000"] {
            assert!(matches!(layout(query), Err(LayoutError::Board(_))), "{query}");
        }
    }

    /// The page's modules are tested with these files (`tests/page/geometry.test.mjs`).
    #[test]
    fn layouts_match_those_of_the_page_tests() {
        for (game, size) in [("hex", 3), ("infexion", 7), ("gale", 3)] {
            let path = format!("{}/../../tests/page/data/{game}.json", env!("CARGO_MANIFEST_DIR"));
            let json = layout(&format!("game={game}&size={size}")).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), json, "{path}");
        }
    }
}
