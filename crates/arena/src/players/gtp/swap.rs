//! The swap with other programs: how a program handles it, and how it sees the board after one.

use std::fmt;
use std::str::FromStr;

use hexzero_games::{Action, Change, InvalidMove, Pick, Position};

use crate::players::SpecError;

/// How a program handles the swap, and how a swap is sent to it. The rules here mirror the stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SwapStyle {
    /// The style is detected at the first swap.
    #[default]
    Auto,
    /// The stone changes colour and moves to the cell with row and column exchanged.
    Pieces,
    /// The stone stays, and the players exchange their colours.
    Sides,
    /// The mirrored stone is set up on a cleared board.
    SetUp,
    /// The program does not know the swap; playing one is an error.
    None,
}

/// The styles by their names on the command line.
const STYLES: [(&str, SwapStyle); 5] = [
    ("auto", SwapStyle::Auto),
    ("pieces", SwapStyle::Pieces),
    ("sides", SwapStyle::Sides),
    ("setup", SwapStyle::SetUp),
    ("none", SwapStyle::None),
];

impl FromStr for SwapStyle {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let found = STYLES.iter().find(|(name, _)| *name == text);
        let refused = || SpecError(format!("swap must be auto, pieces, sides, setup or none, not '{text}'"));
        found.map(|&(_, style)| style).ok_or_else(refused)
    }
}

impl fmt::Display for SwapStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = STYLES.iter().find(|(_, style)| style == self).map_or("", |(name, _)| name);
        f.pad(name)
    }
}

/// The mirror image of each place.
#[derive(Debug, Clone)]
pub(super) struct SwapMirror {
    to: Vec<usize>,
    from: Vec<usize>,
}

fn place_of(position: &Position, action: Action) -> Option<usize> {
    match position.picks(action)[..] {
        [Pick::Place(place)] => Some(usize::from(place)),
        _ => None,
    }
}

impl SwapMirror {
    /// Derives the mirror of a game that begins at `start` from what the swap does to each first stone; none if no
    /// first stone can be swapped.
    pub fn of(start: &Position) -> Option<Self> {
        let swap = start.game_board().swap()?;
        let mut to: Vec<usize> = (0..start.board().places().len()).collect();
        let mut any = false;
        for opening in start.legal() {
            let Some(place) = place_of(start, opening) else { continue };
            let mut after = start.after(opening);
            if after.check(swap).is_err() {
                continue;
            }
            any = true;
            for change in after.play_noting(swap) {
                if let Change::Moved(_, there) = change {
                    to[place] = usize::from(there);
                }
            }
        }
        let mut from = to.clone();
        to.iter().enumerate().for_each(|(place, &there)| from[there] = place);
        any.then_some(Self { to, from })
    }

    /// Returns a place that is not mirrored to itself, and its image.
    pub fn moved(&self) -> Option<(usize, usize)> {
        self.to.iter().copied().enumerate().find(|(place, there)| place != there)
    }

    /// Names an action for a program that has exchanged colours.
    pub fn name(&self, position: &Position, action: Action) -> String {
        match place_of(position, action) {
            Some(place) => position.board().label(self.from[place]).to_owned(),
            None => position.foreign_action_name(action),
        }
    }

    /// Reads an action that such a program has named.
    pub fn parse(&self, position: &Position, text: &str) -> Result<Action, InvalidMove> {
        let action = position.parse_action(text)?;
        match place_of(position, action) {
            Some(place) => position.parse_action(position.board().label(self.to[place])),
            None => Ok(action),
        }
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::game_named;

    use super::*;

    #[test]
    fn names_are_mirrored_and_read_back() {
        let start = game_named("hex").unwrap().start(4).unwrap();
        let mirror = SwapMirror::of(&start).unwrap();
        for action in start.legal() {
            assert_eq!(mirror.parse(&start, &mirror.name(&start, action)), Ok(action));
        }
        assert_eq!(mirror.name(&start, start.parse_action("b4").unwrap()), "d2");
        assert!(SwapMirror::of(&game_named("hex-noswap").unwrap().start(4).unwrap()).is_none());
    }
}
