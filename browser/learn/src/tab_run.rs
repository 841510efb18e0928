//! A run in a tab.

use std::error::Error;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use crate::exam::Examiner;
use hexzero_browser::bridge::say;
use hexzero_games::{Game, Position, default_game};
use hexzero_selfplay::shards::GameRecord;
use hexzero_system::stop::StopSignal;
use hexzero_train::{Losses, Progress, Recipe, Run};

/// The folder of the run.
const FOLDER: &str = "/run";

/// A run, and the examiner of its networks.
pub(crate) struct TabRun {
    run: Run,
    examiner: Examiner,
}

impl TabRun {
    /// Resumes the run in the folder, or begins one.
    pub fn open(recipe: &str, workers: usize) -> Result<Self, Box<dyn Error>> {
        let folder = Path::new(FOLDER);
        let kept = folder.join("recipe.toml");
        let run = if kept.exists() {
            let game = Recipe::game_in(&kept)?.unwrap_or_else(default_game);
            Run::resume(game, folder, workers, &Telling { game })?
        } else {
            let game = Recipe::game_in_text(recipe, "of this page")?.unwrap_or_else(default_game);
            Run::create(game, folder, Recipe::parse(game, recipe, "of this page")?, workers, None)?
        };
        let examiner = Examiner::new(run.game(), run.recipe().main_size())?;
        Ok(Self { run, examiner })
    }

    /// Plays and learns once. Returns the figures as JSON.
    pub fn iterate(&mut self) -> Result<String, Box<dyn Error>> {
        let telling = Telling { game: self.run.game() };
        let report = self.run.iterate(&StopSignal::new(), &telling)?;
        Ok(json!({ "iteration": report.expect("nothing stops it") }).to_string())
    }

    /// Examines the network that plays. Returns the results as JSON.
    pub fn examine(&mut self, games: usize, visits: u32) -> Result<String, Box<dyn Error>> {
        let checkpoint = self.run.checkpoint()?;
        let exam = self.examiner.examine(&checkpoint, games, visits)?;
        Ok(json!({ "exam": exam }).to_string())
    }
}

/// Returns what the page shows of a game: its size, and for each move its name and the places that it changed, with what
/// is there now. None if the game breaks the rules.
fn pictures(game: Game, record: &GameRecord) -> Option<Value> {
    let mut position = game.start(record.size.into()).ok()?;
    let places = position.board().places().len();
    let pieces = |position: &Position| -> Vec<_> { (0..places).map(|place| position.piece(place)).collect() };
    let mut before = pieces(&position);
    let mut moves = Vec::new();
    for turn in &record.turns {
        position.try_play(turn.action).ok()?;
        let name = position.action_name(turn.action);
        let after = pieces(&position);
        let changed = (0..places).filter(|&place| before[place] != after[place]);
        moves.push((name, changed.map(|place| (place, after[place])).collect::<Vec<_>>()));
        before = after;
    }
    Some(json!({"size": record.size, "moves": moves}))
}

/// Reports the progress of an iteration, from any thread.
struct Telling {
    game: Game,
}

impl Telling {
    fn tell(&self, what: &str, value: impl Serialize) {
        say(json!({ what: value }).to_string());
    }
}

impl Progress for Telling {
    fn selfplay_begins(&self, games: u64) {
        self.tell("plays", games);
    }

    fn game_finished(&self, record: &GameRecord) {
        if let Some(pictures) = pictures(self.game, record) {
            self.tell("game", pictures);
        }
    }

    fn training_begins(&self, steps: u64) {
        self.tell("trains", steps);
    }

    fn step_finished(&self, losses: &Losses) {
        self.tell("step", losses);
    }

    fn warn(&self, message: &str) {
        self.tell("warning", message);
    }
}
