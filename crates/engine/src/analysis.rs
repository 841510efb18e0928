//! Analysis of a position with updates during the search, as text and for programs.

mod katago;
mod region;

use std::time::Duration;

use serde::Serialize;

use hexzero_games::{Action, CellForecast, Piece, Position, Seat, WinDrawLoss};
use hexzero_search::{Limits, RootMove, StopReason};
use hexzero_system::time::Instant;

use super::{Engine, SearchSummary};

pub use katago::{Details, KataGoAnswer, Perspective};

/// Length of a slice of search; an update is checked for after each.
const SLICE: Duration = Duration::from_millis(10);

/// The minimum interval between updates; a shorter one would rarely show a change.
pub const MIN_INTERVAL: Duration = Duration::from_millis(10);

/// The maximum number of moves shown of a line in text.
const MOVES_SHOWN: usize = 7;

/// A cell is shown as a player's from this probability on, and as surely theirs from the next one.
const LIKELY: f32 = 0.5;
const SURE: f32 = 0.75;

/// The analysis of a position. docs/formats/streams.md describes the JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Analysis {
    game: &'static str,
    size: usize,
    /// The moves that led to the position.
    moves: Vec<String>,
    to_move: &'static str,
    visits: u32,
    seconds: f64,
    /// Whether this is the last update.
    done: bool,
    /// Why the search ended; none before the last update.
    stop_reason: Option<StopReason>,
    /// The chances of the player to move.
    #[serde(flatten)]
    outcome: WinDrawLoss,
    proven: Option<Proven>,
    /// The region of a proof, in games that have a prover.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<region::Region>,
    /// The best moves, the one to play first.
    lines: Vec<Line>,
    board: Option<Board>,
    /// The model's policy by place, followed by the total of all other moves; -1 where no move is
    /// legal. Only if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<Vec<f32>>,
    #[serde(skip)]
    drawing: Option<String>,
    /// 1 if the first player is to move, -1 if the second is.
    #[serde(skip)]
    sign: f32,
    /// The colour of the player to move in protocols of other programs: black or white.
    #[serde(skip)]
    colour: &'static str,
}

/// A certain result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Proven {
    value: ProvenValue,
    /// The most plies to the end of the game, counting the moves of both players and including the analysed one.
    plies: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ProvenValue {
    Won,
    Drawn,
    Lost,
}

/// A move and its line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    #[serde(rename = "move")]
    name: String,
    visits: u32,
    prior: f32,
    /// The chances of the player who makes the move.
    #[serde(flatten)]
    outcome: WinDrawLoss,
    /// Lower confidence bound of the player's expected share of the points.
    lower_bound: f32,
    proven: Option<Proven>,
    /// The expected moves, this one first.
    variation: Vec<String>,
    /// The visits of each of these moves, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    variation_visits: Option<Vec<u32>>,
    /// The board at the end of the variation, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<Board>,
    /// The variation with the move names of other programs.
    #[serde(skip)]
    foreign_variation: Vec<String>,
}

/// The probabilities that the cells, row by row, hold a stone of either player at the end.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Board {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Board {
    fn new(cells: &[CellForecast]) -> Self {
        Self {
            first: cells.iter().map(|cell| rounded(cell.first)).collect(),
            second: cells.iter().map(|cell| rounded(cell.second)).collect(),
        }
    }
}

impl Proven {
    /// Returns the proven result of a position for the player to move, if there is one: one winning move decides it, and
    /// so do all moves together.
    pub(super) fn of_position(opinion: &SearchSummary) -> Option<Self> {
        let decided = opinion.moves.iter().all(|candidate| candidate.proven_in.is_some());
        opinion.moves.first().filter(|best| best.is_proven_win() || decided).and_then(Self::of)
    }

    /// Returns the proven result of a move, if there is one.
    fn of(candidate: &RootMove) -> Option<Self> {
        let value = match candidate.outcome.value() {
            value if value > 0.5 => ProvenValue::Won,
            value if value < -0.5 => ProvenValue::Lost,
            _ => ProvenValue::Drawn,
        };
        candidate.proven_in.map(|plies| Self { value, plies })
    }

    /// Returns whether the player concerned wins; none for a draw.
    pub fn is_win(&self) -> Option<bool> {
        match self.value {
            ProvenValue::Won => Some(true),
            ProvenValue::Lost => Some(false),
            ProvenValue::Drawn => None,
        }
    }

