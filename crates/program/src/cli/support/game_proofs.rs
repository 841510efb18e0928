//! Proofs of positions of any game from its rules, and tables of openings: what they print.

use std::fmt::{self, Display};
use std::io::{self, Write};

use hexzero_engine::openings::FirstMove;
use hexzero_games::{Action, Pick, Position, Value};
use hexzero_prove::by_rules::GameProver;
use serde::Serialize;

use super::proofs::{ProofWatch, Stop};
use crate::counted;

/// What was found out about a position or an opening.
#[derive(Serialize)]
pub struct Found {
    value: Option<&'static str>,
    /// The plies within which the winner wins, or without a value neither player does, where positions can repeat.
    plies: Option<u8>,
    #[serde(skip)]
    known: Option<Value>,
}

impl Found {
    /// Describes a value; `open_plies` are those within which neither player wins, if it is not known.
    pub fn new(known: Option<Value>, open_plies: Option<u8>) -> Self {
        let (value, plies) = match known {
            Some(Value::Win(plies)) => (Some("won"), plies),
            Some(Value::Draw) => (Some("drawn"), None),
            Some(Value::Loss(plies)) => (Some("lost"), plies),
            None => (None, open_plies),
        };
        Self { value, plies, known }
    }
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.value, self.plies) {
            (None, None | Some(0)) => f.pad("not proven"),
            (None, Some(plies)) => f.pad(&format!("no win within {}", counted(plies, "ply", "plies"))),
            (Some(value), None) => f.pad(value),
            (Some(value), Some(plies)) => f.pad(&format!("{value} within {}", counted(plies, "ply", "plies"))),
        }
    }
}

/// A position and its value for the player to move.
#[derive(Serialize)]
pub struct GameProof<'a> {
    game: &'static str,
    size: usize,
    moves: &'a [String],
    to_move: &'static str,
    #[serde(flatten)]
    found: Found,
    #[serde(rename = "move")]
    best: Option<String>,
    /// Why the search stopped, unless it ended with a proof.
    pub stopped: Option<Stop>,
    positions: u64,
    seconds: f64,
}

impl<'a> GameProof<'a> {
    /// Proves a position.
    pub fn new(position: &Position, moves: &'a [String], prover: &mut GameProver<'_>, watch: &ProofWatch) -> Self {
        let known = prover.prove(position);
        let best = known.and_then(|value| prover.best_move(position, value));
        Self {
            game: position.game().name(),
            size: position.size(),
            moves,
            to_move: position.game().seat_name(position.to_move()),
            found: Found::new(known, prover.open_plies()),
            best: best.map(|action| position.action_name(action)),
            stopped: stopped(known, prover, watch),
            positions: prover.visited(),
            seconds: watch.seconds(),
        }
    }

    /// Writes the result as text.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let Self { to_move, found, best, positions, seconds, .. } = self;
        let by = best.as_ref().map_or(String::new(), |best| format!(", by {best}"));
        writeln!(output, "{to_move} to move: {found}{by}")?;
        writeln!(output, "{}, {seconds:.2} s", counted(*positions, "position", "positions"))
    }
}

/// Returns why nothing is proven.
fn stopped(known: Option<Value>, prover: &GameProver<'_>, watch: &ProofWatch) -> Option<Stop> {
    let reason = if prover.is_over() { watch.stop() } else { Stop::Plies };
    known.is_none().then_some(reason)
}

/// A move and its value for the player who makes it.
#[derive(Serialize)]
pub struct GameOpening {
    #[serde(rename = "move")]
    name: String,
    /// The moves that are the same by a symmetry of the position.
    same: Vec<String>,
    #[serde(flatten)]
    found: Found,
    positions: u64,
    seconds: f64,
}

impl GameOpening {
    /// Returns whether its value is known.
    pub fn is_proven(&self) -> bool {
        self.found.known.is_some()
    }
}

impl Display for GameOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, same, found, positions, seconds } = self;
        write!(f, "{name:<5}  {found:<22}  {positions:>10} positions  {seconds:>9.2} s")?;
        if same.is_empty() { Ok(()) } else { write!(f, "  (the same: {})", same.join(" ")) }
    }
}

/// The values of all moves of a position.
#[derive(Serialize)]
pub struct GameOpenings<'a> {
    game: &'static str,
    size: usize,
    moves: &'a [String],
    openings: Vec<GameOpening>,
    /// Why the search stopped, unless all are proven.
    pub stopped: Option<Stop>,
    positions: u64,
    seconds: f64,
}

impl<'a> GameOpenings<'a> {
    /// Begins a table.
    pub fn new(position: &Position, moves: &'a [String]) -> Self {
        let (game, size) = (position.game().name(), position.size());
        Self { game, size, moves, openings: Vec::new(), stopped: None, positions: 0, seconds: 0.0 }
    }

