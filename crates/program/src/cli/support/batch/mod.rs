//! Batch analysis for other programs: reads queries and writes answers in the order in which they finish.

mod actions;
mod fields;
mod query;
mod queue;
mod restrictions;
mod settings;
mod work;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{BufReader, Write, stdin, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::available_parallelism;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;
use serde_json::{Map, Value, json};

use fields::{Fault, Fields};
use query::Query;
use queue::Queue;
use work::{Job, work_of};

use crate::error::CliError;
use crate::lines::{Line, MAX_LINE_BYTES, each_line};
use hexzero_engine::Engine;
use hexzero_engine::analysis::{Analysis, AnalysisRun, Step};
use hexzero_engine::model::LoadedModel;
use hexzero_games::Game;
use hexzero_nn::Backend;
use hexzero_search::Limits;
use hexzero_system::stop::StopSignal;
use hexzero_system::threads;
use hexzero_train::model_files::load_evaluator;

/// The largest number of input lines that wait to be parsed.
const LINES_WAITING: usize = 64;

/// The interval between two checks for an interrupt while waiting for input.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Defaults for what a query leaves out.
pub struct Defaults {
    pub game: Game,
    pub model: Option<PathBuf>,
    pub backend: Backend,
    pub limits: Limits,
    pub lines: usize,
    /// True if answers have the form of KataGo's analysis engine.
    pub katago: bool,
}

/// An answer to a position of a query.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    id: &'a str,
    turn_number: usize,
    #[serde(flatten)]
    analysis: &'a Analysis,
}

/// Prints a line at once.
fn write(line: &str) -> std::io::Result<()> {
    let mut output = stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}

/// Prints an error or a warning about a query, in KataGo's form.
fn notify(kind: &str, id: Option<&str>, fault: &Fault) -> std::io::Result<()> {
    let parts = [(kind, Some(fault.problem.as_str())), ("field", fault.field), ("id", id)];
    let message: Map<String, Value> =
        parts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), json!(text?)))).collect();
    write(&Value::Object(message).to_string())
}

/// Prints the answer to a position that is not analysed.
fn write_no_results(id: &str, turn: usize, katago: bool) -> std::io::Result<()> {
    let mut answer = json!({"id": id, "turnNumber": turn, "noResults": true});
    if katago {
        answer["isDuringSearch"] = json!(false);
    }
    write(&answer.to_string())
}

/// The models loaded so far, by game.
struct Models<'a> {
    defaults: &'a Defaults,
    loaded: Mutex<HashMap<&'static str, LoadedModel>>,
}

impl Models<'_> {
    /// Returns a model for a game.
    fn of(&self, game: Game) -> Result<LoadedModel, CliError> {
        let mut loaded = self.loaded.lock();
        let model = match loaded.entry(game.name()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                free.insert(load_evaluator(game, self.defaults.model.as_deref(), &self.defaults.backend)?)
            }
        };
        Ok(model.fork())
    }

    /// Describes the loaded models, as KataGo does.
    fn list(&self) -> Value {
        let loaded = self.loaded.lock();
        let described = loaded.iter().map(|(game, model)| {
            let name = &model.description;
            json!({"name": name, "internalName": name, "game": game, "maxBatchSize": 1, "usesHumanSLProfile": false})
        });
        described.collect()
    }
}

