//! Drawings of the engine's analysis for HexGui and GoGui while a command is under way.

use hexzero_engine::Engine;
use hexzero_engine::analysis::points;
use hexzero_games::{Action, Seat};
use hexzero_search::RootMove;

/// The moves of the expected line.
const LINE_SHOWN: usize = 8;

/// Returns drawing commands, with the empty line that ends them, in MoHex's form for HexGui: the expected line, each
/// move's expected share of the points (`W` and `L` for proven wins and losses), its visits, and a text for the status
/// bar. Only moves on cells can be drawn; returns none if there are none.
pub(super) fn drawing(engine: &Engine) -> Option<String> {
    let position = engine.position();
    let on_cell = |action: Action| position.global_action(action).is_none();
    let opinion = engine.opinion();
    let moves: Vec<&RootMove> =
        opinion.moves.iter().filter(|found| on_cell(found.action) && found.visits > 0).collect();
    let best = moves.first()?;
    let mut line = String::new();
    let mut after = position.clone();
    let variation = engine.visited_variation_from(best.action).into_iter().map(|(action, _)| action);
    for action in variation.take_while(|&action| on_cell(action)).take(LINE_SHOWN) {
        let colour = match after.to_move() {
            Seat::First => 'B',
            Seat::Second => 'W',
        };
        line.push_str(&format!(" {colour} {}", after.foreign_action_name(action)));
        after.play(action);
    }
    let each = |tell: &dyn Fn(&RootMove) -> String| {
        moves
            .iter()
            .map(|found| format!(" {} {}", position.foreign_action_name(found.action), tell(found)))
            .collect::<String>()
    };
    let promise = |found: &RootMove| match (found.proven_in, found.outcome.value()) {
        (Some(_), value) if value > 0.5 => "W".to_owned(),
        (Some(_), value) if value < -0.5 => "L".to_owned(),
        (_, value) => format!("{:.2}", points(value)),
    };
    Some(format!(
        "gogui-gfx:\nuct\nVAR{line}\nINFLUENCE{}\nLABEL{}\nTEXT {:.1}% after {} visits\n\n",
        each(&promise),
        each(&|found| found.visits.to_string()),
        100.0 * points(best.outcome.value()),
        engine.visits().max(1),
    ))
}
