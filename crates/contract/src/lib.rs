//! The rules that every game must follow, as checks for the tests of games in other crates: along
//! random games on every board.
//!
//! ```no_run
//! # use hexzero::games::Game;
//! # fn game() -> Game { unimplemented!() }
//! hexzero::contract::check(game());       // Game::new::<MyGame>()
//! ```
//!
//! A failed check panics with what is wrong and where, as assertions do.
//!
//! | file | subject |
//! |---|---|
//! | `rules.rs` | the rules: moves, network inputs, changes, endings, records |
//! | `symmetries.rs` | the symmetries of the rules and of the network inputs |
//! | `descriptions.rs` | the descriptions of a game: names, texts, its lesson, its boards |
//! | `random_games.rs` | the games along which the rules are checked |

mod descriptions;
mod random_games;
mod rules;
mod symmetries;

use hexzero_games::{Game, GameBoard, register};

/// A check of some games.
pub type Property = fn(&[Game]);

/// All checks, named by what they check.
pub const PROPERTIES: &[(&str, Property)] = &[
    ("exactly_the_listed_actions_pass_the_check", rules::exactly_the_listed_actions_pass_the_check),
    ("random_and_winning_actions_are_what_they_are_called", rules::random_and_winning_actions_are_what_they_are_called),
    ("names_and_picks_tell_actions_apart", rules::names_and_picks_tell_actions_apart),
    ("symmetries_are_a_group", symmetries::symmetries_are_a_group),
    (
        "symmetries_keep_the_rules_and_what_the_network_sees",
        symmetries::symmetries_keep_the_rules_and_what_the_network_sees,
    ),
    ("what_stands_on_a_place_is_seen_at_its_cell", rules::what_stands_on_a_place_is_seen_at_its_cell),
    ("every_input_is_written_and_every_question_answered", rules::every_input_is_written_and_every_question_answered),
    ("a_copy_is_the_same_and_goes_its_own_way", rules::a_copy_is_the_same_and_goes_its_own_way),
    ("changes_tell_what_a_move_did", rules::changes_tell_what_a_move_did),
    ("games_end_in_time_and_as_the_game_says", rules::games_end_in_time_and_as_the_game_says),
    ("records_survive_every_form", rules::records_survive_every_form),
    ("what_a_game_says_of_itself_is_complete", descriptions::what_a_game_says_of_itself_is_complete),
    ("lessons_show_what_the_boards_have", descriptions::lessons_show_what_the_boards_have),
    ("boards_lead_somewhere", descriptions::boards_lead_somewhere),
];

/// Registers a game and checks that it keeps all [`PROPERTIES`].
///
/// # Panics
/// If it does not, with what is wrong.
pub fn check(game: Game) {
    register(game);
    PROPERTIES.iter().for_each(|(_, property)| property(&[game]));
}

/// Every board of every game.
fn boards(games: &[Game]) -> impl Iterator<Item = &'static GameBoard> {
    games.iter().flat_map(|game| game.boards.sizes.clone().map(|size| game.game_board(size).unwrap()))
}
