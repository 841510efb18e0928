//! The contract of every game, tested on each registered game, on the toys in `examples/toys` and on the two games of
//! `family`, on every size of board, along random games. A new game is tested once it is registered.

#[path = "../../examples/toys/hexagon.rs"]
mod hexagon;
#[path = "../../examples/toys/torus.rs"]
mod torus;
#[path = "../../examples/toys/two_boards.rs"]
mod two_boards;

use std::sync::LazyLock;

use hexzero::contract;
use hexzero::games::{Game, all_games, register};

/// All games under test.
static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| {
    let toys = [Game::new::<hexagon::Signs>(), Game::new::<torus::Rings>(), Game::new::<two_boards::Twins>()];
    toys.into_iter().for_each(register);
    all_games()
});

/// Writes a test of each property, so that they run side by side.
macro_rules! every_game_keeps {
    ($($name:ident)*) => {
        const TESTS: &[&str] = &[$(stringify!($name)),*];

        $(#[test]
        fn $name() {
            let (_, property) = contract::PROPERTIES.iter().find(|(name, _)| *name == stringify!($name)).unwrap();
            property(&GAMES);
        })*
    };
}

every_game_keeps! {
    exactly_the_listed_actions_pass_the_check
    random_and_winning_actions_are_what_they_are_called
    names_and_picks_tell_actions_apart
    symmetries_are_a_group
    symmetries_keep_the_rules_and_what_the_network_sees
    what_stands_on_a_place_is_seen_at_its_cell
    every_input_is_written_and_every_question_answered
    a_copy_is_the_same_and_goes_its_own_way
    changes_tell_what_a_move_did
    games_end_in_time_and_as_the_game_says
    records_survive_every_form
    what_a_game_says_of_itself_is_complete
    lessons_show_what_the_boards_have
    boards_lead_somewhere
}

#[test]
fn properties_all_have_a_test() {
    let names: Vec<&str> = contract::PROPERTIES.iter().map(|(name, _)| *name).collect();
    assert_eq!(TESTS, names);
}
