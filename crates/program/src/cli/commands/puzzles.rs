//! `hexzero study puzzles`.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::cli::options::{GameArg, board_size, thread_count, threads_or_cores};
use crate::cli::support::{bar_of, check_creatable, interrupted, write_file};
use crate::counted;
use crate::error::CliError;
use hexzero_engine::puzzles::{
    CONFIRMED_BY, DEFAULT_VISITS, Found, Goal, PuzzleFile, PuzzleFileError, PuzzleOptions, Verdict, check, make,
};
use hexzero_games::game_named;
use hexzero_nn::Backend;
use hexzero_search::Limits;
use hexzero_system::files::read_text_at_most;
use hexzero_system::text_output;
use hexzero_train::model_files::load_evaluator;

/// The maximum number of puzzles of a file.
const MAX_PUZZLES: i64 = 100_000;

/// The maximum number of visits by which a position is judged first.
const MAX_VISITS: u32 = Limits::MAX_VISITS / CONFIRMED_BY;

/// The maximum size of a file: many times what ships.
const MAX_FILE_BYTES: u64 = 1 << 26;

const EXAMPLES: &str = "\
Examples:
  hexzero study puzzles --game hex --size 7,9,11 --count 20 --out hex.json
  hexzero study puzzles runs/mine --count 5
  hexzero study puzzles --game infexion --goal best --out infexion.json
  hexzero study puzzles --check hex.json
  hexzero study puzzles --check hex.json --visits 100000

The program plays quick games against itself, which open at random, and looks for positions in
which one move wins and every other one does not: by a search of V visits, and again of ten times
as many. With --goal best it looks for a move that is better than every other one by a clear
margin: for games in which few positions have just one winning move. A puzzle's grade, from 1 to
5, says how many visits a search needs before it settles on the move. Ctrl-C ends the search; what
was found is written. docs/formats/puzzles.md describes the file. --check searches every puzzle of
a file again and exits with 1 if one is wrong.";

/// Make puzzles from the program's own games, or check a file of them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PuzzlesArgs {
    /// The checkpoint, or the folder of a run, to play and search with (default: the model that ships with the program)
    #[arg(value_name = "MODEL")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The boards' sizes, separated by commas (default: the game's own; 'hexzero games' lists the sizes)
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = board_size, conflicts_with = "check")]
    size: Vec<usize>,
    /// What the solution does: alone wins, or is the best move by a clear margin
    #[arg(long, value_name = "GOAL", value_enum, default_value = "win", conflicts_with = "check")]
    goal: GoalArg,
    /// Make P puzzles
    #[arg(long, value_name = "P", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=MAX_PUZZLES), conflicts_with = "check")]
    count: u32,
    /// Search V visits in each position, and ten times as many to confirm (default: 1000; with --check V alone: 10000)
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_VISITS)))]
    visits: Option<u32>,
    /// The seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 0, conflicts_with = "check")]
    seed: u64,
    /// Play T games at the same time (default: one per core); the puzzles are the same
    #[arg(long, value_name = "T", value_parser = thread_count())]
    threads: Option<u32>,
    /// Write the puzzles to FILE; replaces the file (default: print them)
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    out: Option<PathBuf>,
    /// Search the puzzles of FILE again, and print those that are wrong
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

/// What the solutions of the puzzles do.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum GoalArg {
    /// The move wins, and no other does
    Win,
    /// The move wins, gains or saves the game, and every other one is clearly worse
    Best,
}

impl From<GoalArg> for Goal {
    fn from(goal: GoalArg) -> Self {
        match goal {
            GoalArg::Win => Self::Win,
            GoalArg::Best => Self::Best,
        }
    }
}

impl PuzzlesArgs {
    /// Makes puzzles, or checks them.
    pub fn run(self) -> Result<(), CliError> {
        match &self.check {
            Some(file) => self.check_file(file),
            None => self.make(),
        }
    }

