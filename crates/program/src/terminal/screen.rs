//! Text output: the board with its colours, the moves and the engine's opinion in words.

use hexzero_engine::analysis::percent;
use hexzero_engine::{Engine, Played, SearchSummary};
use hexzero_games::{Game, Piece, Position, Seat, WinDrawLoss};

use super::table::effects;

/// The maximum number of moves that an opinion lists.
const MOVES_SHOWN: usize = 5;
/// The maximum number of moves shown of an expected line.
const LINE_SHOWN: usize = 8;

/// ANSI escape sequences: the colours of the two seats, and of parts of the board.
const SEATS: [&str; 2] = ["\x1b[1;31m", "\x1b[1;34m"];
const WINNER: &str = "\x1b[7m";
const CAPTURED: &str = "\x1b[43m";
const LAST: &str = "\x1b[1;33m";
const PLAIN: &str = "\x1b[0m";

/// The colours of text, if it has any.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    /// Whether text is coloured.
    pub coloured: bool,
}

/// The first of the characters that stand for the places of a board until they are painted.
const PLACES: u32 = 0xe000;

impl Palette {
    /// Returns the name of a seat in its colour.
    pub(super) fn name(&self, game: Game, seat: Seat) -> String {
        let name = game.seat_name(seat);
        if self.coloured { paint(seat, name) } else { name.to_owned() }
    }

    /// Draws the board. In games about joining two sides, the letters along the top and bottom have
    /// the colour of the first seat, and the numbers on the left and right that of the second. The
    /// chain that has won, the place of the last move and the places where it captured stand out.
    pub(super) fn board(&self, engine: &Engine) -> String {
        if !self.coloured {
            return engine.board();
        }
        let (position, last) = (engine.position(), engine.played().last());
        let chain = position.winning_chain();
        let removed = last.map_or(&[][..], |played| &played.removed);
        let has_sides = position.path_costs(Seat::First).is_some();
        let stand_in = |place: usize| char::from_u32(PLACES + place as u32).unwrap_or('?');
        let number = |place: usize| position.piece(place).map_or(0, |piece| piece.number);
        let glyph = |place: usize| match number(place) {
            0 => stand_in(place).to_string(),
            number => format!("{}{number}", stand_in(place)),
        };
        let text = position.text_layout().draw_wide(glyph, last.and_then(|played| played.place));
        let painted = text.chars().map(|c| match (c, (c as u32).checked_sub(PLACES)) {
            (_, Some(place)) => {
                let place = place as usize;
                match position.piece(place) {
                    Some(piece) => painted_piece(position, piece, chain.contains(&place)),
                    None if removed.contains(&place) => format!("{CAPTURED}.{PLAIN}"),
                    None => ".".to_owned(),
                }
            }
            ('a'..='z', None) if has_sides => paint(Seat::First, c.encode_utf8(&mut [0; 4])),
            ('0'..='9', None) if has_sides => paint(Seat::Second, c.encode_utf8(&mut [0; 4])),
            ('[' | ']', None) => format!("{LAST}{c}{PLAIN}"),
            (_, None) => c.to_string(),
        });
        painted.collect()
    }

    /// Describes a move in words: `blue d3 captures c2, c3`, `black e4 takes over e2, e3`.
    pub(super) fn told(&self, game: Game, played: &Played) -> String {
        let effects = effects(played, ["captures ", "takes over "], ", ");
        format!("{} {}{effects}", self.name(game, played.seat), played.name)
    }
}

fn paint(seat: Seat, text: &str) -> String {
    format!("{}{text}{PLAIN}", SEATS[seat.index()])
}

fn painted_piece(position: &Position, piece: Piece, has_won: bool) -> String {
    let symbol = position.game().symbol(piece).to_string();
    match piece.owner {
        Some(owner) if has_won => format!("{WINNER}{}", paint(owner, &symbol)),
        Some(owner) => paint(owner, &symbol),
        None => symbol,
    }
}

/// Describes the engine's opinion in several lines.
pub(super) fn opinion(engine: &Engine, opinion: &SearchSummary) -> String {
    if opinion.wins_at_once {
        let winning = opinion.moves.first().map(|best| best.action);
        return winning
            .map_or(String::new(), |action| format!("{} wins at once\n", engine.position().action_name(action)));
    }
    let mover = engine.seat_name(engine.position().to_move());
    let WinDrawLoss { win, draw, loss } = opinion.outcome;
    let [win, draw, loss] = [win, draw, loss].map(percent);
    let mut text = format!("for {mover}: win {win}, draw {draw}, loss {loss}\n  move   visits   prior     win\n");
    for candidate in opinion.moves.iter().take(MOVES_SHOWN).filter(|candidate| candidate.visits > 0) {
        let name = engine.position().action_name(candidate.action);
        let (prior, win) = (percent(candidate.prior), percent(candidate.outcome.win));
        text.push_str(&format!("  {name:<5}{:>8} {prior:>7} {win:>7}\n", candidate.visits));
    }
    let line = &opinion.variation[..opinion.variation.len().min(LINE_SHOWN)];
    text + &format!("expected: {}\n", engine.names(line).join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_engine::model::LoadedModel;
    use hexzero_games::game_named;
    use hexzero_search::Limits;

    fn engine(moves: &str) -> Engine {
        let mut engine = Engine::new(game_named("cachex").unwrap(), 3, LoadedModel::uniform()).unwrap();
        for name in moves.split_whitespace() {
            let action = engine.legal_action(name).unwrap();
            engine.play(action).unwrap();
        }
        engine
    }

    #[test]
    fn palette_changes_only_colours() {
        // A stone of each, a capture, and a chain that has won.
        for (moves, painted) in [
            ("a1 b2", "\x1b[1;33m[\x1b[0m\x1b[1;34mB\x1b[0m"),
            ("c1 b2 a1 c2 b3", "\x1b[43m.\x1b[0m"),
            ("a1 c1 a2 c2 a3", "\x1b[7m\x1b[1;31mR\x1b[0m"),
        ] {
            let engine = engine(moves);
            let coloured = Palette { coloured: true }.board(&engine);
            assert!(coloured.contains("\x1b[1;31mR\x1b[0m") && coloured.contains(painted), "{coloured:?}");
            let mut stripped = coloured;
            for sequence in ["1;31", "1;34", "1;33", "43", "7", "0"] {
                stripped = stripped.replace(&format!("\x1b[{sequence}m"), "");
            }
            assert_eq!(stripped, Palette { coloured: false }.board(&engine));
        }
    }

    #[test]
    fn opinion_in_words() {
        let mut undecided = engine("a1 b2");
        undecided.think(&Limits::visits(50));
        let text = opinion(&undecided, &undecided.opinion());
        assert!(text.starts_with("for red: win "), "{text}");
        assert_eq!(text.lines().count(), 2 + MOVES_SHOWN + 1, "{text}");
        let mut won = engine("a1 c1 a2 c2");
        won.think(&Limits::visits(50));
        assert_eq!(opinion(&won, &won.opinion()), "a3 wins at once\n");
    }
}
