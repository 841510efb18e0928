//! Draws an opening map: a board whose cells are coloured and numbered by the value of a first move there.

use std::collections::HashMap;

use hexzero_board::Point;
use hexzero_engine::openings::FirstMove;
use hexzero_experiments::report::chart::escaped;
use hexzero_games::{Pick, Position};

/// Units of the picture per unit of the layout, in which neighbouring centres are 2 apart.
const UNIT: f32 = 20.0;

const STYLE: &str = "\
svg{color-scheme:light dark;background:#fbfaf8;font:11px system-ui,sans-serif}\
text{text-anchor:middle;dominant-baseline:central;fill:#22201c}\
.cell{fill:#f0ede6;stroke:#b9b2a3;stroke-width:1}.first{fill:#c8442f}.second{fill:#2f62c8}.band{fill:#b9b2a3}\
.swap{font-size:8px}.label{fill:#6b665c;font-size:9px}\
@media(prefers-color-scheme:dark){svg{background:#1d1b18}text{fill:#f2efe9}.cell{fill:#2a2723;stroke:#5b564c}\
.label{fill:#a9a294}}";

fn points(outline: &[Point]) -> String {
    let pairs: Vec<String> = outline.iter().map(|[x, y]| format!("{:.2},{:.2}", x * UNIT, y * UNIT)).collect();
    pairs.join(" ")
}

/// Rounds a chance to whole percent.
pub fn percent(chance: f32) -> u32 {
    (100.0 * chance.clamp(0.0, 1.0)).round() as u32
}

/// Returns the opening to show at each place of the empty board: the best one that begins there.
pub fn by_place<'a>(start: &Position, openings: &'a [FirstMove]) -> HashMap<usize, &'a FirstMove> {
    let mut found: HashMap<usize, &FirstMove> = HashMap::new();
    for opening in openings {
        let picks = start.parse_action(&opening.name).map(|action| start.picks(action)).unwrap_or_default();
        let Some(Pick::Place(place)) = picks.into_iter().find(|pick| matches!(pick, Pick::Place(_))) else { continue };
        let best = found.entry(place.into()).or_insert(opening);
        if opening.expected() > best.expected() {
            *best = opening;
        }
    }
    found
}

/// Draws the picture as SVG. Colours show who is ahead if the stone stays, numbers the expected score of the first
/// player.
pub fn picture(start: &Position, openings: &[FirstMove]) -> String {
    let (game, layout) = (start.game(), start.board().layout());
    let bounds = layout.bounds;
    let (left, top) = (bounds.left * UNIT, bounds.top * UNIT);
    let (width, height) = (bounds.width * UNIT, bounds.height * UNIT);
    let first = game.seats[0].name;
    let label = escaped(&format!("{}: expected score of {first} after each first move, in percent", game.title));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left:.2} {top:.2} {width:.2} {height:.2}\" role=\"img\" \
         aria-label=\"{label}\"><style>{STYLE}</style>\n"
    );
    for side in layout.sides {
        let owner = side.owner.map_or("", |owner| ["first", "second"][usize::from(owner.min(1))]);
        svg += &format!("<polygon class=\"band {owner}\" points=\"{}\"/>\n", points(&side.band));
    }
    let shown = by_place(start, openings);
    for (place, shape) in layout.places.iter().enumerate() {
        svg += &format!("<polygon class=\"cell\" points=\"{}\"/>\n", points(&shape.outline));
        let Some(opening) = shown.get(&place) else { continue };
        let ahead = opening.kept - 0.5;
        let owner = if ahead >= 0.0 { "first" } else { "second" };
        let [x, y] = shape.centre.map(|part| part * UNIT);
        let swap = if opening.is_swapped() { ", swapped" } else { "" };
        svg += &format!(
            "<g><title>{}: {} %{swap}</title><polygon class=\"{owner}\" fill-opacity=\"{:.2}\" points=\"{}\"/>\
             <text x=\"{x:.2}\" y=\"{:.2}\">{}</text>",
            escaped(&opening.name),
            percent(opening.expected()),
            (1.4 * ahead.abs()).min(0.7),
            points(&shape.outline),
            if opening.is_swapped() { y - 3.0 } else { y },
            percent(opening.expected()),
        );
        if opening.is_swapped() {
            svg += &format!("<text class=\"swap\" x=\"{x:.2}\" y=\"{:.2}\">swap</text>", y + 8.0);
        }
        svg += "</g>\n";
    }
    for label in layout.rim {
        let [x, y] = label.position.map(|part| part * UNIT);
        svg += &format!("<text class=\"label\" x=\"{x:.2}\" y=\"{y:.2}\">{}</text>\n", escaped(&label.text));
    }
    svg + "</svg>\n"
}
