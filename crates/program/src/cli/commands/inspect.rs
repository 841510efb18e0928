//! `hexzero inspect`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Map, Value};

use crate::error::CliError;
use hexzero_games::{EndReason, Game, Seat, game_named};
use hexzero_nn::{Checkpoint, CheckpointError, MAX_CHECKPOINT_BYTES, Metadata};
use hexzero_selfplay::shards::{GameRecord, GameStart, Shard, ShardError};
use hexzero_system::files::read_at_most;
use hexzero_system::{plain_line, text_output, warning};
use hexzero_train::model_files::game_of_run;
use hexzero_train::{Counters, Metrics, Recipe, RunFolder, RunFolderError, TrainingState};

/// The maximum size of a file: that of a state.
const MAX_FILE_BYTES: u64 = 4 * MAX_CHECKPOINT_BYTES;

const EXAMPLES: &str = "\
Examples:
  hexzero inspect runs/mine                                    a run: its progress and last losses
  hexzero inspect models/cachex.safetensors                    a checkpoint: game, network, training
  hexzero inspect runs/mine/games/000000.games                 the games of an iteration";

/// Describe a run or a file: a checkpoint or a shard of games.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InspectArgs {
    /// The run folder, checkpoint (.safetensors) or shard of games (.games)
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl InspectArgs {
    /// Reads the file and prints its description.
    pub fn run(self) -> Result<(), CliError> {
        let path = self.file.as_path();
        let text = if path.is_dir() {
            run_folder(path)?
        } else {
            let bytes = read_at_most(path, MAX_FILE_BYTES).map_err(|error| CliError::cannot_read(path, error))?;
            if Shard::is_shard(&bytes) {
                let failed = |problem| ShardError { path: path.to_owned(), problem };
                shard(&Shard::from_bytes(&bytes).map_err(failed)?)
            } else if TrainingState::is_state(&bytes) {
                let state = TrainingState::from_bytes(&bytes).map_err(|problem| damaged(path, problem))?;
                format!("the state of a training run\n{}", counters(&state.counters))
            } else {
                return inspect_checkpoint(path, &bytes);
            }
        };
        Ok(write!(text_output(), "{text}")?)
    }
}

/// Prints the description of a checkpoint, then fails if this program cannot use it.
fn inspect_checkpoint(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let name = path.display().to_string();
    let found = Checkpoint::from_bytes(bytes, &name).map_err(|error| match error {
        CheckpointError::Unreadable { reason, .. } => CliError::Request(format!(
            "{name} cannot be inspected, or is damaged; give a checkpoint (.safetensors), a shard of games (.games), a \
             run's state or its folder; as a checkpoint: {reason}"
        )),
        error => error.into(),
    })?;
    write!(text_output(), "{}", checkpoint(&found))?;
    let game = found.game(&name)?;
    Ok(found.check_game(game, &name)?)
}

fn damaged(path: &Path, problem: String) -> RunFolderError {
    RunFolderError::File { path: path.to_owned(), problem }
}

fn checkpoint(checkpoint: &Checkpoint) -> String {
    let Metadata { game, architecture, view, step, games, positions, parent, recipe_hash, rating, format_version } =
        &checkpoint.metadata;
    let values: usize = checkpoint.tensors.values().map(|tensor| tensor.data.len()).sum();
    let known =
        |text: &Option<String>| text.as_deref().map_or_else(|| "none".to_owned(), |text| plain_line(text).into_owned());
    format!(
        "a checkpoint (format version {format_version})\n\
         game        {game}, inputs version {}\n\
         network     {architecture}: {} blocks, {} channels, {values} parameters\n\
         trained     {step} steps, {games} games, {positions} positions\n\
         parent      {}\n\
         recipe      {}\n\
         rating      {}\n",
        view.version,
        architecture.blocks,
        architecture.channels,
        known(parent),
        known(recipe_hash),
        known(rating),
    )
}

