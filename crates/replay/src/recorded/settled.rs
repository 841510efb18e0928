//! Makes games of other programs consistent: moves that the rules do not allow are left out, and
//! one result is chosen where a file states several, each with a warning.

use std::rc::Rc;

use hexzero_games::{Arrangement, Game, Outcome, Position, Seat};

use super::MoveTree;
use super::recorded_game::{RecordedGame, Stated};
use super::result_name;
use super::tree_walk::{SWAP_SIDES, step};

/// Number of invalid variations whose errors are reported; any more are only counted.
const MAX_FAULTS_TOLD: usize = 10;

/// The statements of a file about the end of its game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ending {
    /// The stated winner.
    pub winner: Option<Seat>,
    /// The player of a move that resigns.
    pub resigned: Option<Seat>,
    /// True if the stated result gives a reason.
    pub has_reason: bool,
}

/// A position waiting to be played: its move, the position before it, and the number of the move.
struct Waiting {
    node: usize,
    before: usize,
    number: usize,
    position: Rc<Position>,
    is_main: bool,
}

/// The end of the main line: the outcome on the board, and the number of moves.
type OnBoard = (Option<Outcome>, usize);

impl RecordedGame {
    /// Leaves out what cannot be played and decides on the result. Errors in the main line are left
    /// for replaying to report.
    pub(super) fn settled(mut self, ending: Ending) -> Self {
        let Ok(game) = self.game() else { return self };
        self.mend_swaps(game);
        let Some(on_board) = self.start(game).ok().and_then(|start| self.prune(start)) else { return self };
        let is_there = |&shown: &usize| shown == MoveTree::START || self.tree.main_line().any(|at| at == shown);
        self.shown = self.shown.filter(is_there);
        let winner = self.winner(game, ending, on_board);
        self.on_time &= winner == ending.winner;
        self.result = match on_board {
            (Some(_), _) => Stated::Nothing,
            (None, _) => winner.map_or(Stated::Nothing, Stated::WinnerByResignation),
        };
        self
    }

    /// Chooses the winner: the winner on the board, else the opponent of the player who resigned,
    /// else the stated winner.
    fn winner(&mut self, game: Game, ending: Ending, (outcome, moves): OnBoard) -> Option<Seat> {
        let name = |seat: Seat| game.seat_name(seat);
        let by_resignation = ending.resigned.map(Seat::opponent);
        let stated = ending.winner.map(|winner| (winner, false)).into_iter();
        let stated = stated.chain(by_resignation.map(|winner| (winner, true)));
        if let Some(outcome) = outcome {
            let wrong = stated.filter(|&(winner, _)| outcome.winner != Some(winner));
            let found = result_name(game, outcome);
            self.warnings.extend(wrong.map(|(winner, resigned)| {
                let (result, stated) = (if resigned { "result (by resignation)" } else { "result" }, name(winner));
                let but = format!("but after its {moves} moves the result is '{found}'; the moves count");
                format!("the stated {result} is '{stated}', {but}")
            }));
            return outcome.winner;
        }
        match (ending.winner, ending.resigned) {
            (Some(winner), Some(loser)) if winner == loser => {
                let (stated, loser) = (name(winner), name(loser));
                let odd = format!("the stated result is '{stated}', but {loser} resigned; the resignation counts");
                self.warnings.push(odd);
            }
            (Some(winner), None) if !ending.has_reason => {
                let but = format!("but after its {moves} moves the game is not over; read as a resignation");
                self.warnings.push(format!("the stated result is '{}', {but}", name(winner)));
            }
            _ => {}
        }
        by_resignation.or(ending.winner)
    }

    /// Cuts lines where the game is over, and variations where they cannot be played. Returns the
    /// end of the main line, or `None` if it cannot be played.
    fn prune(&mut self, start: Position) -> Option<OnBoard> {
        let mut on_board = None;
        let mut waiting = Vec::new();
        self.follow(&mut waiting, MoveTree::START, 0, true, &Rc::new(start), &mut on_board);
        let (mut unplayable, mut faults) = (Vec::new(), Vec::new());
        let mut is_playable = true;
        while let Some(Waiting { node, before, number, position, is_main }) = waiting.pop() {
            let written = self.tree.node(node);
            let mut position = Rc::unwrap_or_clone(position);
            match step(&mut position, number, written.mover, &written.name) {
                Ok(_) => self.follow(&mut waiting, node, number, is_main, &Rc::new(position), &mut on_board),
                // After the end of the game, the rest of the main line is treated like a variation.
                Err(_) if is_main && on_board.is_none() => {
                    is_playable = false;
                    break;
                }
                Err(fault) => {
                    unplayable.push((before, node));
                    faults.push(fault);
                }
            }
        }
        self.tree.prune(&unplayable);
        let more = faults.len().saturating_sub(MAX_FAULTS_TOLD);
        let told = faults.into_iter().take(MAX_FAULTS_TOLD);
        self.warnings.extend(told.map(|fault| format!("a variation was left out: {fault}")));
        self.warnings.extend((more > 0).then(|| format!("{more} more variations were left out")));
        on_board.filter(|_| is_playable)
    }

