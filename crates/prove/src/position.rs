//! Positions of the game as the solver sees them, and back.

use hexzero_games::{Game, Position, Seat};

use crate::hex::{Cells, Geometry, Stones, bit};

impl Stones {
    /// Returns the stones of a position on its [board](Geometry::of) as its mover sees them. They do not tell whether
    /// the mover may swap.
    pub fn of(position: &Position, board: &Geometry) -> Self {
        let of = |seat| {
            let cells = 0..board.cells();
            cells.filter(|&cell| position.owner(cell) == Some(seat)).fold(0, |set: Cells, cell| set | bit(cell))
        };
        let stones = Self { own: of(Seat::First), opponent: of(Seat::Second) };
        match position.to_move() {
            Seat::First => stones,
            Seat::Second => stones.passed(board),
        }
    }

    /// Returns the position with these stones and this seat to move, without a history; `None` if the game
    /// has no such position.
    pub fn position(self, board: &Geometry, game: Game, to_move: Seat) -> Option<Position> {
        let Self { own: first, opponent: second } = match to_move {
            Seat::First => self,
            Seat::Second => self.passed(board),
        };
        let owner = |cell| match bit(cell) {
            bit if first & bit != 0 => Some(Seat::First),
            bit if second & bit != 0 => Some(Seat::Second),
            _ => None,
        };
        let stones: Vec<Option<Seat>> = (0..board.cells()).map(owner).collect();
        game.with_stones(board.size(), &stones, to_move)
    }
}

/// Turns cells as the mover sees them into those of the game's board, and back.
pub fn cells_of(board: &Geometry, mover: Seat, cells: Cells) -> Cells {
    match mover {
        Seat::First => cells,
        Seat::Second => board.transposed(cells),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hexzero_games::{game_named, play_all};

    #[test]
    fn stones_of_both_movers() {
        let game = game_named("hex").unwrap();
        let board = Geometry::new(3);
        let mut position = game.start(3).unwrap();
        for (moves, own, opponent) in [("b1", 0, bit(3)), ("swap", 0, bit(3)), ("c1", bit(1), bit(6))] {
            play_all(&mut position, moves).unwrap();
            let stones = Stones::of(&position, &board);
            assert_eq!(stones, Stones { own, opponent }, "{moves}");
            let back = stones.position(&board, game, position.to_move()).unwrap();
            assert!((0..9).all(|cell| back.owner(cell) == position.owner(cell)), "{moves}");
        }
        assert_eq!(cells_of(&board, Seat::Second, bit(1)), bit(3));
    }

    #[test]
    fn other_games_and_boards() {
        assert!(Geometry::of(&game_named("hex").unwrap().start(12).unwrap()).is_none());
        assert!(Geometry::of(&game_named("tack").unwrap().start(4).unwrap()).is_none());
    }
}
