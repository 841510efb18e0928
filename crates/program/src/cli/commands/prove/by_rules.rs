//! Proofs of games from their rules alone.

use std::io::{Write, stdout};

use super::{FOR_REPEATING, ProofWatch, ProveArgs, check_proven};
use crate::cli::options::bytes_of;
use crate::cli::support::openings_picture::picture;
use crate::cli::support::{GameOpenings, GameProof, check_creatable, print_result, write_file};
use crate::error::CliError;
use hexzero_games::Position;
use hexzero_prove::by_rules::{GameProver, ProofLimits};

impl ProveArgs {
    /// Proves a position of another game than Hex and Y.
    pub(super) fn prove_by_rules(&self, position: &Position) -> Result<(), CliError> {
        if self.certificate.is_some() || self.save.is_some() || self.knowledge.is_some() {
            let text = "--certificate is for Hex; --save and --knowledge are for Hex and Y";
            return Err(CliError::Usage(text.to_owned()));
        }
        if position.history_counts() {
            let text = "positions have occurred so often that a repetition may end the game, which proofs leave out; give \
                        fewer moves";
            return Err(CliError::Request(text.to_owned()));
        }
        check_creatable(self.svg.as_deref())?;
        let limits = ProofLimits {
            max_nodes: self.max_nodes.unwrap_or(u64::MAX),
            max_bytes: bytes_of(self.memory),
            max_plies: self.max_plies.unwrap_or(ProofLimits::default().max_plies),
            without_swap: self.openings,
        };
        let watch = ProofWatch::new(self.time);
        let prover = GameProver::new(position.game_board(), limits);
        let game = position.game();
        let fits = |&size: &usize| game.start(size).is_ok_and(|start| start.state().is_some());
        let largest = game.boards.sizes.clone().rev().find(fits).unwrap_or_default();
        let too_large = || CliError::Request(format!("proofs of {} are for boards up to size {largest}", game.name()));
        let mut prover = prover.ok_or_else(too_large)?.watched(Box::new(|progress| watch.is_over(progress)));
        if self.max_plies.is_some() && !prover.is_bounded() {
            return Err(CliError::Usage(FOR_REPEATING.to_owned()));
        }
        if !self.uniform {
            prover = prover.guided(Box::new(self.evaluator(game)?));
        }
        let stopped = if self.openings {
            let mut table = GameOpenings::new(position, &self.moves);
            table.prove(position, &mut prover, &watch, |opening| {
                if self.json { Ok(()) } else { watch.aside(|| writeln!(stdout().lock(), "{opening}")) }
            })?;
            watch.clear();
            print_result(self.json, &table, |output| table.write(position, output))?;
            if let Some(path) = &self.svg {
                write_file(path, picture(position, &table.chances(position)))?;
            }
            table.stopped
        } else {
            let proof = GameProof::new(position, &self.moves, &mut prover, &watch);
            watch.clear();
            print_result(self.json, &proof, |output| proof.write(output))?;
            proof.stopped
        };
        check_proven(stopped)
    }
}
