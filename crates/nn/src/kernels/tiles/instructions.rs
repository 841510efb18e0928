//! The instructions of the x86-64 tile unit: AMX-TILE, AMX-INT8 and AMX-BF16. The compiler has no
//! stable intrinsics for them.

use std::arch::asm;
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::OnceLock;

use super::{ROW, TileUnit};
use crate::kernels::panels::SIDE;

/// Returns true if the processor has the tile unit and the system lets this process use it.
pub(crate) fn is_available() -> bool {
    static AVAILABLE: OnceLock<bool> = OnceLock::new();
    *AVAILABLE.get_or_init(|| is_there() && is_permitted())
}

/// Queries the processor for the three features (Intel's manual, volume 2A, CPUID leaf 7).
fn is_there() -> bool {
    const BF16: u32 = 1 << 22;
    const TILE: u32 = 1 << 24;
    const INT8: u32 = 1 << 25;
    let wanted = BF16 | TILE | INT8;
    // SAFETY: every x86-64 processor has the instruction.
    #[allow(unused_unsafe, reason = "newer compilers call it safe")]
    unsafe {
        std::arch::x86_64::__cpuid(0).eax >= 7 && std::arch::x86_64::__cpuid_count(7, 0).edx & wanted == wanted
    }
}

/// Requests that Linux save the 8 KiB of tiles with this process's threads, which it does only on
/// request (Documentation/arch/x86/xstate.rst).
#[cfg(target_os = "linux")]
fn is_permitted() -> bool {
    const ARCH_PRCTL: u64 = 158;
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    const XFEATURE_XTILE_DATA: u64 = 18;
    let result: i64;
    // SAFETY: the call touches no memory of ours; the kernel changes rcx and r11 alone.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => result,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") XFEATURE_XTILE_DATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn is_permitted() -> bool {
    false
}

thread_local! {
    /// The number of [`Amx`] values of this thread: the first configures the unit, the last
    /// releases it.
    static UNITS: Cell<usize> = const { Cell::new(0) };
}

/// The tile unit of this thread. Tiles 0 to 3 hold sums, 4 and 5 left operands, 6 and 7 right ones.
/// Nothing else changes them between two instructions: the compiler uses tiles only where their
/// features are enabled, which is nowhere in this program.
pub(crate) struct Amx(PhantomData<*const ()>);

/// The operand of `ldtilecfg`: palette 1, and for each tile its bytes per row and its rows.
#[repr(C, align(64))]
struct Shapes {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    bytes_a_row: [u16; 16],
    rows: [u8; 16],
}

static SHAPES: Shapes = {
    let (mut bytes_a_row, mut rows) = ([0; 16], [0; 16]);
    let mut tile = 0;
    while tile < 8 {
        bytes_a_row[tile] = ROW as u16;
        rows[tile] = SIDE as u8;
        tile += 1;
    }
    Shapes { palette: 1, start_row: 0, reserved: [0; 14], bytes_a_row, rows }
};

/// Emits an instruction with a tile operand, which must be a constant.
macro_rules! tile {
    (zero $tile:tt) => {
        asm!(concat!("tilezero ", $tile), out($tile) _, options(nostack, nomem, preserves_flags))
    };
    (load $tile:tt, $from:expr, $stride:expr) => {
        asm!(concat!("tileloadd ", $tile, ", [{from} + {stride}]"), from = in(reg) $from, stride = in(reg) $stride,
            out($tile) _, options(nostack, readonly, preserves_flags))
    };
    (store $tile:tt, $to:expr, $stride:expr) => {
        asm!(concat!("tilestored [{to} + {stride}], ", $tile), to = in(reg) $to, stride = in(reg) $stride,
            out($tile) _, options(nostack, preserves_flags))
    };
    ($product:literal $sums:tt, $left:literal, $right:literal) => {
        asm!(concat!($product, " ", $sums, ", ", $left, ", ", $right), out($sums) _,
            options(nostack, nomem, preserves_flags))
    };
}

