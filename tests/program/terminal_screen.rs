//! `hexzero play` in a real terminal.
#![cfg(target_os = "linux")]

use rustix::process::{Pid, Signal, kill_process};

use crate::terminal::Terminal;

const GAME: [&str; 6] = ["--size", "5", "--visits", "30", "--seed", "1"];

#[test]
fn move_answer_resize_and_quit() {
    let mut terminal = Terminal::start(24, 80, &[], &GAME);
    let seen = terminal.expect_text("your move, red · red connects the first and last row");
    assert!(seen.contains("cachex 5×5 · full strength, 30 visits a move"), "{seen}");
    assert!(!terminal.is_as_it_was());
    // The name moves the cursor, Enter places the stone.
    terminal.press("e1");
    terminal.expect_text("cell e1_");
    terminal.press("\r");
    let seen = terminal.expect("an answer", |seen| seen.contains("1 red e1") && seen.contains("2 blue "));
    assert!(seen.contains("your move, red"), "{seen}");
    terminal.resize(40, 120);
    terminal.expect("a larger board", |seen| seen.lines().count() > 24 && seen.contains("2 blue "));
    for (rows, columns) in [(10, 30), (3, 9), (1, 1)] {
        terminal.resize(rows, columns);
        terminal.press("\x1b[A");
    }
    terminal.resize(24, 80);
    terminal.expect_text("2 blue ");
    // On this board `a` is a column too, so Enter says that no number follows.
    terminal.press("a\r");
    let early = terminal.expect_text("after ");
    assert!(early.contains("red ") && early.contains(" %"), "{early}");
    terminal.expect("more visits", |seen| seen.contains("after ") && seen != early);
    terminal.press("?");
    let help = terminal.expect_text("take back your last move");
    assert!(help.contains("blue connects the first and last column"), "{help}");
    terminal.press("?u");
    let seen = terminal.expect("an empty board", |seen| !seen.contains("1 red") && !seen.contains("take back"));
    assert!(!seen.contains(" R "), "{seen}");
    terminal.press("q");
    assert!(terminal.end().success());
    assert!(terminal.is_as_it_was());
}

#[test]
fn click_places_a_stone() {
    let mut terminal = Terminal::start(24, 80, &[], &GAME);
    let seen = terminal.expect_text("your move, red · red connects the first and last row");
    // The corner a1 is below the letter a, two lines down from the top of the board.
    let (row, line) = seen.lines().enumerate().find(|(_, line)| line.trim_start().starts_with("a   b   c")).unwrap();
    let column = line.find('a').unwrap();
    terminal.press(&format!("\x1b[<0;{};{}M", column + 1, row + 2));
    terminal.expect_text("1 red a1");
    terminal.press("\x03");
    assert!(terminal.end().success());
    assert!(terminal.is_as_it_was());
}

/// A closed window must not leave a program behind that nobody sees.
#[test]
fn program_ends_with_its_terminal() {
    let Terminal { mut child, .. } = {
        let mut terminal = Terminal::start(24, 80, &[], &GAME);
        terminal.expect_text("your move, red");
        terminal
    };
    assert!(child.wait().unwrap().code().is_some(), "it was killed");
}

/// Told to end while the engine thinks for an hour.
#[test]
fn signal_restores_the_terminal() {
    let mut terminal = Terminal::start(24, 80, &[], &["--size", "5", "--side", "blue", "--time", "3600"]);
    terminal.expect_text("red is thinking");
    let pid = Pid::from_child(&terminal.child);
    kill_process(pid, Signal::TERM).unwrap();
    assert!(terminal.end().success());
    assert!(terminal.is_as_it_was());
}

#[test]
fn no_color_removes_colours() {
    let mut terminal = Terminal::start(24, 80, &[("NO_COLOR", "1")], &GAME);
    terminal.expect_text("your move, red");
    terminal.press("a1\r");
    terminal.expect_text("2 blue ");
    let screen = terminal.parser.screen();
    for (row, column) in (0..24).flat_map(|row| (0..80).map(move |column| (row, column))) {
        let cell = screen.cell(row, column).unwrap();
        assert_eq!((cell.fgcolor(), cell.bgcolor()), (vt100::Color::Default, vt100::Color::Default), "{row} {column}");
    }
    // A game under way is not left without a question.
    terminal.press("q");
    terminal.expect_text("press q again to leave");
    terminal.press("q");
    assert!(terminal.end().success());
}

/// Whether the person may move, and whether the game is over.
fn turns(seen: &str) -> (bool, bool) {
    let state = seen.lines().nth(1).unwrap_or_default();
    (state.contains("your move"), state.contains("wins: ") || state.contains("draw: "))
}

/// Waits until the person may move. False once the game is over.
fn may_move(terminal: &mut Terminal) -> bool {
    let seen = terminal.expect("a turn or the end", |seen| turns(seen) != (false, false));
    turns(&seen).0
}

