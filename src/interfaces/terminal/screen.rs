//! What a person sees: the board with its colours, the moves and the engine's opinion in words.

use crate::games::{Game, Position, Seat, WinDrawLoss};
use crate::interfaces::engine::{Engine, Opinion, Played};

/// The moves that an opinion lists.
const MOVES_SHOWN: usize = 5;
/// The moves of an expected line that are shown.
const LINE_SHOWN: usize = 8;

/// The colours of the two players, as ANSI escape sequences, or nothing.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    players: [&'static str; 2],
    winner: &'static str,
    captured: &'static str,
    last: &'static str,
    plain: &'static str,
}

/// Stand for stones of the chain that has won, and for a cell where something was captured, until they are painted.
const CHAIN: [char; 2] = ['\u{e000}', '\u{e001}'];
const CAPTURED: char = '\u{e002}';

impl Palette {
    /// Colours, or none.
    pub fn when(coloured: bool) -> Self {
        if coloured {
            Self {
                players: ["\x1b[1;31m", "\x1b[1;34m"],
                winner: "\x1b[7m",
                captured: "\x1b[43m",
                last: "\x1b[1;33m",
                plain: "\x1b[0m",
            }
        } else {
            Self { players: [""; 2], winner: "", captured: "", last: "", plain: "" }
        }
    }

    /// Whether there are any.
    pub fn is_coloured(&self) -> bool {
        !self.plain.is_empty()
    }

    fn paint(&self, player: Seat, text: &str) -> String {
        format!("{}{text}{}", self.players[player.index()], self.plain)
    }

    /// A player's name in his colour.
    pub(super) fn name(&self, player: Seat) -> String {
        self.paint(player, Engine::name_of(player))
    }

    /// The board. The letters along the top and bottom have the colour of the player who joins
    /// these two sides, and so have the numbers on the left and right. The chain that has won, the last stone and the
    /// cells where it captured stand out.
    pub(super) fn board(&self, engine: &Engine) -> String {
        if !self.is_coloured() {
            return engine.board();
        }
        let (game, last) = (engine.game(), engine.played().last());
        let chain = game.winning_chain();
        let captured = last.map_or(&[][..], |played| &played.captured);
        let glyph = |cell: usize| match game.stone(cell) {
            Some(player) if chain.contains(&cell) => CHAIN[player.index()],
            None if captured.contains(&game.cell_name(cell)) => CAPTURED,
            _ => game.symbol(cell),
        };
        let board = game.draw(&glyph, last.and_then(|played| played.cell));
        let initial = |player: Seat| Engine::name_of(player).chars().next().map(|c| c.to_ascii_uppercase());
        let mut text = String::new();
        for c in board.chars() {
            let of = |kind: &dyn Fn(Seat) -> Option<char>| {
                Seat::BOTH.into_iter().find(|&player| kind(player) == Some(c))
            };
            let painted = match c {
                'a'..='z' => self.paint(Seat::First, c.encode_utf8(&mut [0; 4])),
                '0'..='9' => self.paint(Seat::Second, c.encode_utf8(&mut [0; 4])),
                '[' | ']' => format!("{}{c}{}", self.last, self.plain),
                CAPTURED => format!("{}.{}", self.captured, self.plain),
                _ => match (of(&initial), of(&|player| Some(CHAIN[player.index()]))) {
                    (Some(player), _) => self.paint(player, c.encode_utf8(&mut [0; 4])),
                    (None, Some(player)) => {
                        let letter = initial(player).unwrap_or(c);
                        format!("{}{}", self.winner, self.paint(player, letter.encode_utf8(&mut [0; 4])))
                    }
                    (None, None) => c.to_string(),
                },
            };
            text.push_str(&painted);
        }
        text
    }

    /// A move in words: `blue d3 captures c2, c3`.
    pub(super) fn told(&self, played: &Played) -> String {
        let captures = if played.captured.is_empty() {
            String::new()
        } else {
            format!(" captures {}", played.captured.join(", "))
        };
        format!("{} {}{captures}", self.name(played.player), played.name)
    }
}

/// The engine's opinion, several lines.
pub(super) fn opinion(engine: &Engine, opinion: &Opinion) -> String {
    if opinion.wins_at_once {
        let winning = opinion.moves.first().map(|best| best.action);
        return winning.map_or(String::new(), |action| format!("{} wins at once\n", engine.game().action_name(action)));
    }
    let mover = Engine::name_of(engine.game().to_move());
    let mut text = format!("for {mover}: {}\n", chances(opinion.outcome));
    text.push_str("  move   visits   prior     win\n");
    for candidate in opinion.moves.iter().take(MOVES_SHOWN).filter(|candidate| candidate.visits > 0) {
        let name = engine.game().action_name(candidate.action);
        let (prior, win) = (percent(candidate.prior), percent(candidate.outcome.win));
        text.push_str(&format!("  {name:<5}{:>8} {prior:>7} {win:>7}\n", candidate.visits));
    }
    let line = &opinion.variation[..opinion.variation.len().min(LINE_SHOWN)];
    text.push_str(&format!("expected: {}\n", engine.names(line).join(" ")));
    text
}

fn chances(outcome: WinDrawLoss) -> String {
    format!("win {}, draw {}, loss {}", percent(outcome.win), percent(outcome.draw), percent(outcome.loss))
}

fn percent(share: f32) -> String {
    // Rounding may leave a little less than nothing.
    format!("{:.1}%", 100.0 * share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Action, Cachex, Evaluation};
    use crate::interfaces::model::LoadedModel;
    use crate::search::Limits;

    fn engine(moves: &str) -> Engine<Cachex> {
        let evaluator = Box::new(|_: &Cachex, legal: &[Action]| Evaluation::uniform(legal.len()));
        let mut engine = Engine::new(3, LoadedModel { description: "uniform".into(), evaluator }).unwrap();
        for name in moves.split_whitespace() {
            let action = engine.legal_action(name).unwrap();
            engine.play(action).unwrap();
        }
        engine
    }

    #[test]
    fn colours_change_nothing_but_the_colour() {
        // A stone of each, a capture, and a chain that has won.
        for (moves, painted) in [
            ("a1 b2", "\x1b[1;33m[\x1b[0m\x1b[1;34mB\x1b[0m"),
            ("c1 b2 a1 c2 b3", "\x1b[43m.\x1b[0m"),
            ("a1 c1 a2 c2 a3", "\x1b[7m\x1b[1;31mR\x1b[0m"),
        ] {
            let engine = engine(moves);
            let coloured = Palette::when(true).board(&engine);
            assert!(coloured.contains("\x1b[1;31mR\x1b[0m") && coloured.contains(painted), "{coloured:?}");
            let mut stripped = coloured;
            for sequence in ["1;31", "1;34", "1;33", "43", "7", "0"] {
                stripped = stripped.replace(&format!("\x1b[{sequence}m"), "");
            }
            assert_eq!(stripped, Palette::when(false).board(&engine));
        }
    }

    #[test]
    fn an_opinion_in_words() {
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
