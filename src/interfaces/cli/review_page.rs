//! A review as one self-contained web page.

use crate::engine::review::{Fault, Review, ReviewedPlayer};
use crate::games::Game;
use crate::report::Words;
use crate::report::chart::escaped;

use super::review::{remark, remarks};

const STYLE: &str = "\
:root{color-scheme:light dark;--faint:#8886;--bad:#c0392b;--fair:#b8860b;--small:#7a8b2a}\
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}\
svg{width:100%;height:auto;border:1px solid var(--faint)}\
table{border-collapse:collapse;width:100%}td,th{padding:.15rem .6rem;text-align:left;border-bottom:1px solid var(--faint)}\
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}\
.blunder{color:var(--bad)}.mistake{color:var(--fair)}.inaccuracy{color:var(--small)}";

const WIDTH: f32 = 800.0;
const HEIGHT: f32 = 200.0;

/// Writes the page in a language.
pub(super) fn page(game: Game, review: &Review, words: &Words) -> String {
    let board = game.board_name(review.size);
    let title = words.say("review.title", &[("game", words.theirs(game.title)), ("board", &board)]);
    let page_title = escaped(&words.say("review.page", &[("title", &title)]));
    let visits = escaped(&words.say("review.visits", &[("n", &words.whole(review.visits.into()))]));
    let rows: String = (0..review.moves.len()).map(|index| row(game, review, index, words)).collect();
    let first = words.theirs(review.players[0].player);
    let said = |name: &str| words.say(&format!("review.{name}"), &[]);
    let titles: String = [
        heading("number", &said("ply")),
        heading("", &said("player")),
        heading("", &said("move")),
        heading("number", first),
        heading("number", &said("loss")),
        heading("", &said("remark")),
    ]
    .concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{page_title}</title><style>{STYLE}</style></head><body>\n\
         <h1>{}</h1>\n<p>{visits}</p>\n{}\n{}\n\
         <table><thead><tr>{titles}</tr></thead><tbody>\n{rows}</tbody></table>\n</body></html>\n",
        escaped(words.language()),
        escaped(&title),
        accounts(review, words),
        graph(review, words),
    )
}

/// The heading of a column.
fn heading(class: &str, text: &str) -> String {
    format!("<th class=\"{class}\">{}</th>", escaped(text))
}

/// Lists what each player's moves come to.
fn accounts(review: &Review, words: &Words) -> String {
    let titles = ["accuracy", "inaccuracies", "mistakes", "blunders"];
    let titles = titles.map(|name| heading("number", &words.say(&format!("review.{name}"), &[])));
    let account = |player: &ReviewedPlayer| {
        let accuracy = player.accuracy.map(|percent| words.percent(f64::from(percent) / 100.0, 1));
        let faults = [player.inaccuracies, player.mistakes, player.blunders].map(|count| words.whole(count as u64));
        let cells = [accuracy.unwrap_or_else(|| "–".to_owned())].into_iter().chain(faults);
        let cells: String = cells.map(|cell| format!("<td class=\"number\">{}</td>", escaped(&cell))).collect();
        format!("<tr><td>{}</td>{cells}</tr>\n", escaped(words.theirs(player.player)))
    };
    format!(
        "<table><thead><tr>{}{}</tr></thead><tbody>\n{}</tbody></table>",
        heading("", &words.say("review.player", &[])),
        titles.concat(),
        review.players.iter().map(account).collect::<String>(),
    )
}

/// Draws the first player's chances over the plies, with a dot at each mistake and blunder.
fn graph(review: &Review, words: &Words) -> String {
    let last = (review.chances.len() - 1).max(1) as f32;
    let x = |ply: usize| WIDTH * ply as f32 / last;
    let y = |chance: f32| HEIGHT * (1.0 - chance);
    let points: Vec<String> =
        review.chances.iter().enumerate().map(|(ply, &chance)| format!("{:.1},{:.1}", x(ply), y(chance))).collect();
    let serious = review.moves.iter().filter(|reviewed| reviewed.fault.is_some_and(|fault| fault >= Fault::Mistake));
    let dots = serious.map(|reviewed| {
        let (cx, cy) = (x(reviewed.ply), y(review.chances[reviewed.ply]));
        let values: [(&str, &str); 4] = [
            ("ply", &*reviewed.ply.to_string()),
            ("player", words.theirs(reviewed.player)),
            ("move", &reviewed.name),
            ("remark", &remark(reviewed, words)),
        ];
        let told = escaped(&words.say("review.dot", &values));
        let fault = reviewed.fault.map_or("", Fault::name);
        format!("<circle class=\"{fault}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5\" fill=\"currentColor\"><title>{told}</title></circle>")
    });
    let dots: String = dots.collect();
    let label = words.say("review.graph", &[("player", words.theirs(review.players[0].player))]);
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

fn row(game: Game, review: &Review, index: usize, words: &Words) -> String {
    let reviewed = &review.moves[index];
    let percent = |share: f32| escaped(&words.percent(share.into(), 1));
    let loss = if reviewed.loss > 0.0 { percent(reviewed.loss) } else { String::new() };
    format!(
        "<tr class=\"{}\"><td class=\"number\">{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{loss}</td><td>{}</td></tr>\n",
        reviewed.fault.map_or("", Fault::name),
        reviewed.ply,
        escaped(words.theirs(reviewed.player)),
        escaped(&reviewed.name),
        percent(review.chances[index + 1]),
        escaped(&remarks(game, review, index, words)),
    )
}