    /// Returns the most plies to the end of the game.
    pub fn plies(&self) -> u32 {
        self.plies
    }
}

impl std::fmt::Display for Proven {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = match self.value {
            ProvenValue::Won => "won",
            ProvenValue::Drawn => return f.pad("drawn"),
            ProvenValue::Lost => "lost",
        };
        f.pad(&format!("{word} in {} {}", self.plies, if self.plies == 1 { "ply" } else { "plies" }))
    }
}

/// Rounds to four digits, more than are significant.
pub(super) fn rounded(share: f32) -> f32 {
    (share * 1e4).round() / 1e4
}

/// Rounds the shares of an outcome to four digits.
pub fn rounded_outcome(outcome: WinDrawLoss) -> WinDrawLoss {
    WinDrawLoss { win: rounded(outcome.win), draw: rounded(outcome.draw), loss: rounded(outcome.loss) }
}

/// Converts an expected result from -1 to 1 to a share of the points from 0 to 1.
pub fn points(value: f32) -> f32 {
    (0.5 + 0.5 * value).clamp(0.0, 1.0)
}

impl Line {
    fn new(engine: &mut Engine, candidate: &RootMove, details: &Details) -> Self {
        let board = if details.line_boards { engine.forecast_after(candidate.action) } else { None };
        let position = engine.position();
        let mut variation = engine.visited_variation_from(candidate.action);
        variation.truncate(details.max_following.map_or(usize::MAX, |following| following.saturating_add(1)));
        let (variation, visits): (Vec<Action>, Vec<u32>) = variation.into_iter().unzip();
        Self {
            name: position.action_name(candidate.action),
            visits: candidate.visits,
            prior: rounded(candidate.prior),
            outcome: rounded_outcome(candidate.outcome),
            lower_bound: rounded(points(candidate.lower_bound)),
            proven: Proven::of(candidate),
            foreign_variation: variation.iter().map(|&action| position.foreign_action_name(action)).collect(),
            variation: engine.names(&variation),
            variation_visits: details.variation_visits.then_some(visits),
            board: board.as_deref().map(Board::new),
        }
    }

    /// Formats the line for GTP's analysis commands.
    fn to_info(&self, order: usize) -> String {
        let Self { visits, prior, outcome, lower_bound, foreign_variation, .. } = self;
        let winrate = rounded(points(outcome.value()));
        let proven = match self.proven {
            None => String::new(),
            Some(Proven { value: ProvenValue::Drawn, plies }) => format!(" value drawn plies {plies}"),
            Some(Proven { value: ProvenValue::Won, plies }) => format!(" value won plies {plies}"),
            Some(Proven { value: ProvenValue::Lost, plies }) => format!(" value lost plies {plies}"),
        };
        format!(
            "info move {} visits {visits} winrate {winrate} draw {} prior {prior} lcb {lower_bound}{proven} \
             order {order} pv {}",
            foreign_variation[0],
            outcome.draw,
            foreign_variation.join(" "),
        )
    }

    /// Formats the line as Leela Zero does.
    fn to_leela_info(&self, order: usize) -> String {
        let ten_thousandths = |share: f32| (1e4 * share).round() as u32;
        let [winrate, prior, lcb] = [points(self.outcome.value()), self.prior, self.lower_bound].map(ten_thousandths);
        format!(
            "info move {} visits {} winrate {winrate} prior {prior} lcb {lcb} order {order} pv {}",
            self.foreign_variation[0],
            self.visits,
            self.foreign_variation.join(" "),
        )
    }
}

