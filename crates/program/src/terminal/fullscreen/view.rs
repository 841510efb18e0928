//! The contents of the screen, apart from their drawing.

use hexzero_board::Board;
use hexzero_engine::analysis::points;
use hexzero_engine::{Engine, Picking, Played, end_of_path};
use hexzero_games::{Game, GlobalAction, Pick, Piece, Seat};

use super::super::table::{Table, effects};
use super::input::Input;

/// The maximum number of moves shown of those that the engine considers.
const CONSIDERED: usize = 5;
/// The maximum number of moves shown of an expected line.
const LINE_SHOWN: usize = 8;

/// The engine's findings.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Thoughts {
    /// The share of the points that the first player can expect.
    pub first: f32,
    pub visits: u32,
    /// The best moves, the one to play first.
    pub moves: Vec<Considered>,
    /// The expected moves.
    pub line: String,
}

/// A move that the engine considers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Considered {
    /// The place where the move ends, if on the board.
    pub place: Option<usize>,
    pub name: String,
    /// The share of the points that the move promises to the player to move.
    pub share: f32,
    pub visits: u32,
}

impl Thoughts {
    pub fn of(engine: &Engine) -> Self {
        let (position, opinion) = (engine.position(), engine.opinion());
        let considered = |found: &hexzero_search::RootMove| Considered {
            place: end_of_path(position.board(), &position.picks(found.action)),
            name: position.action_name(found.action),
            share: points(found.outcome.value()),
            visits: found.visits,
        };
        Self {
            first: points(opinion.outcome.value() * position.to_move().sign()),
            visits: engine.visits(),
            moves: opinion.moves.iter().filter(|found| found.visits > 0).take(CONSIDERED).map(considered).collect(),
            line: engine.names(&opinion.variation[..opinion.variation.len().min(LINE_SHOWN)]).join(" "),
        }
    }
}

/// Something that a number key picks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    /// The pick; none if the picks so far are to be the whole move.
    pub pick: Option<Pick>,
    pub label: String,
    /// The pick's effect in words; empty if not known.
    pub about: &'static str,
    /// The place to which the pick leads.
    pub place: Option<usize>,
}

/// Everything that is drawn.
pub(super) struct View {
    /// The game, the board and the opponent in words.
    pub title: String,
    pub game: Game,
    pub board: &'static Board,
    /// The piece on each place.
    pub pieces: Vec<Option<Piece>>,
    /// Whether pieces have numbers in this game.
    pub has_numbers: bool,
    /// Whether the seats have sides to join.
    pub has_sides: bool,
    /// The place of the last move.
    pub last: Option<usize>,
    /// The places of the last move's captures.
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
    /// The move that the person enters.
    pub picking: Picking,
    /// The number of moves after which that move was begun.
    picking_after: Option<usize>,
    /// The places that the move is made of so far.
    pub picked: Vec<usize>,
    /// The picks of the number keys.
    pub offers: Vec<Offer>,
    /// The moves so far, the last one last.
    pub moves: Vec<String>,
    pub thoughts: Option<Thoughts>,
    /// Whether to show the engine's findings.
    pub analysis: bool,
    pub help: bool,
    pub message: String,
    /// The name of the file that the person is entering.
    pub naming: Option<String>,
    pub coloured: bool,
    pub input: Input,
}

impl View {
    pub fn of(table: &Table) -> Self {
        let board = table.engine.position().board();
        let mut view = Self {
            title: String::new(),
            game: table.engine.game(),
            board,
            pieces: Vec::new(),
            has_numbers: false,
            has_sides: table.engine.position().path_costs(Seat::First).is_some(),
            last: None,
            captured: Vec::new(),
            chain: Vec::new(),
            to_move: Seat::First,
            person: table.options.person,
            state: String::new(),
            is_over: false,
            offered: None,
            picking: Picking::default(),
            picking_after: None,
            picked: Vec::new(),
            offers: Vec::new(),
            moves: Vec::new(),
            thoughts: None,
            analysis: false,
            help: false,
            message: String::new(),
            naming: None,
            coloured: table.options.palette.coloured,
            input: Input::new(board),
        };
        view.refresh(table);
        view
    }

