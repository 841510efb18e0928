//! Tracks which players continue after their faults.

use std::collections::{BTreeMap, BTreeSet};

use super::fixture::{Fault, Fixture, PlayerFailure};

/// The players' faults so far.
#[derive(Debug, Default)]
pub(super) struct Roster {
    max_faults: usize,
    /// The players that have begun a game.
    begun: BTreeSet<usize>,
    /// The number of games in a row that each player has lost by a fault, not counting games that its
    /// opponents lost by a fault.
    in_a_row: BTreeMap<usize, usize>,
    out: BTreeSet<usize>,
    /// The failures by which players are out.
    failures: Vec<(Fixture, PlayerFailure)>,
}

impl Roster {
    /// Creates a roster in which a player is out after `max_faults` faults in a row.
    pub fn new(max_faults: usize) -> Self {
        Self { max_faults, ..Self::default() }
    }

    /// Returns true if both players of a game play on.
    pub fn plays(&self, fixture: &Fixture) -> bool {
        !self.out.contains(&fixture.a) && !self.out.contains(&fixture.b)
    }

    /// Returns the failures by which players are out.
    pub fn into_failures(self) -> Vec<(Fixture, PlayerFailure)> {
        self.failures
    }

    /// Notes how a game ended. Returns true if it counts; if it does not, no more can be played.
    pub fn note(&mut self, fixture: &Fixture, fault: Option<&Fault>) -> bool {
        let numbers = [fixture.a, fixture.b];
        let Some(fault) = fault else {
            self.begun.extend(numbers);
            numbers.iter().for_each(|number| _ = self.in_a_row.remove(number));
            return true;
        };
        let number = numbers[fault.player];
        // A player that has never begun a game cannot be started, or does not speak the protocol.
        if fault.is_lasting || fault.at_start && !self.begun.contains(&number) {
            if self.out.insert(number) {
                self.failures.push((*fixture, fault.failure.clone()));
            }
            return false;
        }
        self.begun.extend(numbers.iter().filter(|&&one| one != number || !fault.at_start));
        let faults = self.in_a_row.entry(number).or_default();
        *faults += 1;
        if *faults >= self.max_faults && self.out.insert(number) {
            let mut failure = fault.failure.clone();
            if *faults > 1 {
                failure.reason += &format!(" (fault {faults} in a row)");
            }
            self.failures.push((*fixture, failure));
        }
        true
    }
}
