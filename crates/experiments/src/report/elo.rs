//! Charts of ratings: of the checkpoints of a run, from its ladder, and of the players of a tournament.

use hexzero_arena::{EloEstimate, Standing, Standings};

use super::chart::{Chart, Interval, IntervalChart, Point, Series};

/// The number of latest checkpoints with a row of their own.
const LATEST: usize = 12;

/// Draws the ratings of checkpoints and opponents over the training steps.
pub(super) fn elo_curve(standings: &Standings) -> Chart {
    let last = standings.players.iter().filter_map(|player| player.step).max().unwrap_or(0) as f64;
    let point = |player: &Standing| {
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
    let board = standings.board().unwrap_or_default();
    let limits = &standings.conditions.limits;
    let title = match limits.strip_prefix("visits=") {
        Some(visits) => format!("{board}: Elo, visits a move: {visits}"),
        None => format!("{board}: Elo at {limits}"),
    };
    let mut series = vec![Series { name: "checkpoints".to_owned(), points: checkpoints }];
    series.extend(opponents.map(level));
    Chart { title, x_name: "training steps".to_owned(), series, ..Chart::default() }
}

/// Lists the ratings of the opponents and of the latest checkpoints, the best first.
pub(super) fn elo_rows(standings: &Standings) -> Vec<Interval> {
    let (checkpoints, opponents): (Vec<&Standing>, Vec<&Standing>) =
        standings.players.iter().partition(|player| player.step.is_some());
    let latest = checkpoints.into_iter().rev().take(LATEST);
    let mut rows: Vec<Interval> = opponents.into_iter().chain(latest).filter_map(interval).collect();
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    rows
}

/// Draws the ratings on one board or on several, the strongest players first.
pub fn ratings_chart(standings: &[&Standings]) -> IntervalChart {
    let mut rows = Vec::new();
    for one in standings {
        let board = match one.board() {
            _ if standings.len() == 1 => String::new(),
            board => format!(", {}", board.as_deref().unwrap_or("all boards")),
        };
        let rated = one.ranking().into_iter().filter_map(|number| interval(&one.players[number]));
        rows.extend(rated.map(|row| Interval { name: row.name + &board, ..row }));
    }
    let board = standings.first().filter(|_| standings.len() == 1).and_then(|one| one.board());
    let title = match board {
        Some(board) => format!("Ratings on {board}, with 95 % intervals"),
        None => "Ratings with 95 % intervals".to_owned(),
    };
    let anchor = standings.first().map_or("", |one| one.anchor_name());
    IntervalChart { title, x_name: format!("Elo; {anchor} = 0"), rows }
}

fn interval(player: &Standing) -> Option<Interval> {
    let EloEstimate { elo, low, high } = player.rating()?;
    Some(Interval { name: player.name.clone(), value: elo, low, high })
}
