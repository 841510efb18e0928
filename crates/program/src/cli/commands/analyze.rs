//! `hexzero analyze`.

use std::io::{IsTerminal, Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::options::{DeviceArgs, GameArg, MachineArgs, board_size, seconds, size_for, visit_count};
use crate::cli::support::batch::{Defaults, answer_queries};
use crate::cli::support::interrupted;
use crate::cli::support::recorded::{Moves, recorded_moves};
use crate::counted;
use crate::error::CliError;
use hexzero_engine::Engine;
use hexzero_engine::analysis::{Analysis, AnalysisRun, MIN_INTERVAL, Step};
use hexzero_games::{Position, Seat, play_all};
use hexzero_search::Limits;
use hexzero_system::Plain;
use hexzero_train::model_files::load_evaluator;

/// The number of visits if neither visits nor time are given.
const DEFAULT_VISITS: u32 = 2000;

const EXAMPLES: &str = "\
Examples:
  hexzero analyze --size 7 d2 swap c4            after these moves
  hexzero analyze --size 7 --time 10 --every 1   an update every second
  hexzero analyze --file games.jsonl --number 3 --after 12
  zcat games.jsonl.gz | hexzero analyze --file - --number 3
  hexzero analyze --size 5 d2 --json
  hexzero analyze --batch < queries.jsonl
  hexzero analyze --batch --katago < queries.jsonl

The moves are given on the command line or taken from a recorded game (a JSON line or SGF, as
'hexzero replay' reads them). The search ends when its visits or its time are used up, or when
the result is proven; Ctrl-C ends it and prints the analysis so far. A full tree frees its least
visited branches and goes on. 'won in 5 plies' is proven; plies count the moves of both players
to the end, including the analysed one, and are an upper bound. The board shows the network's
prediction of the final board, for the position and for the end of each line.

docs/formats.md describes the output of --json, one object a line, and the queries of --batch,
which are read from standard input and answered as they finish, several at a time.";

/// Analyse a position: show the best moves, the lines that follow, and the expected final board.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnalyzeArgs {
    /// The moves so far, such as 'd2 swap c4'
    #[arg(value_name = "MOVES", conflicts_with = "file")]
    moves: Vec<String>,
    /// The checkpoint, or the folder of a run, to analyse with (default: the model that ships with the program)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    #[command(flatten)]
    game: GameArg,
    /// The board's size (default: that of the run, else the game's own; 'hexzero games' lists the sizes)
    #[arg(long, value_name = "N", conflicts_with = "file", value_parser = board_size)]
    size: Option<usize>,
    /// Take the position from a file of games; '-' reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    file: Option<PathBuf>,
    /// Take game K of the file, counting from 1
    #[arg(long, value_name = "K", default_value_t = 1, requires = "file", conflicts_with_all = ["moves", "size", "game"], value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// Analyse the position after the first M moves of the game (default: all)
    #[arg(long, value_name = "M", requires = "file", conflicts_with_all = ["moves", "size", "game"])]
    after: Option<usize>,
    /// Search V visits (default: 2000)
    #[arg(long, value_name = "V", conflicts_with = "time", value_parser = visit_count())]
    visits: Option<u32>,
    /// Search for SECONDS, instead of a number of visits
    #[arg(long, visible_alias = "seconds", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    machine: MachineArgs,
    /// Show the best L moves
    #[arg(long, value_name = "L", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    lines: u32,
    /// Print an update every SECONDS, not only at the end
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = interval)]
    every: Option<Duration>,
    /// Print each update as a JSON object on one line
    #[arg(long)]
    json: bool,
    /// Answer queries from standard input, one JSON object a line, several at a time (docs/formats.md)
    #[arg(long, conflicts_with_all = ["moves", "size", "file", "every", "json", "exact"])]
    batch: bool,
    /// Answer the queries in the form of KataGo's analysis engine
    #[arg(long, requires = "batch")]
    katago: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