    /// Adds the continuations of a position after `number` moves to the list, or removes them if
    /// the game is over.
    fn follow(
        &mut self,
        waiting: &mut Vec<Waiting>,
        before: usize,
        number: usize,
        is_main: bool,
        position: &Rc<Position>,
        on_board: &mut Option<OnBoard>,
    ) {
        let is_over = position.outcome().filter(|_| !self.tree.node(before).next.is_empty());
        if let Some(outcome) = is_over {
            let (winner, dropped) = (result_name(position.game(), outcome), self.tree.cut(before));
            let odd = format!("after move {number} the game is over ({winner}); moves left out: {dropped}");
            self.warnings.push(odd);
            self.end = if is_main && on_board.is_none() { before } else { self.end };
        }
        if is_main && before == self.end {
            *on_board = Some((position.outcome(), number));
        }
        // The first one on top of the stack, so that the main line comes first.
        let next = self.tree.node(before).next.iter().enumerate().rev();
        waiting.extend(next.map(|(index, &node)| {
            let (position, is_main) = (Rc::clone(position), is_main && index == 0);
            Waiting { node, before, number: number + 1, position, is_main }
        }));
    }

    /// Leaves out swaps of sides that exchange nothing, and those of White's first stone, since by
    /// the rules Black begins.
    fn mend_swaps(&mut self, game: Game) {
        let Ok(start) = game.start(self.size) else { return };
        let has_stones = self.setup.as_ref().is_some_and(|setup| !setup.first.is_empty() || !setup.second.is_empty());
        if game.sgf.is_none() || start.game_board().swap().is_none() || has_stones {
            return;
        }
        let mut is_mended = false;
        for first in self.tree.node(MoveTree::START).next.clone() {
            let white_began = self.tree.node(first).mover == Some(Seat::Second);
            for swap in self.tree.splice(first, |tree, swap| exchanges_nothing(tree, swap, white_began)) {
                is_mended = true;
                self.end = if self.end == swap { first } else { self.end };
                self.shown = self.shown.map(|shown| if shown == swap { first } else { shown });
            }
            if let [swap] = self.tree.node(first).next[..]
                && white_began
                && self.tree.node(swap).mover == Some(Seat::First)
            {
                self.begin_with_black(&start, first, swap);
            }
        }
        if is_mended {
            let odd = "after swap-sides the same colour should move again, which it does not";
            self.warnings.push(format!("{odd}; the swap was left out, the stone stays"));
        }
    }

    /// If Black takes over White's first stone, replaces stone and swap by the stone that Black
    /// then has.
    fn begin_with_black(&mut self, start: &Position, first: usize, swap: usize) {
        let is_alone = self.tree.node(MoveTree::START).next.len() == 1;
        let mut position = start.clone();
        let is_swap = start.game_board().swap().is_some_and(|action| {
            let stone = step(&mut position, 1, None, &self.tree.node(first).name);
            let swapped = step(&mut position, 2, Some(Seat::Second), &self.tree.node(swap).name);
            stone.is_ok() && swapped.is_ok_and(|swapped| swapped.action == action)
        });
        // The stone is where White's would be after such a swap.
        let Some(place) = Arrangement::of(&position).second.pop().filter(|_| is_swap && is_alone) else { return };
        self.tree.splice(first, |_, at| at == swap);
        self.end = if self.end == swap { first } else { self.end };
        let node = &mut self.tree.nodes_mut()[first];
        let odd = format!("white began and black swapped; read as black's stone on {place}, to which white replies");
        (node.name, node.mover) = (place, Some(Seat::First));
        self.setup = None;
        self.warnings.push(odd);
    }
}

/// Returns whether a move is a swap of sides after which the other player moves, or a swap of
/// White's first stone.
fn exchanges_nothing(tree: &MoveTree, swap: usize, white_began: bool) -> bool {
    let node = tree.node(swap);
    let other = node.mover.map(Seat::opponent);
    let other_moves = || other.is_some() && node.next.iter().any(|&next| tree.node(next).mover == other);
    node.name == SWAP_SIDES && (white_began || other_moves())
}
