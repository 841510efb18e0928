//! HexiFence: fill the edges of a hexagon of cells. Completing a cell captures it and gives another
//! move; most cells win.
//!
//! A project of the course COMP30024 of the University of Melbourne, 2016.

mod ends;
mod fences;
mod geometry;
mod info;
mod solver;

use rand::Rng;

use crate::{
    Action, Change, ChangeLog, EndReason, EndgameSolver, GameInfo, GameRng, InvalidMove, Outcome, Piece, Rules, Score,
    Seat, Solver, Transform, rules_by_fields,
};
use hexzero_board::{Board, DIRECTIONS, Shape, Symmetry};

use geometry::{CELLS, EDGES, Geometry, NONE};

const MAX_SIZE: usize = 5;
/// The side that the network's size input is relative to.
const UNIT_SIDE: f32 = 4.0;
/// All cells are captured.
const COMPLETE: EndReason = EndReason(1);

/// The first of six input planes each, one for each direction from a cell: edges that are filled,
/// edges that would complete a cell, edges that would leave a cell with one edge missing.
const DIRECTED: [usize; 3] = [1, 15, 21];

/// A position of HexiFence.
#[derive(Debug, Clone)]
pub struct HexiFence {
    side: u8,
    to_move: Seat,
    turns: u8,
    outcome: Option<Outcome>,
    /// The seat that filled each edge.
    edges: [Option<Seat>; EDGES],
    /// The seat that captured each cell.
    captured: [Option<Seat>; CELLS],
    /// The number of empty edges of each cell.
    missing: [u8; CELLS],
    /// The number of captured cells of each seat.
    cells: [u8; 2],
    /// The empty edges in some order, and the index of each edge among them, so that one can be
    /// drawn or removed in constant time.
    empty: [u8; EDGES],
    slots: [u8; EDGES],
}

impl HexiFence {
    fn geometry(&self) -> &'static Geometry {
        Geometry::of(self.side.into())
    }

    fn edge(&self, action: Action) -> Option<usize> {
        let edges = &self.geometry().edge_of_action;
        edges.get(action.index()).filter(|&&edge| edge != NONE).map(|&edge| edge.into())
    }

    fn empty_edges(&self) -> &[u8] {
        &self.empty[..self.geometry().edges.len() - usize::from(self.turns)]
    }

    /// Returns a seat's number of cells minus the other's.
    fn lead(&self, seat: Seat) -> i32 {
        i32::from(self.cells[seat.index()]) - i32::from(self.cells[seat.opponent().index()])
    }

    /// Removes an edge from the list of empty ones.
    fn strike(&mut self, edge: usize) {
        let last = self.empty[self.empty_edges().len() - 1];
        let slot = self.slots[edge];
        self.empty[usize::from(slot)] = last;
        self.slots[usize::from(last)] = slot;
    }

    /// Returns whether filling an empty edge completes a cell, and whether it leaves a cell with a
    /// single empty edge.
    fn effects(&self, edge: usize) -> (bool, bool) {
        let cells = self.geometry().edges[edge].cells;
        let lacks = |wanted: u8| cells.iter().any(|&cell| cell != NONE && self.missing[usize::from(cell)] == wanted);
        (lacks(1), lacks(2))
    }
}

impl Rules for HexiFence {
    const INFO: GameInfo = info::INFO;
    const SOLVER: Option<Solver> = Some(solver::SOLVER);

