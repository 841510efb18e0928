//! Keys and clicks, and the commands that they mean.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::Position;

use hexzero_board::Board;

/// Time to wait for the next character after one that begins the name of a place but is a command too.
const NAME_TIMEOUT: Duration = Duration::from_millis(700);

/// A command given by a key or the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Pick the place under the cursor.
    Place,
    /// Pick the option with this number, from 0.
    Option(usize),
    /// Press the button that is offered first.
    Offered,
    /// Take the last pick back; without one, leave.
    Back,
    /// Make the engine move now.
    Hurry,
    Undo,
    Hint,
    Analysis,
    Resign,
    New,
    Stronger,
    Weaker,
    Help,
    /// Ask for a name to save the game under.
    Name,
    /// Save the game under the name that was entered.
    Save,
    /// Pick a place that does not exist.
    Nowhere,
    /// Leave, perhaps after a question.
    Leave,
    /// Leave at once.
    Quit,
    /// Do nothing: an unknown key, or one that only moved the cursor.
    Nothing,
}

/// The cursor, and the typed part of a place's name.
#[derive(Debug, Clone)]
pub(super) struct Input {
    board: &'static Board,
    /// The place under the cursor.
    pub cursor: usize,
    /// The name so far.
    pub typed: String,
    /// The number of options with a number key.
    pub options: usize,
    /// Whether the last character made the name invalid.
    stray: bool,
    /// Whether a move has been begun. Numbers then pick options at once.
    pub begun: bool,
    /// The time of a character that may be a command, and the cursor before it.
    waiting: Option<(Instant, usize)>,
    /// A character that came after one that turned out to be a command.
    next: Option<char>,
}

impl Input {
    /// Creates the state with the cursor in the middle.
    pub fn new(board: &'static Board) -> Self {
        let centres = board.playable().map(|place| board.places()[place].centre);
        let count = board.playable().count() as f32;
        let middle = centres.fold([0.0; 2], |sum, at| [0, 1].map(|i| sum[i] + at[i] / count));
        let cursor = nearest(board, middle, board.playable()).unwrap_or(0);
        Self { board, cursor, typed: String::new(), stray: false, options: 0, begun: false, waiting: None, next: None }
    }

    /// Moves the cursor to the nearest of some places, if there are any.
    pub fn point_at_nearest(&mut self, places: impl Iterator<Item = usize>) {
        let from = self.board.places()[self.cursor].centre;
        self.cursor = nearest(self.board, from, places).unwrap_or(self.cursor);
    }

