//! Irregularities of games from other programs that do not keep them from being read.

use super::faults::GameFault;

/// A part of a game that was left out, or an ambiguity and how it was resolved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameWarning {
    /// The file has text outside of its games.
    #[error("the text {0} the game is not SGF and was skipped")]
    Skipped(&'static str),
    /// The file or the next game begins before the end of this one.
    #[error("the closing ')' is missing")]
    Unclosed,
    /// A value contains an unescaped bracket, as Little Golem writes it.
    #[error("a ']' inside a value has no '\\' before it")]
    Unescaped,
    /// No character set has that name.
    #[error("the character set '{found}' is not known; the text was read as UTF-8 or Latin-1")]
    UnknownCharset {
        /// The name.
        found: String,
    },
    /// The text is not valid in the character set that the file names.
    #[error("the file says that its character set is {stated}, but some of it is not; that was read as {found}")]
    OtherCharset {
        /// The name in the file.
        stated: String,
        /// The character set used instead.
        found: &'static str,
    },
    /// There are moves after the end of the game.
    #[error("after move {number} the game is over ({winner}); moves left out: {dropped}")]
    AfterTheEnd {
        /// The number of the move that ended the game.
        number: usize,
        /// The winner's name, or "draw".
        winner: &'static str,
        /// The number of moves left out, including those of variations.
        dropped: usize,
    },
    /// There are moves after a resignation.
    #[error("the moves after the resignation were kept as a variation")]
    AfterResignation,
    /// A variation cannot be played.
    #[error("a variation was left out: {fault}")]
    Variation {
        /// The first error of the variation.
        fault: Box<GameFault>,
    },
    /// Further variations cannot be played.
    #[error("{more} more variations were left out")]
    MoreVariations {
        /// The number of further variations.
        more: usize,
    },
    /// The stated result and a resignation name different winners.
    #[error("the stated result is '{stated}', but {loser} resigned; the resignation counts")]
    ResultOrResignation {
        /// The stated winner's name.
        stated: &'static str,
        /// The name of the player who resigned.
        loser: &'static str,
    },
    /// The board contradicts the stated result or a resignation.
    #[error("the stated {} is '{stated}', but after its {moves} moves the result is '{found}'; the moves count", match resigned {
        true => "result (by resignation)",
        false => "result",
    })]
    ResultOrMoves {
        /// The stated winner's name.
        stated: &'static str,
        /// True if the stated winner follows from a resignation.
        resigned: bool,
        /// The number of moves.
        moves: usize,
        /// The result of the moves.
        found: &'static str,
    },
    /// The result states no reason.
    #[error("the stated result is '{winner}', but after its {moves} moves the game is not over; read as a resignation")]
    NoReason {
        /// The stated winner's name.
        winner: &'static str,
        /// The number of moves.
        moves: usize,
    },
    /// Black takes over White's first stone.
    #[error("white began and black swapped; read as black's stone on {place}, to which white replies")]
    FirstStoneSwapped {
        /// The place of the stone after the swap.
        place: String,
    },
    /// After a swap of sides the wrong colour moves, or the stone is White's.
    #[error(
        "after swap-sides the same colour should move again, which it does not; the swap was left out, the stone stays"
    )]
    SidesNotSwapped,
}
