//! What is odd in a game of another program without keeping it from being read.

use super::faults::GameFault;

/// Something in a game that was left out, or read in one of several ways.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameWarning {
    /// Text outside of the games of a file.
    #[error("the text {0} the game is not SGF and was skipped")]
    Skipped(&'static str),
    /// The file or the next game came before the end of this one.
    #[error("the closing ')' is missing")]
    Unclosed,
    /// A bracket inside a value, as Little Golem writes it.
    #[error("a ']' inside a value has no '\\' before it")]
    Unescaped,
    /// No character set has that name.
    #[error("the character set '{found}' is not known; the text was read as UTF-8 or Latin-1")]
    UnknownCharset {
        /// The name.
        found: String,
    },
    /// The text is not in the character set that the file names.
    #[error("the file says that its character set is {stated}, but some of it is not; that was read as {found}")]
    OtherCharset {
        /// The name in the file.
        stated: String,
        /// The set that it was read in.
        found: &'static str,
    },
    /// Moves after the end of the game.
    #[error("after move {number} the game is over ({winner}); moves left out: {dropped}")]
    AfterTheEnd {
        /// The move that ended the game.
        number: usize,
        /// The winner's name, or "draw".
        winner: &'static str,
        /// The number of moves left out, those of variations counted.
        dropped: usize,
    },
    /// Moves after a resignation.
    #[error("the moves after the resignation were kept as a variation")]
    AfterResignation,
    /// A variation that cannot be played.
    #[error("a variation was left out: {fault}")]
    Variation {
        /// Its first fault.
        fault: Box<GameFault>,
    },
    /// Further variations that cannot be played.
    #[error("{more} more variations were left out")]
    MoreVariations {
        /// Their number.
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
    /// The stated result, or a resignation, and the board name different winners.
    #[error("the stated {} is '{stated}', but after its {moves} moves the result is '{found}'; the moves count", match resigned {
        true => "result (by resignation)",
        false => "result",
    })]
    ResultOrMoves {
        /// The stated winner's name.
        stated: &'static str,
        /// True if it follows from a resignation.
        resigned: bool,
        /// The number of moves.
        moves: usize,
        /// The result that they lead to.
        found: &'static str,
    },
    /// A result without its reason.
    #[error("the stated result is '{winner}', but after its {moves} moves the game is not over; read as a resignation")]
    NoReason {
        /// The stated winner's name.
        winner: &'static str,
        /// The number of moves.
        moves: usize,
    },
    /// White's first stone, taken over by Black.
    #[error("white began and black swapped; read as black's stone on {place}, to which white replies")]
    FirstStoneSwapped {
        /// The place of the stone after the swap.
        place: String,
    },
    /// A swap of sides after which the wrong colour moves, or the stone is White's.
    #[error(
        "after swap-sides the same colour should move again, which it does not; the swap was left out, the stone stays"
    )]
    SidesNotSwapped,
}
