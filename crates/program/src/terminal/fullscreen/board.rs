//! The board: where its places are on the screen, and how they look.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use hexzero_board::{Decoration, TextLayout, TextScale};
use hexzero_games::{Piece, Seat};

use super::view::View;

/// The minimum width of the panel beside the board.
const PANEL_WIDTH: u16 = 30;
/// Columns between the board and the panel.
const GAP: u16 = 3;

const LARGE: TextScale = TextScale { width: 3, lines: 2 };
const SMALL: TextScale = TextScale { width: 1, lines: 1 };
/// The smallest scale with numbers on pieces.
const NUMBERED: TextScale = TextScale { width: 2, lines: 1 };

/// The layout of the board on the screen.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    text: TextLayout,
    /// The game and its state.
    pub header: Rect,
    /// The part of the screen where the board is; it may be smaller than the board.
    pub board: Rect,
    /// The columns and lines of the board scrolled off to the left and above.
    hidden: (u16, u16),
    /// The panel, beside the board or below it.
    pub panel: Rect,
    /// Messages and keys.
    pub footer: Rect,
}

/// Returns the columns and lines of a text picture, with a gap beside it.
fn extent(text: &TextLayout) -> (u16, u16) {
    let lines = text.lines.iter().map(|line| line.chars().count());
    // Marks may stand after the last glyph.
    let glyphs = text.spots.iter().map(|spot| spot.1 + text.width + 1);
    let last = text.spots.iter().map(|spot| spot.0 + 1).max().unwrap_or(0);
    (lines.chain(glyphs).max().unwrap_or(0) as u16 + GAP, text.lines.len().max(last) as u16)
}

impl Layout {
    pub fn of(view: &View, area: Rect) -> Self {
        let rows = [Constraint::Length(2), Constraint::Fill(1), Constraint::Length(2)];
        let [header, body, footer] = ratatui::layout::Layout::vertical(rows).areas(area);
        let fits = |text: &TextLayout, beside: u16| {
            let (width, height) = extent(text);
            width + beside <= body.width && height <= body.height
        };
        let scales = [LARGE, if view.has_numbers { NUMBERED } else { SMALL }];
        let [large, small] = scales.map(|scale| view.board.text_with(scale));
        let beside = fits(&small, PANEL_WIDTH);
        let text = if fits(&large, if beside { PANEL_WIDTH } else { 0 }) { large } else { small };
        let (width, height) = extent(&text);
        let parts = [Constraint::Length(if beside { width } else { height }), Constraint::Fill(1)];
        let [board, panel] = if beside {
            ratatui::layout::Layout::horizontal(parts).areas(body)
        } else {
            ratatui::layout::Layout::vertical(parts).areas(body)
        };
        let mut layout = Self { text, header, board, hidden: (0, 0), panel, footer };
        // If the board is too large, the visible part is centred on the cursor.
        let (line, column) = layout.text.spots[view.input.cursor];
        let beyond =
            |at: usize, seen: u16, all: u16| (at as u16).saturating_sub(seen / 2).min(all.saturating_sub(seen));
        layout.hidden = (beyond(column + middle(&layout.text), board.width, width), beyond(line, board.height, height));
        layout
    }

    /// Returns the screen position of a column and line of the text picture, if visible.
    fn seen(&self, (column, line): (usize, usize)) -> Option<Position> {
        let (x, y) = ((column as u16).checked_sub(self.hidden.0)?, (line as u16).checked_sub(self.hidden.1)?);
        let at = Position::new(self.board.x + x, self.board.y + y);
        self.board.contains(at).then_some(at)
    }

    /// Returns the place at a position of the screen.
    pub fn place_at(&self, at: Position) -> Option<usize> {
        if !self.board.contains(at) {
            return None;
        }
        let [column, line] =
            [at.x - self.board.x + self.hidden.0, at.y - self.board.y + self.hidden.1].map(usize::from);
        self.text.place_at(line, column)
    }

    fn print(&self, buffer: &mut Buffer, (column, line): (usize, usize), text: &str, style: Style) {
        for (column, c) in (column..).zip(text.chars()) {
            if let Some(cell) = self.seen((column, line)).and_then(|at| buffer.cell_mut(at)) {
                cell.set_char(c).set_style(style);
            }
        }
    }
}

/// Returns the middle of a glyph.
fn middle(text: &TextLayout) -> usize {
    (text.width - 1) / 2
}

/// Returns the colour of a seat: that of its name if it is one that a terminal can show.
pub(super) fn colour(view: &View, seat: Seat) -> Color {
    match view.game.seat_name(seat) {
        _ if !view.coloured => Color::Reset,
        "red" => Color::Red,
        "blue" => Color::Blue,
        "green" => Color::Green,
        "yellow" => Color::Yellow,
        "white" => Color::White,
        "black" => Color::DarkGray,
        _ => [Color::Red, Color::Blue][seat.index()],
    }
}

/// Returns the style of words about a seat.
pub(super) fn word(view: &View, seat: Seat) -> Style {
    Style::new().fg(colour(view, seat)).add_modifier(Modifier::BOLD)
}

/// Returns the style of a piece.
fn style_of(view: &View, piece: Piece) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    match piece.owner.map_or(Color::Reset, |owner| colour(view, owner)) {
        Color::Reset => style,
        light @ (Color::White | Color::Green | Color::Yellow) => style.fg(Color::Black).bg(light),
        colour => style.fg(Color::White).bg(colour),
    }
}