    /// Returns the command of an event. `place_at` returns the place drawn at a position of the screen.
    pub fn command(&mut self, event: &Event, now: Instant, place_at: impl Fn(Position) -> Option<usize>) -> Command {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, now),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                let Some(place) = place_at(Position::new(mouse.column, mouse.row)) else { return Command::Nothing };
                self.forget();
                self.cursor = place;
                Command::Place
            }
            _ => Command::Nothing,
        }
    }

    /// Returns the command of a character that came after a command.
    pub fn next_command(&mut self, now: Instant) -> Option<Command> {
        let next = self.next.take()?;
        Some(self.character(next, now))
    }

    /// Returns the command of a character that has waited long enough for the next.
    pub fn overdue(&mut self, now: Instant) -> Option<Command> {
        let (since, _) = self.waiting?;
        (now.saturating_duration_since(since) >= NAME_TIMEOUT).then(|| self.typed_as_command())
    }

    fn typed_as_command(&mut self) -> Command {
        let typed = self.typed.chars().next();
        // The character named no place after all.
        self.cursor = self.waiting.map_or(self.cursor, |(_, before)| before);
        self.forget();
        typed.map_or(Command::Nothing, |c| self.meaning(c))
    }

    fn forget(&mut self) {
        self.typed.clear();
        self.stray = false;
        self.waiting = None;
    }

    fn key(&mut self, key: KeyEvent, now: Instant) -> Command {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Command::Quit } else { Command::Nothing };
        }
        let arrows = self.board.places()[self.cursor].arrows;
        let to = match key.code {
            KeyCode::Char(c) => return self.character(c.to_ascii_lowercase(), now),
            KeyCode::Enter if self.waiting.is_some() => return self.typed_as_command(),
            KeyCode::Enter if self.stray => {
                self.forget();
                return Command::Nowhere;
            }
            KeyCode::Enter => {
                self.forget();
                return Command::Place;
            }
            KeyCode::Esc if !self.typed.is_empty() => None,
            KeyCode::Esc => return Command::Back,
            KeyCode::Left => arrows.left,
            KeyCode::Right => arrows.right,
            KeyCode::Up => arrows.up,
            KeyCode::Down => arrows.down,
            _ => return Command::Nothing,
        };
        self.cursor = to.map_or(self.cursor, usize::from);
        self.forget();
        Command::Nothing
    }

    fn character(&mut self, c: char, now: Instant) -> Command {
        if self.begun && matches!(self.meaning(c), Command::Option(_)) && self.typed.is_empty() {
            return self.meaning(c);
        }
        let before = self.cursor;
        if self.types(c) {
            let is_command = self.typed.len() == 1 && self.meaning(c) != Command::Nothing;
            self.waiting = is_command.then_some((now, before));
            return Command::Nothing;
        }
        // A character that has waited in vain is a command, and so may the present one be; they are
        // handled one at a time.
        if self.waiting.is_some() {
            self.next = Some(c);
            return self.typed_as_command();
        }
        if c.is_ascii_digit() && !self.typed.is_empty() {
            self.stray = true;
            return Command::Nothing;
        }
        self.forget();
        if self.types(c) {
            self.waiting = (self.meaning(c) != Command::Nothing).then_some((now, before));
            return Command::Nothing;
        }
        let meaning = self.meaning(c);
        self.stray = meaning == Command::Nothing && c.is_alphanumeric();
        meaning
    }

    /// Adds a character to what has been typed if some name begins so, and moves the cursor to the
    /// place of a complete name.
    fn types(&mut self, c: char) -> bool {
        let typed = format!("{}{c}", self.typed);
        let begins = |place: &usize| {
            let label = self.board.label(*place).as_bytes();
            label.len() >= typed.len() && label[..typed.len()].eq_ignore_ascii_case(typed.as_bytes())
        };
        let found: Vec<usize> = self.board.playable().filter(begins).collect();
        if found.is_empty() {
            return false;
        }
        let named = found.into_iter().find(|&place| self.board.label(place).len() == typed.len());
        (self.cursor, self.typed, self.stray) = (named.unwrap_or(self.cursor), typed, false);
        true
    }

    fn meaning(&self, c: char) -> Command {
        match c.to_digit(10) {
            Some(number) if (1..=self.options).contains(&(number as usize)) => Command::Option(number as usize - 1),
            _ => match c {
                ' ' => Command::Hurry,
                's' => Command::Offered,
                'u' => Command::Undo,
                'h' => Command::Hint,
                'a' => Command::Analysis,
                'r' => Command::Resign,
                'n' => Command::New,
                '+' => Command::Stronger,
                '-' => Command::Weaker,
                '?' => Command::Help,
                'w' => Command::Name,
                'q' => Command::Leave,
                _ => Command::Nothing,
            },
        }
    }
}

