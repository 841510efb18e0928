//! Screens of all sizes, without a terminal.

use std::time::Instant;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::style::Color;

use super::board::Layout;
use super::input::{Command, Input};
use super::play::Play;
use super::view::{Considered, Thoughts, View};
use super::*;
use crate::terminal::Palette;
use crate::terminal::table::Table;
use hexzero_board::{Board, Shape};
use hexzero_engine::model::LoadedModel;
use hexzero_engine::{Effort, Strength};
use hexzero_games::{Game, Piece, Seat, game_named};
use hexzero_system::stop::StopSignal;

fn cachex() -> Game {
    game_named("cachex").unwrap()
}

fn table(size: usize, moves: &str) -> Table {
    let engine = Engine::new(cachex(), size, LoadedModel::uniform()).unwrap();
    let options = Options {
        person: Seat::First,
        strength: Strength { effort: Effort::Visits(1), ..Strength::default() },
        memory: 1 << 20,
        ponder: false,
        seed: 0,
        palette: Palette { coloured: true },
        opponent: "uniform".into(),
        warning: None,
    };
    let mut table = Table::new(engine, options);
    moves.split_whitespace().for_each(|name| {
        table.play_named(name).unwrap();
    });
    table
}

fn drawn(view: &View, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| panel::draw(view, frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let rows = buffer.content.chunks(usize::from(buffer.area.width));
    let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
    rows.map(|cells| format!("{}\n", row(cells).trim_end())).collect()
}

/// Returns the position of a text on the screen.
fn find(buffer: &Buffer, wanted: &str) -> Position {
    let lines = text(buffer);
    let (row, line) = lines.lines().enumerate().find(|(_, line)| line.contains(wanted)).expect(wanted);
    let column = line.split(wanted).next().unwrap().chars().count();
    Position::new(column as u16, row as u16)
}

#[test]
fn small_board_with_all_panels() {
    let mut view = View::of(&table(5, "c1 b2 a5 c2 b3"));
    view.analysis = true;
    let considered = |place, name: &str, share, visits| Considered { place, name: name.into(), share, visits };
    view.thoughts = Some(Thoughts {
        first: 0.75,
        visits: 1234,
        moves: vec![considered(Some(4), "e1", 0.25, 1000), considered(Some(22), "c5", 0.125, 234)],
        line: "e1 d4".into(),
    });
    view.message = "hint: c5".into();
    let expected = "\
cachex 5×5 · full strength, 1 visit a move
blue is thinking …
     a   b   c   d   e               red 75 %  blue 25 %
 1   ·   ·   R   ·   25  1           █████████████████████████░░░░░░░░
                                     after 1234 visits
   2   ·   ×   ×   ·   ·   2         1 e1    25.0 %     1000
                                     2 c5    12.5 %      234
     3   ·  [R] ▸·◂  ·   ·   3       e1 d4

       4   ·   ·   ·   ·   ·   4       1 red c1
                                       2 blue b2
         5   R   ·   12  ·   ·   5     3 red a5
               a   b   c   d   e       4 blue c2
                                       5 red b3 ×b2 c2


hint: c5
? help · a analysis · h hint · u undo · n new · w save · q quit
";
    let buffer = drawn(&view, 72, 18);
    assert_eq!(text(&buffer), expected, "\n{}", text(&buffer));
    assert_eq!(buffer[find(&buffer, "[R]")].bg, Color::Red);
}

#[test]
fn end_and_winning_chain_are_shown() {
    let view = View::of(&table(3, "a1 c1 a2 c2 a3"));
    let buffer = drawn(&view, 60, 12);
    assert!(text(&buffer).contains("red wins: the two sides are connected"), "{}", text(&buffer));
    let stones = buffer.content.iter().filter(|cell| cell.symbol() == "R");
    assert!(stones.clone().all(|cell| cell.modifier.contains(ratatui::style::Modifier::REVERSED)));
    assert_eq!(stones.count(), 3);
}

/// Returns boards of all shapes.
fn boards() -> Vec<&'static Board> {
    let several = Shape::several([("L", Shape::Hexagon { side: 3 }), ("R", Shape::Triangle { side: 4 })]);
    let shapes = [
        Shape::Rhombus { side: 3 },
        Shape::Rhombus { side: 9 },
        Shape::Rhombus { side: 15 },
        Shape::Triangle { side: 6 },
        Shape::Hexagon { side: 5 },
        Shape::Torus { side: 5 },
        Shape::HexagonEdges { side: 3 },
        Shape::Crossings { size: 5 },
        several,
    ];
    shapes.iter().map(Board::of).collect()
}