/// Answers queries from standard input until it ends and all are answered, or until interrupted.
pub fn answer_queries(defaults: &Defaults, threads: Option<NonZeroUsize>, stop: &StopSignal) -> Result<(), CliError> {
    let threads = threads.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    // Loaded before the first query, so that an unreadable model ends the command.
    let model = load_evaluator(defaults.game, defaults.model.as_deref(), &defaults.backend)?;
    let models = Models { defaults, loaded: Mutex::new(HashMap::from([(defaults.game.name(), model)])) };
    // Also stopped if an answer cannot be written.
    let queue = Queue::new(stop.child());
    let answer = || work(&queue, &models).inspect_err(|_| queue.stop.request());
    std::thread::scope(|scope| {
        let start = |_| threads::spawn_scoped(scope, answer);
        // If the system refuses more threads, those that run do all the work.
        let workers: Vec<_> = (0..threads.get()).map(start).take_while(Result::is_ok).flatten().collect();
        let read = match workers.is_empty() {
            true => Err(std::io::Error::other("cannot start a thread to answer on")),
            false => read_queries(&models, &queue),
        };
        queue.close();
        let ended = workers.into_iter().map(|worker| worker.join());
        let ended: Vec<std::io::Result<()>> =
            ended.map(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect();
        let worked: std::io::Result<()> = ended.into_iter().find(Result::is_err).unwrap_or(Ok(()));
        Ok(read.and(worked)?)
    })
}

/// Reads queries until the end of the input, or until the queue is stopped. A thread of its own reads lines; it is left
/// behind at the end, as a blocked read cannot be stopped.
fn read_queries(models: &Models, queue: &Queue) -> std::io::Result<()> {
    let (send, lines) = sync_channel(LINES_WAITING);
    threads::spawn(move || each_line(BufReader::new(stdin()), |line| send.send(line).is_ok()))?;
    while !queue.stop.is_requested() {
        let line = match lines.recv_timeout(POLL_INTERVAL) {
            Ok(line) => line?,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        match line {
            Line::Text(line) if line.trim().is_empty() => {}
            Line::Text(line) => {
                let mut id = None;
                let written = carry_out(&line, &mut id, models, queue);
                written.unwrap_or_else(|fault| notify("error", id.as_deref(), &fault))?;
            }
            Line::TooLong => {
                let problem = format!("a line of more than {MAX_LINE_BYTES} bytes is not a query");
                notify("error", None, &Fault { field: None, problem })?;
            }
            Line::End => break,
        }
    }
    Ok(())
}

/// Carries out a query: queues its jobs, or does its action. Stores the query's id in `id`. The outer error is that of
/// the query, the inner one that of writing.
fn carry_out(
    line: &str,
    id: &mut Option<String>,
    models: &Models,
    queue: &Queue,
) -> Result<std::io::Result<()>, Fault> {
    let mut fields = Fields::of(line)?;
    let echo = fields.0.clone();
    *id = fields.take("id", "a text")?;
    let missing = || Fault::new("id", "a query needs an id, a text that its answers repeat");
    let id = id.as_deref().ok_or_else(missing)?;
    let action: Option<String> = fields.take("action", "a text")?;
    if let Some(action) = action {
        let (ended, answer) = actions::answer(&action, fields, echo, models, queue)?;
        let katago = models.defaults.katago;
        let written = ended.iter().try_for_each(|job| write_no_results(&job.query.id, job.turn, katago));
        return Ok(written.and_then(|()| write(&Value::Object(answer).to_string())));
    }
    let work = work_of(id, fields, models.defaults)?;
    let warned = work.warnings.iter().try_for_each(|warning| notify("warning", Some(id), warning));
    Ok(warned.and_then(|()| {
        queue.add(work.jobs);
        work.finished.into_iter().try_for_each(|turn| write_no_results(id, turn, models.defaults.katago))
    }))
}

/// Works through the queue, on one thread.
fn work(queue: &Queue, models: &Models) -> std::io::Result<()> {
    let mut engines: HashMap<&'static str, Engine> = HashMap::new();
    while let Some((job, stop)) = queue.next() {
        // A job that is terminated meanwhile is answered with the findings so far.
        if !queue.stop.is_requested() {
            let report = |analysis: &Analysis| write(&answer(&job, analysis, models.defaults.katago)?);
            match engine_at(&job, &mut engines, models) {
                Ok(engine) => analyse(&job.query, engine, &stop, report)?,
                Err(error) => {
                    notify("error", Some(&job.query.id), &Fault { field: None, problem: error.to_string() })?;
                }
            }
        }
        queue.done(&stop);
    }
    Ok(())
}

/// Formats an answer.
fn answer(job: &Job, analysis: &Analysis, katago: bool) -> std::io::Result<String> {
    let text = match katago {
        true => serde_json::to_string(&analysis.to_katago(&job.query.id, job.turn, job.query.perspective)),
        false => serde_json::to_string(&Answer { id: &job.query.id, turn_number: job.turn, analysis }),
    };
    text.map_err(std::io::Error::from)
}

/// Returns the engine of a job's game, at the job's position.
fn engine_at<'e>(
    job: &Job,
    engines: &'e mut HashMap<&'static str, Engine>,
    models: &Models,
) -> Result<&'e mut Engine, CliError> {
    let (game, size) = (job.start.game(), job.start.size());
    let engine = match engines.entry(game.name()) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(free) => free.insert(Engine::new(game, size, models.of(game)?)?),
    };
    engine.set_up_from(&job.start, job.moves.iter().copied())?;
    if !job.left_out.is_empty() {
        engine.leave_out(job.left_out.iter().copied());
    }
    Ok(engine)
}

/// Analyses the engine's position and reports the result, and before it updates at the requested intervals.
fn analyse(
    query: &Query,
    engine: &mut Engine,
    stop: &StopSignal,
    report: impl Fn(&Analysis) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut run = AnalysisRun::new(query.limits, query.lines, query.ownership, query.every).with(query.details);
    loop {
        match run.step(engine) {
            Step::Done(analysis) => return report(&analysis),
            Step::Update(analysis) => report(&analysis)?,
            Step::Quiet => {}
        }
        if stop.is_requested() {
            return report(&run.stopped(engine));
        }
    }
}
