//! The board: where its cells are on the screen, and how they look.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use crate::board::column_letter;
use crate::games::{Piece, Seat};

use super::view::View;

/// The least width of the panel beside the board.
const PANEL_WIDTH: u16 = 30;
/// Columns for the number before a row and after it.
const MARGIN: u16 = 4;

/// How far apart cells are: in the row across, and down to the next row, which begins half as far to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scale {
    across: u16,
    down: u16,
}

const LARGE: Scale = Scale { across: 4, down: 2 };
const SMALL: Scale = Scale { across: 2, down: 1 };

impl Scale {
    /// What a board takes, with its letters and numbers.
    fn extent(self, size: usize) -> (u16, u16) {
        let n = size as u16;
        (2 * MARGIN + self.across * n + self.across / 2 * n, self.down * n + 2)
    }
}

/// Where everything is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    size: usize,
    scale: Scale,
    /// The game and its state.
    pub header: Rect,
    /// The part of the screen where the board is; it may be smaller than the board.
    pub board: Rect,
    /// How much of the board is beyond the left and the upper end of its part.
    hidden: (u16, u16),
    /// Beside the board or below it.
    pub panel: Rect,
    /// Messages and keys.
    pub footer: Rect,
}

impl Layout {
    pub fn of(view: &View, area: Rect) -> Self {
        let rows = [Constraint::Length(2), Constraint::Fill(1), Constraint::Length(2)];
        let [header, body, footer] = ratatui::layout::Layout::vertical(rows).areas(area);
        let fits = |scale: Scale, beside: u16| {
            let (width, height) = scale.extent(view.size);
            width + beside <= body.width && height <= body.height
        };
        let beside = fits(SMALL, PANEL_WIDTH);
        let scale = if fits(LARGE, if beside { PANEL_WIDTH } else { 0 }) { LARGE } else { SMALL };
        let (width, height) = scale.extent(view.size);
        let parts = [Constraint::Length(if beside { width } else { height }), Constraint::Fill(1)];
        let [board, panel] = if beside {
            ratatui::layout::Layout::horizontal(parts).areas(body)
        } else {
            ratatui::layout::Layout::vertical(parts).areas(body)
        };
        let mut layout = Self { size: view.size, scale, header, board, hidden: (0, 0), panel, footer };
        // Where the board is too large, the cursor is in the middle of what is seen.
        let (x, y) = layout.place(view.input.row, view.input.column);
        let beyond = |at: u16, seen: u16, all: u16| at.saturating_sub(seen / 2).min(all.saturating_sub(seen));
        layout.hidden = (beyond(x, board.width, width), beyond(y, board.height, height));
        layout
    }

    /// The place of a cell on a board of which nothing is hidden.
    fn place(&self, row: usize, column: usize) -> (u16, u16) {
        let Scale { across, down } = self.scale;
        let (row, column) = (row as u16, column as u16);
        (MARGIN + across * column + across / 2 * row, 1 + down * row)
    }

    /// The place on the screen, if it is to be seen.
    fn seen(&self, (x, y): (u16, u16)) -> Option<Position> {
        let (x, y) = (x.checked_sub(self.hidden.0)?, y.checked_sub(self.hidden.1)?);
        let place = Position::new(self.board.x + x, self.board.y + y);
        self.board.contains(place).then_some(place)
    }

    /// The cell at a place of the screen.
    pub fn cell_at(&self, place: Position) -> Option<usize> {
        let near = |cell: &usize| {
            let (x, y) = self.place(cell / self.size, cell % self.size);
            // A cell is as wide as the distance to the next, its sign in the middle.
            let reach = x - self.scale.across / 2..x + self.scale.across.div_ceil(2);
            reach.clone().any(|x| self.seen((x, y)) == Some(place))
        };
        (0..self.size * self.size).find(near)
    }

    fn print(&self, buffer: &mut Buffer, (x, y): (u16, u16), text: &str, style: Style) {
        for (x, c) in (x..).zip(text.chars()) {
            if let Some(cell) = self.seen((x, y)).and_then(|place| buffer.cell_mut(place)) {
                cell.set_char(c).set_style(style);
            }
        }
    }
}

/// The colour of a seat: that of its name if it is one that a terminal can show.
pub(super) fn colour(view: &View, seat: Seat) -> Color {
    match view.game.seat_name(seat) {
        _ if !view.coloured => Color::Reset,
        "red" => Color::Red,
        "blue" => Color::Blue,
        "white" => Color::White,
        "black" => Color::DarkGray,
        _ => [Color::Red, Color::Blue][seat.index()],
    }
}