/// Returns a view of a board, whatever game it is of, with a piece on every third place.
fn view_of(board: &'static Board, number: u8) -> View {
    let mut view = View::of(&table(5, ""));
    let piece = |place: usize| (place % 3 == 1).then_some(Piece { number, ..Piece::stone(Seat::BOTH[place % 2]) });
    (view.board, view.input, view.has_numbers) = (board, Input::new(board), number > 0);
    view.pieces = (0..board.places().len()).map(piece).collect();
    view
}

fn some_places(board: &Board) -> [usize; 3] {
    let all: Vec<usize> = board.playable().collect();
    [all[0], all[all.len() / 2], all[all.len() - 1]]
}

/// Checks that nothing breaks, and that the cursor is visible wherever there is room for a piece of the board.
#[test]
fn any_size_of_screen_and_board() {
    for (index, board) in boards().into_iter().enumerate() {
        let mut view = view_of(board, if index % 2 == 0 { 0 } else { 12 });
        view.help = index == 1;
        assert_eq!(text(&drawn(&view, 80, 40)).contains("take back your last move"), view.help);
        for place in some_places(board) {
            view.input.cursor = place;
            for (width, height) in (1..=90).step_by(7).flat_map(|width| (1..=45).step_by(4).map(move |h| (width, h))) {
                let buffer = drawn(&view, width, height);
                let layout = Layout::of(&view, Rect::new(0, 0, width, height));
                if layout.board.width >= 5 && layout.board.height >= 2 && !view.help {
                    let seen = text(&buffer);
                    assert!(seen.contains('▸') && seen.contains('◂'), "{index} {place} {width}×{height}\n{seen}");
                }
            }
        }
    }
}

/// A click means the place that is drawn under it.
#[test]
fn glyphs_belong_to_their_places() {
    for board in boards() {
        for (width, height) in [(120, 45), (80, 24), (40, 16), (20, 10)] {
            let mut view = view_of(board, 0);
            for place in some_places(board) {
                view.input.cursor = place;
                let buffer = drawn(&view, width, height);
                let layout = Layout::of(&view, Rect::new(0, 0, width, height));
                let left = find(&buffer, "▸");
                let found = layout.place_at(Position::new(left.x + 1, left.y));
                assert_eq!(found, Some(place), "\n{}", text(&buffer));
                let places = buffer.area.positions().filter(|&at| layout.place_at(at).is_some());
                for at in places.filter(|&at| buffer[at].symbol() == "·") {
                    // Pointing there draws the cursor there, unless that moves the board.
                    let mut other = view_of(board, 0);
                    other.input.cursor = layout.place_at(at).unwrap();
                    if width == 120 && board.places().len() < 100 {
                        let cursor = find(&drawn(&other, width, height), "▸");
                        assert_eq!((cursor.x + 1, cursor.y), (at.x, at.y));
                    }
                }
            }
        }
    }
}

#[test]
fn towers_show_their_heights() {
    let mut view = view_of(Board::of(&Shape::Hexagon { side: 2 }), 3);
    view.last = Some(4);
    view.input.cursor = 1;
    let large = text(&drawn(&view, 80, 24));
    assert!(large.contains("[R3]") && large.contains("▸B3◂"), "{large}");
    let small = text(&drawn(&view, 40, 9));
    assert!(small.contains("[R3]") && small.contains("▸B3◂"), "{small}");
    view.pieces[4] = Some(Piece { number: 12, ..Piece::stone(Seat::First) });
    assert!(text(&drawn(&view, 80, 24)).contains("[R12]"));
    assert!(text(&drawn(&view, 40, 9)).contains("[12]"));
    // A game of another crate may have numbers that are wider than a place of a small board.
    view.pieces[4] = Some(Piece { number: 112, ..Piece::stone(Seat::First) });
    drawn(&view, 40, 9);
}

/// Presses keys one after another whenever the engine has nothing to do; leaves when there are no more.
fn play(table: Table, keys: &[KeyCode]) -> String {
    let mut keys = keys.iter();
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let never = StopSignal::new();
    let events = |_: Duration| {
        let leave = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        Ok(Some(Event::Key(keys.next().map_or(leave, |&key| KeyEvent::from(key)))))
    };
    Play::new(table.engine, table.options).run(&mut terminal, events, &never).unwrap();
    text(terminal.backend().buffer())
}