pub(super) fn draw(view: &View, layout: &Layout, buffer: &mut Buffer) {
    draw_labels(view, layout, buffer);
    for place in 0..view.pieces.len() {
        draw_place(view, layout, buffer, place);
    }
}

/// Draws the labels. In games about joining two sides, letters have the colour of the first seat, which joins the top
/// and the bottom, and numbers that of the second. On boards with dots these have the colour of their seat instead.
fn draw_labels(view: &View, layout: &Layout, buffer: &mut Buffer) {
    let has_dots = view.board.decorations().iter().any(|decoration| matches!(decoration, Decoration::Dot { .. }));
    let style = |c: char| match c {
        'x' if has_dots => word(view, Seat::First),
        'o' if has_dots => word(view, Seat::Second),
        'a'..='z' if view.has_sides => word(view, Seat::First),
        '0'..='9' if view.has_sides && !has_dots => word(view, Seat::Second),
        _ => Style::new(),
    };
    for (line, text) in layout.text.lines.iter().enumerate() {
        for (column, c) in text.chars().enumerate().filter(|&(_, c)| c != ' ') {
            layout.print(buffer, (column, line), c.encode_utf8(&mut [0; 4]), style(c));
        }
    }
}

/// Returns the text of a piece as far as there is room: its symbol, then its number if it has one.
fn piece_text(view: &View, piece: Piece, room: usize) -> String {
    let symbol = view.game.symbol(piece);
    match piece.number {
        0 => symbol.to_string(),
        number => {
            let both = format!("{symbol}{number}");
            // A truncated number would be a different one.
            if both.len() <= room { both } else { number.to_string() }
        }
    }
}

/// Returns the text and style of a place.
fn glyph(view: &View, room: usize, place: usize) -> (String, Style) {
    let picking = !view.picking.picks().is_empty();
    let considered = view.thoughts.iter().filter(|_| view.analysis && !picking).flat_map(|thoughts| &thoughts.moves);
    let rank = considered.enumerate().find(|(_, found)| found.place == Some(place));
    match (view.pieces[place], view.target(place), rank) {
        (Some(piece), ..) => (piece_text(view, piece, room), style_of(view, piece)),
        (None, Some(number), _) => (number.map_or('+', number_key).to_string(), accent(view)),
        (None, None, Some((rank, found))) => {
            let share = format!("{:.0}", 100.0 * found.share);
            let text = if room >= 3 { share } else { number_key(rank).to_string() };
            (text, considered_style(view, rank))
        }
        (None, None, None) if view.captured.contains(&place) => ("×".to_owned(), accent(view)),
        (None, None, None) if view.board.places()[place].playable => ("·".to_owned(), Style::new()),
        (None, None, None) => (" ".to_owned(), Style::new()),
    }
}

/// Returns the key of the option with this number from 0, or a plus if it has none.
pub(super) fn number_key(number: usize) -> char {
    char::from_digit(number as u32 + 1, 10).unwrap_or('+')
}

fn draw_place(view: &View, layout: &Layout, buffer: &mut Buffer, place: usize) {
    let (line, column) = layout.text.spots[place];
    let width = layout.text.width;
    let (text, style) = glyph(view, width, place);
    let length = text.chars().count();
    let before = middle(&layout.text).saturating_sub((length - 1) / 2);
    let won = view.chain.contains(&place);
    let style = if won { style.add_modifier(Modifier::UNDERLINED | Modifier::REVERSED) } else { style };
    let padded = format!("{}{text}", " ".repeat(before));
    layout.print(buffer, (column, line), &format!("{padded:<width$}"), style);
    let mut marks = |signs: [&str; 2], accented: bool| {
        let [left, right] = [column + before - 1, column + before + length];
        for (at, sign) in [left, right].into_iter().zip(signs) {
            let inside = (column..column + width).contains(&at) && view.pieces[place].is_some();
            let around = if inside { style } else { Style::new().add_modifier(Modifier::BOLD) };
            let style =
                if accented { accent(view).patch(Style::new().bg(around.bg.unwrap_or(Color::Reset))) } else { around };
            layout.print(buffer, (at, line), sign, style);
        }
    };
    if view.picked.contains(&place) {
        marks(["(", ")"], true);
    } else if view.pieces[place].is_some()
        && let Some(number) = view.target(place)
    {
        let number = number.map_or('‹', number_key);
        marks(["›", number.encode_utf8(&mut [0; 4])], true);
    } else if view.last == Some(place) {
        marks(["[", "]"], false);
    }
    if view.input.cursor == place && !view.is_over {
        marks(["▸", "◂"], true);
    }
}

/// Returns the style of a move that the engine considers: the better, the brighter.
fn considered_style(view: &View, rank: usize) -> Style {
    let style = Style::new().add_modifier(if rank == 0 { Modifier::BOLD } else { Modifier::empty() });
    match (view.coloured, rank) {
        (false, _) => style,
        (true, 0) => style.fg(Color::Black).bg(Color::Green),
        (true, _) => style.fg(Color::Green),
    }
}

/// Returns the style of a place to be emphasised.
pub(super) fn accent(view: &View) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    if view.coloured { style.fg(Color::Yellow) } else { style }
}
