//! A position of any game, on which search, self-play, matches and interfaces operate.

use std::borrow::Cow;

use hexzero_board::{Board, TextLayout, TextScale, Topology};

use super::registry::AnyRules;
use crate::{
    Action, Change, EndgameSolver, Game, GameBoard, GameRng, InvalidMove, InvalidMoveInList, Outcome, PathCosts, Pick,
    Piece, Rules, Score, Seat, SizeError, State, Transform, Way,
};

impl Game {
    /// Returns the start of a game on a board of this size.
    ///
    /// # Errors
    /// If the rules do not allow the size.
    pub fn start(self, size: usize) -> Result<Position, SizeError> {
        let on = self.game_board(size)?;
        Ok(Position { on, rules: on.first_rules() })
    }
}

/// Parses, checks and plays several moves separated by spaces, and returns them with the seats that
/// played them.
///
/// # Errors
/// If one of them is not a legal move.
pub fn play_all(position: &mut Position, moves: &str) -> Result<Vec<(Seat, Action)>, InvalidMoveInList> {
    let mut play = |(index, text): (usize, &str)| {
        let seat = position.to_move();
        let fault = |source| InvalidMoveInList { number: index + 1, text: text.to_owned(), source };
        position.play_named(text).map(|action| (seat, action)).map_err(fault)
    };
    moves.split_whitespace().enumerate().map(&mut play).collect()
}

/// A position of a game, with its history.
///
/// A virtual call costs a thousandth of a network evaluation. Random playouts, which loop over
/// plies, are a single call.
#[derive(Debug)]
pub struct Position {
    on: &'static GameBoard,
    rules: Box<dyn AnyRules>,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { on: self.on, rules: self.rules.boxed() }
    }

    /// Reuses the memory, since a search copies positions again and again.
    fn clone_from(&mut self, other: &Self) {
        if !self.rules.copy_from(&*other.rules) {
            self.rules = other.rules.boxed();
        }
        self.on = other.on;
    }
}

impl Position {
    /// Returns the position of these rules on their board.
    pub(super) fn of(on: &'static GameBoard, rules: Box<dyn AnyRules>) -> Self {
        Self { on, rules }
    }

    /// Returns the game.
    #[inline]
    pub fn game(&self) -> Game {
        self.on.game()
    }

