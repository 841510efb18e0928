//! Checks of a game's descriptions: names, texts, the lesson and the boards.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use hexzero_games::{EndReason, Game, game_named};

use super::boards;

/// Returns true if a word can stand in files and on the command line.
fn is_word(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit()) && text.chars().all(fits)
}

/// Returns true if a word can stand for a move: signs such as `-` and `n:x` are common there.
fn is_move_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && !c.is_ascii_uppercase() && c != ',' && c != ';')
}

/// Checks words of one kind, which must be distinct.
#[track_caller]
fn assert_words<'a>(words: impl IntoIterator<Item = &'a str>, of: &str) {
    let mut seen = BTreeSet::new();
    for word in words {
        assert!(is_word(word), "{of}: '{word}'");
        assert!(seen.insert(word), "{of}: '{word}' comes twice");
    }
}

#[track_caller]
fn assert_said<const N: usize>(texts: [&str; N], of: &str) {
    assert!(texts.iter().all(|text| !text.trim().is_empty()), "{of}: one of these texts is empty: {texts:?}");
}

pub(super) fn what_a_game_says_of_itself_is_complete(games: &[Game]) {
    assert_words(games.iter().map(|game| game.id), "games");
    let titles: BTreeSet<&str> = games.iter().map(|game| game.title).collect();
    assert_eq!(titles.len(), games.len(), "two games have the same title");
    for &game in games.iter() {
        let name = game.name();
        assert_eq!(game_named(name), Ok(game));
        assert_said([game.title, game.summary, game.boards.meaning], name);
        let network = game_named(game.network).expect("the game whose networks play this one is registered first");
        assert_eq!((network.network, &network.view), (game.network, &game.view), "{name}: whose networks play it");

        assert_words(game.seats.iter().map(|seat| seat.name), name);
        assert_ne!(game.seats[0].name[..1], game.seats[1].name[..1], "{name}: initials stand for pieces");
        game.seats.iter().for_each(|seat| assert_said([seat.goal, seat.task], name));

        assert_eq!(game.actions.len(), game.view.global_actions, "{name}");
        let words = game.action_words();
        assert!(words.iter().all(|word| is_move_word(word)), "{name}: {words:?}");
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len(), "{name}: {words:?}");
        for action in game.actions {
            assert_said([action.foreign, action.label, action.offer, action.done, action.suffered], name);
            let known = action.word == action.foreign || action.aliases.contains(&action.foreign);
            assert!(known, "{name}: '{}' is written but not read", action.foreign);
        }
        assert_words(game.choices.iter().map(|choice| choice.word), name);
        game.choices.iter().for_each(|choice| assert_said([choice.label], name));

        assert!(!game.endings.is_empty(), "{name}");
        assert_words(game.endings.iter().map(|ending| ending.key).chain(["resignation"]), name);
        for ending in game.endings {
            assert_said([ending.words], name);
            assert_ne!(ending.reason, EndReason::RESIGNATION, "{name}: no rule ends a game so");
            assert_eq!(game.ending(ending.reason).map(|found| found.key), Some(ending.key), "{name}");
            assert_eq!(game.ending_named(ending.key), Some(ending.reason), "{name}");
        }
        assert_words(game.counts.iter().map(|count| count.key), name);
        game.counts.iter().for_each(|count| assert_said([count.title], name));

        assert_inputs_are_named(game);
        assert_boards_are_as_said(game);
    }
}

fn assert_inputs_are_named(game: Game) {
    let name = game.name();
    assert!(game.view.cell_inputs > 0 && game.view.global_inputs > 0 && game.view.policy_planes > 0, "{name}");
    for (names, inputs) in [(game.cell_inputs, game.view.cell_inputs), (game.global_inputs, game.view.global_inputs)] {
        assert_eq!(names.len(), inputs, "{name}");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), inputs, "{name}: two inputs have one name");
        names.iter().for_each(|&input| assert_said([input], name));
    }
}

