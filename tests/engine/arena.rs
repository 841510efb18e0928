//! Matches between the built-in players, as a user of the library plays them.

use std::sync::atomic::{AtomicUsize, Ordering};

use hexzero::arena::{
    MatchError, MatchProgress, MatchResult, MatchSettings, SequentialTest, Tally, Thinking, Verdict, play_match,
};
use hexzero::games::{Action, Game, Position, Seat};
use hexzero::players::{AlphaBeta, Player, PlayerError, PlayerSpec, RandomPlayer, connection_score};
use hexzero::stop::StopSignal;
use rand::Rng;

use crate::games::{self, cachex, hex};
use crate::network::rng;

fn settings(size: usize, games: usize) -> MatchSettings {
    MatchSettings { size, games, seed: 1, sequential: None, threads: 0 }
}

fn built_in(name: &str) -> Box<dyn Player> {
    name.parse::<PlayerSpec>().unwrap().built_in().unwrap()
}

fn play(a: &str, b: &str, settings: &MatchSettings) -> MatchResult {
    play_match(cachex(), || built_in(a), || built_in(b), settings, &StopSignal::new(), |_| ()).unwrap()
}

/// The result without the thinking times.
fn timeless(result: MatchResult) -> MatchResult {
    let thinking = result.thinking.map(|thinking| Thinking { seconds: 0.0, ..thinking });
    MatchResult { thinking, ..result }
}

fn position(size: usize, moves: &str) -> Position {
    games::position(cachex(), size, moves)
}

