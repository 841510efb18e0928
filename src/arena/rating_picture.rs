//! Standings as a picture: a line for each player, with a dot for the rating and a bar for its interval.

use std::fmt::Write;

use super::standings::{Standing, Standings};

const WIDTH: f64 = 800.0;
/// Where the scale begins; left of it stand the names.
const LEFT: f64 = 300.0;
const RIGHT: f64 = 30.0;
const ROW: f64 = 24.0;
/// Above the first line of a board, for its title, and below the last, for the scale.
const TITLE: f64 = 44.0;
const SCALE: f64 = 40.0;
/// So many numbers on the scale at most.
const MOST_MARKS: f64 = 9.0;
const LONGEST_NAME: usize = 38;

/// Standings on one or several boards, one below the other, on a common scale, as an SVG document.
pub fn rating_picture(standings: &[Standings]) -> String {
    let rated = |one: &Standings| -> Vec<Standing> {
        let ranked = one.ranking().into_iter().map(|number| one.players[number].clone());
        ranked.filter(|player| player.elo.is_some()).collect()
    };
    let rows: Vec<Vec<Standing>> = standings.iter().map(rated).collect();
    let ends = rows.iter().flatten().flat_map(|player| [player.elo_low, player.elo_high]).flatten();
    let (low, high) = ends.fold((-50.0, 50.0), |(low, high): (f64, f64), elo| (low.min(elo), high.max(elo)));
    let at = |elo: f64| LEFT + (elo - low) / (high - low) * (WIDTH - LEFT - RIGHT);
    let height: f64 = rows.iter().map(|rows| TITLE + ROW * rows.len() as f64 + SCALE).sum();

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut top = 0.0;
    for (standings, rows) in standings.iter().zip(&rows) {
        let board = standings.size.map_or_else(|| "all boards".to_owned(), |size| format!("{size}×{size}"));
        let anchor = escaped(&standings.players[standings.anchor].name);
        let title = format!("Elo on {board} with 95 % intervals; {anchor} = 0");
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{title}</text>", 12, top + 24.0);
        let (first, last) = (top + TITLE, top + TITLE + ROW * rows.len() as f64);
        for mark in marks(low, high) {
            let x = at(mark);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {first}V{last}\" stroke=\"#ddd\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{mark}</text>",
                last + 18.0
            );
        }
        for (row, player) in rows.iter().enumerate() {
            let y = first + ROW * (row as f64 + 0.5);
            let [elo, from, to] = [player.elo, player.elo_low, player.elo_high].map(|elo| at(elo.unwrap_or(0.0)));
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\
                 <path d=\"M{from:.1} {y}H{to:.1}\" stroke=\"#4878a8\" stroke-width=\"5\" stroke-opacity=\"0.5\"/>\
                 <circle cx=\"{elo:.1}\" cy=\"{y}\" r=\"4.5\" fill=\"#204a70\"><title>{:+.0} ({:+.0} to {:+.0}), {} games\
                 </title></circle>",
                LEFT - 12.0,
                y + 4.5,
                escaped(&short(&player.name)),
                player.elo.unwrap_or(0.0),
                player.elo_low.unwrap_or(0.0),
                player.elo_high.unwrap_or(0.0),
                player.games,
            );
        }
        top = last + SCALE;
    }
    svg + "</svg>\n"
}

/// Round numbers from low to high.
fn marks(low: f64, high: f64) -> Vec<f64> {
    let steps = (0..).flat_map(|power| [25.0, 50.0, 100.0].map(|step| step * 10f64.powi(power)));
    let step = steps.take(100).find(|step| (high - low) / step <= MOST_MARKS).unwrap_or(high - low);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|number| number as f64 * step).collect()
}

/// The end of a long name.
fn short(name: &str) -> String {
    let length = name.chars().count();
    let kept: String = name.chars().skip(length.saturating_sub(LONGEST_NAME)).collect();
    if length > LONGEST_NAME { format!("…{kept}") } else { kept }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, elo: Option<f64>) -> Standing {
        let (elo_low, elo_high) = (elo.map(|elo| elo - 100.0), elo.map(|elo| elo + 100.0));
        let name = name.to_owned();
        Standing {
            name,
            network: None,
            games: 4,
            wins: 2,
            draws: 0,
            losses: 2,
            elo,
            elo_low,
            elo_high,
            seconds_per_move: None,
        }
    }

    #[test]
    fn a_line_for_each_rated_player_the_strongest_first() {
        let players = vec![player("a<b&\"c\"", Some(0.0)), player("best", Some(470.0)), player("stranger", None)];
        let standings = Standings { size: Some(5), anchor: 0, players, pairings: Vec::new() };
        let picture = rating_picture(&[standings.clone(), Standings { size: None, ..standings }]);
        assert_eq!(picture.matches("<circle").count(), 4);
        assert!(picture.contains("Elo on 5×5") && picture.contains("Elo on all boards"));
        assert!(picture.contains("a&lt;b&amp;&quot;c&quot;") && !picture.contains("stranger"));
        assert!(picture.find(">best<") < picture.find(">a&lt;"));
        // The scale goes from -100 to 570 Elo over 470 pixels.
        assert!(picture.contains("cx=\"370.1\"") && picture.contains("cx=\"699.9\""), "{picture}");
        for opened in ["text", "title", "circle", "svg"] {
            let count = |tag: String| picture.matches(&tag).count();
            assert_eq!(count(format!("<{opened}")), count(format!("</{opened}>")), "{opened}");
        }
    }

    #[test]
    fn round_marks() {
        assert_eq!(marks(-120.0, 90.0), [-100.0, -75.0, -50.0, -25.0, 0.0, 25.0, 50.0, 75.0]);
        assert_eq!(marks(-100.0, 570.0), [-100.0, 0.0, 100.0, 200.0, 300.0, 400.0, 500.0]);
        assert_eq!(marks(-10_000.0, 9_000.0).len(), 8);
    }
}
