//! `hexzero prove`.

mod by_rules;

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::solve::game_over;
use crate::cli::options::{board_size, bytes_of, one_of, seconds};
use crate::cli::support::{
    Found, GameOpenings, Proof, ProofWatch, Stop, check_creatable, print_result, restore_table, save_table, write_file,
};
use crate::error::CliError;
use hexzero_games::{Action, Evaluator, Game, Position, Seat, Value, all_games, game_named, play_all};
use hexzero_nn::Backend;
use hexzero_prove::hex::{Geometry, Knowledge, MAX_SIZE, Resistance, Stones, bit};
use hexzero_prove::{Guide, NetworkGuide, Options, Prover};
use hexzero_train::model_files::load_evaluator;

/// The games that virtual connections prove.
const CONNECTED: [&str; 4] = ["hex", HEX, Y, "y-swap"];

/// The forms of them that are proven: a swap leaves nothing to prove.
const HEX: &str = "hex-noswap";
const Y: &str = "y";

const FOR_REPEATING: &str = "--max-plies is for games whose positions can repeat, as in Cachex";

const EXAMPLES: &str = "\
Prints who wins with perfect play and a winning move. The search takes one core, and ends at Ctrl-C
or a limit: the exit code is then 1.

Hex and Y: also prints the empty cells that the winner needs, as the rest may be the loser's, or the
moves that may still win. Hex up to 6×6 takes less than a second, 8×8 half a minute.

Other games are proven from their rules alone. Where positions can repeat, as in Cachex, wins
within a number of plies are proven, the fewest first, and draws by the turn limit. --openings
leaves out the swap. 'hexzero games solve' counts the plies to the end on the smallest boards.

The network says where to search; it cannot make a proof wrong, only slow.

