//! How another program takes the swap.

use std::fmt;
use std::str::FromStr;

/// What a program makes of the swap, and how it is told of one. The rules here mirror the stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SwapStyle {
    /// To be found out at the first swap.
    #[default]
    Auto,
    /// The stone changes its colour and goes to the cell with row and column exchanged.
    Pieces,
    /// The stone stays as it is, and the players exchange their colours.
    Sides,
    /// It is told of the mirrored stone on a cleared board.
    SetUp,
    /// It knows no swap: one is an error.
    None,
}

/// The styles by the names that they have on the command line.
const STYLES: [(&str, SwapStyle); 5] = [
    ("auto", SwapStyle::Auto),
    ("pieces", SwapStyle::Pieces),
    ("sides", SwapStyle::Sides),
    ("setup", SwapStyle::SetUp),
    ("none", SwapStyle::None),
];

/// A text that names no style.
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
