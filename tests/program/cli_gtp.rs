//! `hexzero gtp` as another program meets it.

use std::path::Path;

use crate::gtp;

fn talk(arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    gtp::talk(Path::new("."), arguments, input)
}

/// The replies to single commands, without their ends.
fn replies(arguments: &[&str], input: &str) -> Vec<String> {
    talk(arguments, input).split("\n\n").filter(|reply| !reply.is_empty()).map(str::to_owned).collect()
}

#[test]
fn conversations() {
    for name in ["conversation.txt", "errors.txt", "captures.txt", "ending.txt", "clocks.txt", "clients.txt"] {
        gtp::transcript(Path::new("."), &["--visits", "20"], name);
    }
    // A game with colours of its own.
    gtp::transcript(Path::new("."), &["--game", "vex", "--size", "3"], "vex.txt");
}

#[test]
fn version_is_that_of_the_program() {
    assert_eq!(talk(&[], "version\n"), format!("= {}\n\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn engine_plays_whole_games_against_itself() {
    for size in ["3", "4"] {
        let moves = "genmove b\ngenmove w\n".repeat(180);
        let replies = replies(&["--size", size, "--visits", "10"], &format!("{moves}final_score\n"));
        let (score, moves) = replies.split_last().unwrap();
        assert!(["= B+", "= W+", "= 0"].contains(&score.as_str()), "{score}");
        let played = moves.iter().take_while(|reply| reply.starts_with("= ")).count();
        assert!(played >= 3, "{moves:?}");
        assert!(moves[played..].iter().all(|reply| reply.contains("the game is over")), "{moves:?}");
    }
}

#[test]
fn arbitrary_input_is_answered() {
    let mut input = b"\xff\xfe name\n\0\0\0\n1 na\0me\r\nplay red \x1b[31m\n".to_vec();
    input.extend(vec![b'x'; 1_000_000]);
    input.extend(b"\n99999999999999999999999 name\nname");
    let replies = talk(&[], input);
    let replies: Vec<_> = replies.split_terminator("\n\n").collect();
    assert_eq!(replies[0], "? unknown command");
    assert_eq!(replies[1], "=1 hexzero");
    assert!(replies[2].starts_with("? invalid vertex: '[31m'"), "{}", replies[2]);
    assert_eq!(
        replies[3..],
        ["? line too long: more than 65535 bytes", "=99999999999999999999999 hexzero", "= hexzero"]
    );
}

#[test]
fn clock_may_be_set_and_run_out() {
    let moves = "genmove b\ngenmove w\ngenmove b\ngenmove w\n";
    for clock in ["time_settings 1 0 0", "time_settings 0 1 10", "time_left b 0 0", "time_left b 0 1"] {
        let answers = replies(&["--size", "5"], &format!("{clock}\n{moves}"));
        assert!(answers.iter().all(|reply| reply.starts_with('=')), "{clock}: {answers:?}");
    }
    // A limit on the command line goes on to hold: this one would otherwise take minutes.
    let answers = replies(&["--size", "9", "--visits", "10"], "time_settings 0 10000 10\ngenmove b\n");
    assert!(answers[1].starts_with("= "), "{answers:?}");
}

/// A referee's clock would not have run out either: the engine measures from the command to its reply.
#[test]
fn game_by_the_clock_ends_with_time_left() {
    let moves = "genmove b\ngenmove w\n".repeat(172);
    let left = "hexzero-time_left b\nhexzero-time_left w\n";
    for (size, threads) in [("4", "1"), ("5", "3")] {
        let arguments = ["--size", size, "--game-time", "1.5", "--threads", threads, "--memory", "64"];
        let answers = replies(&arguments, &format!("{moves}{left}final_score\n"));
        let [.., black, white, score] = &answers[..] else { panic!("{answers:?}") };
        assert!(["= B+", "= W+", "= 0"].contains(&score.as_str()), "{score}");
        for left in [black, white] {
            let seconds: f64 = left.trim_start_matches("= ").trim_end_matches(" 0").parse().unwrap();
            assert!((0.0..1.5).contains(&seconds) && seconds > 0.0, "{left}");
        }
    }
}

#[test]
fn increments_count_and_pondering_costs_no_time() {
    let game = "genmove b\ngenmove w\nhexzero-time_left b\n";
    // On this board there is nothing to think about, so even a busy machine needs less than half a second.
    let arguments = ["--size", "3", "--game-time", "0.5", "--increment", "1000", "--ponder"];
    let answers = replies(&arguments, game);
    let seconds: f64 = answers[2].trim_start_matches("= ").trim_end_matches(" 0").parse().unwrap();
    assert!((1000.0..1000.5).contains(&seconds), "{answers:?}");
}

#[test]
fn weak_level_is_random_and_repeats_by_seed() {
    let input = "boardsize 5\nplay red a1\ngenmove blue\ngenmove red\ngenmove blue\ngenmove red\nquit\n";
    let game = |seed: &str| talk(&["--level", "newcomer", "--seed", seed], input);
    assert_eq!(game("1"), game("1"));
    assert!(["2", "3", "4"].iter().any(|seed| game(seed) != game("1")));
}
