//! Random games and what a position answers, for the checks.

use rand::SeedableRng;

use hexzero_games::{Action, Game, GameBoard, GameRng, Piece, Position, Transform};

use super::boards;

pub(super) fn is_large(on: &GameBoard) -> bool {
    on.cells() > 81
}

/// Returns the actions of a random game from its start to its end.
pub(super) fn random_game(on: &'static GameBoard, seed: u64) -> Vec<Action> {
    let mut rng = GameRng::seed_from_u64(seed);
    let mut position = on.game().start(on.size()).unwrap();
    let mut actions = Vec::new();
    while let Some(action) = position.random_action(&mut rng) {
        actions.push(action);
        position.play(action);
    }
    actions
}

/// Returns the actions of some random games, fewer on large boards.
pub(super) fn random_games(on: &'static GameBoard) -> impl Iterator<Item = Vec<Action>> {
    let games = if is_large(on) { 1 } else { (120 / on.cells() as u64).max(2) };
    (0..games).map(move |seed| random_game(on, seed))
}

/// Calls `visit` with positions of random games on every board: on large ones with every seventh.
pub(super) fn each_position(games: &[Game], mut visit: impl FnMut(&Position)) {
    for on in boards(games) {
        let every = if is_large(on) { 7 } else { 1 };
        for actions in random_games(on) {
            let mut position = on.game().start(on.size()).unwrap();
            for (turn, &action) in actions.iter().enumerate() {
                if turn % every == 0 || turn + 2 >= actions.len() {
                    visit(&position);
                }
                position.play(action);
            }
            visit(&position);
        }
    }
}

/// Describes the position of a failure.
pub(super) fn at(position: &Position) -> String {
    let (game, size, ply) = (position.game().name(), position.size(), position.turns());
    format!("{game}, size {size}, ply {ply}:\n{}", position.drawing(None))
}

pub(super) fn legal_actions(position: &Position) -> Vec<Action> {
    // Not empty, to check that it is cleared.
    let mut legal = vec![Action(u16::MAX)];
    position.legal_actions(&mut legal);
    legal
}

/// The network inputs: of the cells, and of the whole position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct View {
    pub cells: Vec<f32>,
    pub globals: Vec<f32>,
}

impl View {
    pub fn of(position: &Position) -> Self {
        // Not zeros, to check that everything is written.
        let mut cells = vec![f32::NAN; position.topology().cells() * position.game().view.cell_inputs];
        let mut globals = vec![f32::NAN; position.game().view.global_inputs];
        position.encode(&mut cells, &mut globals);
        Self { cells, globals }
    }

    /// Returns the inputs as seen through a symmetry of the mover's frame.
    pub fn through(&self, symmetry: &Transform) -> Self {
        let planes = symmetry.inputs.forward().len();
        let cell = |place: usize| symmetry.cells.inverse()[place / planes] as usize;
        let plane = |place: usize| symmetry.inputs.inverse()[place % planes] as usize;
        let cells = (0..self.cells.len()).map(|place| self.cells[cell(place) * planes + plane(place)]).collect();
        let globals = symmetry.globals.inverse().iter().map(|&input| self.globals[input as usize]).collect();
        Self { cells, globals }
    }
}

pub(super) fn pieces(position: &Position) -> Vec<Option<Piece>> {
    (0..position.board().places().len()).map(|place| position.piece(place)).collect()
}

/// Returns all that can be asked about a position except its history.
pub(super) fn answers(position: &Position) -> impl PartialEq + std::fmt::Debug + use<> {
    let owners: Vec<_> = (0..position.topology().cells()).map(|cell| position.owner(cell)).collect();
    let mover = position.outcome().is_none().then(|| (position.to_move(), View::of(position)));
    (pieces(position), owners, position.outcome(), position.turns(), mover, legal_actions(position))
}
