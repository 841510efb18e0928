//! Batch analysis for other programs: reads queries and writes answers in the order in which they finish.

mod query;
mod queue;

use std::collections::HashMap;
use std::io::{BufReader, Write, stdin, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use query::{Job, Query, jobs};
use queue::Queue;

use crate::engine::Engine;
use crate::engine::analysis::{Analysis, AnalysisRun, Step};
use crate::engine::model::LoadedModel;
use crate::engine::model_files::load_evaluator;
use crate::games::Game;
use crate::interfaces::error::CliError;
use crate::interfaces::lines::{LONGEST_LINE, Line, read_line};
use crate::search::Limits;
use crate::stop::StopSignal;
use crate::threads;

/// The largest number of input lines that wait to be parsed.
const LINES_WAITING: usize = 64;

/// The interval between two checks for an interrupt while waiting for input.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Defaults for what a query leaves out.
pub struct Defaults {
    pub game: Game,
    pub model: Option<PathBuf>,
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

/// Prints an error as the answer to a query.
fn refuse(id: Option<&str>, error: &str) -> std::io::Result<()> {
    write(&json!({"id": id, "error": error}).to_string())
}

/// The models loaded so far, by game.
struct Models<'a> {
    defaults: &'a Defaults,
    loaded: Mutex<HashMap<&'static str, LoadedModel>>,
}

impl Models<'_> {
    /// Returns a model for a game.
    fn of(&self, game: Game) -> Result<LoadedModel, String> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if !loaded.contains_key(game.name()) {
            let model = load_evaluator(game, self.defaults.model.as_deref()).map_err(|error| error.to_string())?;
            loaded.insert(game.name(), model);
        }
        loaded.get(game.name()).map(LoadedModel::another).ok_or_else(|| "no model".to_owned())
    }
}

