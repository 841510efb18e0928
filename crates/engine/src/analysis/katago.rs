//! An analysis in the form of KataGo's analysis engine, and the details that it includes on request.

use serde::{Deserialize, Serialize};

use crate::Engine;
use hexzero_search::StopReason;

use super::{Analysis, Board, Line, Proven, ProvenValue, points, rounded};

/// The player whose chances an answer gives (KataGo's `reportAnalysisWinratesAs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Perspective {
    /// The player to move.
    #[default]
    #[serde(rename = "SIDETOMOVE")]
    ToMove,
    /// The player whom protocols call black.
    Black,
    /// The player whom protocols call white.
    White,
}

/// An answer in the form of KataGo's analysis engine, as far as it applies. docs/playing.md describes the JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KataGoAnswer<'a> {
    id: &'a str,
    turn_number: usize,
    is_during_search: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_reason: Option<StopReason>,
    move_infos: Vec<MoveInfo<'a>>,
    root_info: RootInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'a [f32]>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveInfo<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    visits: u32,
    winrate: f32,
    draw: f32,
    prior: f32,
    lcb: f32,
    order: usize,
    pv: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_visits: Option<&'a [u32]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<Proven>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo {
    current_player: &'static str,
    visits: u32,
    winrate: f32,
    draw: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<Proven>,
}

impl Proven {
    /// Returns the same result for the other player.
    fn reversed(self) -> Self {
        let value = match self.value {
            ProvenValue::Won => ProvenValue::Lost,
            ProvenValue::Drawn => ProvenValue::Drawn,
            ProvenValue::Lost => ProvenValue::Won,
        };
        Self { value, ..self }
    }
}

impl Analysis {
    /// Returns the analysis as the answer to the query `id`, about the position after `turn_number` moves, with the
    /// chances from this perspective.
    pub fn to_katago<'a>(&'a self, id: &'a str, turn_number: usize, perspective: Perspective) -> KataGoAnswer<'a> {
        let is_reversed = match perspective {
            Perspective::ToMove => false,
            Perspective::Black => self.colour != "black",
            Perspective::White => self.colour != "white",
        };
        let share = |share: f32| if is_reversed { rounded(1.0 - share) } else { share };
        let proven = |proven: Option<Proven>| if is_reversed { proven.map(Proven::reversed) } else { proven };
        let sign = if is_reversed { -self.sign } else { self.sign };
        let owner = |(first, second): (&f32, &f32)| rounded(sign * (first - second));
        let ownership = |board: &Board| board.first.iter().zip(&board.second).map(owner).collect();
        let info = |(order, line): (usize, &'a Line)| MoveInfo {
            name: &line.name,
            visits: line.visits,
            winrate: share(rounded(points(line.outcome.value()))),
            draw: line.outcome.draw,
            prior: line.prior,
            lcb: share(line.lower_bound),
            order,
            pv: &line.variation,
            pv_visits: line.variation_visits.as_deref(),
            ownership: line.board.as_ref().map(ownership),
            proven: proven(line.proven),
        };
        KataGoAnswer {
            id,
            turn_number,
            is_during_search: !self.done,
            stop_reason: self.stop_reason,
            move_infos: self.lines.iter().enumerate().map(info).collect(),
            root_info: RootInfo {
                current_player: if self.colour == "black" { "B" } else { "W" },
                visits: self.visits,
                winrate: share(rounded(points(self.outcome.value()))),
                draw: self.outcome.draw,
                proven: proven(self.proven),
            },
            ownership: self.board.as_ref().map(ownership),
            policy: self.policy.as_deref(),
        }
    }
}

/// The details that an analysis includes on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Details {
    /// The model's policy.
    pub policy: bool,
    /// The visits of each move of a line.
    pub variation_visits: bool,
    /// The board expected at the end of each line.
    pub line_boards: bool,
    /// The maximum number of moves of a line after its first; none for no limit.
    pub max_following: Option<usize>,
}

/// Returns the model's policy: for each place the sum over the moves that begin there, and last the sum over all other
/// moves, such as the swap; -1 where no move is legal.
pub(super) fn policy(engine: &Engine) -> Vec<f32> {
    let position = engine.position();
    let places = position.board().places().len();
    let mut policy = vec![-1.0; places + 1];
    for (action, prior) in engine.policy() {
        let slot = position.picks(action).first().and_then(|pick| pick.place()).unwrap_or(places);
        policy[slot] = f32::max(policy[slot], 0.0) + prior;
    }
    // Six digits: unlikely moves are told apart too.
    policy.into_iter().map(|share: f32| (share * 1e6).round() / 1e6).collect()
}
