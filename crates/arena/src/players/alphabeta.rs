//! Alpha-beta search to a fixed depth (principal variation search: Marsland 1986) with the game's own evaluation, which
//! in games about joining two sides is how far each player is from it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};

use hexzero_games::{Action, GameRng, Position};

use super::connection::connection_score;
use super::player::{Player, PlayerError};

/// A win at the root; one further away is worth a point less for each ply.
const WIN: i32 = 1_000_000;
/// Scores beyond this are certain wins.
const CERTAIN: i32 = WIN / 2;
/// Nodes with at least this depth left sort their moves by the evaluation after each; nearer the
/// leaves, sorting would cost as much as it saves.
const SORTED_BY_SCORE: u32 = 2;

/// The maximum number of positions that a search remembers.
const MAX_TABLE_ENTRIES: usize = 1 << 22;

/// The findings of a search about a position.
#[derive(Debug, Clone, Copy)]
struct TableEntry {
    /// The remaining depth that was searched, and the depth of the search at the root. A score is reused
    /// only where both match: the position is then equally far from the root.
    depth: u8,
    root_depth: u8,
    bound: Bound,
    score: i32,
    best: Action,
}

impl TableEntry {
    /// Returns the score if it settles a search of this window and depth.
    fn settles(&self, depth: u32, root_depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let is_in_window = match self.bound {
            Bound::Exact => false,
            Bound::Lower => self.score < beta,
            Bound::Upper => self.score > alpha,
        };
        let is_as_deep = (u32::from(self.depth), u32::from(self.root_depth)) == (depth, root_depth);
        (is_as_deep && !is_in_window).then_some(self.score)
    }
}

/// How a stored score relates to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Lower,
    Exact,
    Upper,
}

/// Searches `depth` plies ahead. Chooses at random among equally good moves, so games vary.
#[derive(Debug, Clone)]
pub struct AlphaBeta {
    depth: u32,
    rng: GameRng,
    /// The cutoffs by each action, weighted by depth (Schaeffer's history heuristic, 1983).
    cutoffs: [Vec<u32>; 2],
    /// The positions searched (transposition table), by a 64-bit hash of their network inputs: the pieces alone do not
    /// show the part of a turn, for example.
    table: HashMap<u64, TableEntry>,
    /// Buffers for network inputs.
    seen: [Vec<f32>; 2],
    /// The latest two actions that cut at each depth (killer heuristic: Akl and Newborn 1977).
    killers: Vec<[Option<Action>; 2]>,
    /// The depth of the search under way.
    root_depth: u32,
}

impl AlphaBeta {
    /// Creates a player that searches `depth` plies ahead.
    ///
    /// # Panics
    /// If `depth` is 0.
    pub fn new(depth: u32) -> Self {
        assert!(depth > 0, "a search must look at least one ply ahead");
        let rng = GameRng::seed_from_u64(0);
        let killers = vec![[None; 2]; depth as usize];
        let (cutoffs, table, seen) = Default::default();
        Self { depth, rng, cutoffs, table, seen, killers, root_depth: 0 }
    }

    /// Returns the best moves at the root and their score. Moves are searched with a window that
    /// includes equality, so that equal moves are distinguished from worse ones.
    fn best_moves(&mut self, position: &Position) -> (Vec<Action>, i32) {
        self.cutoffs = std::array::from_fn(|_| vec![0; position.actions()]);
        self.table.clear();
        self.killers.fill([None; 2]);
        let mut line = vec![position.clone(); self.depth as usize + 1];
        let mut legal = position.legal();
        legal.shuffle(&mut self.rng);
        let mut moves: Vec<(i32, Action)> = legal.into_iter().map(|action| (0, action)).collect();
        let mut best = 0;
        // Each depth orders the moves for the next.
        for depth in 1..=self.depth {
            self.root_depth = depth;
            moves.sort_by_key(|&(score, _)| Reverse(score));
            best = -WIN;
            for (score, action) in &mut moves {
                *score = self.after(&mut line, *action, depth - 1, 0, best - 1, best);
                if *score >= best {
                    *score = self.after(&mut line, *action, depth - 1, 0, best - 1, WIN);
                    best = *score;
                }
            }
            if best.abs() > CERTAIN {
                break;
            }
        }
        (moves.into_iter().filter(|&(score, _)| score == best).map(|(_, action)| action).collect(), best)
    }