    /// Updates the view to the state of the game.
    pub fn refresh(&mut self, table: &Table) {
        let (engine, game, position) = (&table.engine, table.engine.game(), table.engine.position());
        let last = engine.played().last();
        let (name, board) = (game.name(), game.board_name(position.size()));
        self.title = format!("{name} {board} · {}", table.options.strength);
        if let Some(score) = position.score_in_words() {
            self.title.push_str(&format!(" · {score}"));
        }
        self.pieces = (0..self.board.places().len()).map(|place| position.piece(place)).collect();
        self.has_numbers |= self.pieces.iter().flatten().any(|piece| piece.number > 0);
        self.last = last.and_then(|played| played.place);
        self.captured = last.map(|played| played.removed.clone()).unwrap_or_default();
        self.chain = position.winning_chain();
        self.to_move = position.to_move();
        self.is_over = table.is_over();
        self.offered = if table.is_engines_turn() { None } else { engine.global_actions().first().copied() };
        self.moves = engine.played().iter().enumerate().map(|(index, played)| told(game, index, played)).collect();
        self.thoughts = None;
        let mover = game.seat_name(self.to_move);
        self.state = match position.outcome() {
            _ if table.resigned => format!("you resigned: {} wins", game.seat_name(self.person.opponent())),
            Some(outcome) => engine.ending(outcome),
            None if table.is_engines_turn() => format!("{mover} is thinking …"),
            None => format!("your move, {mover} · {mover} {}", game.seats[self.to_move.index()].goal),
        };
        self.begin_move(table);
    }

    /// Begins the person's move, unless one has been begun in this position.
    fn begin_move(&mut self, table: &Table) {
        let after = (!table.is_over() && !table.is_engines_turn()).then_some(self.moves.len());
        if after.is_some() && after == self.picking_after {
            return;
        }
        self.picking_after = after;
        self.picking = after.map_or_else(Picking::default, |_| Picking::new(table.engine.position()));
        self.picks_changed();
        // A cursor on a board of several where nothing can be played would be far from where it is needed.
        let part = |place: usize| self.board.places()[place].part;
        let possible: Vec<usize> = self.picking.candidates().into_iter().filter_map(Pick::place).collect();
        if !possible.iter().any(|&place| part(place) == part(self.input.cursor)) {
            self.input.point_at_nearest(possible.into_iter());
        }
    }

    /// Takes the last pick back.
    pub fn unpick(&mut self) {
        self.picking.back();
        self.picks_changed();
    }

    /// Updates which picks are possible.
    pub fn picks_changed(&mut self) {
        let picks = self.picking.picks();
        self.picked = picks.iter().copied().filter_map(Pick::place).collect();
        let next = self.picking.candidates();
        let whole = (!next.is_empty() && self.picking.action().is_some()).then(|| Offer {
            pick: None,
            label: "nothing more".to_owned(),
            about: "",
            place: None,
        });
        self.offers = whole.into_iter().chain(next.into_iter().filter_map(|pick| self.offer(pick))).collect();
        (self.input.options, self.input.begun) = (self.offers.len(), !self.picked.is_empty());
    }

    /// Returns the label of a pick that is not a place.
    fn offer(&self, pick: Pick) -> Option<Offer> {
        let info = self.game.info();
        let (label, about, place) = match pick {
            Pick::Place(_) => return None,
            Pick::Direction(direction) => {
                let place = end_of_path(self.board, &[self.picking.picks(), &[pick]].concat());
                let label = place.map(|place| format!("to {}", self.board.label(place)));
                (label.unwrap_or_else(|| format!("direction {}", direction + 1)), "", place)
            }
            Pick::Choice(choice) => (info.choices[usize::from(choice)].label.to_owned(), "", None),
            Pick::Button(button) => {
                let action = &info.actions[usize::from(button)];
                (action.label.to_owned(), action.offer, None)
            }
        };
        Some(Offer { pick: Some(pick), label, about, place })
    }

    /// Returns whether the move being entered may continue at a place, and the place's number if it has one.
    pub fn target(&self, place: usize) -> Option<Option<usize>> {
        if self.picking.picks().is_empty() {
            return None;
        }
        let number = self.offers.iter().position(|offer| offer.place == Some(place));
        let is_target = || self.picking.candidates().contains(&Pick::Place(place as u16));
        if number.is_none() && is_target() { Some(None) } else { number.map(Some) }
    }

    /// Returns the pick of the place under the cursor, if it is possible.
    pub fn pick_at_cursor(&self) -> Option<Pick> {
        let place = Pick::Place(self.input.cursor as u16);
        if self.picking.candidates().contains(&place) {
            return Some(place);
        }
        self.offers.iter().find(|offer| offer.place == Some(self.input.cursor)).and_then(|offer| offer.pick)
    }
}

/// Describes a move for a list: `12 blue c3 ×b2 c2`, `13 black e4 ⇄e2 e3`.
fn told(game: Game, index: usize, played: &Played) -> String {
    let effects = effects(played, ["×", "⇄"], " ");
    format!("{:>3} {} {}{effects}", index + 1, game.seat_name(played.seat), played.name)
}
