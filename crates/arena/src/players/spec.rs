//! Players as named on the command line.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::alphabeta::AlphaBeta;
use super::engine_player::EnginePlayer;
use super::gtp::ProgramOptions;
use super::options::PlayerOptions;
use super::player::{Player, RandomPlayer};

const DEPTHS: RangeInclusive<u32> = 1..=8;
const DEFAULT_DEPTH: u32 = 2;
const PLAYOUTS: RangeInclusive<u32> = 1..=10_000_000;
const DEFAULT_PLAYOUTS: u32 = 1_000;

/// A player as named by the user.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerSpec {
    /// `random`: any legal move.
    Random,
    /// `alphabeta[:DEPTH]`: a fixed-depth search without a network.
    AlphaBeta {
        /// Plies to look ahead.
        depth: u32,
    },
    /// `mcts[:PLAYOUTS]`: tree search with random playouts.
    Mcts {
        /// Playouts a move.
        playouts: u32,
    },
    /// `shipped[@OPTIONS]`: the checkpoint that comes with the program.
    Shipped(PlayerOptions),
    /// `PATH[@OPTIONS]`: a checkpoint file, or a run's folder.
    Checkpoint(PathBuf, PlayerOptions),
    /// `gtp:COMMAND[@OPTIONS]`: another program that speaks the Go Text Protocol.
    Program {
        /// The command as it was written.
        command: String,
        /// The program's file and its arguments.
        words: Vec<String>,
        /// The program's options.
        options: ProgramOptions,
    },
}

/// An error in the name of a player, or in its options; the message says what is accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub(super) String);

fn refused(text: &str, problem: impl fmt::Display) -> SpecError {
    SpecError(format!("'{text}': {problem}"))
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        if let Some(program) = text.strip_prefix("gtp:") {
            return Self::program(program).map_err(|problem| refused(text, problem));
        }
        if let Some((network, options)) = text.rsplit_once('@')
            && (network == "shipped" || Path::new(network).exists())
            && !Path::new(text).exists()
        {
            let options = options.parse::<PlayerOptions>().map_err(|problem| refused(text, problem))?;
            return Ok(match network {
                "shipped" => Self::Shipped(options),
                _ => Self::Checkpoint(PathBuf::from(network), options),
            });
        }
        if let Some((player, _)) = text.split_once('@')
            && matches!(player.split(':').next(), Some("random" | "alphabeta" | "mcts"))
            && !Path::new(text).exists()
        {
            return Err(refused(text, format!("'{player}' takes no options; leave out what follows the '@'")));
        }
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let parse = |what, default, accepted: RangeInclusive<u32>| match number.map(str::parse) {
            None => Ok(default),
            Some(Ok(number)) if accepted.contains(&number) => Ok(number),
            Some(_) => {
                let (low, high) = accepted.into_inner();
                Err(refused(text, format!("{what} must be a whole number from {low} to {high}")))
            }
        };
        match name {
            "alphabeta" => Ok(Self::AlphaBeta { depth: parse("the depth", DEFAULT_DEPTH, DEPTHS)? }),
            "mcts" => Ok(Self::Mcts { playouts: parse("the number of playouts", DEFAULT_PLAYOUTS, PLAYOUTS)? }),
            "random" | "shipped" if number.is_some() => {
                Err(refused(text, format!("'{name}' takes no number; leave out what follows the name")))
            }
            "random" => Ok(Self::Random),
            "shipped" => Ok(Self::Shipped(PlayerOptions::default())),
            _ if !text.is_empty() && Path::new(text).exists() => {
                Ok(Self::Checkpoint(PathBuf::from(text), PlayerOptions::default()))
            }
            _ => Err(SpecError(format!(
                "'{text}' is neither a built-in player nor a file; choose 'random', 'alphabeta[:DEPTH]', \
                 'mcts[:PLAYOUTS]', 'shipped', 'gtp:COMMAND', or the path of a checkpoint or a run; add '@' and options to \
                 'shipped' or a path, such as '@int8,visits=400'"
            ))),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => write!(f, "random"),
            Self::AlphaBeta { depth } => write!(f, "alphabeta:{depth}"),
            Self::Mcts { playouts } => write!(f, "mcts:{playouts}"),
            Self::Shipped(options) => write!(f, "shipped{options}"),
            Self::Checkpoint(path, options) => write!(f, "{}{options}", path.display()),
            Self::Program { command, options, .. } => write!(f, "gtp:{command}{options}"),
        }
    }
}

