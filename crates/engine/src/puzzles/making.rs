//! Makes puzzles from games that the engine plays against itself.
//!
//! The games are quick and have random openings, so that mistakes happen. A position becomes a
//! puzzle if a search finds that one move reaches the [`Goal`] and every other one is clearly
//! worse, and if a search with many times the visits agrees. Its grade is the number of visits that
//! a search needs before it settles on the move. Every game depends only on the seed and its
//! number, so the puzzles do not depend on the number of threads.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use rand::{Rng, RngCore, SeedableRng};

use crate::model::LoadedModel;
use crate::worker_pool::parallel_map_until;
use hexzero_games::{Action, Game, GameRng, Position, SizeError};
use hexzero_search::{Exact, Search, SearchSettings};
use hexzero_system::stop::StopSignal;

use super::Puzzle;
use super::judge::{Best, Goal, Other, Strictness, is_only_win};

/// Default visits by which a position is judged first.
pub const DEFAULT_VISITS: u32 = 1000;

/// The confirming search has this many times the visits of the first one.
pub const CONFIRMED_BY: u32 = 10;

/// A first look gets one in this many of the visits.
const LOOK: u32 = 10;

/// Visits per move in the games, and how randomly moves are drawn by them.
const PLAY_VISITS: u32 = 32;
const TEMPERATURE: f64 = 1.0;

/// Visits for each position that the proof of a move may expand, in games that have a prover.
const VISITS_A_NODE: u32 = 10;

/// The maximum number of random moves at the start of a game.
const MAX_OPENING_PLIES: usize = 6;
/// Moves before the first puzzle of a game: an earlier puzzle, or one with a swap, would ask for
/// the value of an opening.
const OPENING: usize = 4;

/// The maximum number of puzzles per game, and minimum number of moves between two of them.
const OF_A_GAME: usize = 3;
const APART: usize = 5;

/// A move with a higher prior than this is obvious and makes no puzzle.
const SEEN_AT_ONCE: f32 = 0.9;

/// The visits up to which a search settles on the move, for each grade but the last.
const GRADES: [u32; 4] = [1, 8, 64, 256];

/// The maximum share of first-grade puzzles in a set, in percent: harder ones say more.
const EASY: usize = 30;

/// Games played per puzzle wanted before giving up.
const GAMES_FOR_ONE: usize = 100;

/// Games per thread between two checks of whether there are enough puzzles.
const ROUND: usize = 2;

/// Which puzzles to make.
#[derive(Debug, Clone)]
pub struct PuzzleOptions {
    /// The board sizes, in rotation.
    pub sizes: Vec<usize>,
    /// What the solutions achieve.
    pub goal: Goal,
    /// The number of puzzles.
    pub count: usize,
    /// The visits by which a position is judged first; [`CONFIRMED_BY`] times as many confirm it.
    pub visits: u32,
    /// The seed of the games.
    pub seed: u64,
    /// The number of games played in parallel.
    pub threads: NonZeroUsize,
}

/// The puzzles that were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The puzzles in the order in which they were found, without names.
    pub puzzles: Vec<Puzzle>,
    /// The number of games that were played for them.
    pub games: usize,
}

/// Plays games until they have yielded `count` puzzles, or far too few, or until stopped. Reports
/// to `progress` how many puzzles there are.
///
/// # Errors
/// If the game is not played on one of the boards.
pub fn make(
    game: Game,
    options: &PuzzleOptions,
    model: &LoadedModel,
    stop: &StopSignal,
    mut progress: impl FnMut(usize),
) -> Result<Found, SizeError> {
    let starts: Vec<Position> = options.sizes.iter().map(|&size| game.start(size)).collect::<Result<_, _>>()?;
    let (mut found, mut seen) = (Found { puzzles: Vec::new(), games: 0 }, HashSet::new());
    let most_easy = (options.count * EASY).div_ceil(100);
    let mut easy = 0;
    let mut next = 0;
    let most = options.count.saturating_mul(GAMES_FOR_ONE);
    while found.puzzles.len() < options.count && next < most {
        let round = (ROUND * options.threads.get()).min(most - next);
        let made = parallel_map_until(model.forks(options.threads.get()), round, stop, |model, index| {
            let number = next + index;
            let start = &starts[number % starts.len()];
            let mut maker = Maker { model, visits: options.visits, goal: options.goal };
            maker.puzzles_of_game(start, &mut random(options.seed, number), stop)
        });
        // What was found before a stop is kept.
        for puzzles in made.into_iter().flatten() {
            if found.puzzles.len() >= options.count {
                break;
            }
            found.games += 1;
            for (position, puzzle) in puzzles {
                let is_easy = puzzle.grade == 1;
                if found.puzzles.len() < options.count && !(is_easy && easy >= most_easy) && seen.insert(position) {
                    easy += usize::from(is_easy);
                    found.puzzles.push(puzzle);
                }
            }
        }
        if stop.is_requested() {
            break;
        }
        next += round;
        progress(found.puzzles.len());
    }
    Ok(found)
}

