//! An analysis in the form of KataGo's analysis engine.

use serde::Serialize;

use super::{Analysis, Board, Line, Proven, points, rounded};

/// An answer in the form of KataGo's analysis engine, as far as it applies. Chances are those of the player to move.
/// docs/analysis.md describes the JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KataGoAnswer<'a> {
    id: &'a str,
    turn_number: usize,
    is_during_search: bool,
    move_infos: Vec<MoveInfo<'a>>,
    root_info: RootInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership: Option<Vec<f32>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
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

impl Analysis {
    /// Returns the analysis as the answer to the query `id`, about the position after `turn_number` moves.
    pub fn to_katago<'a>(&'a self, id: &'a str, turn_number: usize) -> KataGoAnswer<'a> {
        let info = |(order, line): (usize, &'a Line)| MoveInfo {
            name: &line.name,
            visits: line.visits,
            winrate: rounded(points(line.outcome.value())),
            draw: line.outcome.draw,
            prior: line.prior,
            lcb: line.lower_bound,
            order,
            pv: &line.variation,
            proven: line.proven,
        };
        let owner = |(first, second): (&f32, &f32)| rounded(self.sign * (first - second));
        let ownership = |board: &Board| board.first.iter().zip(&board.second).map(owner).collect();
        KataGoAnswer {
            id,
            turn_number,
            is_during_search: !self.done,
            move_infos: self.lines.iter().enumerate().map(info).collect(),
            root_info: RootInfo {
                current_player: if self.colour == "black" { "B" } else { "W" },
                visits: self.visits,
                winrate: rounded(points(self.outcome.value())),
                draw: self.outcome.draw,
                proven: self.proven,
            },
            ownership: self.board.as_ref().map(ownership),
        }
    }
}