/// Returns the place nearest to a point of the picture.
fn nearest(board: &Board, [x, y]: [f32; 2], places: impl Iterator<Item = usize>) -> Option<usize> {
    let far = |place: usize| {
        let [px, py] = board.places()[place].centre;
        (px - x).hypot(py - y)
    };
    places.min_by(|&a, &b| far(a).total_cmp(&far(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_board::Shape;

    fn rhombus(side: usize) -> Input {
        Input::new(Board::of(&Shape::Rhombus { side }))
    }

    fn press(input: &mut Input, code: KeyCode) -> Command {
        input.command(&Event::Key(KeyEvent::from(code)), Instant::now(), |_| None)
    }

    fn typed(input: &mut Input, text: &str) -> Vec<Command> {
        text.chars().map(|c| press(input, KeyCode::Char(c))).collect()
    }

    #[test]
    fn cursor_stays_on_the_board() {
        let mut input = rhombus(3);
        assert_eq!(input.cursor, 4);
        for code in [KeyCode::Up, KeyCode::Left].repeat(5) {
            assert_eq!(press(&mut input, code), Command::Nothing);
        }
        assert_eq!(input.cursor, 0);
        for code in [KeyCode::Down, KeyCode::Right].repeat(5) {
            press(&mut input, code);
        }
        assert_eq!(input.cursor, 8);
        assert_eq!(press(&mut input, KeyCode::Enter), Command::Place);
    }

    #[test]
    fn names_of_cells_move_the_cursor() {
        let mut input = rhombus(11);
        assert!(typed(&mut input, "d2").iter().all(|&command| command == Command::Nothing));
        assert_eq!((input.cursor, input.typed.as_str()), (11 + 3, "d2"));
        // 12 is no row; 1 and then 11 are.
        typed(&mut input, "a112");
        assert_eq!((input.cursor, input.typed.as_str()), (10 * 11, "a11"));
        assert_eq!(press(&mut input, KeyCode::Enter), Command::Nowhere);
        assert_eq!(input.typed, "");
        typed(&mut input, "a11");
        assert_eq!(press(&mut input, KeyCode::Enter), Command::Place);
        // Nothing is played where the cursor happens to be.
        for name in ["z9", "d2x", "k12", "z"] {
            typed(&mut input, name);
            assert_eq!(press(&mut input, KeyCode::Enter), Command::Nowhere, "{name}");
            assert_eq!(press(&mut input, KeyCode::Enter), Command::Place, "{name}");
        }
        typed(&mut input, "za11");
        assert_eq!(press(&mut input, KeyCode::Enter), Command::Place);
        typed(&mut input, "0");
        assert_eq!(input.cursor, 10 * 11);
    }

    #[test]
    fn names_of_other_boards_move_the_cursor() {
        let mut torus = Input::new(Board::of(&Shape::Torus { side: 4 }));
        typed(&mut torus, "2,3");
        assert_eq!((torus.cursor, torus.typed.as_str()), (11, "2,3"));
        let side = Shape::Rhombus { side: 3 };
        let mut twins = Input::new(Board::of(&Shape::several([("L", side.clone()), ("R", side)])));
        let names = [("lb2", 4), ("Ra1", 9)];
        for (name, place) in names {
            typed(&mut twins, name);
            assert_eq!(twins.cursor, place, "{name}");
        }
    }

    #[test]
    fn numbers_choose_options() {
        let mut input = rhombus(3);
        input.options = 2;
        assert_eq!(typed(&mut input, "123"), [Command::Option(0), Command::Option(1), Command::Nothing]);
        // In a name they are part of it.
        assert_eq!(typed(&mut input, "b2"), [Command::Nothing; 2]);
        assert_eq!(input.typed, "b2");
        // Where names begin with numbers, a number waits before the first pick, and means an option after it.
        let mut torus = Input { options: 2, ..Input::new(Board::of(&Shape::Torus { side: 3 })) };
        assert_eq!(press(&mut torus, KeyCode::Char('1')), Command::Nothing);
        assert_eq!(press(&mut torus, KeyCode::Enter), Command::Option(0));
        torus.begun = true;
        assert_eq!(press(&mut torus, KeyCode::Char('2')), Command::Option(1));
    }

    #[test]
    fn escape_clears_typed_text_before_going_back() {
        let mut input = rhombus(3);
        typed(&mut input, "b");
        assert_eq!(press(&mut input, KeyCode::Esc), Command::Nothing);
        assert_eq!(press(&mut input, KeyCode::Esc), Command::Back);
    }

    #[test]
    fn ambiguous_letter_waits_for_a_digit() {
        let mut input = rhombus(8);
        let (start, before) = (Instant::now(), input.cursor);
        let key = |c| Event::Key(KeyEvent::from(KeyCode::Char(c)));
        assert_eq!(input.command(&key('h'), start, |_| None), Command::Nothing);
        assert_eq!(input.overdue(start), None);
        assert_eq!(input.typed, "h");
        assert_eq!(input.overdue(start + NAME_TIMEOUT), Some(Command::Hint));
        assert_eq!((input.cursor, input.typed.as_str()), (before, ""));
        assert_eq!(input.overdue(start + NAME_TIMEOUT), None);
        input.command(&key('a'), start, |_| None);
        input.command(&key('8'), start, |_| None);
        assert_eq!((input.overdue(start + NAME_TIMEOUT), input.cursor), (None, 7 * 8));
        assert_eq!(typed(&mut input, "a"), [Command::Nothing]);
        assert_eq!(press(&mut input, KeyCode::Enter), Command::Analysis);
        // Two command characters in a row are two commands.
        assert_eq!(typed(&mut input, "ah"), [Command::Nothing, Command::Analysis]);
        assert_eq!(input.next_command(Instant::now()), Some(Command::Nothing));
        assert_eq!(input.typed, "h");
        assert_eq!(input.next_command(Instant::now()), None);
        assert_eq!(press(&mut input, KeyCode::Enter), Command::Hint);
        assert_eq!(typed(&mut input, "au"), [Command::Nothing, Command::Analysis]);
        assert_eq!(input.next_command(Instant::now()), Some(Command::Undo));
        // On a smaller board there is no column h.
        assert_eq!(
            typed(&mut rhombus(7), "hqs+-"),
            [Command::Hint, Command::Leave, Command::Offered, Command::Stronger, Command::Weaker]
        );
    }

    #[test]
    fn only_control_c_among_control_keys_quits() {
        let mut input = rhombus(5);
        let with_control = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
        assert_eq!(input.command(&with_control('c'), Instant::now(), |_| None), Command::Quit);
        assert_eq!(input.command(&with_control('u'), Instant::now(), |_| None), Command::Nothing);
    }
}
