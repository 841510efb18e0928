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
use hexzero::games::{Arrangement, Game, Position, Seat, all_games, game_named, play_all, register};

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

fn arrangement(first: &str, second: &str, to_move: Seat) -> Arrangement {
    let names = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    Arrangement { first: names(first), second: names(second), to_move }
}

/// Returns the owners, the legal actions and the network inputs of the cells of a position.
fn seen(position: &Position) -> (Vec<Option<Seat>>, Vec<u16>, Vec<f32>) {
    let owners = (0..position.topology().cells()).map(|cell| position.owner(cell)).collect();
    let legal = position.legal().into_iter().map(|action| action.0).collect();
    let (inputs, _) = position.encoded_through(&position.game_board().symmetries()[0]);
    (owners, legal, inputs)
}

#[test]
fn arranged_stones_equal_played_ones() {
    let arranging: Vec<Game> = all_games().into_iter().filter(|game| game.arranges()).collect();
    let names: Vec<&str> = arranging.iter().map(|game| game.name()).collect();
    for name in ["cachex", "hex", "hex-noswap", "y", "gale"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    for game in arranging {
        let size = game.boards.default;
        let mut played = game.start(size).unwrap();
        let places: Vec<&str> = played.board().places().iter().map(|place| place.label.as_str()).collect();
        let [a, b, c] = [places[0], places[7], places[3]];
        play_all(&mut played, &format!("{a} {b} {c}")).unwrap();
        let put = game.arrange(size, &arrangement(&format!("{a} {c}"), b, Seat::Second)).unwrap();
        assert_eq!((put.to_move(), put.outcome()), (played.to_move(), None), "{game:?}");
        assert_eq!(seen(&put), seen(&played), "{game:?}");
        // The game also goes on from a position that no sequence of turns leads to.
        let mut put = game.arrange(size, &arrangement(&format!("{a} {b} {c}"), "", Seat::First)).unwrap();
        assert_eq!(put.to_move(), Seat::First, "{game:?}");
        put.play_named(places[5]).unwrap();
        assert_eq!(put.to_move(), Seat::Second, "{game:?}");
    }
}

#[test]
fn arranged_chain_has_won() {
    for (game, chain, other) in
        [("hex", "a1 a2 a3", "b1 c1"), ("cachex", "a1 a2 a3", "b1 c1"), ("y", "a1 a2 a3", "b2 c3")]
    {
        let won = game_named(game).unwrap().arrange(3, &arrangement(chain, other, Seat::First)).unwrap();
        assert_eq!(won.outcome().and_then(|outcome| outcome.winner), Some(Seat::First), "{game}");
        assert_eq!(won.winning_chain().len(), 3, "{game}");
    }
}

/// The handicap that the page offers: two or more stones of the first player, then the other one moves.
#[test]
fn handicap_cannot_be_swapped_away() {
    for game in all_games().into_iter().filter(|game| game.arranges()) {
        let size = game.boards.default;
        let places = game.start(size).unwrap();
        let places: Vec<&str> = places.board().places().iter().map(|place| place.label.as_str()).collect();
        for count in 2..=4 {
            let stones = places[2 * size..].iter().step_by(3).take(count).copied().collect::<Vec<_>>().join(" ");
            let mut position = game.arrange(size, &arrangement(&stones, "", Seat::Second)).unwrap();
            assert_eq!((position.to_move(), position.outcome()), (Seat::Second, None), "{game:?}: {stones}");
            for seat in [Seat::Second, Seat::First] {
                assert_eq!(position.to_move(), seat, "{game:?}");
                let legal = position.legal();
                assert!(legal.iter().all(|&action| position.global_action(action).is_none()), "{game:?}: {stones}");
                position.play(legal[0]);
            }
        }
    }
}

#[test]
fn invalid_arrangements_are_refused() {
    let error = |game: &str, size, first: &str, second: &str| {
        let stones = arrangement(first, second, Seat::First);
        game_named(game).unwrap().arrange(size, &stones).unwrap_err().to_string()
    };
    assert_eq!(error("hex", 5, "a1 b2", "b2"), "set-up: there cannot be two stones on b2");
    assert!(error("hex", 5, "z9", "").starts_with("set-up: 'z9' is not on this board"));
    assert!(error("hex", 99, "", "").contains("99"));
    let link = error("link", 6, "", "");
    assert!(link.starts_with("positions of link cannot be set up; those of cachex, hex"), "{link}");
}
