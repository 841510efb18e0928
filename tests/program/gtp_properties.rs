//! GTP with whatever somebody may send, through the library.

use std::io::{BufReader, Cursor, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use hexzero::engine::Engine;
use hexzero::engine::model::LoadedModel;
use hexzero::games::{Action, Evaluation, Game, Position};
use hexzero::interfaces::gtp::{GtpSession, Thinking, converse};
use hexzero::search::{Level, Limits};
use proptest::prelude::*;

use crate::games::{cachex, hex};

/// A session on a board of this size, with an engine that thinks three visits about a move and knows nothing.
pub fn session(game: Game, size: usize) -> GtpSession {
    GtpSession::new(Engine::new(game, size, LoadedModel::uniform()).unwrap(), thinking(3))
}

fn thinking(visits: u32) -> Thinking {
    let limits = Limits::visits(visits);
    Thinking { without_clock: limits, with_clock: limits, ponder: false, level: Level::FULL, seed: 0 }
}

/// The replies to an input.
fn conversation(game: Game, input: &[u8]) -> String {
    let mut output = Vec::new();
    converse(session(game, 3), Cursor::new(input.to_vec()), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// Whether there is a command on a line, and whether it is the last one.
fn command(line: &[u8]) -> Option<bool> {
    if line.len() >= 4096 {
        return Some(false);
    }
    let text = String::from_utf8_lossy(line).replace('\t', " ");
    let text: String = text.split('#').next().unwrap().chars().filter(|c| !c.is_control()).collect();
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let name = if first.bytes().all(|byte| byte.is_ascii_digit()) { words.next() } else { Some(first) };
    Some(name == Some("quit"))
}

/// Every command has one reply of the protocol's form, and nothing else is said but drawings.
fn answers_in_form(game: Game, input: &[u8]) -> Result<(), TestCaseError> {
    let mut expected = 0;
    for quits in input.split(|&byte| byte == b'\n').filter_map(command) {
        expected += 1;
        if quits {
            break;
        }
    }
    let output = conversation(game, input);
    prop_assert!(output.is_empty() || output.ends_with("\n\n"), "{output:?}");
    let (drawings, replies): (Vec<&str>, Vec<&str>) =
        output.split_terminator("\n\n").partition(|part| part.starts_with("gogui-gfx:\n"));
    prop_assert_eq!(replies.len(), expected, "{:?}", output);
    for reply in replies {
        let head = reply.lines().next().unwrap_or_default();
        let after_id = head.trim_start_matches(['=', '?']).trim_start_matches(|c: char| c.is_ascii_digit());
        prop_assert!(reply.starts_with(['=', '?']), "{reply:?}");
        prop_assert!(after_id.starts_with(' ') || reply.lines().nth(1).is_some_and(|line| line.starts_with("info ")));
    }
    prop_assert!(drawings.iter().all(|drawing| drawing.contains("\nVAR ")));
    Ok(())
}

/// An input whose second line comes during an evaluation, which waits until that line has been read.
struct Interrupting {
    lines: std::vec::IntoIter<&'static str>,
    judging: Receiver<()>,
    heard: Sender<()>,
}

impl Read for Interrupting {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let line = self.lines.next().unwrap_or_default();
        match self.lines.len() {
            1 => self.judging.recv().unwrap(),
            0 if line.is_empty() => self.heard.send(()).unwrap_or_default(),
            _ => {}
        }
        Cursor::new(line).read(buffer)
    }
}

/// The interrupt comes while the tenth position is being judged, and that is the last one.
#[test]
fn interrupt_ends_the_search_under_way() {
    let ((tell_judging, judging), (tell_heard, heard)) = (channel(), channel());
    let (heard, judged) = (Arc::new(Mutex::new(heard)), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&judged);
    let evaluator = Box::new(move |_: &Position, legal: &[Action]| {
        if counted.fetch_add(1, Ordering::Relaxed) + 1 == 10 {
            tell_judging.send(()).unwrap();
            heard.lock().unwrap().recv().unwrap();
        }
        Evaluation::uniform(legal.len())
    });
    let engine = Engine::new(cachex(), 5, LoadedModel::new("uniform", evaluator)).unwrap();
    let lines = vec!["genmove b\n", "# interrupt\n", ""].into_iter();
    let input = Interrupting { lines, judging, heard: tell_heard };
    let mut output = Vec::new();
    converse(GtpSession::new(engine, thinking(1000)), BufReader::new(input), &mut output).unwrap();
    assert!(output.starts_with(b"= ") && output.ends_with(b"\n\n"), "{output:?}");
    assert_eq!(judged.load(Ordering::Relaxed), 10);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_line_is_answered(lines in prop::collection::vec(any_line(), 1..60)) {
        let input = lines.join(&b'\n');
        answers_in_form(cachex(), &input)?;
        answers_in_form(hex(), &input)?;
    }

    /// Stones of either colour in any order, and what fails among them, can be taken back one by one.
    #[test]
    fn set_up_position_is_taken_back(lines in prop::collection::vec(any_stone(), 1..40)) {
        let mut session = session(hex(), 3);
        let mut ask = |line: &str| session.answer(line).map_or(String::new(), |reply| reply.text);
        ask("boardsize 3");
        let mut boards = vec![ask("showboard")];
        for line in lines.iter() {
            let played = ask(line).starts_with('=');
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
            // Not the player to move, as either colour may go on.
            let stones = |board: &str| board.lines().skip(1).collect::<String>();
            prop_assert_eq!(stones(&ask("showboard")), stones(&boards[boards.len() - 1]));
        }
        prop_assert!(ask("undo").starts_with("? cannot undo"));
    }

    /// A sequence is played as its moves one by one would be, or not at all.
    #[test]
    fn sequences_are_played_whole_or_not_at_all(lines in prop::collection::vec(any_stone(), 1..8)) {
        let moves: Vec<&str> = lines.iter().map(|line| line.trim_start_matches("play ")).collect();
        let name = "gogui-play_sequence";
        let (mut one, mut all) = (session(hex(), 3), session(hex(), 3));
        let ask = |session: &mut GtpSession, line: &str| session.answer(line).unwrap().text;
        let empty = ask(&mut all, "showboard");
        let whole = ask(&mut all, &format!("{name} {}", moves.join(" ")));
        let each: Vec<String> = lines.iter().map(|line| ask(&mut one, line)).collect();
        match each.iter().find(|reply| reply.starts_with('?')) {
            None => {
                prop_assert_eq!(whole, "= \n\n");
                prop_assert_eq!(ask(&mut all, "showboard"), ask(&mut one, "showboard"));
            }
            Some(failure) => {
                prop_assert_eq!(&whole, failure);
                prop_assert_eq!(ask(&mut all, "showboard"), empty);
            }
        }
    }
}

/// A stone of Hex on a board of 3×3, or the swap.
fn any_stone() -> impl Strategy<Value = String> {
    let place = prop_oneof![8 => "[a-c][1-3]".boxed(), 1 => Just("swap-pieces".to_owned()).boxed()];
    (prop::sample::select(&["b", "white"][..]), place).prop_map(|(side, cell)| format!("play {side} {cell}"))
}

/// Noise, and lines that are nearly right.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        "[a-c][1-3]",
        prop::sample::select(&["red", "blue", "b", "w", "black", "swap", "swap-pieces", "steal", "allow_swap"][..])
            .prop_map(str::to_owned),
        "-?[0-9]{1,25}",
        "[0-9.e-]{1,8}",
        any::<String>().prop_map(|text| text.replace('\n', " ")),
    ];
    let listed = session(cachex(), 3).answer("list_commands").unwrap().text;
    let commands: Vec<String> = listed.trim_start_matches("= ").split_whitespace().map(str::to_owned).collect();
    // Most conversations do not end soon.
    let command = prop::sample::select(commands.into_iter().filter(|name| name != "quit").collect::<Vec<_>>());
    let id = prop_oneof![3 => Just(String::new()), 1 => "[0-9]{1,12} "];
    prop_oneof![
        2 => prop::collection::vec(any::<u8>().prop_map(|byte| if byte == b'\n' { b' ' } else { byte }), 0..80),
        1 => Just(b"# interrupt".to_vec()),
        1 => (4000..9000_usize).prop_map(|length| vec![b'x'; length]),
        1 => Just(b"quit".to_vec()),
        16 => (id, command, prop::collection::vec(word, 0..5))
            .prop_map(|(id, name, words)| format!("{id}{name} {}", words.join(" ")).into_bytes()),
        16 => (prop::sample::select(&["red", "blue"][..]), "[a-c][1-3]")
            .prop_map(|(side, cell)| format!("play {side} {cell}").into_bytes()),
    ]
}
