//! GTP as clients of Go send it, with the real program.

use std::path::Path;

use crate::common::hexzero_with_input;
use crate::gtp::{self, Program};
use crate::output::{stderr, stdout};
use crate::tiny::Folder;

/// Lines of clients as they send them, each answered by lines of analysis until the next one.
#[test]
fn unknown_analysis_options_are_tolerated() {
    let lines = [
        "kata-analyze B interval 10 rootInfo true movesOwnership true pvVisits true minmoves 1 maxmoves 5 avoid B a1,b2 3",
        "kata-analyze B interval 10 rootInfo true movesOwnership true pvVisits true minmoves 1 maxmoves 5 allow B a1,b2 1",
        "kata-analyze interval 50 maxmoves 8 ownership true movesOwnership true noResultValue false rootInfo true",
        "kata-analyze w interval 10 maxmoves 8 ownership true rootInfo true",
        "kata-analyze interval 1 maxvisits 1",
        "kata-analyze interval 0.5",
        "lz-analyze 10 minmoves 2",
        "lz-analyze b interval 10 avoid w a1 1 avoid b pass,c3 1",
    ];
    let input = lines.map(|line| format!("{line}\nstop\n")).concat() + "quit\n";
    let done = hexzero_with_input(Path::new("."), &["gtp", "--game", "hex", "--size", "5"], input);
    let (replies, said) = (stdout(&done), stderr(&done));
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
fn winning_move_can_be_avoided() {
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

/// A proof ends the search, but not the stream of analyses.
#[test]
fn analysis_continues_after_its_search_ends() {
    let mut program = Program::start(&["--game", "hex", "--size", "3"]);
    program.ask("play-game a1 c1 a2 c2");
    program.send("kata-analyze b 2");
    let lines = [(); 6].map(|()| program.line());
    assert_eq!(lines[0], "=");
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
    // No move that is left out is chosen.
    program.send("kata-genmove_analyze b interval 10 allow b a1 1");
    assert!(program.block().ends_with("play a1\n\n"));
    program.quit();
}

#[test]
fn stream_may_begin_with_a_byte_order_mark() {
    assert_eq!(gtp::talk(Path::new("."), &[], "\u{feff}name\r\n"), "= hexzero\n\n");
    assert_eq!(
        gtp::talk(Path::new("."), &[], "\u{feff}7 name\n\u{feff}# a comment\n\u{feff}8 name\n"),
        "=7 hexzero\n\n=8 hexzero\n\n"
    );
}

#[test]
fn file_names_may_have_spaces() {
    let folder = &*Folder::empty();
    let inner = folder.join("sp ace");
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
        let told = gtp::talk(folder, &["--game", "hex"], format!("loadsgf {arguments}\nshowboard\n"));
        let expected = format!("= \n\n= {} to move, turn {turn}\n", ["white", "black"][turn % 2]);
        assert!(told.starts_with(&expected), "{arguments}: {told}");
    }
    for (arguments, error) in [
        ("\"sp ace/g m.sgf\" x", "? move number not a positive integer"),
        ("sp ace/g m.sgf -1", "? move number not a positive integer"),
        ("sp ace/g.sgf", "? cannot load file: "),
        ("\"\"", "? cannot load file: give its name"),
    ] {
        let told = gtp::talk(folder, &["--game", "hex"], format!("loadsgf {arguments}\n"));
        assert!(told.starts_with(error), "{arguments}: {told}");
    }
}

#[test]
fn go_client_commands_are_accepted() {
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

/// A position in which the player named is not the one to move, in a game whose positions need all their moves, and in
/// one in which either player may go on.
#[test]
fn set_up_position_is_analysed_for_both_players() {
    for (game, first) in [("cachex", "red"), ("hex", "black")] {
        let mut program = Program::start(&["--game", game, "--size", "4", "--visits", "20"]);
        program.ask("gogui-setup b a1 w b2");
        let board = program.ask("showboard");
        assert!(board.starts_with(&format!("{first} to move, turn 3")), "{board}");
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
}