/// The moves that a player chooses in a position, over some seeds.
fn choices(player: &mut impl Player, game: &Position) -> Vec<String> {
    let mut names: Vec<String> = (0..20)
        .map(|seed| {
            player.start_game(game, seed).unwrap();
            game.action_name(player.choose(game).unwrap().unwrap())
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn built_in_players_beat_random() {
    for (player, games) in [("alphabeta:1", 20), ("alphabeta:2", 40), ("mcts:200", 30)] {
        let result = play(player, "random", &settings(5, games));
        assert!(result.tally.score() >= 0.9, "{player}: {:?}", result.tally);
        assert!(result.elo.low > 100.0);
        let reversed = play("random", player, &settings(5, games));
        assert!(reversed.tally.score() <= 0.1, "{player}: {:?}", reversed.tally);
    }
}

#[test]
fn looking_further_ahead_is_stronger() {
    let result = play("alphabeta:3", "alphabeta:1", &settings(6, 40));
    assert!(result.tally.score() > 0.6, "{:?}", result.tally);
}

#[test]
fn alphabeta_captures_stones_in_its_way() {
    // Blue's b2 and c2 bar the way; b3 is Red's, and c1 takes both.
    let game = position(5, "b3 b2 a5 c2");
    for depth in 1..=3 {
        assert_eq!(choices(&mut AlphaBeta::new(depth), &game), ["c1"], "depth {depth}");
    }
}

#[test]
fn alphabeta_swaps_only_a_strong_stone() {
    let next_to_the_centre = position(5, "c2");
    assert_eq!(choices(&mut AlphaBeta::new(2), &next_to_the_centre), ["swap"]);
    // A stone in the acute corner is worth little to either player.
    let corner = position(5, "a1");
    assert!(!choices(&mut AlphaBeta::new(2), &corner).contains(&"swap".to_owned()));
}

#[test]
fn score_is_the_same_with_colours_exchanged() {
    exchanged_colours(cachex());
    exchanged_colours(hex());
}

fn exchanged_colours(game: Game) {
    // A swap as the second move makes the mirror image reachable: whatever follows it, each on the
    // transposed cell, gives the position of the game without the swap with the colours exchanged.
    let mut rng = rng(5);
    let mut compared = 0;
    for size in [4, 5, 7] {
        for _ in 0..40 {
            let mut plain = game.start(size).unwrap();
            let mut mirrored = plain.clone();
            let mut legal = Vec::new();
            while plain.outcome().is_none() && mirrored.outcome().is_none() {
                plain.legal_actions(&mut legal);
                legal.retain(|action| action.index() < size * size);
                let action = legal[rng.random_range(0..legal.len())];
                let cell = action.index();
                if plain.turns() == 0 {
                    mirrored.play(action);
                    mirrored.play(Action((size * size) as u16));
                } else {
                    mirrored.play(Action((cell % size * size + cell / size) as u16));
                }
                plain.play(action);
                if plain.outcome().is_none() {
                    assert_ne!(plain.to_move(), mirrored.to_move());
                    assert_eq!(connection_score(&plain), connection_score(&mirrored));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000);
}

/// Always plays the first legal cell.
struct FirstCell;

impl Player for FirstCell {
    fn name(&self) -> String {
        "first cell".to_owned()
    }
    fn start_game(&mut self, _start: &Position, _seed: u64) -> Result<(), PlayerError> {
        Ok(())
    }
    fn choose(&mut self, game: &Position) -> Result<Option<Action>, PlayerError> {
        let legal = game.legal();
        Ok(Some(legal[0]))
    }
}

#[test]
fn pairs_share_openings_with_colours_exchanged() {
    // A's moves can be told from B's.
    let stop = StopSignal::new();
    let result = play_match(cachex(), || FirstCell, || RandomPlayer::new(0), &settings(5, 60), &stop, |_| ()).unwrap();
    let mut openings = Vec::new();
    for pair in result.played.chunks(2) {
        let [one, other] = pair else { panic!("an even number of games") };
        assert!(one.a_is_first && !other.a_is_first);
        assert_eq!(one.opening_moves, other.opening_moves);
        assert_eq!(one.moves[..one.opening_moves], other.moves[..one.opening_moves]);
        openings.push(one.moves[..one.opening_moves].to_vec());
        for played in pair {
            let mut game = cachex().start(5).unwrap();
            for (turn, text) in played.moves.iter().enumerate() {
                let a_moves = (game.to_move() == Seat::First) == played.a_is_first;
                if turn >= played.opening_moves && a_moves {
                    assert_eq!(*text, game.action_name(FirstCell.choose(&game).unwrap().unwrap()));
                }
                game.play_named(text).unwrap();
            }
            assert_eq!(game.outcome().unwrap().winner, played.winner);
        }
    }
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 30, "no opening comes back while there are others");
    let tally = result.tally;
    assert_eq!(tally.games_a_first, 30);
    assert_eq!(tally.wins_a + tally.wins_b + tally.draws, 60);
    assert_eq!(tally.pairs.iter().sum::<usize>(), 30);
}

#[test]
fn deterministic_players_vary_with_the_openings() {
    let stop = StopSignal::new();
    let on = |size, games| {
        play_match(cachex(), || FirstCell, || FirstCell, &settings(size, games), &stop, |_| ()).unwrap().tally
    };
    let large = on(6, 400);
    assert_eq!((large.distinct_games, large.effective_pairs()), (400, 200.0));
    // Fewer than 300 openings on 3 × 3, so 4,000 games say hardly more than 1,000.
    let [small, smaller] = [on(3, 4_000), on(3, 1_000)];
    assert!(small.distinct_games < 600 && small.effective_pairs() < 300.0, "{}", small.distinct_games);
    let width = |tally: &Tally| tally.elo().high - tally.elo().low;
    assert!(width(&small) > 0.8 * width(&smaller), "{:?}, {:?}", small.elo(), smaller.elo());
}

#[test]
fn sequential_test_ends_a_lopsided_match() {
    let test = SequentialTest { elo0: 0.0, elo1: 50.0 };
    let settings = MatchSettings { sequential: Some(test), ..settings(5, 400) };
    let result = play("alphabeta:1", "random", &settings);
    assert_eq!(result.sequential.unwrap().verdict, Verdict::AcceptH1);
    assert!(result.stopped_early && result.tally.games < 60, "{:?}", result.tally);
    assert_eq!(result.tally.games % 2, 0, "it ends between pairs");
    assert_eq!(result.played.len(), result.tally.games);
    let alone = play("alphabeta:1", "random", &MatchSettings { threads: 1, ..settings });
    assert_eq!(timeless(result), timeless(alone));
    let lost = play("random", "alphabeta:1", &settings);
    assert_eq!(lost.sequential.unwrap().verdict, Verdict::AcceptH0);
}

#[test]
fn match_can_be_stopped_from_outside() {
    let stop = StopSignal::new();
    let mut reported = 0;
    let on_game = |progress: &MatchProgress| {
        reported += 1;
        assert_eq!(progress.tally.games, reported);
        if reported == 5 {
            stop.request();
        }
    };
    let random = || RandomPlayer::new(0);
    // Games count in their order: of many threads others might play all the rest during one of the first.
    let settings = MatchSettings { threads: 2, ..settings(9, 10_000) };
    let result = play_match(cachex(), random, random, &settings, &stop, on_game).unwrap();
    assert_eq!(result.tally.games, reported);
    assert!(result.stopped_early && (5..10_000).contains(&reported));
    let mut played: Vec<usize> = result.played.iter().map(|game| game.index).collect();
    played.dedup();
    assert_eq!(played.len(), reported, "no game counts twice");
}

/// Plays like [`FirstCell`] in the first three games that players like it begin, and commits a fault in all later ones.
struct Faulty<'a> {
    games: &'a AtomicUsize,
    fault: fn(&Position) -> Result<Option<Action>, PlayerError>,
}

impl Player for Faulty<'_> {
    fn name(&self) -> String {
        "faulty".to_owned()
    }
    fn start_game(&mut self, _start: &Position, _seed: u64) -> Result<(), PlayerError> {
        self.games.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn choose(&mut self, game: &Position) -> Result<Option<Action>, PlayerError> {
        if self.games.load(Ordering::Relaxed) < 4 { FirstCell.choose(game) } else { (self.fault)(game) }
    }
}

#[test]
fn faults_lose_games_and_three_end_the_match() {
    let (settings, stop) = (MatchSettings { threads: 1, ..settings(5, 8) }, StopSignal::new());
    let occupied = |game: &Position| Ok((0..25).map(Action).find(|cell| game.owner(cell.index()).is_some()));
    for (fault, reason) in [
        (occupied as fn(&Position) -> _, "occupied"),
        (|_| Err("out of order".into()), "out of order"),
        (|_| panic!("a bug"), "it panicked: a bug"),
    ] {
        let games = AtomicUsize::new(0);
        let faulty = || Faulty { games: &games, fault };
        let result = play_match(cachex(), faulty, || RandomPlayer::new(0), &settings, &stop, |_| ()).unwrap();
        assert_eq!((result.tally.games, result.played.len(), result.stopped_early), (6, 6, true));
        assert_eq!((result.tally.faults_a, result.tally.faults_b), (3, 0));
        let faults = result.faults();
        for (game, fault) in result.played[3..].iter().zip(&faults) {
            assert_eq!((game.half_points_of_a(), game.result, game.faulty()), (0, None, Some(0)));
            assert_eq!(game.resigned, Some(if game.a_is_first { "red" } else { "blue" }));
            assert_eq!(
                (fault.player.as_str(), fault.game, fault.turn),
                ("faulty", game.index + 1, game.moves.len() + 1)
            );
            assert!(fault.reason.contains(reason), "{fault}");
        }
        let json = serde_json::to_value(&result).unwrap();
        assert_eq!(json["faults"].as_array().unwrap().len(), 3);
        assert_eq!(json["faults"][0]["game"], 4);
        let failure = result.failure.unwrap().to_string();
        assert!(failure.starts_with("faulty failed in game 6 at move "), "{failure}");
        assert!(failure.contains(reason) && failure.ends_with(" (fault 3 in a row)"), "{failure}");
    }
}

#[test]
fn faults_of_both_players_end_the_match_too() {
    let settings = MatchSettings { threads: 1, ..settings(5, 100) };
    // In every game the player to move after the opening commits a fault.
    let games = AtomicUsize::new(4);
    let faulty = || Faulty { games: &games, fault: |_| Err("no".into()) };
    let result = play_match(cachex(), faulty, faulty, &settings, &StopSignal::new(), |_| ()).unwrap();
    assert_eq!((result.tally.games, result.tally.faults_a, result.tally.faults_b), (5, 2, 3), "{:?}", result.faults());
    assert!(result.failure.is_some());
}

#[test]
fn player_that_starts_no_game_ends_the_match() {
    struct NeverBegins;
    impl Player for NeverBegins {
        fn name(&self) -> String {
            "never begins".to_owned()
        }
        fn start_game(&mut self, _start: &Position, _seed: u64) -> Result<(), PlayerError> {
            Err("not today".into())
        }
        fn choose(&mut self, _game: &Position) -> Result<Option<Action>, PlayerError> {
            unreachable!("no game has begun")
        }
    }
    let settings = settings(5, 100);
    let result = play_match(cachex(), || FirstCell, || NeverBegins, &settings, &StopSignal::new(), |_| ()).unwrap();
    assert_eq!((result.tally.games, result.faults()), (0, vec![]));
    assert!(result.failure.unwrap().to_string().ends_with(" at move 1: not today"));
}

#[test]
fn invalid_board_size_is_refused() {
    let stop = StopSignal::new();
    let error = play_match(cachex(), || FirstCell, || FirstCell, &settings(99, 2), &stop, |_| ()).unwrap_err();
    assert!(matches!(error, MatchError::Size(_)));
}

#[test]
fn played_game_is_written_as_json() {
    let result = play("alphabeta:1", "random", &settings(4, 6));
    let line = serde_json::to_value(&result.played[0]).unwrap();
    let mut keys: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["a_is_first", "game", "moves", "result", "size"]);
    assert_eq!((line["game"].as_str(), line["size"].as_u64()), (Some("cachex"), Some(4)));
    assert!(["red", "blue", "draw"].contains(&line["result"].as_str().unwrap()));
}