#[test]
fn commands_are_executed() {
    let key = KeyCode::Char;
    // Resigning takes two presses; anything in between is another command.
    assert!(play(table(3, ""), &[key('r'), key('u'), key('r')]).contains("press r again to resign"));
    let resigned = play(table(3, ""), &[key('r'), key('r')]);
    assert!(resigned.contains("you resigned: blue wins"), "{resigned}");
    assert!(play(table(3, ""), &[key('r'), key('r'), key('u')]).contains("you go on after all"));
    assert!(play(table(3, ""), &[key('u')]).contains("you have made no move that could be taken back"));
    // The cursor is on the centre, which the first move may not take.
    assert!(play(table(3, ""), &[KeyCode::Enter]).contains("b2 is the centre, which the first move may not take"));
    assert!(play(table(3, ""), &[key('-'), key('-'), key('+')]).contains("the engine plays on level expert"));
    assert!(play(table(3, ""), &[key('+')]).contains("the engine plays on level full"));
    assert!(play(table(3, ""), &[key('s')]).contains("a swap is only possible as the answer to the first stone"));
    // The key after the help closes it and does nothing else.
    let after_help = play(table(3, ""), &[key('?'), key('r'), key('r')]);
    assert!(after_help.contains("press r again to resign") && !after_help.contains("move the cursor"), "{after_help}");
    let over = play(table(3, "a1 c1 a2 c2 a3"), &[key('h')]);
    assert!(over.contains("the game is over"), "{over}");
    let new = play(table(3, "a1 c1 a2 c2 a3"), &[key('n')]);
    assert!(new.contains("your move, red") && !new.contains("1 red"), "{new}");
    // A game under way is not given up by a slip.
    assert!(play(table(3, "a1 c1"), &[key('n')]).contains("press n again to begin a new game"));
    let asked = "the game is not over: press q again to leave; w saves it";
    for leave in [key('q'), KeyCode::Esc] {
        assert!(play(table(3, "a1 c1"), &[leave]).contains(asked), "{leave:?}");
        // Something else between the two takes the first back.
        assert!(play(table(3, "a1 c1"), &[leave, key('+'), leave, key('-')]).contains("level expert"));
    }
    // Nothing is lost before the first move, nor once the game is over.
    for moves in ["", "a1 c1 a2 c2 a3"] {
        assert!(!play(table(3, moves), &[key('q')]).contains(asked), "{moves}");
    }
    let renewed = play(table(3, "a1 c1"), &[key('n'), key('n')]);
    assert!(renewed.contains("your move, red") && !renewed.contains("1 red"), "{renewed}");
}

#[test]
fn game_is_saved_under_the_entered_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.jsonl");
    let save = |end: &[KeyCode]| {
        let erase = [KeyCode::Backspace; 40];
        let name = file.to_str().unwrap().chars().map(KeyCode::Char);
        let keys: Vec<KeyCode> = [KeyCode::Char('w')].into_iter().chain(erase).chain(name).collect();
        play(table(3, "a1 c1"), &[&keys, end].concat())
    };
    assert!(save(&[KeyCode::Esc]).contains("your move, red") && !file.exists());
    // A saved game may be left.
    let saved = save(&[KeyCode::Enter]);
    assert!(saved.contains("saved in ") && !saved.contains("press q again"), "{saved}");
    let game = "{\"game\":\"cachex\",\"size\":3,\"moves\":[\"a1\",\"c1\"]}\n";
    assert_eq!(std::fs::read_to_string(&file).unwrap(), game);
    std::fs::write(&file, "kept").unwrap();
    let refused = save(&[KeyCode::Enter, KeyCode::Esc, KeyCode::Char('a')]);
    assert!(!refused.contains("saved in ") && std::fs::read_to_string(&file).unwrap() == "kept");
    assert!(save(&[KeyCode::Enter]).contains("exists; Enter replaces it"));
    save(&[KeyCode::Enter, KeyCode::Enter]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), game);
}

#[test]
fn swap_is_offered_only_to_the_person() {
    let mut swapping = table(3, "a1");
    assert!(View::of(&swapping).offered.is_none());
    swapping.options.person = Seat::Second;
    let view = View::of(&swapping);
    assert_eq!(view.offered.map(|action| action.word), Some("swap"));
    let seen = text(&drawn(&view, 80, 24));
    assert!(seen.contains("s swap · ? help") && seen.contains(&format!("1 {}", cachex().actions[0].label)), "{seen}");
}

#[test]
fn click_beside_the_board_does_nothing() {
    let view = View::of(&table(5, ""));
    let layout = Layout::of(&view, Rect::new(0, 0, 80, 24));
    assert_eq!(layout.place_at(Position::new(0, 0)), None);
    assert_eq!(layout.place_at(Position::new(79, 10)), None);
    let mut input = view.input.clone();
    let (kind, modifiers) = (MouseEventKind::Down(MouseButton::Left), KeyModifiers::NONE);
    let click = Event::Mouse(MouseEvent { kind, column: 79, row: 10, modifiers });
    assert_eq!(input.command(&click, Instant::now(), |at| layout.place_at(at)), Command::Nothing);
}
