//! What there is to show of a game, apart from how.

use crate::engine::{Engine, Played, board_name};
use crate::games::{Action, Game, GlobalAction, Piece, Position, Seat};

use super::super::table::Table;
use super::input::Input;

/// The moves that are shown of what the engine considers.
const CONSIDERED: usize = 5;
/// The moves of an expected line.
const LINE_SHOWN: usize = 8;

/// What the engine thinks.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Thoughts {
    /// The share of the points that the first player can expect.
    pub first: f32,
    pub visits: u32,
    /// The best moves, the one to play first.
    pub moves: Vec<Considered>,
    /// The moves that are expected.
    pub line: String,
}

/// A move that the engine considers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Considered {
    /// Where it is, if it is on a cell.
    pub cell: Option<usize>,
    pub name: String,
    /// The share of the points that it promises to the player to move.
    pub share: f32,
    pub visits: u32,
}

impl Thoughts {
    pub fn of(engine: &Engine) -> Self {
        let (position, opinion) = (engine.position(), engine.opinion());
        let considered = |found: &crate::search::RootMove| Considered {
            cell: cell_of(position, found.action),
            name: position.action_name(found.action),
            share: share(found.outcome.value()),
            visits: found.visits,
        };
        Self {
            first: share(opinion.outcome.value() * position.to_move().sign()),
            visits: engine.visits(),
            moves: opinion.moves.iter().filter(|found| found.visits > 0).take(CONSIDERED).map(considered).collect(),
            line: engine.names(&opinion.variation[..opinion.variation.len().min(LINE_SHOWN)]).join(" "),
        }
    }
}

/// An expected result from -1 to 1 as a share of the points.
fn share(value: f32) -> f32 {
    (0.5 + 0.5 * value).clamp(0.0, 1.0)
}

fn cell_of(position: &Position, action: Action) -> Option<usize> {
    position.global_action(action).is_none().then_some(action.index())
}

/// Everything that is drawn.
pub(super) struct View {
    /// The game, the board and the opponent in words.
    pub title: String,
    pub size: usize,
    pub game: Game,
    pub pieces: Vec<Option<Piece>>,
    /// Where the last move was.
    pub last: Option<usize>,
    /// Where the last move captured.
    pub captured: Vec<usize>,
    /// The chain that has won.
    pub chain: Vec<usize>,
    pub to_move: Seat,
    pub person: Seat,
    /// Whose turn it is, or how the game ended.
    pub state: String,
    pub is_over: bool,
    /// A move that is on no cell and possible now.
    pub offered: Option<&'static GlobalAction>,
    /// The moves so far, the last one last.
    pub moves: Vec<String>,
    pub thoughts: Option<Thoughts>,
    /// Whether the person wishes to see what the engine thinks.
    pub analysis: bool,
    pub help: bool,
    pub message: String,
    pub coloured: bool,
    pub input: Input,
}

impl View {
    pub fn of(table: &Table) -> Self {
        let size = table.engine.position().size();
        let mut view = Self {
            title: String::new(),
            size,
            game: table.engine.game(),
            pieces: Vec::new(),
            last: None,
            captured: Vec::new(),
            chain: Vec::new(),
            to_move: Seat::First,
            person: table.options.person,
            state: String::new(),
            is_over: false,
            offered: None,
            moves: Vec::new(),
            thoughts: None,
            analysis: false,
            help: false,
            message: String::new(),
            coloured: table.options.palette.is_coloured(),
            input: Input::new(size),
        };
        view.refresh(table);
        view
    }

    /// Takes over how the game stands.
    pub fn refresh(&mut self, table: &Table) {
        let (engine, game, position) = (&table.engine, table.engine.game(), table.engine.position());
        let last = engine.played().last();
        self.title = format!("{} {} · level {}", game.name(), board_name(game, self.size), table.options.level);
        self.pieces = (0..position.topology().cells()).map(|cell| position.piece(cell)).collect();
        self.last = last.and_then(|played| played.place);
        self.captured = last.map(|played| played.removed.clone()).unwrap_or_default();
        self.chain = position.winning_chain();
        self.to_move = position.to_move();
        self.is_over = table.is_over();
        self.offered = if table.is_engines_turn() { None } else { engine.global_actions().first().copied() };
        self.moves = engine.played().iter().enumerate().map(|(index, played)| told(game, index, played)).collect();
        self.thoughts = None;
        self.state = match position.outcome() {
            _ if table.resigned => format!("you resigned: {} wins", game.seat_name(self.person.opponent())),
            Some(outcome) => engine.ending(outcome),
            None if table.is_engines_turn() => format!("{} is thinking …", game.seat_name(self.to_move)),
            None => format!("your move, {}", game.seat_name(self.to_move)),
        };
    }

    /// The name of a cell.
    pub fn name_of(&self, cell: usize) -> String {
        crate::board::cell_name(self.size, cell)
    }
}

/// A move in a list: `12 blue c3 ×b2 c2`.
fn told(game: Game, index: usize, played: &Played) -> String {
    let captures = match &played.captured[..] {
        [] => String::new(),
        captured => format!(" ×{}", captured.join(" ")),
    };
    format!("{:>3} {} {}{captures}", index + 1, game.seat_name(played.seat), played.name)
}