/// The style of words about a seat.
pub(super) fn word(view: &View, seat: Seat) -> Style {
    Style::new().fg(colour(view, seat)).add_modifier(Modifier::BOLD)
}

/// The style of a piece.
fn style_of(view: &View, piece: Piece) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    match piece.owner.map_or(Color::Reset, |owner| colour(view, owner)) {
        Color::Reset => style,
        Color::White => style.fg(Color::Black).bg(Color::White),
        colour => style.fg(Color::White).bg(colour),
    }
}

pub(super) fn draw(view: &View, layout: &Layout, buffer: &mut Buffer) {
    draw_sides(view, layout, buffer);
    for cell in 0..view.size * view.size {
        draw_cell(view, layout, buffer, cell);
    }
}

/// Letters in the colour of the first seat, which joins the top and the bottom, numbers in that of the second.
fn draw_sides(view: &View, layout: &Layout, buffer: &mut Buffer) {
    let [first, second] = Seat::BOTH.map(|seat| word(view, seat));
    let n = view.size;
    for column in 0..n {
        let letter = column_letter(column).to_string();
        let (x, y) = layout.place(0, column);
        layout.print(buffer, (x, y - 1), &letter, first);
        let (x, y) = layout.place(n, column);
        layout.print(buffer, (x, y - layout.scale.down + 1), &letter, first);
    }
    for row in 0..n {
        let (x, y) = layout.place(row, 0);
        layout.print(buffer, (x - 4, y), &format!("{:>2}", row + 1), second);
        let (x, y) = layout.place(row, n - 1);
        layout.print(buffer, (x + 3, y), &format!("{}", row + 1), second);
    }
}

fn draw_cell(view: &View, layout: &Layout, buffer: &mut Buffer, cell: usize) {
    let (x, y) = layout.place(cell / view.size, cell % view.size);
    let large = layout.scale == LARGE;
    let considered = view.thoughts.iter().filter(|_| view.analysis).flat_map(|thoughts| &thoughts.moves);
    let rank = considered.enumerate().find(|(_, found)| found.cell == Some(cell));
    let sign = |c: char| (format!(" {c} "), c);
    let ((wide, narrow), style) = match (view.pieces[cell], rank) {
        (Some(piece), _) => (sign(view.game.symbol(piece)), style_of(view, piece)),
        (None, Some((rank, found))) => {
            let place = char::from_digit(rank as u32 + 1, 10).unwrap_or('+');
            ((format!("{:>3.0}", 100.0 * found.share), place), considered_style(view, rank))
        }
        (None, None) if view.captured.contains(&cell) => (sign('×'), accent(view)),
        (None, None) => (sign('·'), Style::new()),
    };
    let won = view.chain.contains(&cell);
    let style = if won { style.add_modifier(Modifier::UNDERLINED | Modifier::REVERSED) } else { style };
    if large {
        layout.print(buffer, (x - 1, y), &wide, style);
    } else {
        layout.print(buffer, (x, y), narrow.encode_utf8(&mut [0; 4]), style);
    }
    let marks = |left: &str, right: &str, style: Style, buffer: &mut Buffer| {
        layout.print(buffer, (x - 1, y), left, style);
        layout.print(buffer, (x + 1, y), right, style);
    };
    let around = if large && view.pieces[cell].is_some() { style } else { Style::new().add_modifier(Modifier::BOLD) };
    if view.last == Some(cell) {
        marks("[", "]", around, buffer);
    }
    if view.input.cell() == cell && !view.is_over {
        marks("▸", "◂", accent(view).patch(Style::new().bg(around.bg.unwrap_or(Color::Reset))), buffer);
    }
}

/// The style of a move that the engine considers: the better, the brighter.
fn considered_style(view: &View, rank: usize) -> Style {
    let style = Style::new().add_modifier(if rank == 0 { Modifier::BOLD } else { Modifier::empty() });
    match (view.coloured, rank) {
        (false, _) => style,
        (true, 0) => style.fg(Color::Black).bg(Color::Green),
        (true, _) => style.fg(Color::Green),
    }
}

/// What is to catch the eye.
pub(super) fn accent(view: &View) -> Style {
    let style = Style::new().add_modifier(Modifier::BOLD);
    if view.coloured { style.fg(Color::Yellow) } else { style }
}