/// Returns the random generator of a game.
fn random(seed: u64, number: usize) -> GameRng {
    let seed = GameRng::seed_from_u64(seed).next_u64();
    GameRng::seed_from_u64(seed.wrapping_add(number as u64))
}

/// Plays games and finds puzzles in them.
struct Maker<'a> {
    model: &'a mut LoadedModel,
    visits: u32,
    goal: Goal,
}

impl Maker<'_> {
    /// Plays a game; returns its puzzles, each with a text that identifies its position.
    fn puzzles_of_game(&mut self, start: &Position, rng: &mut GameRng, stop: &StopSignal) -> Vec<(String, Puzzle)> {
        let (mut position, mut moves, mut puzzles) = (start.clone(), Vec::new(), Vec::new());
        for _ in 0..rng.random_range(1..=MAX_OPENING_PLIES) {
            let Some(action) = position.random_action(rng) else { break };
            moves.push(position.action_name(action));
            position.play(action);
        }
        let mut last = None;
        while position.outcome().is_none() && puzzles.len() < OF_A_GAME && !stop.is_requested() {
            let mut search = self.without_solver(&position);
            self.model.run(&mut search, PLAY_VISITS);
            let is_apart = last.is_none_or(|last| moves.len() >= last + APART);
            if is_apart
                && moves.len() >= OPENING
                && may_be_a_puzzle(&search, self.goal)
                && let Some(puzzle) = self.puzzle(&position, &moves)
            {
                last = Some(moves.len());
                puzzles.push((format!("{} {}", puzzle.to_move, position.drawing(None)), puzzle));
            }
            let Some(action) = search.action_at(TEMPERATURE, rng) else { break };
            moves.push(position.action_name(action));
            position.play(action);
        }
        puzzles
    }

    /// Makes a puzzle of a position, if it qualifies.
    fn puzzle(&mut self, position: &Position, moves: &[String]) -> Option<Puzzle> {
        // A few visits rule most positions out.
        self.only_move(position, self.visits / LOOK, Strictness::Look)?;
        let (first, _) = self.only_move(position, self.visits, Strictness::Make)?;
        let settled = self.settles_at(position, first.action)?;
        let (best, other) = self.only_move(position, self.visits.saturating_mul(CONFIRMED_BY), Strictness::Make)?;
        if best.action != first.action {
            return None;
        }
        let mut names = best.line.iter().map(|&action| position.action_name(action));
        Some(Puzzle {
            id: String::new(),
            size: position.size(),
            moves: moves.to_vec(),
            to_move: position.game().seat_name(position.to_move()).to_owned(),
            goal: self.goal,
            solution: names.next()?,
            reply: names.take(REPLY).collect(),
            grade: 1 + GRADES.iter().filter(|&&visits| settled > visits).count() as u8,
            proved: best.is_proven && other.is_proven
                || is_only_win(position, best.action, u64::from(self.visits / VISITS_A_NODE)),
        })
    }

    /// Returns the move that reaches the goal and the best of the others, if these are clearly worse.
    fn only_move(&mut self, position: &Position, visits: u32, strictness: Strictness) -> Option<(Best, Other)> {
        let least = self.goal.least(strictness);
        let best = self.model.best_move(position, visits).filter(|best| best.score >= least)?;
        let most = self.goal.most_of_others(best.score, strictness);
        let other = self.model.best_other(position, best.action, visits, most).filter(|other| other.score <= most)?;
        Some((best, other))
    }

    /// Returns a search without the game's solver, with which games would have no mistakes and
    /// every puzzle would have the first grade.
    fn without_solver(&self, position: &Position) -> Search {
        Search::new(position.clone(), SearchSettings { exact: Exact::Off, ..self.model.search })
    }

    /// Returns the visits after which a search stays with this move; none if the move is obvious.
    fn settles_at(&mut self, position: &Position, best: Action) -> Option<u32> {
        let mut search = self.without_solver(position);
        let (mut settled, mut visits) = (1, 1);
        while visits <= self.visits && !search.is_proven() {
            self.model.run(&mut search, visits);
            if visits == 1 {
                let prior = search.root_priors().into_iter().find(|&(action, _)| action == best);
                prior.filter(|&(_, prior)| prior <= SEEN_AT_ONCE)?;
            }
            if search.best_action() != Some(best) {
                settled = 2 * visits;
            }
            visits *= 2;
        }
        Some(settled)
    }
}

/// The maximum number of moves kept after the solution.
const REPLY: usize = 5;

/// Returns whether, by a short search, exactly one move may reach the goal, and not an obvious one.
fn may_be_a_puzzle(search: &Search, goal: Goal) -> bool {
    let moves = search.root_moves();
    let Some(best) = moves.first().filter(|_| search.winning_action().is_none()) else { return false };
    let is_seen = search.root_priors().iter().any(|&(action, prior)| action == best.action && prior > SEEN_AT_ONCE);
    let others_win = moves[1..].iter().any(|other| other.visits * 8 > PLAY_VISITS && other.outcome.value() > 0.5);
    !is_seen && (goal == Goal::Best || !others_win) && best.outcome.value() > -0.2
}
