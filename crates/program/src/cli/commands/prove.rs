//! `hexzero prove`.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::solve::GameOver;
use crate::cli::options::game::{board_size, one_of};
use crate::cli::options::search::seconds;
use crate::cli::support::output_files::check_creatable;
use crate::cli::support::proofs::{OpeningTable, Proof, ProofWatch, Stop};
use crate::error::CliError;
use hexzero_engine::has_swap;
use hexzero_games::{Action, Game, Position, Seat, game_named, play_all};
use hexzero_nn::Backend;
use hexzero_prove::hex::{Knowledge, MAX_SIZE, Resistance, Stones};
use hexzero_prove::{Guide, NetworkGuide, Options, Prover};
use hexzero_system::files::write_whole;
use hexzero_train::model_files::load_evaluator;

/// The games that can be proven.
const GAMES: [&str; 2] = ["hex", PROVEN_GAME];

/// The game that is proven: a swap leaves nothing to prove.
const PROVEN_GAME: &str = "hex-noswap";

const EXAMPLES: &str = "\
Prints who wins with perfect play, a winning move, and the empty cells that the winner needs: the
rest may be the loser's. The network orders moves; it cannot make a proof wrong, only slow. The
search takes one core, and ends at Ctrl-C or a limit: then it prints the moves that may still win,
and the exit code is 1. Boards up to 5×5 take less than a second, 8×8 minutes.

For the other games, and for the number of plies to the end on boards up to 4×4, there is
'hexzero games solve'.

--json prints {\"game\",\"size\",\"moves\",\"to_move\",\"value\",\"move\",\"carrier\",\"open\",\"stopped\",
\"positions\",\"seconds\"}: the value is \"won\", \"lost\" or null, the carrier are the cells that the
winner needs, 'open' are the moves left when the search stopped by \"interrupt\", \"time\" or
\"nodes\". With --openings {\"game\",\"size\",\"openings\":[{\"move\",\"same\",\"value\",\"positions\",
\"seconds\"}],\"stopped\",\"positions\",\"seconds\"}; values are those for the player who opens.

Examples:
  hexzero prove --size 7                        who wins the empty board
  hexzero prove --size 7 a2 b3                  after these moves
  hexzero prove --game hex --size 7 a2 swap c4
  hexzero prove --size 6 --openings             every first move
  hexzero prove --size 6 --openings --uniform --knowledge connections";

/// Prove who wins a position of Hex.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ProveArgs {
    /// The moves so far, such as 'a2 b3'
    #[arg(value_name = "MOVES", conflicts_with = "openings")]
    moves: Vec<String>,
    /// The game, a form of Hex (default: hex-noswap)
    #[arg(long, value_name = "GAME", value_parser = one_of(GAMES.into_iter().filter_map(|name| game_named(name).ok())), ignore_case = true)]
    game: Option<Game>,
    /// The board's size, up to 11
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: usize,
    /// Prove every first move; of two that half a turn of the board makes equal only one
    #[arg(long)]
    openings: bool,
    /// Write the proof to FILE, for python/check_certificate.py
    #[arg(long, value_name = "FILE", conflicts_with = "openings")]
    certificate: Option<PathBuf>,
    /// Order moves by this checkpoint, or that of the folder of a run (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Order moves by electrical resistance, without a network
    #[arg(long, conflicts_with = "model")]
    uniform: bool,
    /// Expand at most N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_nodes: Option<u64>,
    /// Search for at most SECONDS
    #[arg(long, visible_alias = "seconds", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
    /// Limit the table of positions to MIB mebibytes; a full table forgets what was searched least
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
    /// Use only these parts of the knowledge, to measure what each is worth: dead and captured cells (inferior), moves
    /// that others dominate (needs inferior), virtual connections; none for the bare rules (default: all)
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
    knowledge: Option<Vec<Part>>,
    /// Print a JSON object on one line
    #[arg(long)]
    json: bool,
}

/// A part of the knowledge of a proof search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Inferior,
    Domination,
    Connections,
    None,
}

/// The board is too large.
#[derive(Debug, thiserror::Error)]
#[error("proofs are for boards up to {MAX_SIZE}×{MAX_SIZE}, not {size}×{size}")]
struct TooLarge {
    size: usize,
}

/// The second player may still swap, and so wins.
#[derive(Debug, thiserror::Error)]
#[error(
    "there is nothing to prove before the swap: whatever the first move, one side wins, and {second} takes it; give \
     two moves or more, or --game {PROVEN_GAME}"
)]
struct SwapAhead {
    second: &'static str,
}

