//! The whole picture: the board with what stands above, beside and below it.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Widget, Wrap};

use crate::{counted, goals};
use hexzero_games::Seat;

use super::board;
use super::board::{Layout, accent, number_key, word};
use super::view::{Thoughts, View};

/// The keys and their effects, shown below the goals.
const HELP: [&str; 15] = [
    "arrows    move the cursor",
    "d2        move it to that place",
    "Enter     play there (or click)",
    "1 2 3 …   choose that option",
    "s         swap or pass, if offered",
    "Esc       cancel the selection, or quit",
    "u         take back your last move",
    "a         show or hide the analysis",
    "h         show a hint",
    "space     make the engine move now",
    "+ -       make the engine stronger or weaker",
    "n         start a new game",
    "w         save the game",
    "r         resign",
    "q         quit",
];

pub(super) fn draw(view: &View, frame: &mut Frame) {
    let (area, buffer) = (frame.area(), frame.buffer_mut());
    let layout = Layout::of(view, area);
    header(view).render(layout.header, buffer);
    board::draw(view, &layout, buffer);
    draw_panel(view, layout.panel, buffer);
    footer(view).render(layout.footer, buffer);
    if view.help {
        draw_help(view, area, buffer);
    }
}

fn header(view: &View) -> Paragraph<'_> {
    let state = if view.is_over { accent(view) } else { word(view, view.to_move) };
    Paragraph::new(vec![Line::from(view.title.as_str()), Line::styled(view.state.as_str(), state)])
}

fn footer(view: &View) -> Paragraph<'_> {
    let message = match (&view.naming, view.input.typed.as_str(), view.message.as_str()) {
        (Some(name), _, "") => Line::from(format!("save as: {name}_   (.jsonl or .sgf; Enter saves, Esc does not)")),
        (Some(name), _, message) => Line::styled(format!("{name}_   {message}"), accent(view)),
        (None, "", message) => Line::styled(message, accent(view)),
        (None, typed, _) => Line::from(format!("cell {typed}_")),
    };
    let mut keys = Vec::new();
    if let Some(action) = view.offered {
        keys.push(Span::styled(format!("s {}", action.word), accent(view)));
        keys.push(Span::raw(" · "));
    }
    keys.push(Span::raw("? help · a analysis · h hint · u undo · n new · w save · q quit"));
    Paragraph::new(vec![message, Line::from(keys)])
}

/// Lists the picks of the number keys.
fn offers(view: &View) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for (number, offer) in view.offers.iter().enumerate() {
        lines.push(Line::styled(format!("{} {}", number_key(number), offer.label), accent(view)));
        if !offer.about.is_empty() {
            lines.push(Line::from(offer.about));
        }
    }
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

/// Lists the possible picks, the engine's findings, and as many of the last moves as fit.
fn draw_panel(view: &View, area: Rect, buffer: &mut Buffer) {
    let mut lines = offers(view);
    if view.analysis && !view.is_over {
        match &view.thoughts {
            Some(thoughts) => lines.extend(opinion(view, thoughts, area.width)),
            None => lines.push(Line::from("…")),
        }
        lines.push(Line::default());
    }
    // The expected line may take two.
    let room = usize::from(area.height).saturating_sub(lines.len() + 1);
    let moves = &view.moves[view.moves.len().saturating_sub(room)..];
    lines.extend(moves.iter().map(|told| Line::from(told.as_str())));
    Paragraph::new(lines).wrap(Wrap { trim: false }).render(area, buffer);
}

fn opinion<'a>(view: &View, thoughts: &'a Thoughts, width: u16) -> Vec<Line<'a>> {
    let share = |seat: Seat, share: f32| {
        Span::styled(format!("{} {:.0} %", view.game.seat_name(seat), 100.0 * share), word(view, seat))
    };
    let (first, second) = (share(Seat::First, thoughts.first), share(Seat::Second, 1.0 - thoughts.first));
    let mut lines = vec![
        Line::from(vec![first, Span::raw("  "), second]),
        bar(view, thoughts.first, width.saturating_sub(2)),
        Line::from(format!("after {}", counted(thoughts.visits, "visit", "visits"))),
    ];
    for (rank, found) in thoughts.moves.iter().enumerate() {
        let style = if rank == 0 { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        let text = format!("{} {:<5}{:>5.1} % {:>8}", rank + 1, found.name, 100.0 * found.share, found.visits);
        lines.push(Line::styled(text, style));
    }
    lines.push(Line::from(thoughts.line.as_str()));
    lines
}

/// Returns the chances as a bar.
fn bar(view: &View, first: f32, width: u16) -> Line<'static> {
    let of_first = (f32::from(width) * first).round() as usize;
    let of_second = usize::from(width).saturating_sub(of_first);
    Line::from(vec![
        Span::styled("█".repeat(of_first), word(view, Seat::First)),
        Span::styled("░".repeat(of_second), word(view, Seat::Second)),
    ])
}

fn draw_help(view: &View, area: Rect, buffer: &mut Buffer) {
    let keys = HELP.iter().map(|&line| line.to_owned());
    let lines: Vec<String> = goals(view.game).into_iter().chain([String::new()]).chain(keys).collect();
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default() as u16 + 4;
    let height = lines.len() as u16 + 2;
    let place = Rect {
        x: area.x + area.width.saturating_sub(width) / 2,
        y: area.y + area.height.saturating_sub(height) / 2,
        width,
        height,
    };
    let place = place.intersection(area);
    Clear.render(place, buffer);
    let lines: Vec<Line> = lines.iter().map(|line| Line::from(format!(" {line}"))).collect();
    Paragraph::new(lines).block(Block::bordered().title(" help ")).render(place, buffer);
}
