//! The games that are offered, with all that the page says about them; boards by query, and their opening maps.

use serde_json::{Value, json};

use crate::answer::no_game;
use hexzero_engine::Effort;
use hexzero_engine::openings::{OpeningMap, shipped_map};
use hexzero_games::{Game, GameBoard, LessonPart, Picture, Piece, game_named};
use hexzero_models::shipped_puzzles;
use hexzero_replay::HEXWORLD_SGF;
use hexzero_search::Level;

use super::request::MAX_SEARCH;

/// A game that is offered.
pub struct OfferedGame {
    /// The game.
    pub game: Game,
    /// The description of the model that plays the game.
    pub model: String,
    /// Whether the model is a network, which a tab loads from `models/`; otherwise it plays by
    /// random games.
    pub has_network: bool,
    /// The largest board size that the model was trained on, if known.
    pub learnt: Option<usize>,
}

/// The data that the page gets at its start, beside the rules and the boards.
pub struct About<'a> {
    /// The games, the one to begin with first.
    pub games: Vec<OfferedGame>,
    /// Whether the page begins that game even if the browser has kept one of another.
    pub is_game_asked_for: bool,
    /// The default limits at full strength.
    pub effort: Effort,
    /// The name of the training run that is shown, if one is.
    pub run: Option<&'a str>,
    /// Whether the server has the files with which the engine runs in a browser's tab.
    pub has_tab_files: bool,
    /// Whether there is the module that trains in a tab.
    pub can_learn: bool,
    /// Whether boards can be shared here.
    pub shares_boards: bool,
}

impl About<'_> {
    /// Returns the JSON of `/api/about` (docs/web.md).
    pub fn json(&self) -> String {
        let about = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "games": self.games.iter().map(about_game).collect::<Value>(),
            "asked_for": self.is_game_asked_for,
            "levels": Level::ALL.iter().map(Level::name).collect::<Value>(),
            "effort": effort(self.effort),
            "most_seconds": MAX_SEARCH.as_secs(),
            "run": self.run,
            "tab": self.has_tab_files,
            "learns": self.can_learn,
            "shares": self.shares_boards,
        });
        about.to_string()
    }
}

/// Returns the default limits at full strength, as a part of a request.
fn effort(effort: Effort) -> Value {
    match effort {
        Effort::Visits(visits) => json!({"visits": visits}),
        Effort::Time(time) => json!({"seconds": time.as_secs_f64()}),
        Effort::Clock(_) => Value::Null,
    }
}

/// Describes a game and its model.
fn about_game(offered: &OfferedGame) -> Value {
    let game = offered.game;
    let (least, most) = (game.boards.sizes.start(), game.boards.sizes.end());
    let actions = game.actions.iter().map(|action| {
        json!({
            "word": action.word, "kind": action.kind, "label": action.label,
            "offer": action.offer, "done": action.done, "suffered": action.suffered,
        })
    });
    json!({
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "seats": game.seats,
        "boards": {"least": least, "most": most, "default": game.boards.default, "meaning": game.boards.meaning},
        "actions": actions.collect::<Value>(),
        "choices": game.choices,
        "signs": game.signs,
        "directions": game.directions,
        "endings": game.endings,
        "lesson": game.lesson.iter().map(|part| lesson_part(game, part)).collect::<Value>(),
        "sgf": game.sgf,
        "hexworld": game.sgf == Some(HEXWORLD_SGF),
        "arranges": game.arranges(),
        "swaps": game.has_swap(),
        "model": offered.model,
        "network": game.network,
        "has_network": offered.has_network,
        "learnt": offered.learnt,
        "puzzles": shipped_puzzles(game).is_some(),
        "plies": game.game_board(game.boards.default).map(|on| (game.usual_plies)(on.cells())).ok(),
    })
}

fn lesson_part(game: Game, part: &LessonPart) -> Value {
    let pictures = part.pictures.iter().filter_map(|picture| lesson_picture(game, picture));
    json!({"title": part.title, "text": part.text, "pictures": pictures.collect::<Value>()})
}

/// Describes a picture of a lesson, with its places by number; none if the game has no such board.
fn lesson_picture(game: Game, picture: &Picture) -> Option<Value> {
    let board = game.game_board(picture.size).ok()?.board();
    let places = |names: &str| names.split_whitespace().flat_map(|name| board.parse(name)).collect::<Vec<usize>>();
    let on_places = |(names, piece): &(&str, Piece)| {
        let at = |place: usize| {
            let mut json = json!(piece);
            json["place"] = place.into();
            json
        };
        places(names).into_iter().map(at).collect::<Vec<Value>>()
    };
    Some(json!({
        "size": picture.size,
        "pieces": picture.pieces.iter().flat_map(on_places).collect::<Value>(),
        "taken": places(picture.taken),
        "marked": places(picture.marked),
        "chain": places(picture.chain),
        "label": picture.label,
        "caption": picture.caption,
    }))
}

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
    game.game_board(size).map_err(|error| LayoutError::Board(error.to_string()))
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

    /// The page's modules are tested with these files (`tests/page/geometry.test.mjs`).
    #[test]
    fn layouts_match_those_of_the_page_tests() {
        for (game, size) in [("hex", 3), ("infexion", 7), ("gale", 3)] {
            let path = format!("{}/../../tests/page/data/{game}.json", env!("CARGO_MANIFEST_DIR"));
            let json = layout(&format!("size={size}&game={game}")).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), json, "{path}");
        }
    }
}
