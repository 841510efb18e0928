//! Code shared by Fan and Link: a turn is a stone placed on an empty cell and then, if the player likes, a move of
//! stones, a ply each. The first player to connect their sides wins.

use std::fmt::Debug;
use std::marker::PhantomData;

use rand::Rng;

use crate::shared::rhombus::check_swap;
use crate::shared::rhombus_sets::{Cell, Play, Stones};
use crate::{
    Action, Change, ChangeLog, GameInfo, GameRng, InvalidMove, Outcome, PathCosts, Rules, Seat, Solver, State, flag,
    rules_by_fields,
};
use hexzero_board::{Board, RhombusSet};

/// A move after a placement: the cell that it starts from, its direction, and its distance from 1.
pub type Move = (Cell, usize, usize);

/// The differences between such games.
pub trait Kind: Debug + Clone + Copy + Send + Sync + 'static {
    /// The description of the game. Its global actions are [`Play::Stay`] and the swap. Its global inputs are: a move
    /// may follow, swap possible, the reply may be a swap, size / largest size.
    const INFO: GameInfo;
    /// True if the second player may take over the first stone.
    const SWAP: bool;
    /// The number of plies of the first player's first turn.
    const FIRST_TURN: u16;
    /// The most stones that a move captures.
    const CAPTURES: usize;
    /// True if the stone just placed must not move.
    const BARS_PLACED: bool;
    /// The word for a move, and how a player is asked for one.
    const WORDS: [&'static str; 2];

    /// Returns true if the turn goes on after a placement.
    fn goes_on(_position: &PlaceAndMove<Self>) -> bool {
        true
    }
    /// Visits all moves that may follow the placement.
    fn moves(position: &PlaceAndMove<Self>, visit: impl FnMut(Move));
    /// Checks a move of a stone of the side to move, after the placement.
    ///
    /// # Errors
    /// The reason why it is not possible.
    fn check(position: &PlaceAndMove<Self>, made: Move) -> Result<(), InvalidMove>;
    /// Performs a move.
    fn make(stones: &mut Stones, mover: Seat, made: Move, changes: &mut impl ChangeLog);
    /// Converts the distance in the text of a move into that of the move.
    ///
    /// # Errors
    /// The reason why there is no such move.
    fn distance(text: &str, stated: Option<usize>) -> Result<usize, String>;
    /// Returns the costs of a player's paths.
    fn path_costs(position: &PlaceAndMove<Self>, player: Seat) -> PathCosts;
    /// Writes the planes of the cells.
    fn encode(position: &PlaceAndMove<Self>, cells: &mut [f32]);
}

/// A position of a game of this kind.
#[derive(Debug, Clone, Copy)]
pub struct PlaceAndMove<K> {
    pub(crate) stones: Stones,
    pub(crate) to_move: Seat,
    turns: u16,
    outcome: Option<Outcome>,
    /// The stone placed this turn, if a move may follow.
    placed: Option<(u8, u8)>,
    kind: PhantomData<K>,
}

impl<K: Kind> PlaceAndMove<K> {
    /// Returns the stone placed this turn, if a move may follow.
    pub(crate) fn just_placed(&self) -> RhombusSet {
        let mut set = RhombusSet::EMPTY;
        if let Some((row, column)) = self.placed {
            set.insert(row.into(), column.into());
        }
        set
    }

    fn action(&self, (from, direction, distance): Move) -> Action {
        self.stones.action(from, direction, distance)
    }

    /// Returns the swap, if it is possible now.
    fn swap(&self) -> Option<Action> {
        let now = K::SWAP && self.turns == K::FIRST_TURN && self.to_move == Seat::Second && self.placed.is_none();
        (now && self.stones.only_the_first_stone()).then(|| self.stones.swap_action::<Self>())
    }
}

impl<K: Kind> Rules for PlaceAndMove<K> {
    const INFO: GameInfo = K::INFO;
    const SOLVER: Option<Solver> = Some(Solver::exhaustive::<Self>(3..=3));

    fn new(size: usize) -> Self {
        let stones = Stones::new(size);
        Self { stones, to_move: Seat::First, turns: 0, outcome: None, placed: None, kind: PhantomData }
    }

    rules_by_fields!(to_move, turns, outcome, frame, piece, winning_chain, action_name, picks, symmetries);

