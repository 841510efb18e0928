//! Prints standings as tables.

use hexzero_arena::{Standing, Standings};
use hexzero_experiments::ladder::LadderStandings;

use super::matches::seconds;

/// The longest name that is not cut off, in characters.
const MAX_NAME_LENGTH: usize = 40;

/// Returns a table of the players by rating, with their points, games and times.
pub fn ranking(standings: &Standings) -> String {
    let anchor = &standings.players[standings.anchor].name;
    players(standings.ranking().into_iter().map(|number| &standings.players[number]), anchor)
}

/// Returns a table of the players of a ladder, in the order of training steps.
pub fn ladder_table(standings: &LadderStandings) -> String {
    players(standings.players.iter().map(|player| &player.standing), &standings.anchor)
}

fn players<'a>(standings: impl Iterator<Item = &'a Standing>, anchor: &str) -> String {
    let head = ["", "player", "Elo", "95 % interval", "points", "games", "draws", "faults", "per move"];
    let mut rows = vec![head.map(str::to_owned)];
    for (place, player) in (1..).zip(standings) {
        // Adding 0 makes 0 of -0.
        let elo = |elo: Option<f64>| elo.map_or_else(|| "-".to_owned(), |elo| format!("{:+.0}", elo.round() + 0.0));
        let interval = match player.elo {
            Some(_) if player.name == anchor => "anchor".to_owned(),
            Some(_) => format!("{} to {}", elo(player.elo_low), elo(player.elo_high)),
            None => "not connected".to_owned(),
        };
        rows.push([
            place.to_string(),
            short(&player.name),
            elo(player.elo),
            interval,
            player.points().to_string(),
            player.games.to_string(),
            player.draws.to_string(),
            player.faults.to_string(),
            seconds(player.seconds_per_move),
        ]);
    }
    table(&rows)
}

/// Returns the cross table: the points of the row's player against the column's, and the games.
pub fn cross_table(standings: &Standings) -> String {
    let ranking = standings.ranking();
    let numbers = (1..=ranking.len()).map(|place| place.to_string());
    let mut rows = vec![[String::new(), "points".to_owned()].into_iter().chain(numbers).collect::<Vec<_>>()];
    for (place, &number) in (1..).zip(&ranking) {
        let scores = ranking.iter().map(|&other| match standings.between(number, other) {
            Some([wins, draws, losses]) => {
                format!("{}/{}", wins as f64 + draws as f64 / 2.0, wins + draws + losses)
            }
            None => "-".to_owned(),
        });
        rows.push([place.to_string(), short(&standings.players[number].name)].into_iter().chain(scores).collect());
    }
    table(&rows)
}

fn short(name: &str) -> String {
    if name.chars().count() <= MAX_NAME_LENGTH {
        return name.to_owned();
    }
    // Paths and commands differ at their ends.
    let left_out = name.chars().count() - (MAX_NAME_LENGTH - 1);
    format!("…{}", name.chars().skip(left_out).collect::<String>())
}

/// Joins cells into columns two spaces apart, the second (the names) left-aligned, all others right-aligned.
fn table<R: AsRef<[String]>>(rows: &[R]) -> String {
    let columns = rows.first().map_or(0, |row| row.as_ref().len());
    let width = |column: usize| rows.iter().map(|row| row.as_ref()[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.as_ref().iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