    fn board(size: usize) -> &'static Board {
        Board::of(&Shape::HexagonEdges { side: size })
    }

    fn new(size: usize) -> Self {
        let numbers = std::array::from_fn(|edge| edge as u8);
        Self {
            side: size as u8,
            to_move: Seat::First,
            turns: 0,
            outcome: None,
            edges: [None; EDGES],
            captured: [None; CELLS],
            missing: [DIRECTIONS as u8; CELLS],
            cells: [0; 2],
            empty: numbers,
            slots: numbers,
        }
    }

    rules_by_fields!(to_move, hand_turn_to, turns, outcome);

    /// Every game fills all edges.
    fn turn_limit(size: usize) -> usize {
        size * (9 * size - 3)
    }

    fn check(&self, action: Action) -> Result<(), InvalidMove> {
        let geometry = self.geometry();
        let Some(edge) = self.edge(action) else {
            return Err(InvalidMove::NoSuchAction { index: action.index(), actions: geometry.edge_of_action.len() });
        };
        if self.edges[edge].is_some() {
            let label = geometry.board.label(geometry.edges[edge].place.into());
            return Err(InvalidMove::refused(format!("{label} is filled; choose an empty edge")));
        }
        Ok(())
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        let edges = self.geometry().edges.iter().zip(&self.edges);
        actions.extend(edges.filter(|(_, filled)| filled.is_none()).map(|(edge, _)| edge.action));
    }

    fn random_action(&self, rng: &mut GameRng) -> Option<Action> {
        let empty = self.empty_edges();
        let edge = *empty.get(rng.random_range(0..empty.len().max(1)))?;
        Some(self.geometry().edges[usize::from(edge)].action)
    }

    fn play(&mut self, action: Action, changes: &mut impl ChangeLog) {
        let (geometry, mover) = (self.geometry(), self.to_move);
        let number = usize::from(geometry.edge_of_action[action.index()]);
        let edge = &geometry.edges[number];
        changes.note(Change::Placed(edge.place));
        self.edges[number] = Some(mover);
        self.strike(number);
        self.turns += 1;
        let mut captured = 0;
        for cell in edge.cells.into_iter().filter(|&cell| cell != NONE).map(usize::from) {
            self.missing[cell] -= 1;
            if self.missing[cell] == 0 {
                self.captured[cell] = Some(mover);
                // The places of cells come after those of edges.
                changes.note(Change::Placed((geometry.edges.len() + cell) as u16));
                captured += 1;
            }
        }
        self.cells[mover.index()] += captured;
        if captured == 0 {
            self.to_move = mover.opponent();
        }
        if self.empty_edges().is_empty() {
            let winner = Seat::BOTH.into_iter().find(|&seat| self.lead(seat) > 0);
            self.outcome = Some(Outcome { winner, reason: COMPLETE });
        }
    }

    fn piece(&self, place: usize) -> Option<Piece> {
        let geometry = self.geometry();
        let owner = match geometry.edge_of_place[place] {
            NONE => self.captured[place - geometry.edges.len()],
            edge => self.edges[usize::from(edge)],
        };
        owner.map(Piece::stone)
    }

    fn owner(&self, cell: usize) -> Option<Seat> {
        match self.geometry().cell_of_lattice[cell] {
            NONE => None,
            cell => self.captured[usize::from(cell)],
        }
    }

    fn endgame_solver(&self) -> Option<Box<dyn EndgameSolver>> {
        Some(Box::new(ends::Ends::of(self)?))
    }

    fn score(&self) -> Option<Score> {
        Some(Score { what: "captured cells", points: self.cells.map(u32::from) })
    }

    fn heuristic(&self) -> Option<i32> {
        Some(fences::heuristic(self))
    }

    /// Planes: cells of the board; for each direction, whether the edge there is filled; cells of
    /// the mover, cells of the enemy; cells that lack 1 to 6 edges; for each direction, whether the
    /// edge there would complete a cell, and whether it would leave a cell with one edge missing.
    ///
    /// Globals: the mover's lead as a share of all cells, the share of edges that are filled, size
    /// / 4. Then parities, 1 if even and -1 if odd: of the turns to come (empty edges less cells to
    /// take, if no move takes two), of the empty edges, and of the safe ones, which give no cell
    /// away. They decide who has to open the first chain, and a network cannot count them.
    fn encode(&self, cells: &mut [f32], globals: &mut [f32]) {
        let planes = Self::INFO.view.cell_inputs;
        let geometry = self.geometry();
        for (at, inputs) in cells.chunks_exact_mut(planes).enumerate() {
            inputs.fill(0.0);
            let mut set = |plane: usize| inputs[plane] = 1.0;
            for (direction, &edge) in geometry.around[at].iter().enumerate().filter(|&(_, &edge)| edge != NONE) {
                let edge = usize::from(edge);
                if self.edges[edge].is_some() {
                    set(DIRECTED[0] + direction);
                    continue;
                }
                let (completes, leaves) = self.effects(edge);
                if completes {
                    set(DIRECTED[1] + direction);
                }
                if leaves {
                    set(DIRECTED[2] + direction);
                }
            }
            let cell = match geometry.cell_of_lattice[at] {
                NONE => continue,
                cell => usize::from(cell),
            };
            set(0);
            match self.captured[cell] {
                Some(owner) => set(7 + usize::from(owner != self.to_move)),
                None => set(8 + usize::from(self.missing[cell])),
            }
        }
        let (count, edges) = (geometry.cells.len() as f32, geometry.edges.len() as f32);
        let empty = self.empty_edges();
        let untaken = geometry.cells.len() - usize::from(self.cells[0] + self.cells[1]);
        let safe = empty.iter().filter(|&&edge| self.effects(edge.into()) == (false, false)).count();
        let parity = |count: usize| if count.is_multiple_of(2) { 1.0 } else { -1.0 };
        globals.copy_from_slice(&[
            self.lead(self.to_move) as f32 / count,
            f32::from(self.turns) / edges,
            f32::from(self.side) / UNIT_SIDE,
            parity(empty.len() + untaken),
            parity(empty.len()),
            parity(safe),
        ]);
    }

    /// Returns all twelve symmetries of the hexagon. A symmetry may take an edge to one that
    /// another network cell owns.
    fn symmetries(size: usize) -> Vec<Transform> {
        let geometry = Geometry::of(size);
        let turned = |symmetry: &Symmetry| {
            let plane = |plane: usize| {
                let first = DIRECTED.into_iter().find(|first| (*first..first + DIRECTIONS).contains(&plane));
                first.map_or(plane, |first| first + symmetry.direction(0, plane - first))
            };
            let action = |action: usize| match geometry.edge_of_action[action] {
                // No edge is played there.
                NONE => action,
                edge => {
                    let place = symmetry.places.apply(geometry.edges[usize::from(edge)].place.into());
                    geometry.edges[usize::from(geometry.edge_of_place[place])].action.index()
                }
            };
            Transform::of(symmetry, &Self::INFO.view).with_inputs(plane).with_actions(action)
        };
        Self::board(size).symmetries().iter().map(turned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Position, play_all};

    fn after(moves: &str) -> Position {
        crate::position::after(Game::new::<HexiFence>(), 2, moves)
    }

    #[test]
    fn completed_cell_gives_another_move() {
        let five = "2,2 2,3 3,2 3,4 4,3";
        assert_eq!(after(five).to_move(), Seat::Second);
        let mut position = after(five);
        let changes = position.play_noting(position.parse_action("4,4").unwrap());
        let cell = position.board().parse("3,3").unwrap();
        assert_eq!(changes[1..], [Change::Placed(cell as u16)]);
        assert_eq!(position.to_move(), Seat::Second, "red captures and moves again");
        assert_eq!(position.piece(cell), Some(Piece::stone(Seat::Second)));
        assert_eq!(position.owner(position.board().places()[cell].cell.unwrap().into()), Some(Seat::Second));
        play_all(&mut position, "0,0").unwrap();
        assert_eq!(position.to_move(), Seat::First);
    }

    #[test]
    fn parities_by_hand() {
        let parities = |moves: &str| {
            let position = after(moves);
            let mut globals = [0.0; HexiFence::INFO.view.global_inputs];
            let cells = position.topology().cells() * HexiFence::INFO.view.cell_inputs;
            position.encode(&mut vec![0.0; cells], &mut globals);
            [globals[3], globals[4], globals[5]]
        };
        // 30 empty edges, all safe, and 7 cells; the same less one edge.
        assert_eq!([parities(""), parities("0,0")], [[-1.0, 1.0, 1.0], [1.0, -1.0, -1.0]]);
        // 26 edges, of which the two of the middle cell give it away; 25, of which one takes it.
        assert_eq!(parities("2,2 2,3 3,2 3,4"), [-1.0, 1.0, 1.0]);
        assert_eq!(parities("2,2 2,3 3,2 3,4 4,3"), [1.0, -1.0, 1.0]);
        // 24 edges and 6 cells: the move after a capture belongs to the same turn.
        assert_eq!(parities("2,2 2,3 3,2 3,4 4,3 4,4"), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn cells_cannot_be_played() {
        assert!(after("").parse_action("3,3").is_err());
        assert!(after("2,2").check(after("").parse_action("2,2").unwrap()).is_err());
    }
}
