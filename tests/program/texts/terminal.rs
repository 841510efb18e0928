//! A whole game in the terminal, against an engine that plays by a script.

use hexzero::engine::model::LoadedModel;
use hexzero::engine::{Effort, Engine, Strength};
use hexzero::games::{Action, Evaluation, Position, Seat, WinDrawLoss};
use hexzero::interfaces::terminal::{Options, Palette, Session};

use super::compare;
use crate::games::cachex;

/// A session at which the engine answers turn by turn with these moves.
fn session(size: usize, person: Seat, script: &'static [&'static str]) -> Session {
    let evaluator = Box::new(move |game: &Position, legal: &[Action]| {
        let wanted = script.get(game.turns() / 2).and_then(|name| game.parse_action(name).ok());
        let priors = legal.iter().map(|&action| f32::from(u8::from(Some(action) == wanted))).collect();
        Evaluation { priors, outcome: WinDrawLoss::EVEN }
    });
    let model = LoadedModel::new("a script", evaluator);
    let options = Options {
        person,
        // With one visit, that of the root, only the priors speak.
        strength: Strength { effort: Effort::Visits(1), ..Strength::default() },
        memory: 1 << 20,
        ponder: false,
        seed: 0,
        palette: Palette { coloured: false },
        opponent: model.description.clone(),
        warning: None,
    };
    Session::new(Engine::new(cachex(), size, model).unwrap(), options)
}

/// What is shown, with every typed line after its prompt as a terminal would echo it.
fn shown(session: Session, lines: &[&str]) -> String {
    let mut output = Vec::new();
    session.run(lines.join("\n").as_bytes(), &mut output).unwrap();
    let mut typed = lines.iter();
    let text = String::from_utf8(output).unwrap();
    let mut parts = text.split("> ");
    let mut echoed = parts.next().unwrap().to_owned();
    for part in parts {
        echoed.push_str(&format!("> {}\n{part}", typed.next().unwrap_or(&"")));
    }
    echoed
}

#[test]
fn captures_by_both_and_a_defeat() {
    let engine = session(5, Seat::First, &["b2", "c2", "c2", "a2", "d2", "e2"]);
    let lines = ["c1", "a5", "b3", "e5", "e4", "d4", "hint", "a1", "undo", "undo", "quit", "quit"];
    compare("captures", &shown(engine, &lines));
}

#[test]
fn swap_and_a_victory() {
    let engine = session(3, Seat::Second, &["b1", "c1", "c3", "a3"]);
    let lines = ["swap", "b2", "hint", "c2", "eval", "new", "quit"];
    compare("swap", &shown(engine, &lines));
}

#[test]
fn mistakes_are_explained() {
    let engine = session(3, Seat::First, &["b2"]);
    let lines = ["undo", "b2", "z9", "what", "a4", "swap", "b1", "b1", "board", "hint", "eval", "help", "undo", "quit"];
    compare("mistakes", &shown(engine, &lines));
    // The engine's first move is nobody's to take back.
    let engine = session(4, Seat::Second, &["b1", "c3", "d4"]);
    let lines = ["undo", "steal", "swap", "resign", "a1", "undo", "resign", "new", "new", "quit"];
    compare("resignations", &shown(engine, &lines));
}