/// Answers queries from standard input until it ends and all are answered, or until interrupted.
pub fn answer_queries(defaults: &Defaults, threads: Option<NonZeroUsize>, stop: &StopSignal) -> Result<(), CliError> {
    let threads = threads.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    // Loaded before the first query, so that an unreadable model ends the command.
    let model = load_evaluator(defaults.game, defaults.model.as_deref())?;
    let models = Models { defaults, loaded: Mutex::new(HashMap::from([(defaults.game.name(), model)])) };
    // Also stopped if an answer cannot be written.
    let queue = Queue::new(stop.child());
    let answer = || work(&queue, &models).inspect_err(|_| queue.stop.request());
    std::thread::scope(|scope| {
        let start = |_| threads::spawn_scoped(scope, answer);
        // If the system refuses more threads, those that run have to do.
        let workers: Vec<_> = (0..threads.get()).map(start).take_while(Result::is_ok).flatten().collect();
        let read = match workers.is_empty() {
            true => Err(std::io::Error::other("cannot start a thread to answer on")),
            false => read_queries(defaults, &queue),
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
fn read_queries(defaults: &Defaults, queue: &Queue) -> std::io::Result<()> {
    let (send, lines) = sync_channel(LINES_WAITING);
    threads::spawn(move || {
        let mut input = BufReader::new(stdin());
        loop {
            let line = read_line(&mut input);
            let more = !matches!(line, Err(_) | Ok(Line::End));
            if send.send(line).is_err() || !more {
                return;
            }
        }
    })?;
    while !queue.stop.is_requested() {
        let line = match lines.recv_timeout(POLL_INTERVAL) {
            Ok(line) => line?,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let line = match line {
            Line::Text(line) => line,
            Line::TooLong => {
                refuse(None, &format!("a line of more than {LONGEST_LINE} bytes is not a query"))?;
                continue;
            }
            Line::End => break,
        };
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Query>(&line) {
            Ok(query) => receive(query, defaults, queue)?,
            Err(error) => {
                let value: Option<Value> = serde_json::from_str(&line).ok();
                let id = value.as_ref().and_then(|value| value.get("id")?.as_str());
                refuse(id, &error.to_string())?;
            }
        }
    }
    Ok(())
}

/// Carries out a query: queues its jobs, or does its action.
fn receive(query: Query, defaults: &Defaults, queue: &Queue) -> std::io::Result<()> {
    let id = query.id.as_str();
    match query.action.as_deref() {
        None => match jobs(&query, defaults) {
            Ok(jobs) => {
                queue.add(jobs);
                Ok(())
            }
            Err(error) => refuse(Some(id), &error),
        },
        Some("query_version") => {
            let version = env!("CARGO_PKG_VERSION");
            write(&json!({"id": id, "action": "query_version", "version": version}).to_string())
        }
        Some("terminate") if query.terminate_id.is_none() => refuse(Some(id), "terminate needs a terminateId"),
        Some(action @ ("terminate" | "terminate_all")) => {
            let which = if action == "terminate" { query.terminate_id.as_deref() } else { None };
            let turns = query.turn_numbers.as_deref();
            for Job { id, turn, .. } in queue.terminate(which, turns) {
                write(&match defaults.katago {
                    true => {
                        json!({"id": id, "turnNumber": turn, "isDuringSearch": false, "noResults": true}).to_string()
                    }
                    false => json!({"id": id, "turnNumber": turn, "noResults": true}).to_string(),
                })?;
            }
            let mut answer = json!({"id": id, "action": action, "terminateId": which});
            if let (Some(turns), Some(answer)) = (turns, answer.as_object_mut()) {
                answer.insert("turnNumbers".to_owned(), json!(turns));
            }
            write(&answer.to_string())
        }
        Some(other) => {
            refuse(Some(id), &format!("there is no action '{other}'; choose query_version, terminate or terminate_all"))
        }
    }
}

/// Works through the queue, on one thread.
fn work(queue: &Queue, models: &Models) -> std::io::Result<()> {
    let mut engines: HashMap<&'static str, Engine> = HashMap::new();
    while let Some((job, stop)) = queue.next() {
        // A job that is terminated meanwhile is answered with what there is.
        if !queue.stop.is_requested() {
            let report = |analysis: &Analysis| write(&answer(&job, analysis, models.defaults.katago)?);
            match analyse(&job, &mut engines, models, &stop, report) {
                Ok(reported) => reported?,
                Err(error) => refuse(Some(&job.id), &error)?,
            }
        }
        queue.done(&stop);
    }
    Ok(())
}

/// Formats an answer.
fn answer(job: &Job, analysis: &Analysis, katago: bool) -> std::io::Result<String> {
    let text = match katago {
        true => serde_json::to_string(&analysis.to_katago(&job.id, job.turn)),
        false => serde_json::to_string(&Answer { id: &job.id, turn_number: job.turn, analysis }),
    };
    text.map_err(std::io::Error::from)
}

/// Analyses a position and reports the result, before it at the intervals asked for. The error is that of the position; within
/// it is that of the report.
fn analyse(
    job: &Job,
    engines: &mut HashMap<&'static str, Engine>,
    models: &Models,
    stop: &StopSignal,
    report: impl Fn(&Analysis) -> std::io::Result<()>,
) -> Result<std::io::Result<()>, String> {
    let (game, size) = (job.start.game(), job.start.size());
    let name = game.name();
    let engine = match engines.remove(name) {
        Some(engine) => engine,
        None => Engine::new(game, size, models.of(game)?).map_err(|error| error.to_string())?,
    };
    let engine = engines.entry(name).or_insert(engine);
    engine.set_up_from(&job.start, job.moves.iter().copied()).map_err(|error| error.to_string())?;
    let mut run = AnalysisRun::new(job.limits, job.lines, job.ownership, job.every);
    loop {
        match run.step(engine) {
            Step::Done(analysis) => return Ok(report(&analysis)),
            Step::Update(analysis) => {
                if let Err(error) = report(&analysis) {
                    return Ok(Err(error));
                }
            }
            Step::Quiet => {}
        }
        if stop.is_requested() {
            return Ok(report(&run.stopped(engine)));
        }
    }
}