    /// Each turn adds a stone and has at most two plies.
    fn turn_limit(size: usize) -> usize {
        2 * size * size + usize::from(K::SWAP)
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let [word, request] = K::WORDS;
        let refused = |reason: String| Err(InvalidMove::refused(reason));
        match self.stones.read::<Self>(action) {
            None => Err(self.stones.no_such_action::<Self>(action)),
            Some(Play::Swap) => check_swap(K::INFO.id, K::SWAP, self.swap().is_some(), self.turns()),
            Some(Play::Stay) if self.placed.is_none() => refused(format!("place a stone; no {word} is to be made now")),
            Some(Play::Stay) => Ok(()),
            Some(Play::Place(_)) if self.placed.is_some() => {
                refused(format!("a stone has been placed; {request}, or move nothing ('-')"))
            }
            Some(Play::Place(cell)) => self.stones.check_empty(cell),
            Some(Play::Move(..)) if self.placed.is_none() => {
                refused(format!("place a stone first; a {word} may follow"))
            }
            Some(Play::Move(from, ..)) if !self.stones.has(self.to_move, from) => {
                refused(format!("{} holds no stone of yours to move", self.stones.name(from)))
            }
            Some(Play::Move(from, direction, distance)) => K::check(self, (from, direction, distance)),
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        if self.placed.is_none() {
            self.stones.push_actions(0, self.stones.empty(), actions);
            actions.extend(self.swap());
            return;
        }
        K::moves(self, |one| actions.push(self.action(one)));
        actions.sort_unstable();
        actions.push(self.stones.first_global::<Self>());
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        if self.placed.is_none() {
            return self.stones.draw(self.stones.empty(), self.swap(), rng);
        }
        // Moves are counted, then chosen by their index, so no list needs to be stored.
        let mut count = 0;
        K::moves(self, |_| count += 1);
        let chosen: usize = rng.random_range(0..=count);
        let (mut index, mut drawn) = (0, self.stones.first_global::<Self>());
        K::moves(self, |one| {
            if index == chosen {
                drawn = self.action(one);
            }
            index += 1;
        });
        Some(drawn)
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let mover = self.to_move;
        self.placed = None;
        match self.stones.read::<Self>(action) {
            Some(Play::Place(cell)) => {
                self.stones.put(mover, cell);
                self.placed = Some((cell.0 as u8, cell.1 as u8));
                changes.note(Change::Placed(action.0));
            }
            Some(Play::Move(from, direction, distance)) => {
                K::make(&mut self.stones, mover, (from, direction, distance), changes);
            }
            Some(Play::Swap) => self.stones.swap(changes),
            Some(Play::Stay) | None => (),
        }
        self.turns += 1;
        // The player who has just moved comes first. No placement can connect the other player.
        let winner = [mover, mover.opponent()].into_iter().find(|&player| self.stones.joins(player));
        self.outcome = winner.map(Outcome::connection);
        if winner.is_some() || self.placed.is_some() && !K::goes_on(self) {
            self.placed = None;
        }
        if self.placed.is_none() {
            self.to_move = mover.opponent();
        }
    }

    fn winning_action(&self) -> Option<Action> {
        if self.placed.is_none() {
            let cell = self.stones.completing(self.to_move).iter().next()?;
            return Some(Action(self.stones.number(cell) as u16));
        }
        // A chain from side to side needs as many stones as the board has rows.
        if self.stones.of(self.to_move).count() + K::CAPTURES < self.stones.side() {
            return None;
        }
        let mut winning = None;
        K::moves(self, |one| {
            if winning.is_none() {
                let mut after = self.stones;
                K::make(&mut after, self.to_move, one, &mut ());
                winning = after.joins(self.to_move).then(|| self.action(one));
            }
        });
        winning
    }

    fn hand_turn_to(&mut self, player: Seat) -> bool {
        // The turn is not over between the placement and the move.
        let may = self.placed.is_none() || player == self.to_move;
        if may {
            self.to_move = player;
        }
        may
    }

    fn parse_action(&self, board: &Board, text: &str) -> Result<Action, InvalidMove> {
        self.stones.parse_action::<Self>(board, text, |stated| K::distance(text, stated))
    }

    fn path_costs(&self, player: Seat) -> Option<PathCosts> {
        Some(K::path_costs(self, player))
    }

    fn state(&self) -> Option<State> {
        let placed = self.placed.filter(|_| K::BARS_PLACED);
        let placed = placed.map(|(row, column)| self.stones.number((row.into(), column.into())));
        let state = self.stones.state(self.to_move, &[self.swap().is_some(), self.placed.is_some()])?;
        Some(state.with_marked(placed))
    }

    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        K::encode(self, cells);
        globals.copy_from_slice(&[
            flag(self.placed.is_some()),
            flag(self.swap().is_some()),
            flag(K::SWAP && self.turns < K::FIRST_TURN && self.to_move == Seat::First),
            self.stones.side() as f32 / *K::INFO.boards.sizes.end() as f32,
        ]);
    }
}
