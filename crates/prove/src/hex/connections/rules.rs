//! How connections follow from others.

use super::{Connections, Derivation, Found, MAX_CARRIER, MAX_FULL, MAX_OR, MAX_SEMI, Pair};
use crate::hex::geometry::{Cells, bit, members};

/// The connections of a pair of ends while the OR rule combines them.
struct Known<'a> {
    ends: [u8; 2],
    pair: &'a Pair,
    /// For each index, the cells that all semi connections from there on share.
    rest: &'a [Cells],
}

impl Connections {
    /// Queues a connection unless its carrier is too large.
    fn queue(&mut self, ends: [usize; 2], is_full: bool, carrier: Cells, how: impl FnOnce() -> Derivation) {
        let size = carrier.count_ones() as usize;
        if size > MAX_CARRIER {
            return;
        }
        let derivation = self.derivations.as_mut().map_or(0, |derivations| {
            derivations.push(how());
            derivations.len() as u32 - 1
        });
        let [a, b] = ends.map(|end| end as u8);
        self.queue[size].push(Found { ends: [a.min(b), a.max(b)], is_full, carrier, derivation });
    }

    /// Continues a new full connection to all ends that its second end is connected to.
    pub(super) fn and(&mut self, [from, middle]: [usize; 2], carrier: Cells, derivation: u32) {
        // A path through a side ends there.
        if middle < self.sides {
            return;
        }
        let key = self.bits[middle];
        let is_full = key == 0;
        let start = self.bits[from];
        for to in members(self.linked[middle] & !bit(from)) {
            let are_two_of_three = self.sides == 3 && from.max(to) < 3;
            if carrier & self.bits[to] != 0 || are_two_of_three {
                continue;
            }
            let other = self.pair(middle, to);
            let target = self.pair(from, to);
            let known = &self.pairs[target];
            let is_full_up = known.full.len() >= MAX_FULL || !is_full && known.semi.len() >= MAX_SEMI;
            if is_full_up && from.max(to) > 1 {
                continue;
            }
            for number in 0..self.pairs[other].full.len() {
                let second = self.pairs[other].full[number];
                if second & (carrier | start) != 0 {
                    continue;
                }
                let union = carrier | second | key;
                let known = &self.pairs[target];
                let serves = |known: &Cells| known & !union == 0;
                if !known.full.iter().any(serves) && (is_full || !known.semi.iter().any(serves)) {
                    let second_from = self.pairs[other].full_from.get(number).copied().unwrap_or_default();
                    let parts = [derivation, second_from];
                    self.queue([from, to], is_full, union, || Derivation::And { from, middle, parts });
                }
            }
        }
    }

    /// Joins all three sides of Y by way of an end that has a new full connection to one of them.
    pub(super) fn branch(&mut self, middle: usize, side: usize, carrier: Cells, derivation: u32) {
        let key = self.bits[middle];
        let is_full = key == 0;
        let [first, second] = [(side + 1) % 3, (side + 2) % 3].map(|other| self.pair(middle, other));
        let goal = self.pair(0, 1);
        for number in 0..self.pairs[first].full.len() {
            let arm = self.pairs[first].full[number];
            if arm & carrier != 0 {
                continue;
            }
            for number in 0..self.pairs[second].full.len() {
                let last = self.pairs[second].full[number];
                let union = carrier | arm | last | key;
                let serves = |known: &Cells| known & !union == 0;
                let known = &self.pairs[goal];
                let is_known = known.full.iter().any(serves) || !is_full && known.semi.iter().any(serves);
                if last & (carrier | arm) == 0 && !is_known {
                    let parts = [derivation; 2];
                    self.queue([0, 1], is_full, union, || Derivation::And { from: side, middle, parts });
                }
            }
        }
    }

    /// Combines a new semi connection with those known.
    pub(super) fn or(&mut self, found: Found, index: usize) {
        let is_between_sides = found.ends == [0, 1];
        if self.pairs[index].full.len() >= MAX_FULL && !is_between_sides {
            return;
        }
        let known = std::mem::take(&mut self.pairs[index]);
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        rest.resize(known.semi.len() + 1, Cells::MAX);
        for (number, carrier) in known.semi.iter().enumerate().rev() {
            rest[number] = rest[number + 1] & carrier;
        }
        if rest[0] & found.carrier == 0 {
            let mut served = known.full.clone();
            let mut used = vec![found.derivation];
            let known = Known { ends: found.ends, pair: &known, rest: &rest };
            self.combine(&known, 0, [found.carrier; 2], &mut used, &mut served);
        }
        (self.pairs[index], self.rest) = (known, rest);
    }

    /// Extends a set of semi connections, given by the cells they share and their union, by known ones from the index
    /// `first` on. Skips unions that contain a carrier of `served`.
    fn combine(
        &mut self,
        known: &Known<'_>,
        first: usize,
        [common, union]: [Cells; 2],
        used: &mut Vec<u32>,
        served: &mut Vec<Cells>,
    ) {
        let is_last = used.len() + 1 == MAX_OR;
        for number in first..known.pair.semi.len() {
            // All later ones share these cells, too.
            if common & known.rest[number] != 0 {
                return;
            }
            let carrier = known.pair.semi[number];
            let (still_common, larger) = (common & carrier, union | carrier);
            let is_of_use = if is_last { still_common == 0 } else { still_common != common };
            if !is_of_use || served.iter().any(|served| served & !larger == 0) {
                continue;
            }
            used.push(known.pair.semi_from.get(number).copied().unwrap_or_default());
            if still_common == 0 {
                served.push(larger);
                self.queue(known.ends.map(usize::from), true, larger, || Derivation::Or(used.clone()));
            } else {
                self.combine(known, number + 1, [still_common, larger], used, served);
            }
            used.pop();
        }
    }
}
