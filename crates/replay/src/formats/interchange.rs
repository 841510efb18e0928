//! Reads files of games, as lines of JSON (see [`crate::InterchangeGame`]) or in SGF. Blank lines
//! are skipped. A file that begins with a parenthesis, or with other text before the first `(;`, is
//! SGF. A line may also be a HexWorld link.

use std::io::{self, BufRead, ErrorKind, Read};

use crate::recorded::{Entry, GameFault, GameForm, InterchangeError, RecordedGame, ReplayOptions, ReplaySummary};

use super::InterchangeGame;
use super::charset::beginning;
use super::hexworld::{HexWorldGame, is_address};
use super::sgf::SgfGame;
use super::sgf_reader::SgfError;
use hexzero_system::files::{MAX_LINE_BYTES, lines};

/// Reads the games of a file in order, skipping blank lines. An unreadable game is an error of that
/// item only, so the caller may stop there or go on. After an error of the reader itself the
/// iterator ends.
pub fn recorded_games<R: BufRead>(reader: R) -> impl Iterator<Item = Result<(Entry, RecordedGame), InterchangeError>> {
    recorded_games_on(reader, None)
}

/// Reads the games of a file as [`recorded_games`] does, with a default board size for SGF games
/// that state none.
pub fn recorded_games_on<R: BufRead>(
    mut reader: R,
    size: Option<usize>,
) -> impl Iterator<Item = Result<(Entry, RecordedGame), InterchangeError>> {
    let begins_with_sgf = reader.fill_buf().is_ok_and(is_sgf);
    let (sgf, lines) = if begins_with_sgf { (Some(reader), None) } else { (None, Some(reader)) };
    sgf.into_iter().flat_map(move |reader| sgf_games(reader, size)).chain(lines.into_iter().flat_map(json_lines))
}

/// Returns true if a file that begins like this is SGF, possibly with other text before its first
/// game.
fn is_sgf(start: &[u8]) -> bool {
    let text = beginning(start);
    let text = text.trim_start_matches(['\u{feff}', '\0']).trim_start();
    let has_game = || {
        let mut trees = text.match_indices('(').map(|(at, _)| text[at + 1..].trim_start());
        !text.starts_with('{')
            && !is_address(text.lines().next().unwrap_or_default().as_bytes())
            && trees.any(|tree| tree.starts_with(';'))
    };
    text.starts_with('(') || has_game()
}

fn sgf_games(
    reader: impl Read,
    size: Option<usize>,
) -> impl Iterator<Item = Result<(Entry, RecordedGame), InterchangeError>> {
    let recorded = move |(index, game): (usize, Result<SgfGame, SgfError>)| {
        let entry = Entry { game: index + 1, line: None };
        let mut game = game?;
        game.size = if game.size == 0 { size.unwrap_or_default() } else { game.size };
        let recorded = RecordedGame::try_from(game).map_err(|fault| InterchangeError::Game { entry, fault })?;
        Ok((entry, recorded))
    };
    let (games, error) = match SgfGame::read_from(reader) {
        Ok(games) => (Some(games), None),
        Err(error) => (None, Some(Err(error.into()))),
    };
    games.into_iter().flatten().enumerate().map(recorded).chain(error)
}

fn json_lines(reader: impl Read) -> impl Iterator<Item = Result<(Entry, RecordedGame), InterchangeError>> {
    let mut number = 0;
    let game_of = move |(line_number, line): (usize, io::Result<Vec<u8>>)| {
        let game = match line {
            Ok(line) if line.trim_ascii().is_empty() => return None,
            Ok(line) if line_number == 1 => json_game(line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line)),
            Ok(line) => json_game(&line),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                Err(GameFault::Other(format!("a line of more than {MAX_LINE_BYTES} bytes is not a game")))
            }
            Err(source) => return Some(Err(InterchangeError::Read { line: line_number, source })),
        };
        number += 1;
        let entry = Entry { game: number, line: Some(line_number) };
        Some(game.map(|game| (entry, game)).map_err(|fault| InterchangeError::Game { entry, fault }))
    };
    (1..).zip(lines(reader)).filter_map(game_of)
}

/// Replays every game of a file. An invalid game is an error of that item only, so the caller may
/// stop there or go on.
pub fn replays(
    reader: impl BufRead,
    options: ReplayOptions,
) -> impl Iterator<Item = Result<ReplaySummary, InterchangeError>> {
    recorded_games(reader).map(move |game| {
        let (entry, game) = game?;
        game.replay(options).map_err(|fault| InterchangeError::Game { entry, fault })
    })
}