    /// Adds a move; `visited` are the positions of the search so far.
    pub fn add(
        &mut self,
        position: &Position,
        action: Action,
        same: &[Action],
        found: Found,
        visited: u64,
        watch: &ProofWatch,
    ) -> &GameOpening {
        let seconds = watch.seconds();
        let others = same.iter().filter(|&&other| other != action);
        self.openings.push(GameOpening {
            name: position.action_name(action),
            same: others.map(|&other| position.action_name(other)).collect(),
            found,
            positions: visited - self.positions,
            seconds: ((seconds - self.seconds) * 1000.0).round() / 1000.0,
        });
        (self.positions, self.seconds) = (visited, seconds);
        self.openings.last().expect("just added")
    }

    /// Proves every move, only one of those that a symmetry makes equal, and calls `told` after each.
    pub fn prove(
        &mut self,
        position: &Position,
        prover: &mut GameProver<'_>,
        watch: &ProofWatch,
        mut told: impl FnMut(&GameOpening) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut done: Vec<Action> = position.game_board().swap().into_iter().collect();
        for action in position.legal() {
            if done.contains(&action) {
                continue;
            }
            let same = position.same_by_symmetry(action);
            let known = value_of(position, action, prover);
            self.stopped = self.stopped.or(stopped(known, prover, watch));
            let found = Found::new(known, prover.open_plies().map(|plies| plies + 1));
            told(self.add(position, action, &same, found, prover.visited(), watch))?;
            done.extend(same);
        }
        Ok(())
    }

    /// Lists the moves as first moves with chances, for a picture.
    pub fn chances(&self, position: &Position) -> Vec<FirstMove> {
        let swap = position.game().has_swap() && position.turns() == 0;
        let listed = self.openings.iter().filter_map(|opening| {
            let kept = match opening.found.known? {
                Value::Win(_) => 1.0,
                Value::Draw => 0.5,
                Value::Loss(_) => 0.0,
            };
            let names = [&opening.name].into_iter().chain(&opening.same);
            let first = move |name: &String| FirstMove {
                name: name.clone(),
                same: Vec::new(),
                kept,
                swapped: swap.then_some(1.0 - kept),
                reply: None,
                replies: Default::default(),
            };
            Some(names.map(first))
        });
        listed.flatten().collect()
    }

    /// Draws the board: `W` where a move wins, `=` where it draws, a dot where it loses, `?` where that is not known.
    pub fn write(&self, position: &Position, output: &mut impl Write) -> io::Result<()> {
        let mut shown: Vec<Option<char>> = vec![None; position.board().places().len()];
        for opening in &self.openings {
            let glyph = match opening.found.known {
                Some(Value::Win(_)) => 'W',
                Some(Value::Draw) => '=',
                None => '?',
                Some(Value::Loss(_)) => '.',
            };
            for action in [&opening.name].into_iter().chain(&opening.same).map(|name| position.parse_action(name)) {
                let picks = action.map(|action| position.picks(action)).unwrap_or_default();
                let Some(&Pick::Place(place)) = picks.first() else { continue };
                // Of several moves on one place, the best.
                let best = &mut shown[usize::from(place)];
                let rank = |glyph: char| "W=?.".find(glyph);
                if best.is_none_or(|best| rank(glyph) < rank(best)) {
                    *best = Some(glyph);
                }
            }
        }
        if shown.iter().any(Option::is_some) {
            let glyph = |place: usize| shown[place].unwrap_or_else(|| position.symbol(place));
            write!(output, "{}", position.board().text().draw(glyph, None))?;
        }
        if position.game().has_swap() && position.turns() == 0 {
            writeln!(output, "values without the swap; the second player would swap a winning move")?;
        }
        writeln!(output, "{}, {:.2} s", counted(self.positions, "position", "positions"), self.seconds)
    }
}

/// Returns the value of a move for the player who makes it, its own ply included.
fn value_of(position: &Position, action: Action, prover: &mut GameProver<'_>) -> Option<Value> {
    let after = position.after(action);
    let mover = position.to_move();
    if let Some(outcome) = after.outcome() {
        let plies = prover.is_bounded().then_some(1);
        return Some(outcome.winner.map_or(Value::Draw, |winner| match winner == mover {
            true => Value::Win(plies),
            false => Value::Loss(plies),
        }));
    }
    let value = prover.prove(&after)?;
    let more = |plies: Option<u8>| plies.map(|plies| plies + 1);
    Some(match (value, after.to_move() == mover) {
        (Value::Draw, _) => Value::Draw,
        (Value::Win(plies), true) | (Value::Loss(plies), false) => Value::Win(more(plies)),
        (Value::Loss(plies), true) | (Value::Win(plies), false) => Value::Loss(more(plies)),
    })
}
