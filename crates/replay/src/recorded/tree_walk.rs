//! Plays the variations of a recorded game by the rules.

use std::rc::Rc;

use hexzero_games::{Action, InvalidMove, Position, Seat};

use super::MoveTree;
use super::faults::GameFault;
use super::quoted;

/// The swap in which the stone stays and the players exchange colours.
pub(crate) const SWAP_SIDES: &str = "swap-sides";

/// Maximum number of positions in the variations of a game.
const MAX_POSITIONS: usize = 1 << 16;

/// The notation of the moves in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// The game's own notation, with all moves made in turn.
    Own,
    /// The notation of SGF, with the player of each move.
    Foreign,
}

/// A move that has been made.
pub(super) struct Step {
    pub mover: Seat,
    pub action: Action,
    /// True if the side to move made the move.
    pub in_turn: bool,
    /// True if the move is a swap in which the stone stays.
    pub swaps_sides: bool,
}

/// Gives the turn to a player for the move with this number.
///
/// # Errors
/// If it is the other player's turn, and the game does not allow stones out of turn.
pub(super) fn hand_over(position: &mut Position, mover: Seat, number: usize) -> Result<(), GameFault> {
    let wanted = position.to_move();
    if mover == wanted || position.hand_turn_to(mover) {
        return Ok(());
    }
    Err(GameFault::out_of_turn(number, position.game().seat_name(wanted)))
}

/// Makes a move of a file, given by name and optionally by player.
///
/// # Errors
/// If the move cannot be made. `number` is that of the move, for the message.
pub(super) fn step(
    position: &mut Position,
    number: usize,
    stated: Option<Seat>,
    text: &str,
) -> Result<Step, GameFault> {
    let game = position.game();
    let in_turn = stated.is_none_or(|stated| stated == position.to_move());
    if let Some(stated) = stated.filter(|_| position.outcome().is_none()) {
        hand_over(position, stated, number)?;
    }
    // No move is long enough that cutting it could turn it into another move.
    let text = quoted(text);
    let mover = position.to_move();
    // In the games of hexzero's own notation, no program has a swap of sides.
    let may_exchange = stated.is_some() && game.sgf.is_some();
    let swap = position.game_board().swap().filter(|_| may_exchange && text == SWAP_SIDES);
    let named = swap.map_or_else(|| action_named(position, stated.is_some(), &text), Ok);
    match named.and_then(|action| position.try_play(action).map(|()| action)) {
        Err(reason) => Err(GameFault::Other(format!("move {number} '{text}': {reason}"))),
        Ok(_) if swap.is_some() && !position.hand_turn_to(mover) => {
            Err(GameFault::out_of_turn(number, game.seat_name(mover.opponent())))
        }
        Ok(action) => Ok(Step { mover, action, in_turn: in_turn && swap.is_none(), swaps_sides: swap.is_some() }),
    }
}

/// Parses an action by its own name, or by its name in other programs.
fn action_named(position: &Position, by_foreign_name: bool, text: &str) -> Result<Action, InvalidMove> {
    let named = |global: &usize| position.game().actions[*global].foreign == text;
    let foreign = (0..position.game().actions.len()).find(named).filter(|_| by_foreign_name);
    foreign.map_or_else(|| position.parse_action(text), |global| Ok(position.game_board().global(global)))
}

/// A swap that gets no node in the new tree unless a player other than the swapper moves after it.
#[derive(Clone)]
struct LeftOut {
    before: usize,
    swapper: Seat,
    name: String,
}

/// A position of the file waiting to be played, with its parent in the new tree and the board
/// there.
#[derive(Clone)]
struct Waiting {
    node: usize,
    number: usize,
    after: usize,
    swap: Option<LeftOut>,
    position: Rc<Position>,
}

/// Adds the positions that follow one, the first on top of the stack, to keep the order.
fn add_next(waiting: &mut Vec<Waiting>, tree: &MoveTree, from: &Waiting) {
    waiting.extend(tree.node(from.node).next.iter().rev().map(|&node| Waiting { node, ..from.clone() }));
}

/// Returns the name of a move that led to a position.
fn name_of(done: &Step, position: &Position, names: Names) -> String {
    match names {
        Names::Foreign if done.swaps_sides => SWAP_SIDES.to_owned(),
        Names::Foreign if position.game().sgf.is_some() => position.foreign_action_name(done.action),
        _ => position.action_name(done.action),
    }
}

