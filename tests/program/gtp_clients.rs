//! GTP as front ends and match programs speak it, with the real program.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::gtp;

/// A running program that is spoken to as HexGui does: one command at a time, and a reply ends with an empty line.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hexzero"));
        command.arg("gtp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// What comes up to the next empty line.
    fn block(&mut self) -> String {
        let mut block = String::new();
        while !block.ends_with("\n\n") {
            assert_ne!(self.output.read_line(&mut block).unwrap(), 0, "the program ended after {block:?}");
        }
        block
    }

    /// Sends a command and gives the reply, which must be a success. HexGui insists on the space.
    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        let block = self.block();
        let reply = block.strip_prefix("= ").unwrap_or_else(|| panic!("{line}: {block:?}"));
        reply.trim_end().to_owned()
    }

    fn quit(mut self) {
        self.ask("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_session_as_hexgui_has_it() {
    gtp::transcript(Path::new("."), &["--game", "hex"], "hexgui.txt");
}

/// How the two versions of HexGui go on after a swap.
#[test]
fn swaps_as_hexgui_has_them() {
    for transcript in ["hexgui_0_9.txt", "hexgui_0_10.txt"] {
        gtp::transcript(Path::new("."), &["--game", "hex", "--visits", "20"], transcript);
    }
}

#[test]
fn positions_and_parameters_of_other_clients() {
    gtp::transcript(Path::new("."), &["--visits", "20"], "clients.txt");
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
fn a_move_that_is_interrupted_comes_at_once() {
    let mut program = Program::start(&["--time", "3600", "--size", "9"]);
    for colour in ["black", "white"] {
        program.send(&format!("genmove {colour}"));
        program.send("# interrupt");
        assert!(program.block().starts_with("= "));
    }
    // What is over cannot be interrupted, and the next command is not meant.
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
        let mut lines = String::new();
        for _ in 0..3 {
            program.output.read_line(&mut lines).unwrap();
        }
        assert!(lines.starts_with("=7\ninfo move "), "{lines}");
        let words: Vec<&str> = lines.lines().last().unwrap().split(' ').collect();
        let winrate = words[words.iter().position(|&word| word == "winrate").unwrap() + 1];
        assert_eq!(winrate.contains('.'), name != "lz-analyze", "{lines}");
        assert_eq!(words.iter().filter(|&&word| word == "info").count(), 2, "{lines}");
        program.send("name");
        while !program.block().ends_with("= hexzero\n\n") {}
    }
    program.send("kata-analyze b 10 maxmoves 1 rootInfo true ownership true");
    let mut lines = String::new();
    for _ in 0..2 {
        program.output.read_line(&mut lines).unwrap();
    }
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
fn a_game_of_two_programs() {
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

/// Lines of clients as they send them, each answered by lines of analysis until the next one.
#[test]
fn analyses_with_options_that_are_not_known() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexzero"));
    command.args(["gtp", "--game", "hex", "--size", "5"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = [
        "kata-analyze B interval 10 rootInfo true movesOwnership true pvVisits true minmoves 1 maxmoves 5 avoid B a1,b2 3",
        "kata-analyze B interval 10 rootInfo true movesOwnership true pvVisits true minmoves 1 maxmoves 5 allow B a1,b2 1",
        "kata-analyze interval 50 maxmoves 8 ownership true movesOwnership true rootInfo true",
        "kata-analyze w interval 10 maxmoves 8 ownership true rootInfo true",
        "kata-analyze interval 1 maxvisits 1",
        "kata-analyze interval 0.5",
        "lz-analyze 10 minmoves 2",
        "lz-analyze b interval 10 avoid w a1 1 avoid b pass,c3 1",
    ];
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        writeln!(input, "{line}\nstop").unwrap();
    }
    writeln!(input, "quit").unwrap();
    let output = child.wait_with_output().unwrap();
    let (replies, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let replies: Vec<&str> = replies.split_terminator("\n\n").collect();
    assert_eq!(replies.len(), 2 * lines.len() + 1, "{replies:?}");
    let moves = |reply: &str| -> Vec<String> {
        reply.lines().last().unwrap().split("info move ").skip(1).map(|info| info[..2].to_owned()).collect()
    };
    for (line, reply) in lines.iter().zip(replies.iter().step_by(2)) {
        assert!(reply.starts_with("=\ninfo move "), "{line}: {reply}");
    }
    assert!(moves(replies[0]).len() == 5 && !moves(replies[0]).iter().any(|name| name == "a1" || name == "b2"));
    let mut allowed = moves(replies[2]);
    allowed.sort();
    assert_eq!(allowed, ["a1", "b2"]);
    assert!(!moves(replies[14]).contains(&"c3".to_owned()) && moves(replies[14]).contains(&"a1".to_owned()));
    // Each warning once.
    for option in ["'movesOwnership'", "'pvVisits'", "'maxvisits'", "avoid applies to the next move only"] {
        assert_eq!(said.matches(option).count(), 1, "{said}");
    }
    assert_eq!(said.lines().count(), 4, "{said}");
}

/// Not even a move that wins at once is found if it is to be avoided.
#[test]
fn a_winning_move_can_be_avoided() {
    let mut program = Program::start(&["--game", "hex", "--size", "3"]);
    program.ask("play-game a1 c1 a2 c2");
    for (option, found) in [("", "a3"), (" allow b b1,c3 1", "b1 c3")] {
        program.send(&format!("kata-analyze b 1{option}"));
        program.send("stop");
        let reply = program.block();
        let last = reply.trim_end().lines().last().unwrap();
        let mut moves: Vec<&str> = last.split("info move ").skip(1).map(|info| &info[..2]).collect();
        moves.sort_unstable();
        assert_eq!(moves.join(" "), found, "{reply}");
        assert_eq!(program.block(), "= \n\n");
    }
    program.quit();
}

/// A proof ends the search and not the stream.
#[test]
fn an_analysis_goes_on_when_its_search_has_ended() {
    let mut program = Program::start(&["--game", "hex", "--size", "3"]);
    program.ask("play-game a1 c1 a2 c2");
    program.send("kata-analyze b 2");
    let mut lines = vec![String::new(); 6];
    for line in &mut lines {
        program.output.read_line(line).unwrap();
    }
    assert_eq!(lines[0], "=\n");
    assert!(lines[1].contains(" value won plies 1 ") && lines[2..].iter().all(|line| *line == lines[1]), "{lines:?}");
    program.send("");
    program.send("name");
    while !program.block().ends_with("= hexzero\n\n") {}
    program.quit();
}

#[test]
fn moves_are_chosen_with_an_analysis() {
    let mut program = Program::start(&["--game", "hex", "--size", "5", "--time", "0.3"]);
    for (line, colour) in
        [("3 lz-genmove_analyze B 5", "w"), ("kata-genmove_analyze white interval 10 rootInfo true", "b")]
    {
        program.send(line);
        // It is a command like any other: the next line waits.
        program.send("showboard");
        let reply = program.block();
        let lines: Vec<&str> = reply.trim_end().lines().collect();
        let [beginning, infos @ .., last] = &lines[..] else { panic!("{reply}") };
        assert!(beginning.starts_with('=') && !infos.is_empty(), "{reply}");
        assert!(infos.iter().all(|info| info.starts_with("info move ")), "{reply}");
        let played = last.strip_prefix("play ").unwrap();
        let best = infos.last().unwrap().split_whitespace().nth(2).unwrap();
        assert_eq!(played, best, "{reply}");
        let board = program.block();
        let turn = [("w", "= white to move, turn 2"), ("b", "= black to move, turn 3")];
        assert!(turn.iter().any(|(next, state)| *next == colour && board.starts_with(state)), "{board}");
    }
    program.quit();
}

#[test]
fn a_byte_order_mark_may_open_the_stream() {
    assert_eq!(gtp::talk(Path::new("."), &[], "\u{feff}name\r\n"), "= hexzero\n\n");
    assert_eq!(
        gtp::talk(Path::new("."), &[], "\u{feff}7 name\n\u{feff}# a comment\n\u{feff}8 name\n"),
        "=7 hexzero\n\n=8 hexzero\n\n"
    );
}

#[test]
fn names_of_files_may_have_spaces() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("sp ace");
    std::fs::create_dir(&inner).unwrap();
    for name in ["g m.sgf", "two  spaces.sgf", "#1 \u{e4}.sgf", "game 5"] {
        std::fs::write(inner.join(name), "(;FF[4]GM[11]SZ[5];B[a1];W[b2];B[c3])").unwrap();
    }
    for (arguments, turn) in [
        ("sp ace/g m.sgf", 4),
        ("\"sp ace/g m.sgf\"", 4),
        ("\"sp ace/g m.sgf\" 2", 2),
        ("'sp ace/g m.sgf' 3", 3),
        ("sp ace/g m.sgf 1", 1),
        ("sp ace/two  spaces.sgf", 4),
        ("\"sp ace/#1 \u{e4}.sgf\" 2 # with a comment", 2),
        ("sp ace/game 5", 4),
        ("sp ace/game 5 2", 2),
    ] {
        let told = gtp::talk(folder.path(), &["--game", "hex"], format!("loadsgf {arguments}\nshowboard\n"));
        let expected = format!("= \n\n= {} to move, turn {turn}\n", ["white", "black"][turn % 2]);
        assert!(told.starts_with(&expected), "{arguments}: {told}");
    }
    for (arguments, error) in [
        ("\"sp ace/g m.sgf\" x", "? move number not a positive integer"),
        ("sp ace/g m.sgf -1", "? move number not a positive integer"),
        ("sp ace/g.sgf", "? cannot load file: "),
        ("\"\"", "? cannot load file: give its name"),
    ] {
        let told = gtp::talk(folder.path(), &["--game", "hex"], format!("loadsgf {arguments}\n"));
        assert!(told.starts_with(error), "{arguments}: {told}");
    }
}

#[test]
fn what_clients_of_go_send() {
    let mut program = Program::start(&["--game", "hex", "--visits", "10"]);
    for line in ["rectangular_boardsize 5 5", "komi 6.5", "kgs-time_settings none", "play b a1", "stop"] {
        assert_eq!(program.ask(line), "", "{line}");
    }
    let sgf = program.ask("printsgf");
    assert!(sgf.starts_with("(;FF[4]GM[11]") && sgf.ends_with("SZ[5];B[a1])"), "{sgf}");
    program.ask("play w resign");
    assert!(program.ask("printsgf").contains("RE[B+R]"));
    program.ask("kgs-game_over");
    program.quit();
}

/// A position in which the player named is not the one to move, in a game whose positions need all their moves.
#[test]
fn a_set_up_position_is_analysed_for_either_player() {
    let mut program = Program::start(&["--game", "cachex", "--size", "4", "--visits", "20"]);
    program.ask("gogui-setup b a1 w b2");
    let board = program.ask("showboard");
    assert!(board.starts_with("red to move, turn 3"), "{board}");
    program.ask("reg_genmove w");
    program.send("hexzero-analyze w 10");
    program.send("all_legal_moves w");
    assert!(program.block().starts_with("=\ninfo move "));
    program.block();
    assert_eq!(program.ask("showboard"), board);
    // A refused move of the other colour does not hand the turn over either.
    program.send("play w a1");
    assert!(program.block().starts_with("? illegal move: a1 is occupied"));
    assert_eq!(program.ask("showboard"), board);
    program.quit();
}