    /// Returns the game on its board: the data that all positions on the board share.
    #[inline]
    pub fn game_board(&self) -> &'static GameBoard {
        self.on
    }

    /// Returns the board's size.
    #[inline]
    pub fn size(&self) -> usize {
        self.on.size()
    }

    /// Returns the board.
    #[inline]
    pub fn board(&self) -> &'static Board {
        self.on.board()
    }

    /// Returns the board's cells and their neighbours, as the network sees them.
    #[inline]
    pub fn topology(&self) -> &'static Topology {
        self.on.board().topology()
    }

    /// Returns the rules, if they are of this type.
    pub fn rules<R: Rules>(&self) -> Option<&R> {
        self.rules.as_any().downcast_ref()
    }

    /// Returns the turn limit, in plies.
    pub fn turn_limit(&self) -> usize {
        self.on.turn_limit()
    }

    /// Returns all legal actions, in ascending order.
    pub fn legal(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        self.legal_actions(&mut actions);
        actions
    }

    /// Plays a legal action.
    ///
    /// # Panics
    /// May panic if the action is not legal; see [`Position::check`].
    #[inline]
    pub fn play(&mut self, action: Action) {
        self.rules.play(action);
    }

    /// Plays an action, if it is legal.
    ///
    /// # Errors
    /// If it is not; the position is then unchanged.
    pub fn try_play(&mut self, action: Action) -> Result<(), InvalidMove> {
        self.check(action)?;
        self.play(action);
        Ok(())
    }

    /// Returns the position after a legal action.
    ///
    /// # Panics
    /// May panic if the action is not legal; see [`Position::check`].
    pub fn after(&self, action: Action) -> Self {
        let mut after = self.clone();
        after.play(action);
        after
    }

    /// Plays a legal action and returns the changes it makes to the board.
    ///
    /// # Panics
    /// May panic if the action is not legal; see [`Position::check`].
    pub fn play_noting(&mut self, action: Action) -> Vec<Change> {
        let mut changes = Vec::new();
        self.rules.play_noting(action, &mut changes);
        changes
    }

    /// Parses a move, checks it and plays it.
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal; the position is then unchanged.
    pub fn play_named(&mut self, text: &str) -> Result<Action, InvalidMove> {
        let action = self.parse_action(text)?;
        self.try_play(action).map(|()| action)
    }

    /// Gives the turn to `seat` out of order, to set up a position piece by piece. If the rules do
    /// not allow such a position, returns false and changes nothing.
    pub fn hand_turn_to(&mut self, seat: Seat) -> bool {
        self.rules.hand_turn_to(seat)
    }

    /// Plays uniformly random moves to the end of the game. `legal` is memory for lists of actions.
    pub fn playout(&mut self, rng: &mut GameRng, legal: &mut Vec<Action>) -> Outcome {
        self.rules.playout(rng, legal)
    }

    /// Returns the character of a place: a dot if empty, else that of its piece's kind, or else the
    /// initial of the owner's name.
    pub fn symbol(&self, place: usize) -> char {
        self.piece(place).map_or('.', |piece| self.game().symbol(piece))
    }

    /// Draws the board with its pieces as text, with one place marked if given, and below it each
    /// seat's count.
    pub fn drawing(&self, marked: Option<usize>) -> String {
        let mut drawing = self.text_layout().draw_wide(|place| self.glyph(place), marked);
        if let Some(score) = self.score_in_words() {
            drawing.push_str(&score);
            drawing.push('\n');
        }
        drawing
    }

    /// Returns the score in games decided by counting, in words: "captured cells: red 3, blue 2".
    pub fn score_in_words(&self) -> Option<String> {
        let Score { what, points: [first, second] } = self.score()?;
        let names = Seat::BOTH.map(|seat| self.game().seat_name(seat));
        Some(format!("{what}: {} {first}, {} {second}", names[0], names[1]))
    }

    /// Returns the board's text picture, with room for two characters a place if some piece shows a
    /// number.
    pub fn text_layout(&self) -> Cow<'static, TextLayout> {
        let board = self.board();
        let is_numbered = |place| self.piece(place).is_some_and(|piece| piece.number > 0);
        match (0..board.places().len()).any(is_numbered) {
            true => Cow::Owned(board.text_with(TextScale { width: 2, lines: 1 })),
            false => Cow::Borrowed(board.text()),
        }
    }

    /// Returns the text of a place: the character of the piece and its number, if it has one.
    pub fn glyph(&self, place: usize) -> String {
        let number = self.piece(place).map_or(0, |piece| piece.number);
        if number > 0 { format!("{}{number}", self.symbol(place)) } else { self.symbol(place).to_string() }
    }

    /// Parses an action, legal or not.
    ///
    /// # Errors
    /// If the text names no action of the board.
    pub fn parse_action(&self, text: &str) -> Result<Action, InvalidMove> {
        self.rules.parse_action(self.board(), text)
    }

    /// Returns the name of an action of the board, legal or not, in the notation of
    /// [`Position::parse_action`].
    pub fn action_name(&self, action: Action) -> String {
        self.rules.action_name(self.board(), action)
    }

    /// Returns the name of an action in the protocols and file formats of other programs.
    pub fn foreign_action_name(&self, action: Action) -> String {
        match self.global_action(action) {
            Some(global) => self.game().actions[global].foreign.to_owned(),
            None => self.action_name(action),
        }
    }

    /// Returns the picks that make up a legal action.
    pub fn picks(&self, action: Action) -> Vec<Pick> {
        self.rules.picks(self.board(), action)
    }

    /// Returns a cheapest path for a seat to connect its sides if the opponent passes, in games
    /// about connecting sides, or `None` if no path is left.
    pub fn cheapest_way(&self, seat: Seat) -> Option<Way> {
        Way::cheapest(&self.path_costs(seat)?, self.topology())
    }

    /// Clears the history that counts for repetitions and turn limits.
    pub fn forget_history(&mut self) {
        self.rules.forget_history();
    }

    /// Returns the transform into the frame of the side to move.
    #[inline]
    pub fn frame(&self) -> &'static Transform {
        &self.on.frames()[self.rules.frame()]
    }

    /// Returns the number of actions, legal or not.
    #[inline]
    pub fn actions(&self) -> usize {
        self.on.actions()
    }

    /// Returns the number of a global action, or `None` for an action on a cell.
    #[inline]
    pub fn global_action(&self, action: Action) -> Option<usize> {
        self.on.global_action(action)
    }

    /// Returns the typical number of plies of a game on this board.
    pub fn usual_plies(&self) -> usize {
        (self.game().usual_plies)(self.topology().cells())
    }

    /// Returns the index of an action's logit: in the mover's frame, then under one of
    /// [`GameBoard::symmetries`] (0 for the identity).
    #[inline]
    pub fn network_action(&self, action: Action, symmetry: usize) -> usize {
        self.on.symmetries()[symmetry].actions.apply(self.frame().actions.apply(action.index()))
    }
}

