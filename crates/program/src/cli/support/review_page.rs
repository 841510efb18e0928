//! Writes a review as one self-contained web page.

use hexzero_engine::review::{Fault, Review, ReviewedPlayer};
use hexzero_experiments::report::chart::escaped;
use hexzero_experiments::report::numbers::{percent, whole};
use hexzero_games::Game;

use super::review_remarks::{fault_remark, remarks};

const STYLE: &str = "\
:root{color-scheme:light dark;--faint:#8886;--bad:#c0392b;--fair:#b8860b;--small:#7a8b2a}\
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}\
svg{width:100%;height:auto;border:1px solid var(--faint)}\
table{border-collapse:collapse;width:100%}td,th{padding:.15rem .6rem;text-align:left;border-bottom:1px solid var(--faint)}\
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}\
.blunder{color:var(--bad)}.mistake{color:var(--fair)}.inaccuracy{color:var(--small)}";

const WIDTH: f32 = 800.0;
const HEIGHT: f32 = 200.0;

/// Returns the page as HTML.
pub fn page(game: Game, review: &Review) -> String {
    let title = escaped(&format!("{} on {}", game.title, game.a_board(review.size)));
    let visits = whole(review.visits.into());
    let rows: String = (0..review.moves.len()).map(|index| row(game, review, index)).collect();
    let first = review.players[0].player;
    let columns =
        [("number", "Ply"), ("", "Player"), ("", "Move"), ("number", first), ("number", "Loss"), ("", "Remark")];
    let titles = columns.map(|(class, text)| heading(class, text)).concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en-GB\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}: review</title><style>{STYLE}</style></head><body>\n\
         <h1>{title}</h1>\n<p>Visits for each position: {visits}</p>\n{}\n{}\n\
         <table><thead><tr>{titles}</tr></thead><tbody>\n{rows}</tbody></table>\n</body></html>\n",
        summaries(review),
        graph(review),
    )
}

/// Returns the heading of a column.
fn heading(class: &str, text: &str) -> String {
    format!("<th class=\"{class}\">{}</th>", escaped(text))
}

/// Tabulates accuracy and faults of each player.
fn summaries(review: &Review) -> String {
    let titles = ["Accuracy", "Inaccuracies", "Mistakes", "Blunders"].map(|name| heading("number", name));
    let summary = |player: &ReviewedPlayer| {
        let accuracy = player.accuracy.map(|accuracy| percent(f64::from(accuracy) / 100.0, 1));
        let faults = [player.inaccuracies, player.mistakes, player.blunders].map(|count| whole(count as u64));
        let cells = [accuracy.unwrap_or_else(|| "–".to_owned())].into_iter().chain(faults);
        let cells: String = cells.map(|cell| format!("<td class=\"number\">{}</td>", escaped(&cell))).collect();
        format!("<tr><td>{}</td>{cells}</tr>\n", escaped(player.player))
    };
    format!(
        "<table><thead><tr>{}{}</tr></thead><tbody>\n{}</tbody></table>",
        heading("", "Player"),
        titles.concat(),
        review.players.iter().map(summary).collect::<String>(),
    )
}

/// Draws the first player's chances over the plies, with a dot at each mistake and blunder.
fn graph(review: &Review) -> String {
    let last = (review.chances.len() - 1).max(1) as f32;
    let x = |ply: usize| WIDTH * ply as f32 / last;
    let y = |chance: f32| HEIGHT * (1.0 - chance);
    let points: Vec<String> =
        review.chances.iter().enumerate().map(|(ply, &chance)| format!("{:.1},{:.1}", x(ply), y(chance))).collect();
    let serious = review.moves.iter().filter(|reviewed| reviewed.fault.is_some_and(|fault| fault >= Fault::Mistake));
    let dots = serious.map(|reviewed| {
        let (cx, cy) = (x(reviewed.ply), y(review.chances[reviewed.ply]));
        let tooltip = format!("{} {} {}: {}", reviewed.ply, reviewed.player, reviewed.name, fault_remark(reviewed));
        let tooltip = escaped(&tooltip);
        let fault = reviewed.fault.map_or("", Fault::name);
        format!("<circle class=\"{fault}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5\" fill=\"currentColor\"><title>{tooltip}</title></circle>")
    });
    let dots: String = dots.collect();
    let label = format!("The chances of {} after each move", review.players[0].player);
    format!(
        "<svg viewBox=\"-8 -8 {} {}\" role=\"img\" aria-label=\"{}\"><line x1=\"0\" \
         y1=\"{middle}\" x2=\"{WIDTH}\" y2=\"{middle}\" stroke=\"#8888\"/><polyline fill=\"none\" \
         stroke=\"currentColor\" stroke-width=\"2\" points=\"{}\"/>{dots}</svg>",
        WIDTH + 16.0,
        HEIGHT + 16.0,
        escaped(&label),
        points.join(" "),
        middle = HEIGHT / 2.0,
    )
}

fn row(game: Game, review: &Review, index: usize) -> String {
    let reviewed = &review.moves[index];
    let share = |share: f32| percent(share.into(), 1);
    let loss = if reviewed.loss > 0.0 { share(reviewed.loss) } else { String::new() };
    format!(
        "<tr class=\"{}\"><td class=\"number\">{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{loss}</td><td>{}</td></tr>\n",
        reviewed.fault.map_or("", Fault::name),
        reviewed.ply,
        escaped(reviewed.player),
        escaped(&reviewed.name),
        share(review.chances[index + 1]),
        escaped(&remarks(game, review, index)),
    )
}