--json prints {\"game\",\"size\",\"moves\",\"to_move\",\"value\",\"move\",\"carrier\",\"open\",\"stopped\",
\"positions\",\"seconds\"}: the value is \"won\", \"lost\" or null, the carrier are the cells that the
winner needs, 'open' are the moves left when the search stopped by \"interrupt\", \"time\" or
\"nodes\". With --openings {\"game\",\"size\",\"moves\",\"openings\":[{\"move\",\"same\",\"value\",\"plies\",
\"positions\",\"seconds\"}],\"stopped\",\"positions\",\"seconds\"}; values are those for the player who
opens, 'same' lists the moves that a symmetry makes equal. Games other than Hex and Y have \"plies\"
in place of carrier and open, and the value \"drawn\"; the search may also stop by \"plies\". If the
value is null, neither player wins within \"plies\".

Examples:
  hexzero prove --size 7                        who wins the empty board
  hexzero prove --size 7 a2 b3                  after these moves
  hexzero prove --game hex --size 7 a2 swap c4
  hexzero prove --size 6 --openings             every first move
  hexzero prove --size 8 --openings --save 8.table  goes on where Ctrl-C stopped it
  hexzero prove --size 6 --openings --uniform --knowledge connections
  hexzero prove --game y --size 7
  hexzero prove --game tack --size 4 --openings
  hexzero prove --game imnyss --size 4 --openings n:x
  hexzero prove --game cachex --size 4 --openings --svg cachex4.svg";

/// Prove who wins a position.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ProveArgs {
    /// The moves so far, such as 'a2 b3'
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// The game (default: hex-noswap)
    #[arg(long, value_name = "GAME", value_parser = one_of(all_games().into_iter().filter(has_states)), ignore_case = true)]
    game: Option<Game>,
    /// The board's size: up to 11 for Hex, 15 for Y, 7 for other games
    #[arg(long, value_name = "N", value_parser = board_size)]
    size: usize,
    /// Prove every first move, or in games other than Hex and Y every move after MOVES; of moves that a symmetry makes
    /// equal only one
    #[arg(long)]
    openings: bool,
    /// Draw the values of the openings as an SVG picture (not Hex and Y)
    #[arg(long, value_name = "FILE", requires = "openings")]
    svg: Option<PathBuf>,
    /// Prove wins within at most N plies, in games whose positions can repeat (default: 100)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=250))]
    max_plies: Option<u8>,
    /// Write the proof of a position of Hex to FILE, for python/check_certificate.py
    #[arg(long, value_name = "FILE", conflicts_with = "openings")]
    certificate: Option<PathBuf>,
    /// Keep the table of positions in FILE: a search that was stopped goes on where it was. The game, the size and
    /// --knowledge have to be the same
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Search where this checkpoint, or that of the folder of a run, says (default: the model that ships with the
    /// program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Search without a network: in Hex and Y by electrical resistance, in other games all moves alike
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
    /// Use only these parts of the knowledge, to measure what each is worth: dead and captured cells (inferior),
    /// virtual connections; none for the bare rules (default: all)
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
    Connections,
    None,
}

/// Fails if a search stopped without a proof.
fn check_proven(stopped: Option<Stop>) -> Result<(), CliError> {
    stopped.map_or(Ok(()), |stop| Err(CliError::Request(format!("not proven: {stop}"))))
}

/// Returns whether a game describes its positions to proofs.
fn has_states(game: &Game) -> bool {
    game.start(*game.boards.sizes.start()).is_ok_and(|start| start.state().is_some())
}

impl ProveArgs {
    /// Searches for the proof and prints the result.
    pub fn run(self) -> Result<(), CliError> {
        let game = self.game.map_or_else(|| game_named(HEX), Ok)?;
        let mut position = game.start(self.size)?;
        play_all(&mut position, &self.moves.join(" "))?;
        if position.outcome().is_some() {
            return Err(game_over());
        }
        if !CONNECTED.contains(&game.name()) {
            return self.prove_by_rules(&position);
        }
        if self.openings && !self.moves.is_empty() || self.svg.is_some() {
            return Err(CliError::Usage("--openings of Hex and Y takes no moves and no --svg".to_owned()));
        }
        if self.max_plies.is_some() {
            return Err(CliError::Usage(FOR_REPEATING.to_owned()));
        }
        let size = self.size;
        let too_large = || format!("proofs are for boards up to {MAX_SIZE}×{MAX_SIZE}, not {size}×{size}");
        let board = Geometry::of(&position).ok_or_else(|| CliError::Request(too_large()))?;
        let stones = Stones::of(&position, &board);
        let without_swap = if board.is_y() { Y } else { HEX };
        if board.is_y() && self.certificate.is_some() {
            return Err(CliError::Usage("--certificate is for Hex".to_owned()));
        }
        if position.game().has_swap() && position.turns() < 2 {
            let second = game.seat_name(Seat::Second);
            return Err(CliError::Request(format!(
                "there is nothing to prove before the swap: whatever the first move, one side wins, and {second} takes \
                 it; give two moves or more, or --game {without_swap}"
            )));
        }
        check_creatable(self.certificate.as_deref())?;
        let guide = self.guide(game_named(without_swap)?)?;
        let watch = ProofWatch::new(self.time);
        let mut prover = Prover::on(board, self.options(), guide).watched(Box::new(|progress| watch.is_over(progress)));
        if let Some(path) = &self.save {
            restore_table(path, &mut prover)?;
        }
        let stopped = match self.openings {
            true => self.prove_openings(&position, &mut prover, &watch),
            false => self.prove_position(&position, stones, &mut prover, &watch),
        };
        if let Some(path) = &self.save {
            save_table(path, &prover)?;
        }
        check_proven(stopped?)
    }

    fn options(&self) -> Options {
        let max_nodes = self.max_nodes.unwrap_or(u64::MAX);
        let mut options = Options { max_nodes, max_bytes: bytes_of(self.memory), ..Options::default() };
        if let Some(parts) = &self.knowledge {
            let [inferior, connections] = [Part::Inferior, Part::Connections].map(|part| parts.contains(&part));
            options.knowledge = Knowledge { inferior, connections };
        }
        options
    }

    /// Returns what orders the moves.
    fn guide(&self, game: Game) -> Result<Box<dyn Guide>, CliError> {
        if self.uniform {
            return Ok(Box::new(Resistance::default()));
        }
        Ok(Box::new(NetworkGuide::new(game, self.evaluator(game)?)))
    }

    fn evaluator(&self, game: Game) -> Result<impl Evaluator + use<>, CliError> {
        let mut evaluator = load_evaluator(game, self.model.as_deref(), &Backend::default())?.evaluator;
        Ok(move |position: &Position, legal: &[Action]| evaluator.evaluate(position, legal))
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
        print_result(self.json, &proof, |output| proof.write(position, output))?;
        if let (Some(path), Some(_)) = (&self.certificate, verdict) {
            let certificate = prover.certificate(stones, position.to_move() == Seat::First);
            let incomplete = || CliError::Request(format!("the certificate is incomplete: {}", watch.stop()));
            write_file(path, certificate.ok_or_else(incomplete)?)?;
        }
        Ok(proof.stopped)
    }

    fn prove_openings(
        &self,
        start: &Position,
        prover: &mut Prover<'_>,
        watch: &ProofWatch,
    ) -> Result<Option<Stop>, CliError> {
        let mut table = GameOpenings::new(start, &self.moves);
        for cell in 0..prover.board().cells() {
            // Half a turn or the mirror makes this of the opening.
            let image = prover.board().turned(bit(cell)).trailing_zeros() as usize;
            if image < cell {
                continue;
            }
            let verdict = prover.prove(Stones::NONE.after(prover.board(), cell));
            if verdict.is_none() {
                table.stopped = Some(watch.stop());
            }
            let known = verdict.map(|verdict| if verdict.wins { Value::Loss(None) } else { Value::Win(None) });
            let [action, same] = [cell, image].map(|cell| Action(cell as u16));
            let opening = table.add(start, action, &[same], Found::new(known, None), prover.expanded(), watch);
            if !self.json && opening.is_proven() {
                watch.aside(|| writeln!(stdout().lock(), "{opening}"))?;
            }
        }
        watch.clear();
        print_result(self.json, &table, |output| table.write(start, output))?;
        Ok(table.stopped)
    }
}
