//! Alpha-beta search to a fixed depth (principal variation search: Marsland 1986) with the game's own evaluation, which in
//! games about joining two sides is how far each player is from it.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::games::{Action, GameRng, Position};

use super::connection::connection_score;
use super::player::{Player, PlayerError};

/// A win at the root; one further away is worth a point less for each ply.
const WIN: i32 = 1_000_000;
/// Scores beyond this are certain wins.
const CERTAIN: i32 = WIN / 2;
/// Nodes with at least this depth left sort their moves by the evaluation after each; nearer to the
/// leaves that would cost as much as it saves.
const SORTED_BY_SCORE: u32 = 2;

/// Searches `depth` plies ahead. Chooses at random among equally good moves, so games vary.
#[derive(Debug, Clone)]
pub struct AlphaBeta {
    depth: u32,
    rng: GameRng,
    /// The cutoffs by each action, weighted by depth (Schaeffer's history heuristic, 1983).
    cutoffs: [Vec<u32>; 2],
    /// The best action of each position that an earlier, shallower search met: it is searched first. Positions are
    /// told apart by a hash of their pieces, so a collision costs time and no more.
    first: HashMap<u64, Action>,
}

impl AlphaBeta {
    /// Creates a player that searches `depth` plies ahead.
    ///
    /// # Panics
    /// If `depth` is 0.
    pub fn new(depth: u32) -> Self {
        assert!(depth > 0, "a search must look at least one ply ahead");
        Self { depth, rng: GameRng::seed_from_u64(0), cutoffs: [const { Vec::new() }; 2], first: HashMap::new() }
    }

    /// Returns the best moves at the root and their score. Moves are searched with a window that
    /// includes equality, so that equal moves are distinguished from worse ones.
    fn best_moves(&mut self, position: &Position) -> (Vec<Action>, i32) {
        self.cutoffs = [const { Vec::new() }; 2].map(|_: Vec<u32>| vec![0; position.actions()]);
        self.first.clear();
        let mut line = vec![position.clone(); self.depth as usize + 1];
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        legal.shuffle(&mut self.rng);
        let mut moves: Vec<(i32, Action)> = legal.into_iter().map(|action| (0, action)).collect();
        let mut best = 0;
        // Each depth orders the moves for the next.
        for depth in 1..=self.depth {
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

    /// The score of an action in the first position of `line` for the seat that plays it, with `depth` plies to
    /// follow. The other positions of `line` are memory for those plies.
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

    /// The score of the first position of `line` for the seat to move: exact within the window, else a bound.
    fn score(&mut self, line: &mut [Position], depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        if line[0].winning_action().is_some() {
            return WIN - ply;
        }
        if depth == 0 {
            return score(&line[0]);
        }
        let side = line[0].to_move().index();
        let mut best = -WIN;
        let mut first = None;
        let key = (depth >= SORTED_BY_SCORE).then(|| key_of(&line[0]));
        for (index, action) in self.ordered_moves(line, depth, key).into_iter().enumerate() {
            // A null window suffices to show that a move is no better than the first (principal variation search).
            let narrow = if index == 0 { beta } else { alpha + 1 };
            let mut score = self.after(line, action, depth - 1, ply, alpha, narrow);
            if score >= narrow && narrow < beta {
                score = self.after(line, action, depth - 1, ply, alpha, beta);
            }
            if score > best {
                best = score;
                first = Some(action);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                self.cutoffs[side][action.index()] += depth * depth;
                break;
            }
        }
        if let (Some(key), Some(action)) = (key, first) {
            self.first.insert(key, action);
        }
        best
    }

    /// Returns the legal moves in the first position of `line`, the promising ones first.
    fn ordered_moves(&self, line: &mut [Position], depth: u32, key: Option<u64>) -> Vec<Action> {
        let mover = line[0].to_move();
        let mut moves = Vec::new();
        line[0].legal_actions(&mut moves);
        if depth < SORTED_BY_SCORE {
            let cutoffs = &self.cutoffs[mover.index()];
            moves.sort_by_key(|action| Reverse(cutoffs[action.index()]));
            return moves;
        }
        let first = key.and_then(|key| self.first.get(&key).copied());
        moves.sort_by_cached_key(|&action| {
            if Some(action) == first {
                return -2 * WIN;
            }
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

/// Returns a hash of the pieces and the player to move.
fn key_of(position: &Position) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.to_move().hash(&mut hasher);
    (0..position.board().places().len()).for_each(|place| position.piece(place).hash(&mut hasher));
    hasher.finish()
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
    use crate::games::game_named;

    /// The same score without cuts, without an order, and without a random choice.
    fn minimax(position: &Position, depth: u32, ply: i32) -> i32 {
        if position.winning_action().is_some() {
            return WIN - ply;
        }
        if depth == 0 {
            return score(position);
        }
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        legal.iter().map(|&action| minimax_after(position, action, depth - 1, ply)).max().unwrap()
    }

    fn minimax_after(position: &Position, action: Action, depth: u32, ply: i32) -> i32 {
        let mut next = position.clone();
        next.play(action);
        match next.outcome() {
            Some(outcome) => outcome.value_for(position.to_move()) as i32 * (WIN - ply),
            None => -minimax(&next, depth, ply + 1),
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
                let mut next = position.clone();
                next.play(next.random_action(&mut rng).unwrap());
                if next.outcome().is_some() {
                    break;
                }
                position = next;
            }
            let mut legal = Vec::new();
            position.legal_actions(&mut legal);
            for depth in 1..=3 {
                let scores: Vec<i32> = legal.iter().map(|&a| minimax_after(&position, a, depth - 1, 0)).collect();
                let best = *scores.iter().max().unwrap();
                let (mut found, score) = AlphaBeta::new(depth).best_moves(&position);
                found.sort_unstable();
                let expected = legal.iter().zip(&scores).filter(|&(_, &score)| score == best).map(|(&a, _)| a);
                assert_eq!((found, score), (expected.collect(), best), "depth {depth}, {position:?}");
                decided += usize::from(score.abs() > CERTAIN);
            }
        }
        assert!(decided > 20, "{decided}");
    }
}
