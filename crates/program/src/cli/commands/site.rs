//! `hexzero serve site`.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;

use crate::cli::options::GameArg;
use crate::cli::support::interrupted;
use crate::error::CliError;
use hexzero_web::{PageFiles, SiteOptions, serve_site, write_site};

const EXAMPLES: &str = "\
Examples:
  hexzero serve site public                write the site to the folder public
  hexzero serve site public --serve        the same, and serve it at http://127.0.0.1:8000
  hexzero serve site public --game hex     begin with Hex
  hexzero serve site public --model runs/mine
                                     play with the latest checkpoint of a run

Any web host can serve the folder, below any path. The engine is a WebAssembly module: build it with
'rustup target add wasm32-unknown-unknown wasm32-wasip1-threads' and 'cargo wasm'.";

/// Write the page as a site of plain files, on which the engine runs in the browser.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SiteArgs {
    /// The folder to write: a new one, or one with an older site
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The engine's WebAssembly module (default: hexzero.wasm beside this program or in target/wasm)
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
    /// The checkpoint, or the folder of a run, that plays the first game (default: the model that ships with the
    /// program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// Serve the site on this machine, until Ctrl-C
    #[arg(long)]
    serve: bool,
    /// The port to serve it on; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 8000, requires = "serve")]
    port: u16,
}

impl SiteArgs {
    /// Writes the site, prints its size, and serves it if that is asked for.
    pub fn run(self, files: PageFiles) -> Result<(), CliError> {
        let game = self.game.or_of_model(self.model.as_deref())?;
        let options = SiteOptions { folder: self.folder, module: self.wasm, game, model: self.model, files };
        let written = write_site(&options).map_err(CliError::failed)?;
        let megabytes = |bytes: usize| bytes as f64 / 1e6;
        writeln!(
            stdout(),
            "{}: {} files, {:.1} MB; a browser loads {:.1} MB to play one game",
            options.folder.display(),
            written.files,
            megabytes(written.bytes),
            megabytes(written.bytes_for_a_game),
        )?;
        if self.serve {
            serve_site(&options.folder, self.port, interrupted()).map_err(CliError::failed)?;
        }
        Ok(())
    }
}
