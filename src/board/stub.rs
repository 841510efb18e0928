//! Stub.
use std::sync::{LazyLock, Mutex};
use std::collections::BTreeMap;
use super::*;
/// A bijection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permutation { forward: Vec<u16>, inverse: Vec<u16> }
impl Permutation {
    /// new
    pub fn new(forward: Vec<u16>) -> Self {
        let mut inverse = vec![0; forward.len()];
        for (i, &to) in forward.iter().enumerate() { inverse[to as usize] = i as u16; }
        Self { forward, inverse }
    }
    /// id
    pub fn identity(n: usize) -> Self { Self::new((0..n as u16).collect()) }
    /// to
    #[inline]
    pub fn to(&self, i: usize) -> usize { self.forward[i] as usize }
    /// from
    #[inline]
    pub fn from(&self, i: usize) -> usize { self.inverse[i] as usize }
    /// len
    #[expect(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize { self.forward.len() }
}
/// Symmetry
#[derive(Debug, Clone)]
pub struct Symmetry { /** cells */ pub cells: Permutation }
/// Shape
#[derive(Debug, Clone, Copy)]
pub enum Shape { /** r */ Rhombus { /** s */ side: usize } }
/// Board
#[derive(Debug)]
pub struct Board { topology: &'static Topology, symmetries: Vec<Symmetry>, labels: Vec<String>, side: usize }
impl Board {
    /// of
    pub fn of(shape: Shape) -> &'static Self {
        static ALL: LazyLock<Mutex<BTreeMap<usize, &'static Board>>> = LazyLock::new(Mutex::default);
        let Shape::Rhombus { side } = shape;
        let mut all = ALL.lock().unwrap();
        all.entry(side).or_insert_with(|| {
            let n = side * side;
            let perm = |f: &dyn Fn(usize) -> usize| Symmetry { cells: Permutation::new((0..n).map(|c| f(c) as u16).collect()) };
            let t = |c: usize| c % side * side + c / side;
            Box::leak(Box::new(Board { topology: rhombus(side), symmetries: vec![perm(&|c| c), perm(&|c| n - 1 - c), perm(&t), perm(&|c| n - 1 - t(c))], labels: (0..n).map(|c| cell_name(side, c)).collect(), side }))
        })
    }
    /// t
    #[inline]
    pub fn topology(&self) -> &Topology { self.topology }
    /// s
    pub fn symmetries(&self) -> &[Symmetry] { &self.symmetries }
    /// l
    pub fn label(&self, place: usize) -> &str { &self.labels[place] }
    /// p
    pub fn places(&self) -> usize { self.labels.len() }
    /// p
    pub fn place_of_slot(&self, slot: usize) -> Option<usize> { Some(slot) }
    /// p
    pub fn slot(&self, place: usize) -> usize { place }
    /// parse
    pub fn parse(&self, text: &str) -> Result<usize, VertexError> { parse_cell(self.side, text) }
    /// draw
    pub fn draw(&self, glyph: impl Fn(usize) -> char, marked: Option<usize>) -> String { draw_rhombus(self.side, glyph, marked) }
}
