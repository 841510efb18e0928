//! The edges around each cell.

use std::sync::OnceLock;

use crate::Action;
use hexzero_board::{Board, DIRECTIONS, NO_CELL, PlaceKind, Shape};

use super::MAX_SIZE;

/// Number of edges of the largest board.
pub(super) const EDGES: usize = MAX_SIZE * (9 * MAX_SIZE - 3);
/// Number of cells of the largest board.
pub(super) const CELLS: usize = 3 * MAX_SIZE * (MAX_SIZE - 1) + 1;
/// Marks a missing edge or cell.
pub(super) const NONE: u8 = u8::MAX;

/// The planes of actions: the direction of an edge from its network cell (n, ne, w).
pub(super) const ORIENTATIONS: [usize; 3] = [4, 3, 5];

#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub action: Action,
    pub place: u16,
    /// The cells on the two sides of the edge; one of them is [`NONE`] at the rim.
    pub cells: [u8; 2],
}

/// The edges and cells of a board of one size. Edges are numbered in the order of their actions,
/// cells in the order of their places.
#[derive(Debug)]
pub(super) struct Geometry {
    pub board: &'static Board,
    pub edges: Vec<Edge>,
    /// The edges around each cell, by direction.
    pub cells: Vec<[u8; DIRECTIONS]>,
    /// The edges around each network cell, by direction; [`NONE`] where the board has none.
    pub around: Vec<[u8; DIRECTIONS]>,
    /// The edge of each action; [`NONE`] where there is none.
    pub edge_of_action: Vec<u8>,
    /// For each place that is an edge, that edge.
    pub edge_of_place: Vec<u8>,
    /// The cell of each network cell; [`NONE`] for phantom cells.
    pub cell_of_lattice: Vec<u8>,
}

impl Geometry {
    /// Returns the geometry of a board, computed once.
    pub fn of(side: usize) -> &'static Self {
        static ALL: [OnceLock<Geometry>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];
        ALL[side].get_or_init(|| Self::new(side))
    }

    fn new(side: usize) -> Self {
        let board = Board::of(&Shape::HexagonEdges { side });
        let lattice = board.topology().cells();
        let mut cell_of_lattice = vec![NONE; lattice];
        let cells = board.places().iter().filter(|place| place.kind == PlaceKind::Cell);
        let on_lattice: Vec<usize> = cells.filter_map(|place| place.cell.map(usize::from)).collect();
        on_lattice.iter().zip(0..).for_each(|(&at, number)| cell_of_lattice[at] = number);
        let cell_at = |at: u16| if at == NO_CELL { NONE } else { cell_of_lattice[usize::from(at)] };
        let mut edges = Vec::new();
        let mut edge_of_action = vec![NONE; ORIENTATIONS.len() * lattice];
        let mut edge_of_place = vec![NONE; board.places().len()];
        let mut around = vec![[NONE; DIRECTIONS]; lattice];
        for (action, known) in edge_of_action.iter_mut().enumerate() {
            let (plane, at) = (action / lattice, action % lattice);
            let Some(place) = board.place_of_slot(plane, at) else { continue };
            let (number, direction) = (edges.len() as u8, ORIENTATIONS[plane]);
            let other = board.topology().neighbours()[at][direction];
            let cells = [cell_of_lattice[at], cell_at(other)];
            edges.push(Edge { action: Action(action as u16), place: place as u16, cells });
            (*known, edge_of_place[place], around[at][direction]) = (number, number, number);
            if other != NO_CELL {
                around[usize::from(other)][(direction + 3) % DIRECTIONS] = number;
            }
        }
        let cells = on_lattice.into_iter().map(|at| around[at]).collect();
        Self { board, edges, cells, around, edge_of_action, edge_of_place, cell_of_lattice }
    }
}