    fn make(&self) -> Result<(), CliError> {
        let game = self.game.or_of_model(self.model.as_deref())?;
        let sizes = if self.size.is_empty() { vec![game.boards.default] } else { self.size.clone() };
        sizes.iter().try_for_each(|&size| game.game_board(size).map(drop))?;
        // Checked before the games, which may take an hour.
        check_creatable(self.out.as_deref())?;
        let model = load_evaluator(game, self.model.as_deref(), &Backend::default())?;
        let options = PuzzleOptions {
            sizes,
            goal: self.goal.into(),
            count: self.count as usize,
            visits: self.visits.unwrap_or(DEFAULT_VISITS),
            seed: self.seed,
            threads: threads_or_cores(self.threads),
        };
        let bar = bar_of(options.count, "puzzles");
        let stop = interrupted();
        let found = make(game, &options, &model, stop, |count| bar.set_position(count as u64));
        bar.finish_and_clear();
        let Found { puzzles, games } = found?;
        let found = puzzles.len();
        // An existing file is not replaced by an empty one.
        if !puzzles.is_empty() {
            let text = PuzzleFile::new(game, puzzles).to_text();
            match &self.out {
                Some(path) => write_file(path, text)?,
                None => stdout().lock().write_all(text.as_bytes())?,
            }
        }
        if found >= self.count as usize {
            return Ok(());
        }
        let counted_puzzles = counted(found, "puzzle", "puzzles");
        Err(CliError::Request(match (stop.is_requested(), found) {
            (true, 0) => "interrupted before the first puzzle; nothing was written".to_owned(),
            (true, 1) => format!("interrupted; the {counted_puzzles} found so far was written"),
            (true, _) => format!("interrupted; the {counted_puzzles} found so far were written"),
            (false, _) => {
                let (games, wanted) = (counted(games, "game", "games"), self.count);
                format!("found {counted_puzzles} in {games}, not {wanted}; try another --size, or more --visits")
            }
        }))
    }

    fn check_file(&self, path: &Path) -> Result<(), CliError> {
        let text = read_text_at_most(path, MAX_FILE_BYTES).map_err(|error| CliError::cannot_read(path, error))?;
        let refused = |error: PuzzleFileError| CliError::Request(format!("{}: {error}", path.display()));
        let file = PuzzleFile::parse(&text).map_err(refused)?;
        let game = game_named(&file.game)?;
        if let Some(asked) = self.game.asked_for().filter(|&asked| asked != game) {
            let problem = format!("{} has puzzles of {}, not of {}", path.display(), game.name(), asked.name());
            return Err(CliError::Request(problem));
        }
        let model = load_evaluator(game, self.model.as_deref(), &Backend::default())?;
        let visits = self.visits.unwrap_or(CONFIRMED_BY * DEFAULT_VISITS);
        let bar = bar_of(file.puzzles.len(), "puzzles");
        let threads = threads_or_cores(self.threads);
        let verdicts = check(game, &file, &model, visits, threads, interrupted(), || bar.inc(1));
        bar.finish_and_clear();
        let unfinished = || CliError::Request("interrupted before every puzzle was checked".to_owned());
        let verdicts = verdicts.map_err(refused)?.ok_or_else(unfinished)?;
        let mut output = text_output();
        let is_wrong = |verdict: &Verdict| *verdict != Verdict::Right;
        for (puzzle, verdict) in file.puzzles.iter().zip(&verdicts).filter(|(_, verdict)| is_wrong(verdict)) {
            writeln!(output, "{}: {}: {verdict}", puzzle.id, puzzle.solution)?;
        }
        let wrong = verdicts.iter().filter(|verdict| is_wrong(verdict)).count();
        let all = counted(verdicts.len(), "puzzle", "puzzles");
        if wrong > 0 {
            return Err(CliError::Request(format!("{wrong} of {all} wrong by {visits} visits")));
        }
        writeln!(output, "{all} right by {visits} visits")?;
        Ok(())
    }
}
