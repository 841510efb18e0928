//! Plain implementations of games, to compare with.

use std::collections::HashMap;

use hexzero::board::Topology;
use hexzero::games::{Action, Outcome, Position, REPETITION_LIMIT, Seat, TURN_LIMIT, game_named};

pub fn stones(game: &Position) -> Vec<Option<Seat>> {
    (0..game.topology().cells()).map(|cell| game.owner(cell)).collect()
}

pub fn transposed(size: usize, cell: usize) -> usize {
    cell % size * size + cell / size
}

/// The rules of Cachex or Hex, followed literally and cell by cell, without regard to speed.
pub struct Plain {
    size: usize,
    captures: bool,
    topology: &'static Topology,
    pub stones: Vec<Option<Seat>>,
    pub seen: HashMap<Vec<Option<Seat>>, u8>,
    turns: usize,
    /// The four corners of each diamond, opposite ones in one pair.
    diamonds: Vec<[[usize; 2]; 2]>,
}

impl Plain {
    /// The start of a game, whose diamonds capture or do not.
    pub fn new(game: &Position, captures: bool) -> Self {
        let (size, topology, stones) = (game.size(), game.topology(), stones(game));
        let mut diamonds = Vec::new();
        for a in (0..topology.cells()).filter(|_| captures) {
            for b in topology.around(a).filter(|&b| a < b) {
                let common: Vec<_> = topology.around(a).filter(|&c| topology.around(b).any(|d| c == d)).collect();
                if let [c, d] = common[..] {
                    diamonds.push([[a, b], [c, d]]);
                }
            }
        }
        Self { size, captures, topology, seen: HashMap::from([(stones.clone(), 1)]), stones, turns: 0, diamonds }
    }

    /// Plays an action. Returns the cells that were captured, and how the game has ended.
    pub fn play(&mut self, action: Action) -> (Vec<usize>, Option<Outcome>) {
        let mover = Seat::BOTH[self.turns % 2];
        let placed = action.index();
        let mut captured = Vec::new();
        if placed == self.size * self.size {
            let before = self.stones.clone();
            for (cell, stone) in self.stones.iter_mut().enumerate() {
                *stone = before[transposed(self.size, cell)].map(Seat::opponent);
            }
        } else {
            self.stones[placed] = Some(mover);
            for [one, other] in &self.diamonds {
                for (own, enemy) in [(one, other), (other, one)] {
                    let of = |cells: &[usize; 2], player| cells.iter().all(|&cell| self.stones[cell] == Some(player));
                    if own.contains(&placed) && of(own, mover) && of(enemy, mover.opponent()) {
                        captured.extend(enemy);
                    }
                }
            }
            captured.sort_unstable();
            captured.dedup();
            captured.iter().for_each(|&cell| self.stones[cell] = None);
        }
        self.turns += 1;
        let occurrences = self.seen.entry(self.stones.clone()).or_default();
        *occurrences += 1;
        let occurrences = *occurrences;
        let draw =
            |key| Some(Outcome { winner: None, reason: game_named("cachex").unwrap().ending_named(key).unwrap() });
        let outcome = match occurrences {
            _ if self.has_won(mover) => Some(Outcome::connection(mover)),
            _ if !self.captures => None,
            REPETITION_LIMIT.. => draw("repetition"),
            _ if self.turns >= TURN_LIMIT => draw("turns"),
            _ => None,
        };
        (captured, outcome)
    }

    fn has_won(&self, player: Seat) -> bool {
        // How far a cell lies from the side where the player's chains begin.
        let distance = |cell: usize| if player == Seat::First { cell / self.size } else { cell % self.size };
        let own = |cell: &usize| self.stones[*cell] == Some(player);
        let mut open: Vec<_> = (0..self.stones.len()).filter(|&cell| distance(cell) == 0).filter(own).collect();
        let mut reached = open.clone();
        while let Some(cell) = open.pop() {
            for next in self.topology.around(cell).filter(own) {
                if !reached.contains(&next) {
                    reached.push(next);
                    open.push(next);
                }
            }
        }
        reached.iter().any(|&cell| distance(cell) == self.size - 1)
    }
}