/// The search stopped.
#[derive(Debug, thiserror::Error)]
#[error("not proven: {0}")]
struct NotProven(Stop);

/// The search stopped before the certificate was complete.
#[derive(Debug, thiserror::Error)]
#[error("the certificate is incomplete: {0}")]
struct NoCertificate(Stop);

impl ProveArgs {
    /// Searches for the proof and prints the result.
    pub fn run(self) -> Result<(), CliError> {
        let game = self.game.map_or_else(|| game_named(PROVEN_GAME), Ok)?;
        let mut position = game.start(self.size)?;
        play_all(&mut position, &self.moves.join(" "))?;
        if position.outcome().is_some() {
            return Err(CliError::failed(GameOver));
        }
        let stones = Stones::of(&position).ok_or_else(|| CliError::failed(TooLarge { size: self.size }))?;
        let [_, second] = game.seats.each_ref().map(|seat| seat.name);
        if has_swap(position.on()) && position.turns() < 2 {
            return Err(CliError::failed(SwapAhead { second }));
        }
        self.certificate.as_deref().map_or(Ok(()), check_creatable)?;
        let options = self.options()?;
        let guide = self.guide()?;
        let watch = ProofWatch::new(self.time);
        let mut prover = Prover::new(self.size, options, guide).watched(Box::new(|progress| watch.is_over(progress)));
        let stopped = match self.openings {
            true => self.prove_openings(&position, &mut prover, &watch)?,
            false => self.prove_position(&position, stones, &mut prover, &watch)?,
        };
        stopped.map_or(Ok(()), |stop| Err(CliError::failed(NotProven(stop))))
    }

    fn options(&self) -> Result<Options, CliError> {
        let max_nodes = self.max_nodes.unwrap_or(u64::MAX);
        let mut options = Options { max_nodes, max_bytes: (self.memory as usize) << 20, ..Options::default() };
        if let Some(parts) = &self.knowledge {
            let [inferior, domination, connections] =
                [Part::Inferior, Part::Domination, Part::Connections].map(|part| parts.contains(&part));
            if domination && !inferior {
                return Err(CliError::Usage("--knowledge domination needs inferior too".to_owned()));
            }
            options.knowledge = Knowledge { inferior, domination, connections };
        }
        Ok(options)
    }

    /// Returns what orders the moves.
    fn guide(&self) -> Result<Box<dyn Guide>, CliError> {
        if self.uniform {
            return Ok(Box::new(Resistance::default()));
        }
        let game = game_named(PROVEN_GAME)?;
        let mut evaluator = load_evaluator(game, self.model.as_deref(), &Backend::default())?.evaluator;
        let evaluate = move |position: &Position, legal: &[Action]| evaluator.evaluate(position, legal);
        Ok(Box::new(NetworkGuide::new(game, evaluate)))
    }

    fn prove_position(
        &self,
        position: &Position,
        stones: Stones,
        prover: &mut Prover<'_>,
        watch: &ProofWatch,
    ) -> Result<Option<Stop>, CliError> {
        let verdict = prover.prove(stones);
        let proof = Proof::new(position, &self.moves, stones, verdict, prover, watch);
        watch.clear();
        let output = &mut stdout().lock();
        if self.json {
            proof.write_json(output)?
        } else {
            proof.write(position, output)?
        }
        if let (Some(path), Some(_)) = (&self.certificate, verdict) {
            let certificate = prover.certificate(stones, position.to_move() == Seat::First);
            let certificate = certificate.ok_or_else(|| CliError::failed(NoCertificate(watch.stop())))?;
            let written = write_whole(path, certificate.as_bytes());
            written.map_err(|source| CliError::Write { path: path.clone(), source })?;
        }
        Ok(proof.stopped)
    }

    fn prove_openings(
        &self,
        start: &Position,
        prover: &mut Prover<'_>,
        watch: &ProofWatch,
    ) -> Result<Option<Stop>, CliError> {
        let mut table = OpeningTable::new(start);
        let cells = self.size * self.size;
        // A cell and its image by half a turn: the first of them.
        for cell in 0..cells.div_ceil(2) {
            let opening = table.prove(start, cell, prover, watch);
            if !self.json && opening.is_proven() {
                watch.aside(|| writeln!(stdout().lock(), "{opening}"))?;
            }
        }
        watch.clear();
        table.finish(prover, watch);
        let output = &mut stdout().lock();
        if self.json {
            table.write_json(output)?
        } else {
            table.write(start, output)?
        }
        Ok(table.stopped)
    }
}
