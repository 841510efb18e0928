//! GTP as front ends and match programs speak it, with the real program.

use std::path::Path;

use crate::gtp::{self, Program};

/// A session of HexGui, and how its two versions go on after a swap.
#[test]
fn hexgui_sessions() {
    for transcript in ["hexgui.txt", "hexgui_0_9.txt", "hexgui_0_10.txt"] {
        gtp::transcript(Path::new("."), &["--game", "hex", "--visits", "20"], transcript);
    }
}

/// MoHex's live drawings come before the reply, which HexGui waits for; it ends them by a comment.
#[test]
fn drawings_until_interrupted() {
    let mut program = Program::start(&["--game", "hex", "--size", "7"]);
    program.ask("play black b2");
    for _ in 0..2 {
        program.send("gogui-gfx-analyze white");
        let drawings: Vec<String> = (0..2).map(|_| program.block()).collect();
        let visits = |drawing: &str| -> u32 {
            let words: Vec<&str> = drawing.split_whitespace().collect();
            let [.., "after", visits, "visits"] = words[..] else { panic!("{drawing}") };
            visits.parse().unwrap()
        };
        for drawing in &drawings {
            let keys: Vec<&str> = drawing.lines().map(|line| line.split(' ').next().unwrap()).collect();
            assert_eq!(keys, ["gogui-gfx:", "uct", "VAR", "INFLUENCE", "LABEL", "TEXT", ""], "{drawing}");
            assert!(drawing.contains("\nVAR W "), "{drawing}");
        }
        assert!(visits(&drawings[0]) < visits(&drawings[1]), "{drawings:?}");
        program.send("# interrupt");
        let mut last = program.block();
        while last.starts_with("gogui-gfx:") {
            last = program.block();
        }
        assert_eq!(last, "= \n\n");
    }
    program.quit();
}

/// Without the interrupt the engine would think until its memory is full.
#[test]
fn interrupted_move_comes_at_once() {
    let mut program = Program::start(&["--time", "3600", "--size", "9"]);
    for colour in ["black", "white"] {
        program.send(&format!("genmove {colour}"));
        program.send("# interrupt");
        assert!(program.block().starts_with("= "));
    }
    // The search is over, so this interrupts nothing, not even the next command.
    program.send("# interrupt");
    program.ask("time_settings 0 1 1");
    assert_ne!(program.ask("reg_genmove black"), "");
    program.quit();
}

/// An analysis with the words of Leela Zero and of KataGo, which ends with the next command.
#[test]
fn analyses_under_their_other_names() {
    let mut program = Program::start(&["--size", "5"]);
    for name in ["lz-analyze", "kata-analyze", "hexzero-analyze"] {
        program.send(&format!("7 {name} b 10 maxmoves 2"));
        let lines = [(); 3].map(|()| program.line()).join("\n");
        assert!(lines.starts_with("=7\ninfo move "), "{lines}");
        let words: Vec<&str> = lines.lines().last().unwrap().split(' ').collect();
        let winrate = words[words.iter().position(|&word| word == "winrate").unwrap() + 1];
        assert_eq!(winrate.contains('.'), name != "lz-analyze", "{lines}");
        assert_eq!(words.iter().filter(|&&word| word == "info").count(), 2, "{lines}");
        program.send("name");
        while !program.block().ends_with("= hexzero\n\n") {}
    }
    program.send("kata-analyze b 10 maxmoves 1 rootInfo true ownership true");
    let lines = [(); 2].map(|()| program.line()).join("\n");
    let (moves, root) = lines.split_once(" rootInfo visits ").expect("the position itself");
    let root: Vec<&str> = root.split_whitespace().collect();
    assert!(moves.starts_with("=\ninfo move ") && root[0].parse::<u32>().unwrap() > 0, "{lines}");
    assert_eq!([root[1], root[3], root[5]], ["winrate", "draw", "ownership"], "{lines}");
    assert!((0.0..=1.0).contains(&root[2].parse::<f32>().unwrap()), "{lines}");
    program.send("name");
    while !program.block().ends_with("= hexzero\n\n") {}
    program.quit();
}

/// Two programs, each told what the other has played, in the order in which gogui-twogtp asks.
#[test]
fn two_programs_play_a_game() {
    let mut programs = ["1", "2"].map(|_| Program::start(&["--visits", "30"]));
    for program in &mut programs {
        assert_eq!(program.ask("protocol_version"), "2");
        assert_eq!(program.ask("name"), "hexzero");
        program.ask("version");
        let commands = program.ask("list_commands");
        for name in ["cputime", "gogui-interrupt", "time_settings", "final_score", "undo"] {
            assert!(commands.lines().any(|line| line == name), "{name}");
        }
        program.ask("boardsize 4");
        program.ask("clear_board");
        program.ask("time_settings 1800 0 0");
    }
    let mut moves = 0;
    while !programs[0].ask("all_legal_moves").is_empty() {
        let (mover, colour) = (moves % 2, ["b", "w"][moves % 2]);
        let played = programs[mover].ask(&format!("genmove {colour}"));
        programs[1 - mover].ask(&format!("play {colour} {}", played.to_uppercase()));
        moves += 1;
    }
    let [first, second] = programs.each_mut().map(|program| program.ask("final_score"));
    assert_eq!(first, second);
    assert!(["B+", "W+", "0"].contains(&first.as_str()), "{first}");
    let boards = programs.each_mut().map(|program| program.ask("showboard"));
    assert_eq!(boards[0], boards[1]);
    for mut program in programs {
        assert!(program.ask("cputime").parse::<f64>().unwrap() > 0.0);
        program.quit();
    }
}