    /// Returns the score of an action in the first position of `line` for the seat that plays it,
    /// with `depth` plies to follow. The other positions of `line` are buffers for those plies.
    fn after(&mut self, line: &mut [Position], action: Action, depth: u32, ply: i32, alpha: i32, beta: i32) -> i32 {
        let mover = line[0].to_move();
        play_next(line, action);
        let following = &mut line[1..];
        if let Some(outcome) = following[0].outcome() {
            return outcome.value_for(mover) as i32 * (WIN - ply);
        }
        if following[0].to_move() == mover {
            self.score(following, depth, ply + 1, alpha, beta)
        } else {
            -self.score(following, depth, ply + 1, -beta, -alpha)
        }
    }

    /// Returns the score of the first position of `line` for the seat to move: exact within the
    /// window, else a bound.
    fn score(&mut self, line: &mut [Position], depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        if line[0].winning_action().is_some() {
            return WIN - ply;
        }
        if depth == 0 {
            return score(&line[0]);
        }
        let key = self.key_of(&line[0]);
        let known = self.table.get(&key).copied();
        if let Some(score) = known.and_then(|known| known.settles(depth, self.root_depth, alpha, beta)) {
            return score;
        }
        let side = line[0].to_move().index();
        let asked = alpha;
        let (mut best, mut first) = (-WIN, None);
        // Moves that caused cutoffs before are tried first: ordering the others takes longer than
        // searching some of these.
        let mut moves = self.likely_moves(&line[0], depth, known.map(|known| known.best));
        let likely = moves.len();
        let mut index = 0;
        loop {
            if index == likely {
                let others = self.ordered_moves(line, depth).into_iter();
                let others: Vec<Action> = others.filter(|action| !moves.contains(action)).collect();
                moves.extend(others);
            }
            let Some(&action) = moves.get(index) else { break };
            // A null window suffices to show that a move is no better than the first (principal variation search).
            let narrow = if index == 0 { beta } else { alpha + 1 };
            let mut score = self.after(line, action, depth - 1, ply, alpha, narrow);
            if score >= narrow && narrow < beta {
                score = self.after(line, action, depth - 1, ply, alpha, beta);
            }
            if score > best || first.is_none() {
                best = score;
                first = Some(action);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                self.note_cutoff(side, action, depth);
                break;
            }
            index += 1;
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best <= asked => Bound::Upper,
            _ => Bound::Exact,
        };
        if let Some(action) = first.filter(|_| known.is_some() || self.table.len() < MAX_TABLE_ENTRIES) {
            let (depth, root_depth) = (depth as u8, self.root_depth as u8);
            self.table.insert(key, TableEntry { depth, root_depth, bound, score: best, best: action });
        }
        best
    }

    /// Notes that an action caused a cutoff, for the order of later moves.
    fn note_cutoff(&mut self, side: usize, action: Action, depth: u32) {
        self.cutoffs[side][action.index()] += depth * depth;
        let killers = &mut self.killers[depth as usize];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
    }

    /// Returns a hash of a position's network inputs and of the player to move.
    fn key_of(&mut self, position: &Position) -> u64 {
        let (view, [cells, globals]) = (&position.game().view, &mut self.seen);
        cells.resize(position.topology().cells() * view.cell_inputs, 0.0);
        globals.resize(view.global_inputs, 0.0);
        position.encode(cells, globals);
        let mut hasher = DefaultHasher::new();
        position.to_move().hash(&mut hasher);
        cells.iter().chain(globals.iter()).for_each(|input| hasher.write_u32(input.to_bits()));
        hasher.finish()
    }

    /// Returns the move that was best in the position before and those that last caused a cutoff at
    /// this depth, if they are legal.
    fn likely_moves(&self, position: &Position, depth: u32, first: Option<Action>) -> Vec<Action> {
        let mut moves = Vec::new();
        for action in first.into_iter().chain(self.killers[depth as usize].into_iter().flatten()) {
            if !moves.contains(&action) && position.check(action).is_ok() {
                moves.push(action);
            }
        }
        moves
    }

    /// Returns the legal moves in the first position of `line`, the promising ones first.
    fn ordered_moves(&self, line: &mut [Position], depth: u32) -> Vec<Action> {
        let mover = line[0].to_move();
        let mut moves = line[0].legal();
        if depth < SORTED_BY_SCORE {
            let cutoffs = &self.cutoffs[mover.index()];
            moves.sort_by_key(|action| Reverse(cutoffs[action.index()]));
            return moves;
        }
        moves.sort_by_cached_key(|&action| {
            let next = play_next(line, action);
            match next.outcome() {
                Some(outcome) => -outcome.value_for(mover) as i32 * WIN,
                None if next.to_move() == mover => -score(next),
                None => score(next),
            }
        });
        moves
    }
}