impl PlayerSpec {
    /// Reads what follows `gtp:`.
    fn program(text: &str) -> Result<Self, SpecError> {
        let (command, options) = match text.rsplit_once('@') {
            Some((command, options)) if ProgramOptions::are_meant(options) => {
                (command, options.parse::<ProgramOptions>()?)
            }
            _ => (text, ProgramOptions::default()),
        };
        // On Windows a backslash separates folders; here it would quote the letter after it.
        let slashes = if cfg!(windows) { command.replace('\\', "/") } else { command.to_owned() };
        let words = shlex::split(&slashes).filter(|words| !words.is_empty());
        let problem = "after 'gtp:' give a program with its arguments; quote those that contain spaces";
        let words = words.ok_or_else(|| SpecError(problem.to_owned()))?;
        Ok(Self::Program { command: command.to_owned(), words, options })
    }

    /// Returns the player, if it needs neither a checkpoint nor another program.
    pub fn built_in(&self) -> Option<Box<dyn Player>> {
        match *self {
            Self::Random => Some(Box::new(RandomPlayer::new(0))),
            Self::AlphaBeta { depth } => Some(Box::new(AlphaBeta::new(depth))),
            Self::Mcts { playouts } => Some(Box::new(EnginePlayer::mcts(playouts))),
            Self::Shipped(_) | Self::Checkpoint(..) | Self::Program { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::gtp::SwapStyle;
    use super::*;

    fn options(text: &str) -> PlayerOptions {
        text.parse().unwrap()
    }

    #[test]
    fn names_are_understood_and_written_alike() {
        for (text, written, spec) in [
            ("random", "random", PlayerSpec::Random),
            ("alphabeta", "alphabeta:2", PlayerSpec::AlphaBeta { depth: 2 }),
            ("alphabeta:8", "alphabeta:8", PlayerSpec::AlphaBeta { depth: 8 }),
            ("mcts", "mcts:1000", PlayerSpec::Mcts { playouts: 1000 }),
            ("mcts:10000000", "mcts:10000000", PlayerSpec::Mcts { playouts: 10_000_000 }),
            ("shipped", "shipped", PlayerSpec::Shipped(PlayerOptions::default())),
            ("shipped@int8", "shipped@int8", PlayerSpec::Shipped(options("int8"))),
            ("shipped@visits=9,f32", "shipped@f32,visits=9", PlayerSpec::Shipped(options("f32,visits=9"))),
            (
                "gtp:'a program' --gtp \"1 2\"",
                "gtp:'a program' --gtp \"1 2\"",
                PlayerSpec::Program {
                    command: "'a program' --gtp \"1 2\"".to_owned(),
                    words: vec!["a program".to_owned(), "--gtp".to_owned(), "1 2".to_owned()],
                    options: ProgramOptions::default(),
                },
            ),
            (
                "gtp:a@b x@time=0.5,swap=sides",
                "gtp:a@b x@swap=sides,time=0.5",
                PlayerSpec::Program {
                    command: "a@b x".to_owned(),
                    words: vec!["a@b".to_owned(), "x".to_owned()],
                    options: ProgramOptions {
                        swap: SwapStyle::Sides,
                        time: Some(std::time::Duration::from_millis(500)),
                        margin: None,
                    },
                },
            ),
        ] {
            assert_eq!(text.parse(), Ok(spec.clone()));
            assert_eq!(spec.to_string(), written);
            if let Some(player) = spec.built_in() {
                assert_eq!(player.name(), written);
            }
        }
    }

    #[test]
    fn file_or_folder_is_a_checkpoint() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for path in [file.path(), std::env::temp_dir().as_path()] {
            let text = path.to_str().unwrap();
            assert_eq!(text.parse(), Ok(PlayerSpec::Checkpoint(path.to_owned(), PlayerOptions::default())));
            let exact = PlayerSpec::Checkpoint(path.to_owned(), options("f32,threads=2"));
            assert_eq!(format!("{text}@f32,threads=2").parse(), Ok(exact));
        }
    }

    #[test]
    fn invalid_names_are_refused() {
        for (texts, problem) in [
            (&["alphabeta:x", "alphabeta:", "alphabeta:-1"][..], ": the depth must be a whole number from 1 to 8"),
            (&["gtp: ", "gtp:'open"], ": after 'gtp:' give a program"),
            (&["random@visits=3", "alphabeta:3@visits=3", "mcts@visits=3"], "' takes no options"),
            (&["random:3"], ": 'random' takes no number"),
            (&["shipped@f64"], ": there is no option 'f64'"),
            (&["", "no-such-file.safetensors"], " is neither a built-in player nor a file"),
        ] {
            for text in texts {
                let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
                assert!(error.starts_with(&format!("'{text}'")) && error.contains(problem), "{text}: {error}");
            }
        }
    }
}
