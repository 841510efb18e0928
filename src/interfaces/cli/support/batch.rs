//! Batch analysis for other programs: reads queries and writes answers in the order in which they finish.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufReader, Write, stdin, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::engine::Engine;
use crate::engine::analysis::{Analysis, AnalysisRun, LEAST_INTERVAL, Step};
use crate::engine::model::LoadedModel;
use crate::engine::model_files::load_evaluator;
use crate::games::{Action, Arrangement, Game, Position, Seat, game_named};
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

/// A query, one line of the input, in this program's form or in that of KataGo's analysis engine.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Query {
    id: String,
    action: Option<String>,
    terminate_id: Option<String>,
    /// The turns to terminate.
    turn_numbers: Option<Vec<usize>>,
    #[serde(alias = "rules")]
    game: Option<String>,
    #[serde(alias = "boardSize", alias = "boardXSize")]
    size: Option<usize>,
    board_y_size: Option<usize>,
    /// Go's compensation means nothing here.
    #[serde(rename = "komi")]
    _komi: Option<IgnoredAny>,
    setup: Option<Arrangement>,
    initial_stones: Option<Vec<(String, String)>>,
    initial_player: Option<String>,
    #[serde(default)]
    moves: Vec<QueryMove>,
    #[serde(alias = "visits")]
    max_visits: Option<u32>,
    analyze_turns: Option<Vec<usize>>,
    #[serde(default)]
    priority: i64,
    priorities: Option<Vec<i64>>,
    report_during_search_every: Option<f64>,
    lines: Option<usize>,
    #[serde(default)]
    include_ownership: bool,
}

/// A move of a query.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "moves: a move is a name, such as \"c3\", or a player and a name, such as [\"B\", \"c3\"]"
)]
enum QueryMove {
    Name(String),
    OfPlayer(String, String),
}

/// A position to analyse.
struct Job {
    id: String,
    turn: usize,
    /// The position before the first move.
    start: Position,
    moves: Vec<(Seat, Action)>,
    limits: Limits,
    lines: usize,
    ownership: bool,
    /// The time between two reports during the search.
    every: Option<Duration>,
}

/// The state of the queue. Jobs wait by priority, the highest first, then in the order of arrival.
#[derive(Default)]
struct Waiting {
    jobs: BTreeMap<(std::cmp::Reverse<i64>, u64), Job>,
    arrived: u64,
    /// The jobs that threads are working on, by the id of their query and the turn.
    running: Vec<(String, usize, StopSignal)>,
    /// True if no more jobs will come.
    closed: bool,
}

struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    /// Stops all jobs.
    stop: StopSignal,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, jobs: Vec<(i64, Job)>) {
        let mut waiting = self.lock();
        for (priority, job) in jobs {
            waiting.arrived += 1;
            let key = (std::cmp::Reverse(priority), waiting.arrived);
            waiting.jobs.insert(key, job);
        }
        self.changed.notify_all();
    }

    /// Takes the next job, waiting for one if needed, and the signal that its answer is no longer wanted; none when the queue is
    /// closed and empty.
    fn next(&self) -> Option<(Job, StopSignal)> {
        let mut waiting = self.lock();
        loop {
            if let Some((_, job)) = waiting.jobs.pop_first() {
                let stop = self.stop.child();
                waiting.running.push((job.id.clone(), job.turn, stop.clone()));
                return Some((job, stop));
            }
            if waiting.closed {
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Marks the job with this signal as finished.
    fn done(&self, stop: &StopSignal) {
        self.lock().running.retain(|(.., other)| !other.is_same(stop));
    }

    /// Terminates the jobs of a query, or all, at these turns or at all; returns those that had not started.
    fn terminate(&self, id: Option<&str>, turns: Option<&[usize]>) -> Vec<Job> {
        let mut waiting = self.lock();
        let is_meant =
            |of: &str, turn: usize| id.is_none_or(|id| id == of) && turns.is_none_or(|turns| turns.contains(&turn));
        let running = waiting.running.iter().filter(|(of, turn, _)| is_meant(of, *turn));
        running.for_each(|(.., stop)| stop.request());
        let meant = waiting.jobs.iter().filter(|(_, job)| is_meant(&job.id, job.turn));
        let keys: Vec<_> = meant.map(|(&key, _)| key).collect();
        keys.iter().filter_map(|key| waiting.jobs.remove(key)).collect()
    }

    /// Announces that no more jobs will come.
    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }
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
    let queue = Queue { waiting: Mutex::default(), changed: Condvar::new(), stop: stop.child() };
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

/// Returns the seat that a query calls `name`: by the game's own names, or B and W as over GTP.
fn seat(game: Game, name: &str) -> Result<Seat, String> {
    let word = name.to_ascii_lowercase();
    let is_named = |seat: &Seat| game.seat_name(*seat) == word;
    let is_coloured = |seat: &Seat| {
        let colour = game.protocol_colour(*seat);
        word == colour || word == colour[..1]
    };
    let found = Seat::BOTH.into_iter().find(is_named).or_else(|| Seat::BOTH.into_iter().find(is_coloured));
    let [first, second] = Seat::BOTH.map(|seat| game.seat_name(seat));
    found.ok_or_else(|| format!("there is no player '{name}'; choose {first}, {second}, B or W"))
}

impl Query {
    /// Returns the stones that the game begins with, if it does not begin with an empty board.
    fn arrangement(&self, game: Game) -> Result<Option<Arrangement>, String> {
        if self.initial_stones.is_none() && self.initial_player.is_none() {
            return Ok(self.setup.clone());
        }
        if self.setup.is_some() {
            return Err("give either setup or initialStones and initialPlayer".to_owned());
        }
        let mut arrangement = Arrangement::default();
        for (player, place) in self.initial_stones.iter().flatten() {
            let seat = seat(game, player).map_err(|error| format!("initialStones: {error}"))?;
            arrangement.add(seat, place);
        }
        if let Some(player) = &self.initial_player {
            arrangement.to_move = seat(game, player).map_err(|error| format!("initialPlayer: {error}"))?.into();
        }
        let is_the_usual =
            self.initial_stones.as_ref().is_none_or(Vec::is_empty) && arrangement == Arrangement::default();
        Ok(Some(arrangement).filter(|_| !is_the_usual))
    }

    /// Returns the time between two reports during the search.
    fn every(&self) -> Result<Option<Duration>, String> {
        let accepted = LEAST_INTERVAL.as_secs_f64()..=86_400.0;
        match self.report_during_search_every {
            Some(seconds) if !accepted.contains(&seconds) => {
                let (least, most) = accepted.into_inner();
                Err(format!("reportDuringSearchEvery must be from {least} to {most} seconds"))
            }
            seconds => Ok(seconds.map(Duration::from_secs_f64)),
        }
    }

    /// Returns the priority of each analysed turn.
    fn priorities(&self, turns: usize) -> Result<Vec<i64>, String> {
        match &self.priorities {
            Some(priorities) if priorities.len() != turns => {
                Err(format!("priorities: {} of them for {turns} analyzeTurns; give one for each", priorities.len()))
            }
            Some(priorities) => Ok(priorities.clone()),
            None => Ok(vec![self.priority; turns]),
        }
    }
}

/// Returns a job for each position of a query, with its priority.
fn jobs(query: &Query, defaults: &Defaults) -> Result<Vec<(i64, Job)>, String> {
    let game = match &query.game {
        Some(name) => game_named(name).map_err(|error| error.to_string())?,
        None => defaults.game,
    };
    let size = query.size.unwrap_or(game.boards.default);
    if let Some(other) = query.board_y_size.filter(|other| *other != size) {
        return Err(format!("boardYSize is {other}, boardXSize {size}; boards have one size: give both the same"));
    }
    let every = query.every()?;
    let start = game.start_from(size, query.arrangement(game)?.as_ref()).map_err(|error| error.to_string())?;
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut over = position.outcome().map(|_| 0);
    for (index, played) in query.moves.iter().enumerate() {
        let mover = position.to_move();
        let name = match played {
            QueryMove::Name(name) => name,
            QueryMove::OfPlayer(player, name) => {
                let of = seat(game, player).map_err(|error| format!("move {}: {error}", index + 1))?;
                if of != mover && over.is_none() {
                    let turn = game.seat_name(mover);
                    return Err(format!("move {} '{name}': it is {turn}'s turn, not that of '{player}'", index + 1));
                }
                name
            }
        };
        let action = position.play_named(name).map_err(|error| format!("move {} '{name}': {error}", index + 1))?;
        moves.push((mover, action));
        over = over.or_else(|| position.outcome().map(|_| index + 1));
    }
    let visits = query.max_visits.or(defaults.limits.visits);
    if query.max_visits.is_some_and(|visits| !(1..=Limits::MOST_VISITS).contains(&visits)) {
        return Err(format!("maxVisits must be from 1 to {}", Limits::MOST_VISITS));
    }
    // The query's visits take precedence over a time for all.
    let time = if query.max_visits.is_some() { None } else { defaults.limits.time };
    let turns = query.analyze_turns.clone().unwrap_or_else(|| vec![moves.len()]);
    if turns.is_empty() {
        return Err("analyzeTurns names no turn; leave it out for the last one".to_owned());
    }
    let job = |turn: usize| {
        if turn > moves.len() {
            return Err(format!("analyzeTurns: the game has {} moves, not {turn}", moves.len()));
        }
        if over.is_some_and(|over| turn >= over) {
            return Err(format!("the game is over after these {turn} moves; there is nothing to analyse"));
        }
        Ok(Job {
            id: query.id.clone(),
            turn,
            start: start.clone(),
            moves: moves[..turn].to_vec(),
            limits: Limits { visits, time, ..defaults.limits },
            lines: query.lines.unwrap_or(defaults.lines),
            ownership: query.include_ownership,
            every,
        })
    };
    let priorities = query.priorities(turns.len())?;
    turns.into_iter().zip(priorities).map(|(turn, priority)| Ok((priority, job(turn)?))).collect()
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