/// Replays every game of a file as [`replays`] does, and writes each in another format.
pub fn rewritten(reader: impl BufRead, form: GameForm) -> impl Iterator<Item = Result<String, InterchangeError>> {
    recorded_games(reader).map(move |game| {
        let (entry, game) = game?;
        game.rewritten(form).map_err(|fault| InterchangeError::Game { entry, fault })
    })
}

fn json_game(line: &[u8]) -> Result<RecordedGame, GameFault> {
    if is_address(line) {
        return HexWorldGame::read(&String::from_utf8_lossy(line))?.try_into();
    }
    InterchangeGame::from_line(line)?.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::quoted;
    use hexzero_games::game_named;

    const HERE: Entry = Entry { game: 3, line: Some(4) };
    const PLAIN: ReplayOptions = ReplayOptions { states: false, legal: false };
    const WITH_STATES: ReplayOptions = ReplayOptions { states: true, legal: false };

    fn replay_line(line: impl AsRef<[u8]>, options: ReplayOptions) -> Result<ReplaySummary, InterchangeError> {
        let summary = json_game(line.as_ref()).and_then(|game| game.replay(options));
        summary.map_err(|fault| InterchangeError::Game { entry: HERE, fault })
    }

    fn summary(line: &str) -> ReplaySummary {
        replay_line(line, PLAIN).unwrap()
    }

    fn fault(line: impl AsRef<[u8]>) -> String {
        match replay_line(line, WITH_STATES) {
            Err(InterchangeError::Game { entry: HERE, fault }) => fault.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn legal_actions_and_movers() {
        let of = |moves: &str| {
            let line = format!(r#"{{"game":"cachex","size":5,"moves":[{moves}]}}"#);
            replay_line(line, ReplayOptions { states: false, legal: true }).unwrap().to_line()
        };
        // The first move may not take the centre; the second move may be a swap.
        let expected =
            r#"{"game":"cachex","size":5,"turns":3,"result":null,"reason":null,"legal":[24,25,24],"movers":[0,1,0]}"#;
        assert_eq!(of(r#""d2","swap","c4""#), expected);
        assert!(of("").ends_with(r#""legal":[],"movers":[]}"#));
    }

    #[test]
    fn movers_are_those_who_set_up_stones() {
        let file = b"(;GM[11]SZ[3]AB[a1][b2];W[c3])".as_slice();
        let summary = replays(file, ReplayOptions { states: false, legal: true }).next().unwrap().unwrap();
        assert_eq!(summary.movers, Some(vec![0, 0, 1]));
    }

    #[test]
    fn won_game() {
        let line = r#" {"size":3,"date":[1,{}],"result":"red","moves":["A1","b1","a2","b2","a3"],"game":"cachex"} "#;
        let json = serde_json::to_string(&summary(line)).unwrap();
        assert_eq!(json, r#"{"game":"cachex","size":3,"turns":5,"result":"red","reason":"connection"}"#);
    }

    #[test]
    fn resigned_game() {
        let line = |fields: &str| format!(r#"{{"game":"cachex","size":5,"moves":["d2","c4"],{fields}}}"#);
        let expected = r#"{"game":"cachex","size":5,"turns":2,"result":"blue","reason":"resignation"}"#;
        for fields in [r#""resigned":"red""#, r#""result":"blue","resigned":"red""#] {
            assert_eq!(summary(&line(fields)).to_line(), expected);
        }
        let wrong = fault(line(r#""result":"red","resigned":"red""#));
        assert_eq!(wrong, "the stated result is 'red', but after its 2 moves the result is 'blue'");
        let nobody = fault(line(r#""resigned":"white""#));
        assert_eq!(nobody, "'white' cannot have resigned: the players are red and blue");
        let late = r#"{"game":"cachex","size":3,"moves":["a1","b1","a2","b2","a3"],"resigned":"blue"}"#;
        assert_eq!(fault(late), "'blue' cannot have resigned: after its 5 moves the game is over");
        let again = rewritten(line(r#""resigned":"red""#).as_bytes(), GameForm::JsonLine).next().unwrap().unwrap();
        assert_eq!(again, line(r#""resigned":"red""#));
    }

    #[test]
    fn writing_and_replaying_are_inverse() {
        let mut game = game_named("cachex").unwrap().start(3).unwrap();
        let moves = ["a1", "swap", "b1", "a2", "c3", "a3"];
        let actions = moves.map(|text| game.play_named(text).unwrap());
        let record = serde_json::to_string(&InterchangeGame::new(&game, &actions)).unwrap();
        let moves = serde_json::to_string(&moves).unwrap();
        assert_eq!(record, format!(r#"{{"game":"cachex","size":3,"moves":{moves}}}"#));
        assert_eq!(summary(&record).turns, 6);
    }

    #[test]
    fn moves_that_cannot_be_played() {
        let refused = |moves: &str| fault(format!(r#"{{"game":"cachex","size":3,"moves":[{moves}]}}"#));
        let over = refused(r#""a1","b1","a2","b2","a3","c1","c2""#);
        assert!(over.starts_with("move 6 'c1': "), "{over}");
        for odd in ["", " ", "ä1", "１a", "a-1", "\u{1F480}", "a99999999999999999999999999"] {
            assert!(refused(&format!("{odd:?}")).starts_with("move 1 '"), "{odd}");
        }
    }

    #[test]
    fn lines_that_are_no_game() {
        for line in [&b"{}"[..], br#"{"game":"cachex","size":5,"moves":"a1"}"#, br#"{"game":"cachex","size":5}"#] {
            assert!(fault(line).starts_with("not a game in JSON, character "), "{line:?}");
        }
        for line in [&b"x"[..], b"[]", b"null", b"\"\xff\""] {
            assert!(fault(line).contains("' is no game: give SGF, "), "{line:?}");
        }
        for nested in ["{\"x\":", "{\"moves\":"].map(|start| start.to_owned() + &"[".repeat(100_000)) {
            assert!(fault(nested).starts_with("not a game in JSON, character "));
        }
    }

    #[test]
    fn sizes_and_results_that_are_wrong() {
        for size in ["0", "18446744073709551615"] {
            let line = format!(r#"{{"game":"cachex","size":{size},"moves":[]}}"#);
            assert!(fault(line).starts_with("cachex is played on boards of size "), "{size}");
        }
        const RED: &str = "the result is 'red'";
        let won = r#""a1","b1","a2","b2","a3""#;
        for (result, moves, number, found) in
            [("red", r#""a1""#, 1, "the game is not over"), ("blue", won, 5, RED), ("", won, 5, RED)]
        {
            let line = format!(r#"{{"game":"cachex","size":3,"moves":[{moves}],"result":"{result}"}}"#);
            assert_eq!(fault(line), format!("the stated result is '{result}', but after its {number} moves {found}"));
        }
    }

    #[test]
    fn garbage_gives_a_short_message() {
        let long = "ö".repeat(500_000);
        for line in [
            long.clone(),
            format!("{long:?}"),
            format!(r#"{{"game":"{long}","size":5,"moves":[]}}"#),
            format!(r#"{{"game":"cachex","size":"{long}","moves":[]}}"#),
            format!(r#"{{"game":"cachex","size":5,"moves":["{long}"]}}"#),
            format!(r#"{{"game":"cachex","size":5,"moves":[],"result":"{long}"}}"#),
        ] {
            let text = fault(line);
            assert!(text.len() < 600, "{} bytes: {}", text.len(), &quoted(&text));
        }
    }

    #[test]
    fn longest_line_that_is_written_can_be_read() {
        let with = |comment: &str| format!(r#"{{"game":"cachex","size":3,"moves":[],"comments":{{"0":"{comment}"}}}}"#);
        let written = |bytes: u64| {
            let line = with(&"x".repeat(bytes as usize - with("").len()));
            rewritten(line.as_bytes(), GameForm::JsonLine).next().unwrap()
        };
        let longest = written(MAX_LINE_BYTES - 2).unwrap() + "\n";
        assert!(replays(longest.as_bytes(), PLAIN).all(|game| game.is_ok()));
        assert!(written(MAX_LINE_BYTES - 1).is_err());
    }

    #[test]
    fn blank_lines_and_bad_games_are_skipped() {
        let good = r#"{"game":"cachex","size":3,"moves":["a1"]}"#;
        let file = [good.as_bytes(), b"\r\n\n  \n\xff\n", good.as_bytes()].concat();
        let found: Vec<_> = replays(file.as_slice(), PLAIN).collect();
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].as_ref().unwrap(), found[2].as_ref().unwrap());
        assert!(found[1].as_ref().unwrap_err().to_string().starts_with("game 2 (line 4): "));
        assert_eq!(replays(b"".as_slice(), WITH_STATES).count(), 0);
    }
}
