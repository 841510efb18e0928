//! What can be played here, and the boards that it is played on.

use serde::Serialize;

use crate::games::{ActionKind, Game, GameInfo, LessonPart, Picture, game_named};
use crate::search::Level;

use super::app_state::AppState;
use super::models::Offer;
use super::position_view::{PieceView, no_game};
use super::request::LONGEST_SEARCH;

/// What a client has to know at first. docs/web.md describes the JSON.
#[derive(Serialize)]
struct About<'a> {
    version: &'static str,
    games: Vec<AboutGame<'a>>,
    levels: Vec<&'static str>,
    visits: u32,
    most_seconds: u64,
    run: Option<&'a str>,
}

/// What a game says of itself, and what judges it.
#[derive(Serialize)]
struct AboutGame<'a> {
    id: &'static str,
    title: &'static str,
    summary: &'static str,
    seats: Vec<AboutSeat>,
    boards: AboutBoards,
    actions: Vec<AboutAction>,
    choices: Vec<AboutChoice>,
    endings: Vec<AboutEnding>,
    lesson: Vec<AboutPart>,
    model: Option<&'a str>,
    learnt: Option<usize>,
}

#[derive(Serialize)]
struct AboutSeat {
    name: &'static str,
    goal: &'static str,
    task: &'static str,
}

#[derive(Serialize)]
struct AboutBoards {
    least: usize,
    most: usize,
    default: usize,
    meaning: &'static str,
}

#[derive(Serialize)]
struct AboutAction {
    word: &'static str,
    kind: ActionKind,
    label: &'static str,
    offer: &'static str,
    done: &'static str,
    suffered: &'static str,
}

#[derive(Serialize)]
struct AboutChoice {
    word: &'static str,
    label: &'static str,
}

#[derive(Serialize)]
struct AboutEnding {
    key: &'static str,
    words: &'static str,
}

#[derive(Serialize)]
struct AboutPart {
    title: &'static str,
    text: &'static str,
    pictures: Vec<AboutPicture>,
}

/// A picture of a lesson, with its places by number.
#[derive(Serialize)]
struct AboutPicture {
    size: usize,
    pieces: Vec<PlacedPiece>,
    taken: Vec<usize>,
    marked: Vec<usize>,
    chain: Vec<usize>,
    label: &'static str,
    caption: &'static str,
}

#[derive(Serialize)]
struct PlacedPiece {
    place: usize,
    #[serde(flatten)]
    piece: PieceView,
}

impl<'a> AboutGame<'a> {
    fn new(offer: &'a Offer) -> Self {
        let game = offer.game;
        let GameInfo { id, title, summary, ref boards, ref seats, actions, choices, endings, lesson, .. } = *game.info();
        let action = |action: &crate::games::GlobalAction| AboutAction {
            word: action.word,
            kind: action.kind,
            label: action.label,
            offer: action.offer,
            done: action.done,
            suffered: action.suffered,
        };
        Self {
            id,
            title,
            summary,
            seats: seats.iter().map(|seat| AboutSeat { name: seat.name, goal: seat.goal, task: seat.task }).collect(),
            boards: AboutBoards {
                least: *boards.sizes.start(),
                most: *boards.sizes.end(),
                default: boards.default,
                meaning: boards.meaning,
            },
            actions: actions.iter().map(action).collect(),
            choices: choices.iter().map(|choice| AboutChoice { word: choice.word, label: choice.label }).collect(),
            endings: endings.iter().map(|ending| AboutEnding { key: ending.key, words: ending.words }).collect(),
            lesson: lesson.iter().map(|part| AboutPart::new(game, part)).collect(),
            model: offer.model(),
            learnt: offer.learnt,
        }
    }
}

impl AboutPart {
    fn new(game: Game, part: &LessonPart) -> Self {
        let pictures = part.pictures.iter().filter_map(|picture| AboutPicture::new(game, picture)).collect();
        Self { title: part.title, text: part.text, pictures }
    }
}

impl AboutPicture {
    /// A picture, or none if the game has no such board.
    fn new(game: Game, picture: &Picture) -> Option<Self> {
        let board = game.on(picture.size).ok()?.board();
        let places = |names: &str| names.split_whitespace().filter_map(|name| board.parse(name).ok()).collect::<Vec<_>>();
        let pieces = picture.pieces.iter().flat_map(|&(names, piece)| {
            places(names).into_iter().map(move |place| PlacedPiece { place, piece: piece.into() })
        });
        Some(Self {
            size: picture.size,
            pieces: pieces.collect(),
            taken: places(picture.taken),
            marked: places(picture.marked),
            chain: places(picture.chain),
            label: picture.label,
            caption: picture.caption,
        })
    }
}

/// The same as JSON.
pub(super) fn about(state: &AppState) -> String {
    let about = About {
        version: env!("CARGO_PKG_VERSION"),
        games: state.models.offers().iter().map(AboutGame::new).collect(),
        levels: Level::ALL.iter().map(Level::name).collect(),
        visits: state.visits,
        most_seconds: LONGEST_SEARCH.as_secs(),
        run: state.run.as_ref().map(|run| run.name()),
    };
    serde_json::to_string(&about).expect("texts and numbers are JSON")
}

/// Why there is no layout, in words.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoLayout {
    /// There is no such game.
    Game(String),
    /// It is not asked for as it should be, or the game has no such board.
    Board(String),
}

/// Returns the layout of the board that a query `game=G&size=N` names, as JSON.
///
/// # Errors
/// If the query names no game or no size of its boards.
pub(super) fn layout(query: &str) -> Result<String, NoLayout> {
    let field = |name: &str| {
        let mut fields = query.split('&').filter_map(|field| field.split_once('='));
        fields.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let (Some(game), Some(size)) = (field("game"), field("size")) else {
        return Err(NoLayout::Board("a layout is asked for with ?game=NAME&size=NUMBER".to_owned()));
    };
    let game = game_named(game).map_err(|_| NoLayout::Game(no_game(game)))?;
    let size = size.parse().map_err(|_| NoLayout::Board("the size must be a whole number".to_owned()))?;
    let on = game.on(size).map_err(|error| NoLayout::Board(error.to_string()))?;
    Ok(serde_json::to_string(&on.board().layout()).expect("texts and numbers are JSON"))
}

#[cfg(test)]
mod tests {
    use crate::games::all_games;

    use super::*;

    #[test]
    fn lessons_name_places_of_their_boards() {
        for game in all_games() {
            for picture in game.lesson.iter().flat_map(|part| part.pictures) {
                let board = game.on(picture.size).unwrap().board();
                let pieces = picture.pieces.iter().map(|(names, _)| *names);
                let names = pieces.chain([picture.taken, picture.marked, picture.chain]).flat_map(str::split_whitespace);
                for name in names {
                    assert!(board.parse(name).is_ok(), "{game:?}: {name} in '{}'", picture.caption);
                }
            }
        }
    }

    #[test]
    fn layouts_by_query() {
        let json = layout("game=hex&size=3").unwrap();
        assert!(json.starts_with("{\"shape\":{\"kind\":\"rhombus\",\"side\":3}"), "{json}");
        assert_eq!(layout("size=3&game=hex"), Ok(json));
        assert!(matches!(layout("game=chess&size=3"), Err(NoLayout::Game(message)) if message.contains("'chess'")));
        for query in ["", "game=hex", "size=3", "game=hex&size=x", "game=hex&size=-1", "game=hex&size=1000"] {
            assert!(matches!(layout(query), Err(NoLayout::Board(_))), "{query}");
        }
    }
}
