//! The roofline of the tile unit: products whose operands never leave its registers.

use super::{SIDE, TileProduct, TileUnit};

/// Multiplies and adds at least `products` pairs of tiles with `N` numbers a word, and returns the
/// number of scalar multiplications and additions.
///
/// # Safety
/// As [`TileUnit`].
#[inline(always)]
pub(crate) unsafe fn multiply_and_add<U: TileUnit, P: TileProduct, const N: usize>(products: u64) -> u64 {
    let rounds = products.div_ceil(4);
    let zeros = [[0u32; SIDE]; SIDE];
    // SAFETY: passed on; a tile's words lie one after another.
    unsafe {
        let mut unit = U::new();
        unit.load_left::<0>(zeros.as_ptr().cast(), SIDE * 4);
        unit.load_left::<1>(zeros.as_ptr().cast(), SIDE * 4);
        unit.load_right::<0>(zeros.as_ptr().cast(), SIDE * 4);
        unit.load_right::<1>(zeros.as_ptr().cast(), SIDE * 4);
        for _ in 0..rounds {
            P::add::<U, 0, 0>(&mut unit);
            P::add::<U, 0, 1>(&mut unit);
            P::add::<U, 1, 0>(&mut unit);
            P::add::<U, 1, 1>(&mut unit);
        }
    }
    2 * rounds * (4 * SIDE * SIDE * SIDE * N) as u64
}
