//! Charts of the ratings of a run's checkpoints, from its ladder.

use crate::ladder::{LadderStanding, LadderStandings};
use hexzero_games::game_named;

use super::chart::{Chart, Interval, IntervalChart, Point, Series};

/// The number of latest checkpoints with a row of their own.
const LATEST: usize = 12;

/// Draws the ratings of checkpoints and opponents over the training steps.
pub(super) fn elo_curve(standings: &LadderStandings) -> Chart {
    let last = standings.players.iter().filter_map(|player| player.step).max().unwrap_or(0) as f64;
    let point = |player: &LadderStanding| {
        let Interval { value, low, high, .. } = interval(player)?;
        Some(Point { x: player.step? as f64, y: value, interval: Some((low, high)) })
    };
    let checkpoints = standings.players.iter().filter_map(point).collect();
    let opponents = standings.players.iter().filter(|player| player.step.is_none()).filter_map(interval);
    // Opponents do not change: each is a line from one side to the other.
    let level = |opponent: Interval| Series {
        points: vec![(0.0, opponent.value).into(), (last, opponent.value).into()],
        name: opponent.name,
    };
    let board = board(standings);
    let title = match standings.limits.strip_prefix("visits=") {
        Some(visits) => format!("{board}: Elo, visits a move: {visits}"),
        None => format!("{board}: Elo at {}", standings.limits),
    };
    Chart {
        title,
        x_name: "training steps".to_owned(),
        series: [Series { name: "checkpoints".to_owned(), points: checkpoints }]
            .into_iter()
            .chain(opponents.map(level))
            .collect(),
        ..Chart::default()
    }
}

/// Draws the opponents and the latest checkpoints with their intervals, the best first.
pub(super) fn elo_rows(standings: &LadderStandings) -> IntervalChart {
    let (checkpoints, opponents): (Vec<&LadderStanding>, Vec<&LadderStanding>) =
        standings.players.iter().partition(|player| player.step.is_some());
    let latest = checkpoints.into_iter().rev().take(LATEST);
    let mut rows: Vec<Interval> = opponents.into_iter().chain(latest).filter_map(interval).collect();
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    IntervalChart {
        title: format!("{}: the latest checkpoints and their opponents", board(standings)),
        x_name: format!("Elo with 95% intervals; {} = 0", standings.anchor),
        rows,
    }
}

/// Returns the name of the board.
fn board(standings: &LadderStandings) -> String {
    let game = game_named(&standings.game);
    game.map_or_else(|_| format!("size {}", standings.size), |game| game.board_name(standings.size))
}

/// Returns a rating, if there is one.
fn interval(player: &LadderStanding) -> Option<Interval> {
    let standing = &player.standing;
    Some(Interval {
        name: standing.name.clone(),
        value: standing.elo?,
        low: standing.elo_low?,
        high: standing.elo_high?,
    })
}