/// Defines methods that forward to the rules of a position.
macro_rules! asked_of_the_rules {
    ($($(#[$about:meta])* fn $name:ident(&$this:ident $(, $argument:ident: $of:ty)*) $(-> $result:ty)?;)*) => {
        impl Position {
            $($(#[$about])*
            pub fn $name(&$this $(, $argument: $of)*) $(-> $result)? {
                $this.rules.$name($($argument),*)
            })*
        }
    };
}

asked_of_the_rules! {
    /// Returns the side to move. Undefined once the game is over.
    #[inline]
    fn to_move(&self) -> Seat;
    /// Returns the number of plies played.
    fn turns(&self) -> usize;
    /// Returns how the game ended, or `None` if it is not over.
    #[inline]
    fn outcome(&self) -> Option<Outcome>;
    /// Checks that `action` may be played now.
    ///
    /// # Errors
    /// The reason why it may not.
    fn check(&self, action: Action) -> Result<(), InvalidMove>;
    /// Writes all legal actions to `actions` (cleared first), in ascending order. There are none
    /// once the game is over.
    #[inline]
    fn legal_actions(&self, actions: &mut Vec<Action>);
    /// Returns an action that wins at once, if the rules find one without searching.
    #[inline]
    fn winning_action(&self) -> Option<Action>;
    /// Returns the cells of the winning chain, in games about connecting sides; empty if no chain
    /// has won.
    fn winning_chain(&self) -> Vec<usize>;
    /// Draws a legal action uniformly, or returns `None` once the game is over.
    fn random_action(&self, rng: &mut GameRng) -> Option<Action>;
    /// Returns the piece on a place of the board.
    fn piece(&self, place: usize) -> Option<Piece>;
    /// Returns the owner of a network cell.
    #[inline]
    fn owner(&self, cell: usize) -> Option<Seat>;
    /// Returns the costs of a seat's paths from side to side, in games about connecting two sides.
    fn path_costs(&self, seat: Seat) -> Option<PathCosts>;
    /// Returns a solver of the endgames that may follow from this position, if the game has one;
    /// see [`Rules::endgame_solver`].
    fn endgame_solver(&self) -> Option<Box<dyn EndgameSolver>>;
    /// Returns the score so far, in games decided by counting.
    fn score(&self) -> Option<Score>;
    /// Returns the game's own evaluation for the side to move, if it has one; see
    /// [`Rules::heuristic`].
    fn heuristic(&self) -> Option<i32>;
    /// Returns the position without its history; see [`Rules::state`].
    fn state(&self) -> Option<State>;
    /// Returns whether the history may end the game by repetition soon; see [`Rules::history_counts`].
    fn history_counts(&self) -> bool;
    /// Returns whether the position occurred at most this many plies ago; see [`Rules::repeats_within`].
    fn repeats_within(&self, plies: usize) -> bool;
    /// Writes the network's inputs in the mover's frame; see [`Rules::encode`].
    #[inline]
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]);
}

/// Returns the position after these moves on a board of this size.
#[cfg(test)]
pub(crate) fn after(game: Game, size: usize, moves: &str) -> Position {
    let mut position = game.start(size).unwrap();
    play_all(&mut position, moves).unwrap();
    position
}
