//! A review as one self-contained web page.

use crate::engine::review::{Fault, Review};
use crate::games::Game;

use super::review::{account, certain, next_player, remark};

const STYLE: &str = "\
:root{color-scheme:light dark;--faint:#8886;--bad:#c0392b;--fair:#b8860b;--small:#7a8b2a}\
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}\
svg{width:100%;height:auto;border:1px solid var(--faint)}\
table{border-collapse:collapse;width:100%}td,th{padding:.15rem .6rem;text-align:left;border-bottom:1px solid var(--faint)}\
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}\
.blunder{color:var(--bad)}.mistake{color:var(--fair)}.inaccuracy{color:var(--small)}";

const WIDTH: f32 = 800.0;
const HEIGHT: f32 = 200.0;

/// Text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page.
pub(super) fn page(game: Game, review: &Review) -> String {
    let title = escaped(&format!("{} on a {} board", game.title, game.board_name(review.size)));
    let accounts: String =
        review.players.iter().map(|player| format!("<li>{}</li>", escaped(&account(player)))).collect();
    let rows: String = (0..review.moves.len()).map(|index| row(game, review, index)).collect();
    let first = escaped(review.players[0].player);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}: review</title><style>{STYLE}</style></head><body>\n\
         <h1>{title}</h1>\n<p>{} visits for each position</p>\n<ul>{accounts}</ul>\n{}\n\
         <table><thead><tr><th class=\"number\">Ply</th><th>Player</th><th>Move</th><th class=\"number\">{first}</th>\
         <th class=\"number\">Loss</th><th>Remark</th></tr></thead><tbody>\n{rows}</tbody></table>\n</body></html>\n",
        review.visits,
        graph(review),
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
        let told = escaped(&format!("{} {} {}: {}", reviewed.ply, reviewed.player, reviewed.name, remark(reviewed)));
        let fault = reviewed.fault.map_or("", Fault::name);
        format!("<circle class=\"{fault}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5\" fill=\"currentColor\"><title>{told}</title></circle>")
    });
    let dots: String = dots.collect();
    format!(
        "<svg viewBox=\"-8 -8 {} {}\" role=\"img\" aria-label=\"The chances of {} after each move\"><line x1=\"0\" \
         y1=\"{middle}\" x2=\"{WIDTH}\" y2=\"{middle}\" stroke=\"#8888\"/><polyline fill=\"none\" \
         stroke=\"currentColor\" stroke-width=\"2\" points=\"{}\"/>{dots}</svg>",
        WIDTH + 16.0,
        HEIGHT + 16.0,
        escaped(review.players[0].player),
        points.join(" "),
        middle = HEIGHT / 2.0,
    )
}

fn row(game: Game, review: &Review, index: usize) -> String {
    let reviewed = &review.moves[index];
    let known = reviewed.proven_after.map(|proven| certain(game, proven, next_player(review, index)));
    let remarks: Vec<String> =
        [remark(reviewed), known.unwrap_or_default()].into_iter().filter(|remark| !remark.is_empty()).collect();
    let loss = if reviewed.loss > 0.0 { format!("{:.1} %", 100.0 * reviewed.loss) } else { String::new() };
    format!(
        "<tr class=\"{}\"><td class=\"number\">{}</td><td>{}</td><td>{}</td><td class=\"number\">{:.1} %</td>\
         <td class=\"number\">{loss}</td><td>{}</td></tr>\n",
        reviewed.fault.map_or("", Fault::name),
        reviewed.ply,
        escaped(reviewed.player),
        escaped(&reviewed.name),
        100.0 * review.chances[index + 1],
        escaped(&remarks.join("; ")),
    )
}