impl Analysis {
    fn new(engine: &mut Engine, run: &AnalysisRun, stop_reason: Option<StopReason>) -> Self {
        let forecast = if run.forecasts { engine.forecast() } else { None };
        let opinion = engine.opinion();
        let shown = opinion.moves.iter().take(run.lines);
        let lines = shown.map(|candidate| Line::new(engine, candidate, &run.details)).collect();
        let (engine, forecast) = (&*engine, forecast.as_deref());
        let position = engine.position();
        Self {
            game: engine.game().name(),
            size: position.size(),
            moves: engine.played().iter().map(|played| played.name.clone()).collect(),
            to_move: engine.seat_name(position.to_move()),
            // An immediate win is found without a search; its line still counts a visit.
            visits: engine.visits().max(1),
            seconds: (run.start.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            done: stop_reason.is_some(),
            stop_reason,
            outcome: rounded_outcome(opinion.outcome),
            proven: Proven::of_position(&opinion),
            proof: region::Region::of(engine),
            lines,
            board: forecast.map(Board::new),
            policy: run.details.policy.then(|| katago::policy(engine)),
            drawing: forecast.map(|cells| draw(position, cells)),
            sign: position.to_move().sign(),
            colour: engine.game().protocol_colour(position.to_move()),
        }
    }

    /// Formats the analysis as a line of JSON, without a line end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }

    /// Formats the analysis as a line of the analysis commands of Leela Zero and KataGo: the moves, the position itself
    /// if `root_info`, and the ownership if there is a forecast: 1 for a cell that will surely be the mover's, -1 for
    /// one that will surely be the opponent's.
    pub fn to_info(&self, root_info: bool) -> String {
        let mut infos: Vec<String> = self.lines.iter().enumerate().map(|(order, line)| line.to_info(order)).collect();
        if root_info {
            let winrate = rounded(points(self.outcome.value()));
            infos.push(format!("rootInfo visits {} winrate {winrate} draw {}", self.visits, self.outcome.draw));
        }
        if let Some(Board { first, second }) = &self.board {
            let owners = first.iter().zip(second).map(|(first, second)| self.sign * (first - second));
            infos.push(owners.fold("ownership".to_owned(), |text, owner| format!("{text} {owner:.3}")));
        }
        infos.join(" ")
    }

    /// Formats the analysis as Leela Zero does, with chances in ten thousandths and only its fields.
    pub fn to_leela_info(&self) -> String {
        let infos = self.lines.iter().enumerate().map(|(order, line)| line.to_leela_info(order));
        infos.collect::<Vec<String>>().join(" ")
    }

    /// Formats the analysis as several lines of text.
    pub fn to_text(&self) -> String {
        let chances = |outcome: WinDrawLoss| [outcome.win, outcome.draw, outcome.loss].map(percent);
        let [win, draw, loss] = chances(self.outcome);
        let verdict = match self.proven {
            Some(proven) => proven.to_string(),
            None => format!("win {win}, draw {draw}, loss {loss}"),
        };
        let (turn, visits) = (self.moves.len() + 1, self.visits);
        let mut text = format!("{} to move, turn {turn}: {verdict}\n", self.to_move);
        let why = self.stop_reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        text.push_str(&format!("{visits} visits in {:.1} s{why}\n", self.seconds));
        text.push_str("  move   visits   prior     win    draw    loss  line\n");
        for Line { name, visits, prior, outcome, proven, variation, .. } in &self.lines {
            let prior = percent(*prior);
            let [win, draw, loss] = chances(*outcome);
            let judged = match proven {
                Some(proven) => format!("{proven:>23}"),
                None if *visits == 0 => " ".repeat(23),
                None => format!("{win:>7} {draw:>7} {loss:>7}"),
            };
            let line = variation[..variation.len().min(MOVES_SHOWN)].join(" ");
            text.push_str(&format!("  {name:<5}{visits:>8} {prior:>7} {judged}  {line}\n"));
        }
        if let Some(proof) = &self.proof {
            text.push_str(&proof.to_text());
        }
        if let Some(drawing) = &self.drawing {
            text.push_str("at the end (a capital: at least 75 % sure, a small letter: more likely than not):\n");
            text.push_str(drawing);
        }
        text
    }
}

/// Writes a share as a percentage.
pub fn percent(share: f32) -> String {
    // Rounding may leave a little less than 0.
    format!("{:.1}%", 100.0 * share.clamp(0.0, 1.0))
}

/// Draws the board expected at the end.
fn draw(position: &Position, cells: &[CellForecast]) -> String {
    let game = position.game();
    let [first, second] = Seat::BOTH.map(|seat| game.symbol(Piece::stone(seat)));
    let glyph = |place: usize| {
        // Places beyond the network's cells have no forecast.
        let CellForecast { first: of_first, second: of_second } = cells.get(place).copied().unwrap_or_default();
        let (chance, owner) = if of_first >= of_second { (of_first, first) } else { (of_second, second) };
        match chance {
            chance if chance >= SURE => owner.to_ascii_uppercase(),
            chance if chance >= LIKELY => owner.to_ascii_lowercase(),
            _ => '.',
        }
    };
    position.board().text().draw(glyph, None)
}

/// The outcome of a slice of search.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// No update is due yet.
    Quiet,
    /// An update is due.
    Update(Analysis),
    /// The last update: a limit has been reached, or the result is certain.
    Done(Analysis),
}