/// Plays all variations from `start` and returns them with other names, with identical moves
/// merged, the new numbers of the `marked` positions, and a warning if variations are left out.
///
/// A swap of sides does not change the board, so it is left out in the game's own notation. So are variations out
/// of turn, since that notation names no players.
///
/// # Errors
/// If a move cannot be played, or stones are out of turn where that is not allowed.
pub(super) fn renamed(
    tree: &MoveTree,
    marked: [usize; 2],
    start: &Position,
    names: Names,
) -> Result<(MoveTree, [usize; 2], Option<String>), GameFault> {
    if tree.len() > MAX_POSITIONS {
        let problem = format!("a game of more than {MAX_POSITIONS} positions, variations counted, cannot be rewritten");
        return Err(GameFault::Other(problem));
    }
    let mut new = MoveTree::default();
    let first = tree.node(MoveTree::START);
    new.note(MoveTree::START, &first.comment, first.marks.clone(), first.finding.clone());
    let (mut new_marks, mut in_turn) = ([MoveTree::START; 2], true);
    let (mut waiting, position) = (Vec::new(), Rc::new(start.clone()));
    let after = MoveTree::START;
    add_next(&mut waiting, tree, &Waiting { node: MoveTree::START, number: 1, after, swap: None, position });
    while let Some(Waiting { node, number, after, swap, position }) = waiting.pop() {
        let written = tree.node(node);
        let mut position = Rc::unwrap_or_clone(position);
        let done = step(&mut position, number, written.mover, &written.name)?;
        in_turn &= done.in_turn;
        let after = match swap {
            // The colour that swapped moves again, so the swap was one of sides.
            Some(swap) if swap.swapper == done.mover => swap.before,
            Some(LeftOut { before, swapper, name }) => {
                new.child(before, &name).unwrap_or_else(|| new.add(before, Some(swapper), name))
            }
            None => after,
        };
        let is_others_turn = position.to_move() != done.mover;
        let moves_again =
            || is_others_turn && written.next.iter().any(|&next| tree.node(next).mover == Some(done.mover));
        let is_swap = Some(done.action) == position.game_board().swap();
        let is_left_out = names == Names::Own && is_swap && (done.swaps_sides || moves_again());
        let name = name_of(&done, &position, names);
        let at = match new.child(after, &name) {
            _ if is_left_out => after,
            Some(known) => known,
            None => new.add(after, Some(done.mover), name.as_str()),
        };
        // A file may contain the same variation twice.
        let comment = if new.node(at).comment == written.comment { "" } else { &written.comment };
        new.note(at, comment, written.marks.clone(), written.finding.clone());
        new_marks.iter_mut().zip(marked).filter(|&(_, marked)| marked == node).for_each(|(mark, _)| *mark = at);
        let swap = is_left_out.then_some(LeftOut { before: at, swapper: done.mover, name });
        let (number, position) = (number + 1, Rc::new(position));
        add_next(&mut waiting, tree, &Waiting { node, number, after: at, swap, position });
    }
    let left_out = if names == Names::Own && !in_turn { keep_turns(&mut new, start, new_marks[0])? } else { None };
    if names == Names::Foreign {
        name_swaps_of_sides(&mut new, start);
    }
    Ok((new, new_marks, left_out))
}

/// Leaves out the variations in which a move is not made by the side to move, and returns a warning if there are any.
///
/// # Errors
/// If the main line has such a move, up to `end`: what follows that was not played.
fn keep_turns(tree: &mut MoveTree, start: &Position, end: usize) -> Result<Option<String>, GameFault> {
    let played = tree.line_to(end);
    let mut out_of_turn = Vec::new();
    let mut waiting = vec![(MoveTree::START, Rc::new(start.clone()))];
    while let Some((before, position)) = waiting.pop() {
        for &child in &tree.node(before).next {
            let mut next = Position::clone(&position);
            let node = tree.node(child);
            let is_made = node.mover == Some(next.to_move()) && next.play_named(&node.name).is_ok();
            if is_made {
                waiting.push((child, Rc::new(next)));
            } else if played.contains(&child) {
                return Err(GameFault::SetUp);
            } else {
                out_of_turn.push((before, child));
            }
        }
    }
    tree.prune(&out_of_turn);
    let left_out = out_of_turn.len();
    let why = "a player places two stones in a row or passes there, which only SGF can hold";
    Ok((left_out > 0).then(|| format!("variations left out: {left_out}; {why}")))
}

/// Renames those swaps after which the same colour moves again.
fn name_swaps_of_sides(tree: &mut MoveTree, start: &Position) {
    let Some(swap) = start.game_board().swap().map(|swap| start.foreign_action_name(swap)) else { return };
    for number in 0..tree.len() {
        let node = tree.node(number);
        let again = node.next.first().is_some_and(|&next| tree.node(next).mover == node.mover);
        if again && node.name == swap {
            tree.nodes_mut()[number].name = SWAP_SIDES.to_owned();
        }
    }
}
