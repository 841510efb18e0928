//! The solver against brute force, and against published values.

use std::collections::HashMap;

use hexzero_games::{Action, game_named};
use hexzero_prove::hex::{Analysis, Analyst, Cells, Geometry, Knowledge, Resistance, Stones, bit, fill, members};
use hexzero_prove::{Options, Prover};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Values by brute force.
struct Brute<'a> {
    board: &'a Geometry,
    known: HashMap<Stones, bool>,
}

impl Brute<'_> {
    fn wins(&mut self, stones: Stones) -> bool {
        if let Some(winner) = stones.winner(self.board) {
            return winner;
        }
        if let Some(&known) = self.known.get(&stones) {
            return known;
        }
        let wins = members(stones.empty(self.board)).any(|cell| !self.wins(stones.after(self.board, cell)));
        self.known.insert(stones, wins);
        wins
    }
}

fn random_position(board: &Geometry, stones: usize, rng: &mut Xoshiro256PlusPlus) -> Stones {
    let mut position = Stones::NONE;
    for _ in 0..stones {
        let empty: Vec<usize> = members(position.empty(board)).collect();
        let next = position.after(board, empty[rng.random_range(0..empty.len())]);
        if next.winner(board).is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Returns the position in which the loser also has all empty cells outside of a carrier.
fn without(board: &Geometry, stones: Stones, carrier: Cells, mover_wins: bool) -> Stones {
    let others = stones.empty(board) & !carrier;
    if mover_wins {
        Stones { opponent: stones.opponent | others, ..stones }
    } else {
        Stones { own: stones.own | others, ..stones }
    }
}

#[test]
fn analyses_are_those_of_brute_force() {
    let hex = [(Geometry::new(3), 0, 300), (Geometry::new(4), 3, 400)];
    let y = [(Geometry::y(3), 0, 100), (Geometry::y(4), 0, 400), (Geometry::y(5), 5, 400)];
    for (board, least, count) in hex.into_iter().chain(y) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut brute = Brute { board: &board, known: HashMap::new() };
        let mut analyst = Analyst::new(Knowledge::default());
        let mut decided = 0;
        for _ in 0..count {
            let stones = random_position(&board, rng.random_range(least..board.cells() - 2), &mut rng);
            let wins = brute.wins(stones);
            match analyst.analyse(&board, stones) {
                Analysis::Won(carrier) => {
                    decided += 1;
                    assert!(wins && brute.wins(without(&board, stones, carrier, true)), "{stones:?}");
                }
                Analysis::Lost(carrier) => {
                    decided += 1;
                    assert!(!wins && !brute.wins(without(&board, stones, carrier, false)), "{stones:?}");
                }
                Analysis::Refuted(threats) => {
                    decided += 1;
                    let carrier = threats.iter().fold(0, |union, threat| union | threat);
                    assert!(!wins && !brute.wins(without(&board, stones, carrier, false)), "{stones:?}");
                }
                Analysis::Open(threats) => {
                    for cell in members(stones.empty(&board)) {
                        if threats.iter().any(|threat| threat & bit(cell) == 0) {
                            assert!(brute.wins(stones.after(&board, cell)), "{stones:?} {cell}");
                        }
                    }
                }
            }
        }
        assert!(decided * 10 > count * 8, "{decided} of {count} decided");
    }
}

#[test]
fn filling_in_keeps_the_value() {
    for (board, stones) in [(Geometry::new(4), 2..13), (Geometry::y(4), 0..9), (Geometry::y(5), 5..13)] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut brute = Brute { board: &board, known: HashMap::new() };
        let mut filled_cells = 0;
        for _ in 0..600 {
            let stones = random_position(&board, rng.random_range(stones.clone()), &mut rng);
            let mut filled = stones;
            fill(&board, &mut filled, board.board(), |_| ());
            filled_cells += stones.empty(&board).count_ones() - filled.empty(&board).count_ones();
            assert_eq!(brute.wins(stones), brute.wins(filled), "{stones:?}");
            let passed = |stones: Stones| stones.passed(&board);
            assert_eq!(brute.wins(passed(stones)), brute.wins(passed(filled)), "{stones:?}");
        }
        assert!(filled_cells > 300, "{filled_cells}");
    }
}

#[test]
fn proofs_are_those_of_brute_force() {
    for board in [Geometry::new(3), Geometry::new(4), Geometry::y(3), Geometry::y(4), Geometry::y(5)] {
        let mut brute = Brute { board: &board, known: HashMap::new() };
        for connections in [true, false] {
            let knowledge = Knowledge { connections, ..Knowledge::default() };
            let options = Options { knowledge, ..Options::default() };
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
            let mut prover = Prover::on(board.clone(), options, Box::new(Resistance::default()));
            for _ in 0..200 {
                let stones = random_position(&board, rng.random_range(board.size() - 2..board.cells() - 2), &mut rng);
                let verdict = prover.prove(stones).unwrap();
                assert_eq!(verdict.wins, brute.wins(stones), "{stones:?}");
                let within = without(&board, stones, verdict.carrier, verdict.wins);
                assert_eq!(brute.wins(within), verdict.wins, "{stones:?} {verdict:?}");
            }
        }
    }
}

#[test]
fn winners_of_y_are_those_of_the_game() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for size in [3, 4, 7, 15] {
        let board = Geometry::y(size);
        for _ in 0..50 {
            let mut position = game_named("y").unwrap().start(size).unwrap();
            while position.outcome().is_none() {
                let stones = Stones::of(&position, &board);
                assert_eq!(stones.winner(&board), None, "{stones:?}");
                let empty: Vec<usize> = members(stones.empty(&board)).collect();
                position.play(Action(empty[rng.random_range(0..empty.len())] as u16));
            }
            let stones = Stones::of(&position, &board);
            let winner = position.outcome().unwrap().winner;
            assert_eq!(stones.winner(&board), winner.map(|winner| winner == position.to_move()), "{stones:?}");
        }
    }
}

/// A full table forgets and proves the same; one without room for a position ends the search.
#[test]
fn full_table_forgets() {
    let proven = |max_bytes| {
        let knowledge = Knowledge { connections: false, ..Knowledge::default() };
        let options = Options { knowledge, max_bytes, ..Options::default() };
        let mut prover = Prover::on(Geometry::new(5), options, Box::new(Resistance::default()));
        let verdict = prover.prove(Stones::NONE.after(&prover.board().clone(), 5));
        (verdict.map(|verdict| verdict.wins), prover.expanded())
    };
    let (whole, full) = (proven(usize::MAX), proven(1 << 20));
    assert!(full.0 == whole.0 && full.1 > whole.1, "{full:?} {whole:?}");
    assert_eq!(proven(0), (None, 0));
}