/// Emits an instruction on the sums of a pair of operands.
macro_rules! on_sums {
    ($i:ident, $j:ident, $instruction:tt $($operand:expr),*) => {
        match ($i, $j) {
            (0, 0) => tile!($instruction "tmm0" $(, $operand)*),
            (0, _) => tile!($instruction "tmm1" $(, $operand)*),
            (_, 0) => tile!($instruction "tmm2" $(, $operand)*),
            _ => tile!($instruction "tmm3" $(, $operand)*),
        }
    };
}

/// Emits an instruction that adds the product of a pair of operands to its sums.
macro_rules! add_product {
    ($i:ident, $j:ident, $instruction:tt) => {
        match ($i, $j) {
            (0, 0) => tile!($instruction "tmm0", "tmm4", "tmm6"),
            (0, _) => tile!($instruction "tmm1", "tmm4", "tmm7"),
            (_, 0) => tile!($instruction "tmm2", "tmm5", "tmm6"),
            _ => tile!($instruction "tmm3", "tmm5", "tmm7"),
        }
    };
}

// SAFETY: every method is one instruction, which the trait's contract allows.
unsafe impl TileUnit for Amx {
    #[inline(always)]
    unsafe fn new() -> Self {
        if UNITS.replace(UNITS.get() + 1) > 0 {
            return Self(PhantomData);
        }
        // SAFETY: the trait's contract; the shapes are valid.
        unsafe {
            asm!("ldtilecfg [{shapes}]", shapes = in(reg) &raw const SHAPES,
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack, readonly, preserves_flags));
        }
        Self(PhantomData)
    }

    #[inline(always)]
    unsafe fn zero<const I: usize, const J: usize>(&mut self) {
        // SAFETY: the trait's contract.
        unsafe { on_sums!(I, J, zero) }
    }

    #[inline(always)]
    unsafe fn load_sums<const I: usize, const J: usize>(&mut self, from: *const f32, stride: usize) {
        // SAFETY: the trait's contract.
        unsafe { on_sums!(I, J, load from, stride) }
    }

    #[inline(always)]
    unsafe fn store_sums<const I: usize, const J: usize>(&mut self, to: *mut u32, stride: usize) {
        // SAFETY: the trait's contract.
        unsafe { on_sums!(I, J, store to, stride) }
    }

    #[inline(always)]
    unsafe fn load_left<const I: usize>(&mut self, from: *const u32, stride: usize) {
        // SAFETY: the trait's contract.
        unsafe {
            match I {
                0 => tile!(load "tmm4", from, stride),
                _ => tile!(load "tmm5", from, stride),
            }
        }
    }

    #[inline(always)]
    unsafe fn load_right<const J: usize>(&mut self, from: *const u32, stride: usize) {
        // SAFETY: the trait's contract.
        unsafe {
            match J {
                0 => tile!(load "tmm6", from, stride),
                _ => tile!(load "tmm7", from, stride),
            }
        }
    }

    #[inline(always)]
    unsafe fn add_bytes<const I: usize, const J: usize>(&mut self) {
        // SAFETY: the trait's contract.
        unsafe { add_product!(I, J, "tdpbusd") }
    }

    #[inline(always)]
    unsafe fn add_pairs<const I: usize, const J: usize>(&mut self) {
        // SAFETY: the trait's contract.
        unsafe { add_product!(I, J, "tdpbf16ps") }
    }
}

impl Drop for Amx {
    #[inline(always)]
    fn drop(&mut self) {
        UNITS.set(UNITS.get() - 1);
        if UNITS.get() > 0 {
            return;
        }
        // SAFETY: one that exists was made on a machine that has the unit. At rest the system need not save the tiles.
        unsafe {
            asm!("tilerelease",
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                options(nostack, nomem, preserves_flags));
        }
    }
}