/// A place, then one of two signs: the second pick is a number.
#[test]
fn game_of_choices_on_a_hexagon() {
    let mut terminal = Terminal::start_toy("toy-hexagon", "2");
    assert!(may_move(&mut terminal));
    // The cursor is in the middle. The same place again takes the pick back, and so does Esc.
    for back in ["\r", "\x1b"] {
        terminal.press("\r");
        let seen = terminal.expect_text("now pick a number");
        assert!(seen.contains("1 x") && seen.contains("2 o"), "{seen}");
        terminal.press(back);
        terminal.expect("no signs to choose", |seen| !seen.contains("1 x") && !seen.contains("now pick"));
    }
    terminal.press("\r2");
    terminal.expect_text("1 alma o:b2");
    // Up, and left or right as far as there are cells.
    for name in ["a1", "b1", "a2", "c2", "b3", "c3"] {
        if !may_move(&mut terminal) {
            break;
        }
        let moves = terminal.seen().matches("alma ").count();
        terminal.press(&format!("{name}\r"));
        let seen = terminal
            .expect(name, |seen| seen.contains("now pick") || seen.contains(&format!("{name} is not possible now")));
        if seen.contains("now pick") {
            terminal.press("1");
            terminal.expect(name, |seen| seen.matches("alma ").count() > moves || turns(seen).1);
        }
    }
    let seen = terminal.expect("the end", |seen| turns(seen).1);
    assert!(seen.contains("three equal signs are in a line") || seen.contains("the board is full"), "{seen}");
    terminal.press("q");
    assert!(terminal.end().success());
}

/// A stone is placed, or picked and moved in a direction.
#[test]
fn game_of_directions_on_a_torus() {
    let mut terminal = Terminal::start_toy("toy-torus", "3");
    assert!(may_move(&mut terminal));
    terminal.press("0,0\r");
    terminal.expect_text("1 green 0,0");
    let mut moved = false;
    // The game has at most 36 turns.
    for turn in 0..18 {
        if !may_move(&mut terminal) {
            break;
        }
        let last = last_ply(&terminal.seen());
        let played = |seen: &str| last_ply(seen) > last || turns(seen).1;
        for place in (0..9).map(|place| (place + turn) % 9) {
            terminal.press(&format!("{},{}", place / 3, place % 3));
            terminal.expect_text(&format!("cell {},{}_", place / 3, place % 3));
            terminal.press("\r");
            let answered = |seen: &str| !seen.contains('_') && (seen.contains("now pick") || seen.contains("occupied"));
            let seen = terminal.expect("an answer", |seen| answered(seen) || played(seen));
            if played(&seen) {
                break;
            }
            if seen.contains("now pick") {
                // The places around have the numbers of their directions.
                let number = (1..=6).find(|number| seen.contains(&format!("{number} to ")));
                let Some(number) = number else {
                    terminal.press("\x1b");
                    continue;
                };
                terminal.press(&number.to_string());
                terminal.expect("a move", played);
                moved = true;
                break;
            }
        }
    }
    let seen = terminal.expect("the end", |seen| turns(seen).1);
    assert!(seen.contains("a ring is closed") || seen.contains("the turn limit has been reached"), "{seen}");
    // A place beside the picked stone is its direction, too.
    let stepped = ["sw", "s", "e", "ne", "n", "w"].iter().any(|direction| seen.contains(&format!(":{direction}")));
    assert!(moved || stepped, "{seen}");
    terminal.press("q");
    assert!(terminal.end().success());
}

/// The number of the person's last move in the panel.
fn last_ply(seen: &str) -> Option<usize> {
    let number = |line: &str| line.split_once(" green ")?.0.split(' ').next_back()?.parse().ok();
    seen.lines().skip(2).filter_map(number).max()
}

/// Stones on two boards, and a button.
#[test]
fn two_boards_and_a_pass() {
    let mut terminal = Terminal::start_toy("toy-two-boards", "3");
    assert!(may_move(&mut terminal));
    terminal.press("La1\r");
    terminal.expect_text("1 black La1");
    assert!(may_move(&mut terminal));
    terminal.press("Lb1\r");
    let seen = terminal.expect("an answer", |seen| seen.contains("black Lb1") || seen.contains("Lb1 is occupied"));
    if !seen.contains("black Lb1") {
        terminal.press("La3\r");
        terminal.expect_text("black La3");
    }
    // The cursor has gone to the other board, where a stone may be left out.
    let seen = terminal.expect_text("1 No second stone");
    let cursor = seen.lines().find_map(|line| Some((line.find('▸')?, line.find("La")))).unwrap();
    assert!(cursor.0 > 20, "{seen}");
    terminal.press("1");
    terminal.expect_text("black pass");
    terminal.press("\x03");
    assert!(terminal.end().success());
}

/// Line by line where it is wished, and where the terminal can do no more.
#[test]
fn line_by_line() {
    for (variables, arguments, coloured) in [
        (&[][..], &["--plain"][..], true),
        (&[][..], &["--plain", "--color", "never"][..], false),
        (&[("TERM", "dumb")][..], &[][..], false),
        (&[("TERM", "dumb")][..], &["--color", "always"][..], true),
    ] {
        let mut terminal = Terminal::start(24, 80, variables, &[&GAME, arguments].concat());
        terminal.expect_text("red connects the first and last row, blue connects the first and last column.");
        terminal.expect_text("red> ");
        let screen = terminal.parser.screen();
        let has_colours = screen.cell(2, 8).unwrap().fgcolor() != vt100::Color::Default;
        assert_eq!(has_colours, coloured, "{variables:?} {arguments:?}\n{}", screen.contents());
        terminal.press("quit\n");
        assert!(terminal.end().success());
        assert!(terminal.is_as_it_was());
    }
}
