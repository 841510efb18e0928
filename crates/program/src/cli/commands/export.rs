//! `hexzero export`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::cli::options::{GameArg, board_size};
use crate::cli::support::write_file;
use crate::error::CliError;
use hexzero_export::{Sampling, onnx_model, samples, write_numpy_player};
use hexzero_system::text_output;
use hexzero_train::model_files::load_checkpoint;

const EXAMPLES: &str = "\
Examples:
  hexzero export --onnx cachex.onnx                       the model that ships with the program
  hexzero export --onnx hex.onnx --model runs/hex-001     the latest checkpoint of a run
  hexzero export --numpy my_player                        a player for the Python referee
  hexzero export --samples samples.npz --sizes 3,8,15     inputs and outputs of some positions

docs/python.md describes the ONNX file's inputs and outputs, the player and the samples.";

/// Export a network as ONNX, or as a Python player that needs only NumPy.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(group(clap::ArgGroup::new("form").required(true).multiple(true).args(["onnx", "numpy", "samples"])))]
pub struct ExportArgs {
    /// Write the network as ONNX to FILE, for boards of any size; the game's boards must be rhombi
    #[arg(long, value_name = "FILE")]
    onnx: Option<PathBuf>,
    /// Write a Python package with a player (rules, network, search and weights) to DIR, replacing an older one; Cachex
    /// only
    #[arg(long, value_name = "DIR")]
    numpy: Option<PathBuf>,
    /// Write positions of random games with the network's inputs and outputs to FILE (.npz), to test other
    /// implementations; the game's boards must be rhombi
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// The board sizes of the samples, separated by commas
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = board_size, default_value = "3,8,15", requires = "samples")]
    sizes: Vec<usize>,
    /// The number of samples for each size
    #[arg(long, value_name = "K", default_value_t = 16, requires = "samples", value_parser = clap::value_parser!(u32).range(1..=1000))]
    positions: u32,
    /// The seed of the samples
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "samples")]
    seed: u64,
    /// The checkpoint, or the folder of a run (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
}

impl ExportArgs {
    /// Writes the requested files and prints their paths.
    pub fn run(self) -> Result<(), CliError> {
        let game = self.game.or_of_model(self.model.as_deref())?;
        let (name, checkpoint) = load_checkpoint(game, self.model.as_deref())?;
        checkpoint.check_game(game, &name)?;
        let sampling = Sampling { sizes: self.sizes, positions: self.positions as usize, seed: self.seed };
        let mut files = Vec::new();
        if let Some(path) = self.onnx {
            files.push((path, onnx_model(game, &checkpoint)?));
        }
        if let Some(path) = self.samples {
            files.push((path, samples(game, &checkpoint, &sampling)?));
        }
        let mut written = Vec::new();
        for (path, bytes) in files {
            write_file(&path, bytes)?;
            written.push(path);
        }
        if let Some(folder) = self.numpy {
            write_numpy_player(&checkpoint, &folder)?;
            written.push(folder);
        }
        // Printed last: a broken pipe must not cost a file.
        for path in written {
            writeln!(text_output(), "{}", path.display())?;
        }
        Ok(())
    }
}