fn assert_boards_are_as_said(game: Game) {
    let name = game.name();
    let sizes = game.boards.sizes.clone();
    assert!(sizes.contains(&game.boards.default), "{name}");
    for outside in [0, sizes.start().saturating_sub(1), sizes.end() + 1, 1000] {
        assert!(game.start(outside).is_err(), "{name}, size {outside}");
    }
    if let Some(solver) = game.solver() {
        assert!(!solver.sizes.is_empty() && solver.sizes.clone().all(|size| sizes.contains(&size)), "{name}");
    }
    for size in sizes {
        let on = game.game_board(size).unwrap();
        assert_eq!((on.game(), on.size()), (game, size));
        assert!(on.actions() < usize::from(u16::MAX), "{name}, size {size}");
        let usual = (game.usual_plies)(on.cells());
        assert!((1..=on.turn_limit()).contains(&usual), "{name}, size {size}: {usual} plies are usual");
        let words = game.actions.iter().flat_map(|action| action.aliases.iter().chain([&action.word]));
        assert!(words.into_iter().all(|word| on.board().parse(word).is_err()), "{name}: a place is called so");
    }
}

pub(super) fn lessons_show_what_the_boards_have(games: &[Game]) {
    for &game in games.iter() {
        let name = game.name();
        assert!(!game.lesson.is_empty(), "{name}");
        for part in game.lesson {
            assert_said([part.title, part.text], name);
            for picture in part.pictures {
                assert_said([picture.label, picture.caption], name);
                let board = game.game_board(picture.size).unwrap().board();
                let places = |names: &str| -> Vec<usize> {
                    names.split_whitespace().map(|text| board.parse(text).unwrap()).collect()
                };
                let mut held = BTreeMap::new();
                for &(names, piece) in picture.pieces {
                    for place in places(names) {
                        assert_eq!(held.insert(place, piece), None, "{name}, {}: {place}", picture.caption);
                    }
                }
                let empty = |place: &usize| !held.contains_key(place);
                assert!(places(picture.taken).iter().all(empty), "{name}, {}", picture.caption);
                places(picture.marked);
                let owners: HashSet<_> = places(picture.chain).iter().map(|place| held.get(place)).collect();
                let is_of_one_kind = owners.len() <= 1 && !owners.contains(&None);
                assert!(is_of_one_kind, "{name}, {}: a chain of one kind", picture.caption);
            }
        }
    }
}

/// Checks that arrow keys lead from every playable place to every other, and that every network
/// output stands for a place.
pub(super) fn boards_lead_somewhere(games: &[Game]) {
    for on in boards(games) {
        let (board, name) = (on.board(), format!("{}, size {}", on.game().name(), on.size()));
        let playable: BTreeSet<usize> = board.playable().collect();
        assert!(!playable.is_empty(), "{name}");
        let steps = |place: usize| {
            let arrows = board.places()[place].arrows;
            let others = [arrows.up, arrows.down, arrows.left, arrows.right];
            arrows.directions.into_iter().chain(others).flatten().map(usize::from)
        };
        for &start in playable.iter().take(1).chain(playable.last()) {
            let (mut reached, mut next) = (BTreeSet::from([start]), vec![start]);
            while let Some(place) = next.pop() {
                next.extend(steps(place).filter(|&step| reached.insert(step)));
            }
            assert_eq!(reached, playable, "{name}, from {}", board.label(start));
        }
        for place in playable {
            assert_eq!(board.parse(board.label(place)).unwrap(), place, "{name}");
            let slot = board.places()[place].slot.unwrap();
            assert!(usize::from(slot.cell) < on.cells(), "{name}, {}", board.label(place));
            assert!(usize::from(slot.plane) < on.game().view.policy_planes, "{name}, {}", board.label(place));
        }
        serde_json::to_string(&board.layout()).unwrap();
    }
}