impl AnalyzeArgs {
    /// Searches until a limit is reached, and prints the analysis.
    pub fn run(self) -> Result<(), CliError> {
        let backend = self.device.backend()?;
        if self.batch {
            let game = self.game.or_of_model(self.model.as_deref())?;
            let (model, limits, lines) = (self.model.clone(), self.limits(), self.lines as usize);
            let defaults = Defaults { game, model, backend, limits, lines, katago: self.katago };
            return answer_queries(&defaults, self.machine.threads(), interrupted());
        }
        let (start, moves, next) = self.position()?;
        let (game, size) = (start.game(), start.size());
        let turns = moves.len();
        let model = load_evaluator(game, self.model.as_deref(), &backend)?;
        self.machine.check_exact(game, size)?;
        let model = self.machine.with_exact(model, game, size)?;
        let mut engine = Engine::new(game, size, model)?.on_threads(self.machine.threads());
        engine.set_up_from(&start, moves)?;
        if let Some(seat) = next {
            engine.hand_turn_to(seat);
        }
        if engine.position().outcome().is_some() {
            return Err(CliError::Request(format!("the game is over after these {turns} moves; give fewer of them")));
        }
        let stop = interrupted();
        let mut screen = Screen::new(self.json);
        let mut run = AnalysisRun::new(self.limits(), self.lines as usize, true, self.every);
        loop {
            match run.step(&mut engine) {
                Step::Quiet => {}
                Step::Update(analysis) => screen.show(&analysis)?,
                Step::Done(analysis) => return screen.show(&analysis),
            }
            if stop.is_requested() {
                return screen.show(&run.stopped(&mut engine));
            }
        }
    }

    /// Returns the start position, the moves to the position to analyse, and the seat that makes the next move if a
    /// file records it.
    fn position(&self) -> Result<(Position, Moves, Option<Seat>), CliError> {
        let Some(file) = &self.file else {
            let game = self.game.or_of_model(self.model.as_deref())?;
            let size = self.size.unwrap_or_else(|| size_for(game, self.model.as_deref()));
            let start = game.start(size)?;
            let moves = play_all(&mut start.clone(), &self.moves.join(" "))?;
            return Ok((start, moves, None));
        };
        let (start, mut moves, mut next) = recorded_moves(file, self.number, None)?;
        if let Some(after) = self.after {
            let turns = moves.len();
            if after > turns {
                let turns = counted(turns, "move", "moves");
                return Err(CliError::Request(format!("the game has {turns}; --after {after} is too many")));
            }
            next = moves.get(after).map(|&(seat, _)| seat).or(next);
            moves.truncate(after);
        }
        Ok((start, moves, next))
    }

    fn limits(&self) -> Limits {
        let limits = match (self.visits, self.time) {
            (None, None) => Limits::visits(DEFAULT_VISITS),
            (visits, time) => Limits { visits, time, ..Limits::default() },
        };
        if self.batch { self.machine.bound_each(limits) } else { self.machine.bound(limits) }
    }
}

/// Parses the interval of `--every`.
fn interval(text: &str) -> Result<Duration, String> {
    let interval = seconds(text)?;
    if interval < MIN_INTERVAL {
        let least = MIN_INTERVAL.as_secs_f64();
        return Err(format!("give {least} or more; more frequent updates leave no time to search"));
    }
    Ok(interval)
}

/// Prints updates as JSON lines or as text; in a terminal each text replaces the last.
struct Screen {
    json: bool,
    redraws: bool,
    lines: usize,
}

impl Screen {
    fn new(json: bool) -> Self {
        Self { json, redraws: stdout().is_terminal(), lines: 0 }
    }

    fn show(&mut self, analysis: &Analysis) -> Result<(), CliError> {
        let mut output = stdout().lock();
        if self.json {
            writeln!(output, "{}", analysis.to_json())?;
            return Ok(output.flush()?);
        }
        match (self.lines, self.redraws) {
            (0, _) => {}
            (lines, true) => write!(output, "\x1b[{lines}A\x1b[J")?,
            (_, false) => writeln!(output)?,
        }
        let text = analysis.to_text();
        self.lines = text.lines().count();
        write!(Plain(&mut output), "{text}")?;
        Ok(output.flush()?)
    }
}
