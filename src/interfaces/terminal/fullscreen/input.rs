//! Keys and clicks, and what is meant by them.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::Position;

/// A letter that names a column as well as a wish waits so long for the number of a row.
const PATIENCE: Duration = Duration::from_millis(700);

/// What the person wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Play under the cursor.
    Place,
    /// The move on no cell that is offered.
    Offered,
    /// That the engine stops thinking and moves.
    Hurry,
    Undo,
    Hint,
    Analysis,
    Resign,
    New,
    Stronger,
    Weaker,
    Help,
    Quit,
    /// Something was pressed that means nothing, or only moved the cursor.
    Nothing,
}

/// Where the cursor is and what has been typed of a cell's name.
#[derive(Debug, Clone)]
pub(super) struct Input {
    size: usize,
    pub row: usize,
    pub column: usize,
    /// The letter and the digits so far.
    pub typed: String,
    /// When a letter was typed that is a wish too, and in which column the cursor was before.
    letter_since: Option<(Instant, usize)>,
}

impl Input {
    /// With the cursor in the middle.
    pub fn new(size: usize) -> Self {
        Self { size, row: size / 2, column: size / 2, typed: String::new(), letter_since: None }
    }

    /// The cell under the cursor.
    pub fn cell(&self) -> usize {
        self.row * self.size + self.column
    }

    pub fn point_at(&mut self, cell: usize) {
        (self.row, self.column) = (cell / self.size, cell % self.size);
    }

    /// What an event means. `cell_at` tells which cell is drawn at a place.
    pub fn wish(&mut self, event: &Event, now: Instant, cell_at: impl Fn(Position) -> Option<usize>) -> Wish {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, now),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                let Some(cell) = cell_at(Position::new(mouse.column, mouse.row)) else { return Wish::Nothing };
                self.forget();
                self.point_at(cell);
                Wish::Place
            }
            _ => Wish::Nothing,
        }
    }

    /// What a letter means that has waited long enough for a digit.
    pub fn overdue(&mut self, now: Instant) -> Option<Wish> {
        let (since, _) = self.letter_since?;
        (now.saturating_duration_since(since) >= PATIENCE).then(|| self.letter_as_wish())
    }

    fn letter_as_wish(&mut self) -> Wish {
        let letter = self.typed.chars().next();
        // It named no column after all.
        self.column = self.letter_since.map_or(self.column, |(_, before)| before);
        self.forget();
        letter.map_or(Wish::Nothing, meaning)
    }

    fn forget(&mut self) {
        self.typed.clear();
        self.letter_since = None;
    }

    fn key(&mut self, key: KeyEvent, now: Instant) -> Wish {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return if key.code == KeyCode::Char('c') { Wish::Quit } else { Wish::Nothing };
        }
        match key.code {
            KeyCode::Char(c) => return self.character(c.to_ascii_lowercase(), now),
            KeyCode::Enter if self.letter_since.is_some() => return self.letter_as_wish(),
            KeyCode::Enter => {
                self.forget();
                return Wish::Place;
            }
            KeyCode::Esc if !self.typed.is_empty() => {}
            KeyCode::Esc => return Wish::Quit,
            KeyCode::Left => self.column = self.column.saturating_sub(1),
            KeyCode::Right => self.column = (self.column + 1).min(self.size - 1),
            KeyCode::Up => self.row = self.row.saturating_sub(1),
            KeyCode::Down => self.row = (self.row + 1).min(self.size - 1),
            _ => return Wish::Nothing,
        }
        self.forget();
        Wish::Nothing
    }

    fn character(&mut self, c: char, now: Instant) -> Wish {
        if let (Some(digit), false) = (c.to_digit(10), self.typed.is_empty()) {
            let typed = format!("{}{digit}", self.typed);
            if let Some(row) = typed[1..].parse::<usize>().ok().filter(|row| (1..=self.size).contains(row)) {
                (self.row, self.typed, self.letter_since) = (row - 1, typed, None);
            }
            return Wish::Nothing;
        }
        // What waits for a digit in vain is meant, and what comes now too, but one thing at a time.
        if self.letter_since.is_some() {
            return self.letter_as_wish();
        }
        let column = (c as usize).checked_sub('a' as usize).filter(|&column| column < self.size);
        let Some(column) = column else {
            self.forget();
            return meaning(c);
        };
        self.letter_since = (meaning(c) != Wish::Nothing).then_some((now, self.column));
        self.column = column;
        self.typed = c.to_string();
        Wish::Nothing
    }
}

