//! `hexzero gtp` as another program meets it.

#[path = "common/gtp.rs"]
mod gtp;

use std::path::Path;

use hexzero::games::{Action, Cachex, Evaluation, Game, Hex};
use hexzero::interfaces::engine::Engine;
use hexzero::interfaces::gtp::{GtpSession, Thinking};
use hexzero::interfaces::model::LoadedModel;
use hexzero::search::{Level, Limits};
use proptest::prelude::*;

fn talk(arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    gtp::talk(Path::new("."), arguments, input)
}

/// The replies to single commands, without their ends.
fn replies(arguments: &[&str], input: &str) -> Vec<String> {
    talk(arguments, input).split("\n\n").filter(|reply| !reply.is_empty()).map(str::to_owned).collect()
}

fn transcript(name: &str) {
    gtp::transcript(Path::new("."), &["--visits", "20"], name);
}

#[test]
fn introductions() {
    transcript("conversation.txt");
}

#[test]
fn errors() {
    transcript("errors.txt");
}

#[test]
fn captures_and_undo() {
    transcript("captures.txt");
}

#[test]
fn the_end_of_a_game() {
    transcript("ending.txt");
}

#[test]
fn clocks() {
    transcript("clocks.txt");
}

#[test]
fn the_version_is_the_programs() {
    assert_eq!(talk(&[], "version\n"), format!("= {}\n\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_engine_plays_whole_games_against_itself() {
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
fn the_same_conversation_twice_is_the_same() {
    let input = "genmove b\ngenmove w\nreg_genmove b\nshowboard\n";
    assert_eq!(talk(&["--visits", "50"], input), talk(&["--visits", "50"], input));
}

#[test]
fn anything_may_be_sent() {
    let mut input = b"\xff\xfe name\n\0\0\0\n1 na\0me\r\nplay red \x1b[31m\n".to_vec();
    input.extend(vec![b'x'; 1_000_000]);
    input.extend(b"\n99999999999999999999999 name\nname");
    let replies = talk(&[], input);
    let replies: Vec<_> = replies.split_terminator("\n\n").collect();
    assert_eq!(replies[0], "? unknown command");
    assert_eq!(replies[1], "=1 hexzero");
    assert!(replies[2].starts_with("? invalid vertex: '[31m'"), "{}", replies[2]);
    assert_eq!(replies[3..], ["? line too long", "=99999999999999999999999 hexzero", "= hexzero"]);
}

#[test]
fn a_clock_may_be_set_and_run_out() {
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
fn a_whole_game_by_the_clock_ends_with_time_left() {
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
fn increments_are_added_and_pondering_takes_no_time_off_the_clock() {
    let game = "genmove b\ngenmove w\nhexzero-time_left b\n";
    let arguments = ["--size", "5", "--game-time", "0.5", "--increment", "1000", "--ponder"];
    let answers = replies(&arguments, game);
    let seconds: f64 = answers[2].trim_start_matches("= ").trim_end_matches(" 0").parse().unwrap();
    assert!((1000.0..1000.5).contains(&seconds), "{answers:?}");
}

fn session<G: Game>() -> GtpSession<G> {
    let evaluator = Box::new(|_: &G, legal: &[Action]| Evaluation::uniform(legal.len()));
    let engine = Engine::new(3, LoadedModel { description: "uniform".into(), evaluator }).unwrap();
    let limits = Limits::visits(3);
    GtpSession::new(
        engine,
        Thinking { without_clock: limits, with_clock: limits, ponder: false, level: Level::FULL, seed: 0 },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever is sent, each reply has the protocol's form and nothing panics.
    #[test]
    fn no_line_upsets_it(lines in prop::collection::vec(any_line(), 1..60)) {
        answers_in_form::<Cachex>(&lines)?;
        answers_in_form::<Hex>(&lines)?;
    }

    /// Stones of either colour in any order, and what fails among them, can be taken back one by one.
    #[test]
    fn a_position_that_was_set_up_is_taken_back(lines in prop::collection::vec(any_line(), 1..40)) {
        let mut session = session::<Hex>();
        let mut ask = |line: &str| session.answer(line).map_or(String::new(), |reply| reply.text);
        ask("boardsize 3");
        let mut boards = vec![ask("showboard")];
        for line in lines.iter().filter(|line| line.starts_with("play ")) {
            let line = line.replace("red", "black").replace("blue", "white");
            let played = ask(&line).starts_with('=');
            let board = ask("showboard");
            if played {
                boards.push(board);
            } else {
                prop_assert_eq!(&board, &boards[boards.len() - 1], "{}", line);
            }
        }
        while boards.len() > 1 {
            boards.pop();
            prop_assert!(ask("undo").starts_with('='));
            // Whose turn it is after that, nobody asks: either colour may go on.
            let stones = |board: &str| board.lines().skip(1).collect::<String>();
            prop_assert_eq!(stones(&ask("showboard")), stones(&boards[boards.len() - 1]));
        }
        prop_assert!(ask("undo").starts_with("? cannot undo"));
    }
}

fn answers_in_form<G: Game>(lines: &[String]) -> Result<(), TestCaseError> {
    let mut session = session::<G>();
    for line in lines {
        if let Some(reply) = session.answer(line) {
            // The lines of an analysis and its empty line come later.
            if line.contains("hexzero-analyze") && reply.text.starts_with('=') {
                prop_assert!(reply.text.ends_with('\n'));
                continue;
            }
            prop_assert!(reply.text.starts_with(['=', '?']), "{line:?}: {reply:?}");
            prop_assert!(reply.text.ends_with("\n\n"), "{line:?}: {reply:?}");
            prop_assert!(!reply.text.trim_end().contains("\n\n"), "{line:?}: {reply:?}");
        }
    }
    Ok(())
}

/// Noise, and lines that are nearly right.
fn any_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-c][1-3]",
        Just("red".to_owned()),
        Just("blue".to_owned()),
        Just("b".to_owned()),
        Just("w".to_owned()),
        Just("swap".to_owned()),
        Just("swap-pieces".to_owned()),
        Just("black".to_owned()),
        "-?[0-9]{1,25}",
        "[0-9.e-]{1,8}",
        any::<String>(),
    ];
    let commands = [
        "play",
        "play",
        "play",
        "genmove",
        "undo",
        "boardsize",
        "clear_board",
        "showboard",
        "final_score",
        "time_left",
        "time_settings",
        "kgs-time_settings",
        "hexzero-time_left",
        "hexzero-analyze",
        "all_legal_moves",
        "known_command",
        "reg_genmove",
        "list_commands",
        "quit",
    ];
    let command = prop::sample::select(commands.to_vec());
    prop_oneof![
        1 => any::<String>(),
        4 => (command, prop::collection::vec(word, 0..4)).prop_map(|(name, words)| format!("{name} {}", words.join(" "))),
        4 => (prop::sample::select(&["red", "blue"][..]), "[a-c][1-3]").prop_map(|(side, cell)| format!("play {side} {cell}")),
    ]
}

#[test]
fn a_weak_level_plays_by_chance_and_a_seed_repeats_it() {
    let input = "boardsize 5\nplay red a1\ngenmove blue\ngenmove red\ngenmove blue\ngenmove red\nquit\n";
    let game = |level: &str, seed: &str| talk(&["--visits", "20", "--level", level, "--seed", seed], input);
    assert_eq!(game("newcomer", "1"), game("newcomer", "1"));
    let different = ["2", "3", "4"].iter().filter(|seed| game("newcomer", seed) != game("newcomer", "1")).count();
    assert!(different > 0);
    assert_eq!(game("full", "1"), game("full", "2"), "at full strength nothing is left to chance");
}
