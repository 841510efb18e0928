//! Games with variations and comments go from one form to the other and come back as they were.

use hexzero::games::{GameRng, Position, all_games};
use hexzero::replay::{Finding, GameForm, InterchangeGame, RecordedGame, Variation, recorded_games};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};

/// The longest line of a tree.
const PLIES: usize = 9;

/// Plays on at random: adds moves and comments to a line, and others that leave it.
fn grow(line: &mut Variation, mut position: Position, comments: &[String], plies: usize, rng: &mut GameRng) {
    for ply in line.ply + line.moves.len()..plies {
        if position.outcome().is_some() {
            return;
        }
        let Some(action) = position.random_action(rng) else { return };
        let mut names = vec![position.action_name(action)];
        for _ in 0..3 {
            let beside = position.random_action(rng).filter(|_| rng.random_bool(0.15));
            let Some(beside) = beside.filter(|&beside| !names.contains(&position.action_name(beside))) else {
                continue;
            };
            let name = position.action_name(beside);
            let mut variation = Variation { ply, moves: vec![name.clone()], ..Variation::default() };
            grow(&mut variation, position.after(beside), comments, plies, rng);
            names.push(name);
            line.variations.push(variation);
        }
        line.moves.push(names.swap_remove(0));
        position.play(action);
        let comment = comments.get(rng.random_range(0..2 * comments.len() + 1)).filter(|comment| !comment.is_empty());
        line.comments.extend(comment.map(|comment| (ply + 1, comment.clone())));
        if rng.random_bool(0.5) {
            let found = format!("{}.5 {} {}", rng.random_range(0..100), rng.random_range(0..5000), line.moves[0]);
            line.analysis.extend(Finding::parse(&found).map(|found| (ply + 1, found)));
        }
    }
}

/// A random game with variations.
fn game(seed: u64, comments: &[String]) -> InterchangeGame {
    let mut rng = GameRng::seed_from_u64(seed);
    let games = all_games();
    let game = games[rng.random_range(0..games.len())];
    let size = game.boards.default.min(game.boards.sizes.start() + 3);
    let position = game.start(size).unwrap();
    let mut line = Variation::default();
    grow(&mut line, position.clone(), comments, PLIES, &mut rng);
    line.comments.extend(comments.last().filter(|comment| !comment.is_empty()).map(|comment| (0, comment.clone())));
    let mut after = position;
    for name in &line.moves {
        after.play_named(name).unwrap();
    }
    let seats = game.seats.each_ref().map(|seat| seat.name.to_owned());
    let [loser, other] = &seats;
    let goes_on = after.outcome().is_none();
    let resigned = Some(loser.clone()).filter(|_| goes_on && rng.random_bool(0.5));
    // Moves tried after the end.
    if let (Some(_), Some(action)) = (&resigned, after.random_action(&mut rng)) {
        let moves = vec![after.action_name(action)];
        line.variations.push(Variation { ply: line.moves.len(), moves, ..Variation::default() });
    }
    let result = InterchangeGame::new(&after, &[]).result;
    InterchangeGame {
        game: game.name().to_owned(),
        size,
        moves: line.moves,
        result,
        on_time: resigned.is_some() && rng.random_bool(0.5),
        resigned,
        name: comments.first().map(|name| name.trim().replace('\n', " ")).unwrap_or_default(),
        players: [(other.clone(), "Ann [1]".to_owned())].into(),
        date: "2026-11-22".to_owned(),
        comments: line.comments,
        analysis: line.analysis,
        variations: line.variations,
        ..InterchangeGame::default()
    }
}

fn read(text: &str) -> RecordedGame {
    let mut games = recorded_games(text.as_bytes());
    let (_, game) = games.next().unwrap().unwrap();
    assert!(games.next().is_none());
    game
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_survive_every_form(seed: u64, comments in prop::collection::vec("[\\PC\n\\]\\[\\\\;()]{0,12}", 1..4)) {
        let line = game(seed, &comments).to_line();
        let sgf = read(&line).rewritten(GameForm::Sgf).unwrap();
        let again = read(&sgf);
        prop_assert_eq!(&again.rewritten(GameForm::JsonLine).unwrap(), &line, "{}", sgf);
        prop_assert_eq!(&again.rewritten(GameForm::Sgf).unwrap(), &sgf);
        let tree = read(&line).rewritten(GameForm::Tree).unwrap();
        prop_assert_eq!(again.rewritten(GameForm::Tree).unwrap(), tree);
        prop_assert_eq!(read(&line).rewritten(GameForm::JsonLine).unwrap(), line);
    }
}

#[test]
fn variations_that_cannot_be_played_are_named() {
    let rewritten = |line: &str| read(line).rewritten(GameForm::Sgf).unwrap_err().to_string();
    let line = r#"{"game":"hex","size":5,"moves":["a1","b2"],"variations":[{"ply":1,"moves":["c3","c3"]}]}"#;
    assert!(rewritten(line).starts_with("move 3 'c3': c3 is occupied"), "{}", rewritten(line));
    let line = r#"{"game":"hex","size":5,"moves":["a1"],"comments":{"2":"x"}}"#;
    let error = recorded_games(line.as_bytes()).next().unwrap().unwrap_err().to_string();
    assert_eq!(error, "game 1 (line 1): a comment or a variation is for ply 2, which its line does not have");
    // A move that stands there twice is one.
    let twice = r#"{"game":"hex","size":5,"moves":["a1","b2"],"variations":[{"ply":1,"moves":["b2","c3"]},{"ply":0,"moves":["A1","c1"]}]}"#;
    let tree = read(twice).rewritten(GameForm::Tree).unwrap();
    assert!(tree.contains(r#"["a1",[["b2",[["c3",[]]]],["c1",[]]]]"#), "{tree}");
}

#[test]
fn places_of_a_set_up_position_get_the_boards_names() {
    let line =
        r#"{"game":"hex","size":5,"setup":{"first":["A1","b2"],"second":["C3"],"to_move":"second"},"moves":["D4"]}"#;
    let sgf = read(line).rewritten(GameForm::Sgf).unwrap();
    assert!(sgf.contains("AB[a1][b2]AW[c3]PL[W];W[d4]"), "{sgf}");
    assert_eq!(read(&sgf).rewritten(GameForm::Sgf).unwrap(), sgf);
    let line = read(line).rewritten(GameForm::JsonLine).unwrap();
    assert!(line.contains(r#""first":["a1","b2"],"second":["c3"]"#), "{line}");
}
