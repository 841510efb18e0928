//! Follows proof searches, keeps their tables in files, and describes their results.

use std::cell::Cell;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use indicatif::ProgressBar;
use serde::Serialize;

use super::interrupt::interrupted;
use super::matches::style;
use super::output_files::{check_creatable, write_file};
use crate::counted;
use crate::error::CliError;
use hexzero_games::{Action, Position};
use hexzero_prove::hex::{Stones, bit, members};
use hexzero_prove::{Progress, Prover, Verdict, cells_of};
use hexzero_system::files::read_at_most;
use hexzero_system::time::Instant;

/// The most bytes of a file with a table: what the largest takes in memory.
const MAX_TABLE_BYTES: u64 = 65_536 << 20;

/// The interval between two updates of the progress on a terminal.
const UPDATE: Duration = Duration::from_millis(200);

/// The reason why a search stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// The user interrupted it.
    Interrupt,
    /// The time was up.
    Time,
    /// The most positions were expanded.
    Nodes,
    /// Neither player wins within the most plies.
    Plies,
}

impl Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interrupt => "interrupted",
            Self::Time => "the time is up; allow more with --time",
            Self::Plies => "neither player wins within the most plies; allow more with --max-plies",
            Self::Nodes => "the most positions are expanded; allow more with --max-nodes",
        })
    }
}

/// Shows the progress of a search on a terminal, and stops it at Ctrl-C and at limits.
pub struct ProofWatch {
    bar: ProgressBar,
    began: Instant,
    shown: Cell<Duration>,
    time: Option<Duration>,
    reason: Cell<Option<Stop>>,
}

impl ProofWatch {
    /// Begins to measure the time.
    pub fn new(time: Option<Duration>) -> Self {
        let bar = ProgressBar::new_spinner().with_style(style("{spinner} {msg}"));
        let (shown, reason) = (Cell::new(Duration::ZERO), Cell::new(None));
        Self { bar, began: Instant::now(), shown, time, reason }
    }

    /// Returns true if the search has to stop.
    pub fn is_over(&self, progress: Progress) -> bool {
        let elapsed = self.began.elapsed();
        if elapsed.saturating_sub(self.shown.get()) >= UPDATE {
            self.shown.set(elapsed);
            let (speed, mebibytes) = (progress.expanded as f64 / elapsed.as_secs_f64(), progress.bytes >> 20);
            let (expanded, seconds) = (progress.expanded, elapsed.as_secs());
            self.bar.set_message(format!("{expanded} positions, {speed:.0} a second, {mebibytes} MiB, {seconds} s"));
            self.bar.tick();
        }
        let reason = match self.time {
            _ if interrupted().is_requested() => Some(Stop::Interrupt),
            Some(time) if elapsed >= time => Some(Stop::Time),
            _ => None,
        };
        self.reason.set(self.reason.get().or(reason));
        self.reason.get().is_some()
    }

    /// Returns why a search has no result.
    pub fn stop(&self) -> Stop {
        self.reason.get().unwrap_or(Stop::Nodes)
    }

    /// Returns the seconds since the beginning, rounded to milliseconds.
    pub fn seconds(&self) -> f64 {
        (self.began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
    }

    /// Writes something while the progress is hidden.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Removes the progress.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// What was found out about a position.
#[derive(Serialize)]
pub struct Proof<'a> {
    game: &'static str,
    size: usize,
    moves: &'a [String],
    to_move: &'static str,
    value: Option<&'static str>,
    #[serde(rename = "move")]
    winning: Option<String>,
    carrier: Vec<String>,
    open: Vec<String>,
    /// Why the search stopped, unless it ended with a proof.
    pub stopped: Option<Stop>,
    positions: u64,
    seconds: f64,
}

impl<'a> Proof<'a> {
    /// Describes a verdict with a winning move; without a verdict, lists the moves that may still win.
    pub fn new(
        position: &Position,
        moves: &'a [String],
        stones: Stones,
        verdict: Option<Verdict>,
        prover: &Prover<'_>,
        watch: &ProofWatch,
    ) -> Self {
        let mover = position.to_move();
        let carrier = verdict.map_or(0, |verdict| verdict.carrier);
        let winning = verdict.filter(|verdict| verdict.wins).and_then(|_| prover.winning_move(stones));
        let open = if verdict.is_none() { prover.open_moves(stones).unwrap_or_default() } else { Vec::new() };
        let board = prover.board();
        let name = |cell: usize| position.action_name(Action(cell as u16));
        let cell = |cell: usize| name(cells_of(board, mover, bit(cell)).trailing_zeros() as usize);
        Self {
            game: position.game().name(),
            size: position.size(),
            moves,
            to_move: position.game().seat_name(mover),
            value: verdict.map(|verdict| if verdict.wins { "won" } else { "lost" }),
            winning: winning.map(cell),
            carrier: members(cells_of(board, mover, carrier)).map(name).collect(),
            open: open.into_iter().map(cell).collect(),
            stopped: verdict.is_none().then(|| watch.stop()),
            positions: prover.expanded(),
            seconds: watch.seconds(),
        }
    }

    /// Writes the result as text.
    pub fn write(&self, position: &Position, output: &mut impl Write) -> io::Result<()> {
        let Self { to_move, carrier, open, positions, seconds, .. } = self;
        write!(output, "{to_move} to move: {}", self.value.unwrap_or("not proven"))?;
        if let Some(cell) = &self.winning {
            write!(output, ", by {cell}")?;
        }
        writeln!(output)?;
        if let Some(value) = self.value {
            let mover = position.to_move();
            let winner = position.game().seat_name(if value == "won" { mover } else { mover.opponent() });
            let cells = counted(carrier.len(), "empty cell", "empty cells");
            writeln!(output, "{winner} needs {cells}, marked *")?;
            let is_needed = |place: usize| carrier.contains(&position.action_name(Action(place as u16)));
            let glyph = |place| if is_needed(place) { '*' } else { position.symbol(place) };
            write!(output, "{}", position.board().text().draw(glyph, None))?;
        } else if !open.is_empty() {
            writeln!(output, "if a move wins, one of these does: {}", open.join(" "))?;
        }
        writeln!(output, "{}, {seconds:.2} s", counted(*positions, "position", "positions"))
    }
}

/// Goes on with the table of a search in a file, if there is one.
pub fn restore_table(path: &Path, prover: &mut Prover<'_>) -> Result<(), CliError> {
    check_creatable(Some(path))?;
    if !path.exists() {
        return Ok(());
    }
    let bytes = read_at_most(path, MAX_TABLE_BYTES).map_err(|error| CliError::cannot_read(path, error))?;
    prover.restore(&bytes).map_err(|error| {
        let path = path.display();
        CliError::Request(format!(
            "cannot go on from {path}: {error}; give the file of another search to --save, or a new name"
        ))
    })
}

/// Writes the table, unless the search has added nothing to it.
pub fn save_table(path: &Path, prover: &Prover<'_>) -> Result<(), CliError> {
    if prover.expanded() == 0 {
        return Ok(());
    }
    write_file(path, prover.saved().map_err(|error| CliError::cannot_write(path, error))?)
}