fn meaning(c: char) -> Wish {
    match c {
        ' ' => Wish::Hurry,
        's' => Wish::Offered,
        'u' => Wish::Undo,
        'h' => Wish::Hint,
        'a' => Wish::Analysis,
        'r' => Wish::Resign,
        'n' => Wish::New,
        '+' => Wish::Stronger,
        '-' => Wish::Weaker,
        '?' => Wish::Help,
        'q' => Wish::Quit,
        _ => Wish::Nothing,
    }
}

/// What the keys do.
pub(super) const HELP: [&str; 12] = [
    "arrows    move the cursor",
    "d2        move it there",
    "Enter     play there; a click too",
    "s         a swap or the like, where offered",
    "u         take back your last move",
    "a         show what the engine thinks",
    "h         a hint",
    "space     let the engine move now",
    "+ -       a stronger, a weaker engine",
    "n         a new game",
    "r         resign",
    "q         leave",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn press(input: &mut Input, code: KeyCode) -> Wish {
        input.wish(&Event::Key(KeyEvent::from(code)), Instant::now(), |_| None)
    }

    fn typed(input: &mut Input, text: &str) -> Vec<Wish> {
        text.chars().map(|c| press(input, KeyCode::Char(c))).collect()
    }

    #[test]
    fn the_cursor_stays_on_the_board() {
        let mut input = Input::new(3);
        for code in [KeyCode::Up, KeyCode::Left].repeat(5) {
            assert_eq!(press(&mut input, code), Wish::Nothing);
        }
        assert_eq!(input.cell(), 0);
        for code in [KeyCode::Down, KeyCode::Right].repeat(5) {
            press(&mut input, code);
        }
        assert_eq!(input.cell(), 8);
        assert_eq!(press(&mut input, KeyCode::Enter), Wish::Place);
    }

    #[test]
    fn names_of_cells_move_the_cursor() {
        let mut input = Input::new(11);
        assert!(typed(&mut input, "d2").iter().all(|&wish| wish == Wish::Nothing));
        assert_eq!((input.row, input.column, input.typed.as_str()), (1, 3, "d2"));
        // 12 is no row; 1 and then 11 are.
        typed(&mut input, "a112");
        assert_eq!((input.row, input.column, input.typed.as_str()), (10, 0, "a11"));
        assert_eq!(press(&mut input, KeyCode::Enter), Wish::Place);
        assert_eq!(input.typed, "");
        typed(&mut input, "0");
        assert_eq!((input.row, input.column), (10, 0));
    }

    #[test]
    fn a_letter_that_is_a_wish_too_waits_for_a_digit() {
        let mut input = Input::new(8);
        let start = Instant::now();
        let key = |c| Event::Key(KeyEvent::from(KeyCode::Char(c)));
        assert_eq!(input.wish(&key('h'), start, |_| None), Wish::Nothing);
        assert_eq!(input.overdue(start), None);
        assert_eq!(input.column, 7);
        assert_eq!(input.overdue(start + PATIENCE), Some(Wish::Hint));
        assert_eq!(input.column, 4);
        assert_eq!(input.overdue(start + PATIENCE), None);
        input.wish(&key('a'), start, |_| None);
        input.wish(&key('8'), start, |_| None);
        assert_eq!((input.overdue(start + PATIENCE), input.row, input.column), (None, 7, 0));
        assert_eq!(typed(&mut input, "a"), [Wish::Nothing]);
        assert_eq!(press(&mut input, KeyCode::Enter), Wish::Analysis);
        // On a smaller board there is no column h.
        assert_eq!(
            typed(&mut Input::new(7), "hqs+-"),
            [Wish::Hint, Wish::Quit, Wish::Offered, Wish::Stronger, Wish::Weaker]
        );
    }

    #[test]
    fn a_click_places_a_stone() {
        let mut input = Input::new(5);
        let click = Event::Mouse(ratatui::crossterm::event::MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: 10,
            row: 4,
            modifiers: KeyModifiers::NONE,
        });
        let cell_at = |place: Position| (place == Position::new(10, 4)).then_some(7);
        assert_eq!(input.wish(&click, Instant::now(), cell_at), Wish::Place);
        assert_eq!(input.cell(), 7);
        assert_eq!(input.wish(&click, Instant::now(), |_| None), Wish::Nothing);
    }

    #[test]
    fn control_c_leaves_and_other_control_keys_do_nothing() {
        let mut input = Input::new(5);
        let with_control = |c| Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
        assert_eq!(input.wish(&with_control('c'), Instant::now(), |_| None), Wish::Quit);
        assert_eq!(input.wish(&with_control('u'), Instant::now(), |_| None), Wish::Nothing);
    }
}