fn shard(shard: &Shard) -> String {
    let records = &shard.records;
    let count = |what: fn(&GameRecord) -> bool| records.iter().filter(|record| what(record)).count();
    let turns: usize = records.iter().map(|record| record.turns.len()).sum();
    let mut starts = BTreeMap::<GameStart, usize>::new();
    records.iter().for_each(|record| *starts.entry(record.start).or_default() += 1);
    let starts: Vec<String> = starts.iter().map(|(start, games)| format!("{games} {}", start.key())).collect();
    let sizes: BTreeSet<u8> = records.iter().map(|record| record.size).collect();
    let game = game_named(&shard.game).ok();
    let board = |size: &u8| game.map_or_else(|| format!("size {size}"), |game| game.board_name(usize::from(*size)));
    let sizes: Vec<String> = sizes.iter().map(board).collect();
    format!(
        "a shard of {} games of {} at {}\n\
         results     {} won by the first player, {} by the second, {} draws; {} by resignation\n\
         plies       {turns}, {:.1} a game\n\
         positions   {} with a policy target, {} evaluations\n\
         starts      {}\n",
        records.len(),
        shard.game,
        sizes.join(", "),
        count(|record| record.outcome.winner == Some(Seat::First)),
        count(|record| record.outcome.winner == Some(Seat::Second)),
        count(|record| record.outcome.winner.is_none()),
        count(|record| record.outcome.reason == EndReason::RESIGNATION),
        turns as f64 / records.len().max(1) as f64,
        records.iter().map(|record| record.policy_turns().count()).sum::<usize>(),
        records.iter().map(|record| u64::from(record.evaluations)).sum::<u64>(),
        starts.join(", "),
    )
}

fn counters(counters: &Counters) -> String {
    let Counters { iteration, step, games, plies, positions, visits, evaluations, seconds } = counters;
    format!(
        "progress    {iteration} iterations, {step} steps in {:.1} minutes\n\
         games       {games}, {plies} plies, {positions} positions with a policy target, {visits} visits, \
         {evaluations} evaluations\n",
        seconds / 60.0
    )
}

fn run_folder(path: &Path) -> Result<String, CliError> {
    let folder = RunFolder::open(path)?;
    let game = game_of_run(&folder)?;
    let recipe = Recipe::read(game, &folder.recipe())?;
    let state = TrainingState::read(&folder.state()).map_err(|problem| damaged(&folder.state(), problem))?;
    let present = recipe.at(&state.counters);
    let sizes = present.selfplay.sizes.iter();
    let sizes: Vec<String> = sizes.map(|entry| format!("{} ({})", game.board_name(entry.size), entry.weight)).collect();
    let latest = folder.latest_checkpoint().map_or_else(|| "none".to_owned(), |path| path.display().to_string());
    let metrics = Metrics::read(&folder);
    metrics.problems.iter().for_each(warning);
    let last = metrics.iterations.last().map(|figures| last_iteration(game, figures)).unwrap_or_default();
    Ok(format!(
        "a training run\n\
         game        {}, network {}, seed {}, recipe {}\n\
         sizes       {}\n\
         {}\
         {last}\
         checkpoint  {latest}\n",
        recipe.game,
        recipe.network,
        recipe.seed,
        recipe.hash(),
        sizes.join(", "),
        counters(&state.counters),
    ))
}

/// Describes the losses and the games of the last iteration, as far as they are recorded.
fn last_iteration(game: Game, figures: &Map<String, Value>) -> String {
    let number = |name: &str| Metrics::figure(figures, name).and_then(Value::as_f64);
    let mut text = String::new();
    if let (Some(total), Some(policy), Some(outcome)) =
        (number("losses/total"), number("losses/policy"), number("losses/outcome"))
    {
        text += &format!("last loss   {total:.3} (policy {policy:.3}, outcome {outcome:.3})\n");
    }
    let share = |name: &str| Some(format!("{:.0} %", 100.0 * number(name)?));
    let parts = [
        share("first_wins").map(|wins| format!("{wins} won by the first player")),
        share("draws").map(|draws| format!("{draws} drawn")),
        share("swaps").map(|swaps| format!("{swaps} swapped")),
        number("mean_plies").map(|plies| format!("{plies:.1} plies")),
    ];
    let counts = game.counts.iter().map(|count| number(count.key).map(|each| format!("{each:.2} {}", count.key)));
    if let Some(games) = number("new_games") {
        let parts: Vec<String> = parts.into_iter().chain(counts).flatten().collect();
        text += &format!("last games  {games}: {}\n", parts.join(", "));
    }
    text
}
