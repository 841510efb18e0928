//! The ratings of a tournament or a ladder: as tables, as JSON and as a picture.

use std::io::{self, Write, stdout};

use serde::Serialize;

use hexzero_arena::{Conditions, Fixture, Pairing, PlayerFailure, Standing, Standings, Tournament};
use hexzero_experiments::report::chart::IntervalChart;
use hexzero_experiments::report::ratings_chart;
use hexzero_system::text_output;

use super::columns::columns;
use super::json::write_json;
use super::matches::{fault_lines, seconds};
use crate::counted;

/// The longest name that is not cut off, in characters.
const MAX_NAME_LENGTH: usize = 40;

/// The ratings of a tournament.
#[derive(Serialize)]
pub struct Report<'a> {
    #[serde(flatten)]
    conditions: &'a Conditions,
    /// The standings over all boards, if there are several.
    overall: Option<Standings>,
    sizes: Vec<Standings>,
    faults: Vec<Fault<'a>>,
    #[serde(skip)]
    games: &'a Tournament,
}

/// A game lost by a fault.
#[derive(Serialize)]
struct Fault<'a> {
    size: usize,
    a: &'a str,
    b: &'a str,
    #[serde(flatten)]
    failure: PlayerFailure,
    #[serde(skip)]
    fixture: Fixture,
}

impl<'a> Report<'a> {
    /// Rates the players on these boards, with player number `anchor` rated 0.
    pub fn new(games: &'a Tournament, sizes: &[usize], anchor: usize) -> Self {
        let on = |size| Standings::new(games, size, anchor);
        let faults = games.faults(None).into_iter().filter(|(fixture, _)| sizes.contains(&fixture.size));
        let fault = |(fixture, failure): (Fixture, PlayerFailure)| {
            let [a, b] = [fixture.a, fixture.b].map(|number| games.players()[number].name.as_str());
            Fault { size: fixture.size, a, b, failure, fixture }
        };
        Self {
            conditions: games.conditions(),
            // With a single board the summary over all boards would repeat it.
            overall: (sizes.len() != 1).then(|| on(None)),
            sizes: sizes.iter().map(|&size| on(Some(size))).collect(),
            faults: faults.map(fault).collect(),
            games,
        }
    }

    /// Prints the ratings: as JSON on one line, or as tables.
    pub fn print(&self, json: bool) -> io::Result<()> {
        if json {
            return write_json(&mut stdout().lock(), self);
        }
        let tables: Vec<String> = self.sizes.iter().chain(&self.overall).map(tables).collect();
        let mut text = tables.join("\n");
        let within = |number: usize| Some(self.games.name_of(&self.faults[number].fixture));
        let faults = fault_lines(self.faults.iter().map(|fault| &fault.failure), within);
        if !faults.is_empty() {
            text += &format!("\nLost by faults, counted as losses:\n\n{faults}");
        }
        text_output().write_all(text.as_bytes())
    }

    /// Draws the ratings.
    pub fn picture(&self) -> IntervalChart {
        ratings_chart(&self.overall.iter().chain(&self.sizes).collect::<Vec<_>>())
    }
}

/// Returns the tables of one board or of all. Checkpoints of a run are listed by their steps, without the cross table:
/// most of them do not meet.
fn tables(standings: &Standings) -> String {
    let Conditions { game, limits, .. } = &standings.conditions;
    let board = standings.board().unwrap_or_else(|| "on all boards".to_owned());
    let games = counted(standings.games(), "game", "games");
    let title = format!("{} {board}, {limits}, {games}, {} = 0:\n\n", game.name(), standings.anchor_name());
    let sum = |pairs: fn(&Pairing) -> usize| standings.pairings.iter().map(pairs).sum::<usize>();
    let (split, decided) = (sum(|pairing| pairing.pairs_split), sum(|pairing| pairing.pairs_decided));
    let pairs = format!("{} split 1:1, {decided} decided", counted(split, "pair", "pairs"));
    if standings.players.iter().any(|player| player.step.is_some()) {
        let mut by_step: Vec<&Standing> = standings.players.iter().collect();
        by_step.sort_by_key(|player| player.step);
        return format!("{title}{}\n{pairs}\n", players(by_step, standings.anchor_name()));
    }
    let ranked = standings.ranking().into_iter().map(|number| &standings.players[number]);
    let ranked = players(ranked, standings.anchor_name());
    format!("{title}{ranked}\nPoints of games:\n\n{}\n{pairs}\n", cross_table(standings))
}

/// Returns a table of the players, with their points, games and times.
fn players<'a>(standings: impl IntoIterator<Item = &'a Standing>, anchor: &str) -> String {
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
    columns(&rows, |column| column == 1)
}

/// Returns the cross table: the points of the row's player against the column's, and the games.
fn cross_table(standings: &Standings) -> String {
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
    columns(&rows, |column| column == 1)
}

fn short(name: &str) -> String {
    if name.chars().count() <= MAX_NAME_LENGTH {
        return name.to_owned();
    }
    // Paths and commands differ at their ends.
    let left_out = name.chars().count() - (MAX_NAME_LENGTH - 1);
    format!("…{}", name.chars().skip(left_out).collect::<String>())
}