/// Evaluates an unfinished position for the player to move: by the game's own evaluation, or else by the paths from
/// side to side.
fn score(position: &Position) -> i32 {
    position.heuristic().unwrap_or_else(|| connection_score(position))
}

/// Sets the second position of `line` to that after an action in the first.
fn play_next(line: &mut [Position], action: Action) -> &Position {
    let [present, next, ..] = line else { unreachable!("a line has a position for each ply") };
    next.clone_from(present);
    next.play(action);
    next
}

impl Player for AlphaBeta {
    fn name(&self) -> String {
        format!("alphabeta:{}", self.depth)
    }

    fn start_game(&mut self, _start: &Position, seed: u64) -> Result<(), PlayerError> {
        self.rng = GameRng::seed_from_u64(seed);
        Ok(())
    }

    fn choose(&mut self, position: &Position) -> Result<Option<Action>, PlayerError> {
        let winning = position.winning_action();
        Ok(winning.or_else(|| self.best_moves(position).0.choose(&mut self.rng).copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{all_games, game_named};

    /// Computes the same score without cutoffs, move ordering or random choice.
    fn minimax(position: &Position, depth: u32, ply: i32) -> i32 {
        if position.winning_action().is_some() {
            return WIN - ply;
        }
        if depth == 0 {
            return score(position);
        }
        let legal = position.legal().into_iter();
        legal.map(|action| minimax_after(position, action, depth - 1, ply)).max().unwrap()
    }

    fn minimax_after(position: &Position, action: Action, depth: u32, ply: i32) -> i32 {
        let next = position.after(action);
        match next.outcome() {
            Some(outcome) => outcome.value_for(position.to_move()) as i32 * (WIN - ply),
            None if next.to_move() == position.to_move() => minimax(&next, depth, ply + 1),
            None => -minimax(&next, depth, ply + 1),
        }
    }

    /// Returns the best moves as minimax finds them, and their score.
    fn best_by_minimax(position: &Position, depth: u32) -> (Vec<Action>, i32) {
        let legal = position.legal();
        let scores: Vec<i32> = legal.iter().map(|&action| minimax_after(position, action, depth - 1, 0)).collect();
        let best = *scores.iter().max().unwrap();
        let moves = legal.into_iter().zip(scores).filter(|&(_, score)| score == best);
        (moves.map(|(action, _)| action).collect(), best)
    }

    #[test]
    fn transposition_table_changes_no_result() {
        let mut rng = GameRng::seed_from_u64(2);
        for game in all_games() {
            let mut tried = 0;
            for _ in 0..100 {
                // Late in a game, where four plies are few positions.
                let mut position = game.start(*game.boards.sizes.start()).unwrap();
                while position.outcome().is_none() && position.legal().len() > 9 {
                    position.play(position.random_action(&mut rng).unwrap());
                }
                if position.outcome().is_some() || position.winning_action().is_some() {
                    continue;
                }
                let expected = best_by_minimax(&position, 4);
                let (mut moves, score) = AlphaBeta::new(4).best_moves(&position);
                if score.abs() > CERTAIN {
                    // A shallower search may have found the win or loss already, and stops.
                    assert_eq!(score, expected.1, "{}, {position:?}", game.name());
                    continue;
                }
                moves.sort_unstable();
                assert_eq!((moves, score), expected, "{}, {position:?}", game.name());
                tried += 1;
                if tried == 10 {
                    break;
                }
            }
        }
    }

    #[test]
    fn finds_exactly_the_best_moves_of_minimax() {
        let mut decided = 0;
        let mut rng = GameRng::seed_from_u64(1);
        let cachex = game_named("cachex").unwrap();
        for number in 0..200 {
            let mut position = cachex.start(3 + number % 2).unwrap();
            for _ in 0..1 + number % 7 {
                let next = position.after(position.random_action(&mut rng).unwrap());
                if next.outcome().is_some() {
                    break;
                }
                position = next;
            }
            for depth in 1..=3 {
                let (mut found, score) = AlphaBeta::new(depth).best_moves(&position);
                found.sort_unstable();
                assert_eq!((found, score), best_by_minimax(&position, depth), "depth {depth}, {position:?}");
                decided += usize::from(score.abs() > CERTAIN);
            }
        }
        assert!(decided > 20, "{decided}");
    }
}