/// An analysis under way. It searches in slices, so that the caller can stop it between them.
#[derive(Debug, Clone)]
pub struct AnalysisRun {
    limits: Limits,
    lines: usize,
    forecasts: bool,
    details: Details,
    /// The interval between updates.
    every: Option<Duration>,
    start: Instant,
    /// The time of the next update since the start.
    due: Option<Duration>,
}

impl AnalysisRun {
    /// Begins an analysis of the present position, with `lines` best moves, optionally a forecast of the board, and an
    /// update `every` so often if given, but not more often than [`MIN_INTERVAL`] allows.
    pub fn new(limits: Limits, lines: usize, forecasts: bool, every: Option<Duration>) -> Self {
        let every = every.map(|every| every.max(MIN_INTERVAL));
        Self { limits, lines, forecasts, details: Details::default(), every, start: Instant::now(), due: every }
    }

    /// Returns the same analysis with these details.
    pub fn with(self, details: Details) -> Self {
        Self { details, ..self }
    }

    /// Returns the same analysis, with its time counted from this moment.
    pub fn since(self, start: Instant) -> Self {
        Self { start, ..self }
    }

    /// Limits the tree to `bytes` from now on.
    pub fn set_memory(&mut self, bytes: usize) {
        self.limits.memory = bytes;
    }

    /// Returns when the time limit expires, if there is one.
    pub fn deadline(&self) -> Option<Instant> {
        self.limits.time.map(|time| self.start + time)
    }

    /// Searches for one slice.
    pub fn step(&mut self, engine: &mut Engine) -> Step {
        engine.seek_proof(self.limits.visits);
        let left = self.limits.time.map(|time| time.saturating_sub(self.start.elapsed()));
        // An update may come late by a slice, but never without any search before it.
        let slice = self.every.map_or(SLICE, |every| every.min(SLICE));
        if !engine.think_for(&Limits { time: left, ..self.limits }, slice) {
            let reason = engine.stop_reason().unwrap_or(StopReason::Stopped);
            return Step::Done(Analysis::new(engine, self, Some(reason)));
        }
        match (self.due, self.every) {
            (Some(due), Some(every)) if self.start.elapsed() >= due => {
                let analysis = self.so_far(engine);
                // Time spent on an update does not count, so that the search gets its full interval before the next.
                self.due = Some(self.start.elapsed() + every);
                Step::Update(analysis)
            }
            _ => Step::Quiet,
        }
    }

    /// Returns an update without searching, for a position that another search has begun.
    pub fn so_far(&self, engine: &mut Engine) -> Analysis {
        Analysis::new(engine, self, None)
    }

    /// Returns the last update of a stopped analysis, even one that has not begun.
    pub fn stopped(&self, engine: &mut Engine) -> Analysis {
        engine.think(&Limits::visits(1));
        let proven = engine.stop_reason().filter(|&reason| reason == StopReason::Proven);
        Analysis::new(engine, self, proven.or(Some(StopReason::Stopped)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LoadedModel;
    use hexzero_games::{Evaluation, default_game};

    /// With updates that cost more than the time between them, the search still gets its share.
    #[test]
    fn frequent_updates_leave_time_to_search() {
        let evaluator = Box::new(|_: &Position, legal: &[Action]| {
            std::thread::sleep(Duration::from_millis(1));
            Evaluation::uniform(legal.len())
        });
        let mut engine = Engine::new(default_game(), 5, LoadedModel::new("slow", evaluator)).unwrap();
        let mut run = AnalysisRun::new(Limits::visits(40), 3, false, Some(Duration::ZERO));
        let steps: Vec<Step> = std::iter::repeat_with(|| run.step(&mut engine)).take(1000).collect();
        let last = steps.iter().find_map(|step| match step {
            Step::Done(analysis) => Some(analysis.visits),
            _ => None,
        });
        assert_eq!(last, Some(40));
    }
}
