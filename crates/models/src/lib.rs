//! The shipped checkpoints, opening maps, balanced openings and puzzles, compiled into the program. A browser build
//! leaves out checkpoints and puzzles, which the page loads for a game when it needs them.

use xxhash_rust::xxh3::xxh3_64;

use hexzero_games::Game;
use hexzero_nn::{Checkpoint, CheckpointError};

/// A shipped checkpoint.
struct Shipped {
    /// The game of the network: [`hexzero_games::GameInfo::network`].
    network: &'static str,
    /// The largest board size that the network was trained on.
    largest_size: usize,
    bytes: &'static [u8],
}

/// Whether the checkpoints are compiled into the program.
const ARE_INCLUDED: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Includes a checkpoint.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
macro_rules! checkpoint {
    ($path:expr) => {
        include_bytes!($path)
    };
}

/// Leaves a checkpoint out.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
macro_rules! checkpoint {
    ($path:expr) => {
        &[]
    };
}

/// Includes the checkpoints `models/$network.safetensors`, each with the largest board size that it was trained on.
macro_rules! shipped {
    ($($network:literal $largest_size:literal),*) => {
        &[$(Shipped {
            network: $network,
            largest_size: $largest_size,
            bytes: checkpoint!(concat!("../../../models/", $network, ".safetensors")),
        }),*]
    };
}

static CHECKPOINTS: &[Shipped] = shipped!(
    "cachex" 15, "hex" 13, "y" 8, "tack" 8, "fan" 7, "link" 6, "vex" 7, "chameleon" 10, "imnyss" 9, "dozer" 8,
    "12star" 11, "3connection" 5, "quickwin" 7, "gale" 5, "hexifence" 3, "infexion" 7
);

static OPENINGS: &[(&str, &str)] = &[
    ("cachex", include_str!("../../../models/cachex.openings.json")),
    ("hex", include_str!("../../../models/hex.openings.json")),
];

/// Includes the files of these games in a folder.
macro_rules! of_games {
    ($folder:literal, $ending:literal: $($game:literal)*) => {
        &[$(($game, checkpoint!(concat!("../../../", $folder, $game, $ending)))),*]
    };
}

/// The balanced openings. Gale has none: its solver knows the winner of every position.
static BALANCED: &[(&str, &[u8])] = of_games!("models/balanced/", ".jsonl":
    "cachex" "hex" "y" "tack" "fan" "link" "vex" "chameleon" "imnyss" "dozer" "12star" "3connection" "quickwin"
    "hexifence" "infexion");

static PUZZLES: &[(&str, &[u8])] = of_games!("puzzles/", ".json": "cachex" "hex" "hexifence" "infexion" "y");

/// The name that stands for the shipped checkpoint where a model is expected.
pub const SHIPPED: &str = "shipped";

/// Returns the shipped checkpoint for a game.
///
/// # Errors
/// If no checkpoint ships for this game, as for games from outside this crate (see
/// [`hexzero_games::register`]), or it was trained with another version of the network inputs.
pub fn shipped(game: Game) -> Result<Checkpoint, CheckpointError> {
    let found = of_game(game).filter(|_| ARE_INCLUDED).ok_or(CheckpointError::NoneShipped { game: game.name() })?;
    let checkpoint = Checkpoint::from_bytes(found.bytes, SHIPPED)?;
    checkpoint.check_game(game, SHIPPED)?;
    Ok(checkpoint)
}

/// Returns the largest board size that a game's shipped checkpoint was trained on, or `None` if
/// none ships.
pub fn largest_learnt(game: Game) -> Option<usize> {
    of_game(game).map(|found| found.largest_size)
}

/// Returns the opening maps that ship for a game and those sharing its network, if there are any;
/// see `hexzero_engine::openings::OpeningMaps`.
pub fn shipped_openings(game: Game) -> Option<&'static str> {
    OPENINGS.iter().find(|(network, _)| *network == game.network).map(|&(_, text)| text)
}

/// Returns the balanced openings that ship for a game's default board, if there are any: games as JSON lines.
pub fn shipped_balanced(game: Game) -> Option<&'static str> {
    let (_, bytes) = BALANCED.iter().find(|(name, _)| ARE_INCLUDED && *name == game.name())?;
    std::str::from_utf8(bytes).ok()
}

/// Returns the puzzles that ship for a game, if there are any; see
/// `hexzero_engine::puzzles::PuzzleFile`.
pub fn shipped_puzzles(game: Game) -> Option<&'static [u8]> {
    shipped_puzzle_files().find(|(name, _)| *name == game.name()).map(|(_, bytes)| bytes)
}

/// Returns the puzzle files that ship, by the names of their games.
pub fn shipped_puzzle_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    PUZZLES.iter().copied().filter(|_| ARE_INCLUDED)
}

/// Returns the checkpoint files that ship, by the names of their networks.
pub fn shipped_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    CHECKPOINTS.iter().map(|shipped| (shipped.network, shipped.bytes))
}

/// Returns the digest of a checkpoint's file, by which opening maps refer to it.
pub fn digest(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// Returns the digest of the checkpoint that ships for a game, if there is one.
pub fn shipped_digest(game: Game) -> Option<String> {
    of_game(game).map(|found| digest(found.bytes))
}

fn of_game(game: Game) -> Option<&'static Shipped> {
    CHECKPOINTS.iter().find(|shipped| shipped.network == game.network)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_engine::puzzles::PuzzleFile;
    use hexzero_games::{all_games, game_named};

    #[test]
    fn puzzles_can_all_be_set_up() {
        for (name, bytes) in shipped_puzzle_files() {
            assert!(bytes.len() < 160 << 10, "{name}: {} bytes", bytes.len());
            let file = PuzzleFile::parse(std::str::from_utf8(bytes).unwrap()).unwrap();
            assert_eq!(file.game, name);
            let game = game_named(name).unwrap();
            for puzzle in &file.puzzles {
                let (position, solution) = puzzle.position(game).unwrap();
                assert_eq!(game.seat_name(position.to_move()), puzzle.to_move, "{}", puzzle.id);
                let mut after = position.after(solution);
                for name in &puzzle.reply {
                    after.play_named(name).unwrap();
                }
                assert!((1..=5).contains(&puzzle.grade), "{}", puzzle.id);
            }
        }
    }

    #[test]
    fn checkpoints_fit_their_games() {
        for Shipped { network, .. } in CHECKPOINTS {
            assert!(all_games().iter().any(|game| game.network == *network), "{network}");
        }
        for game in all_games().into_iter().filter(|&game| of_game(game).is_some()) {
            assert!(shipped(game).is_ok(), "{game:?}");
            assert!(largest_learnt(game).is_some_and(|size| game.boards.sizes.contains(&size)), "{game:?}");
        }
    }
}
