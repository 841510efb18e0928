//! Swap styles: the ways in which other programs handle the swap.

use std::fmt;
use std::str::FromStr;

/// The way in which a program handles the swap, and one is sent to it. The rules here mirror the stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SwapStyle {
    /// Found out at the first swap.
    #[default]
    Auto,
    /// The stone changes colour and moves to the cell with row and column exchanged.
    Pieces,
    /// The stone stays, and the players exchange their colours.
    Sides,
    /// The mirrored stone is set up on a cleared board.
    SetUp,
    /// The program does not know the swap: one is an error.
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

/// A text that is not a style.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("swap must be auto, pieces, sides, setup or none, not '{0}'")]
pub struct NoSuchSwapStyle(String);

impl FromStr for SwapStyle {
    type Err = NoSuchSwapStyle;

    fn from_str(text: &str) -> Result<Self, NoSuchSwapStyle> {
        let found = STYLES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, style)| style).ok_or_else(|| NoSuchSwapStyle(text.to_owned()))
    }
}

impl fmt::Display for SwapStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = STYLES.iter().find(|(_, style)| style == self).map_or("", |(name, _)| name);
        f.pad(name)
    }
}
