//! Every game that the program knows, by keys alone in a real terminal.
#![cfg(target_os = "linux")]

use hexzero::games::{Action, Game, GameRng, Pick, Position, Seat, all_games};
use rand::SeedableRng;

use crate::terminal::Terminal;

/// What can be picked next for an action, and whether a move could end here.
fn next_picks(position: &Position, path: &[Pick]) -> (Vec<Pick>, bool) {
    let mut legal = Vec::new();
    position.legal_actions(&mut legal);
    let paths: Vec<Vec<Pick>> = legal.into_iter().map(|action| position.picks(action)).collect();
    let rests = paths.iter().filter_map(|picks| picks.strip_prefix(path));
    let mut next: Vec<Pick> = rests.clone().filter_map(|rest| rest.first().copied()).collect();
    next.sort_unstable();
    next.dedup();
    (next, !path.is_empty() && rests.clone().any(<[Pick]>::is_empty))
}

/// The keys for an action: the names of places, each with Enter, and the numbers of everything else.
fn keys(position: &Position, action: Action) -> String {
    let path = position.picks(action);
    let mut keys = String::new();
    for (done, pick) in path.iter().enumerate() {
        if let Pick::Place(place) = pick {
            keys += &format!("{}\r", position.board().label(usize::from(*place)));
            continue;
        }
        let (next, ends) = next_picks(position, &path[..done]);
        let number =
            next.iter().filter(|pick| !matches!(pick, Pick::Place(_))).position(|other| other == pick).unwrap();
        keys += &(number + 1 + usize::from(ends)).to_string();
    }
    let goes_on = !next_picks(position, &path).0.is_empty();
    // A move that could go on is played by the first number.
    keys + if goes_on { "1" } else { "" }
}

/// The moves in the panel: their numbers and names.
fn panel(game: Game, seen: &str) -> Vec<(usize, String)> {
    let words: Vec<&str> = seen.split_whitespace().collect();
    let seats = game.seats.each_ref().map(|seat| seat.name);
    let moves = words.windows(3).filter(|words| seats.contains(&words[1]));
    moves.filter_map(|words| Some((words[0].parse().ok()?, words[2].to_owned()))).collect()
}

fn play_to_the_end(game: Game) {
    let size = *game.boards.sizes.start();
    let (name, text) = (game.name(), size.to_string());
    let arguments = ["--game", name, "--size", &text, "--visits", "5", "--seed", "1", "--threads", "1"];
    let mut terminal = Terminal::start(60, 200, &[], &arguments);
    let mut position = game.start(size).unwrap();
    let (mut rng, person) = (GameRng::seed_from_u64(2), Seat::First);
    while position.outcome().is_none() {
        let expected = position.turns() + 1;
        let mut by_person = String::new();
        if position.to_move() == person {
            terminal.expect_text("your move");
            let action = position.random_action(&mut rng).unwrap();
            by_person = position.action_name(action);
            terminal.press(&keys(&position, action));
        }
        let seen = terminal.expect(&format!("{name}: ply {expected} {by_person}"), |seen| {
            panel(game, seen).iter().any(|&(ply, _)| ply == expected)
        });
        for (_, played) in panel(game, &seen).into_iter().filter(|&(ply, _)| ply >= expected) {
            position.play_named(&played).unwrap_or_else(|error| panic!("{name}, {played}: {error}\n{seen}"));
        }
    }
    let ending = game.ending(position.outcome().unwrap().reason).unwrap().words;
    terminal.expect(ending, |seen| seen.split_whitespace().collect::<String>().contains(&ending.replace(' ', "")));
    terminal.press("q");
    assert!(terminal.end().success(), "{name}");
}

#[test]
fn games_are_played_to_their_ends() {
    for game in all_games() {
        play_to_the_end(game);
    }
}
