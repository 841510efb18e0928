//! The clock that searches read: the standard library's, or the browser's where the former does not exist.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod browser {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "hexzero")]
    unsafe extern "C" {
        /// Returns the milliseconds since the page began: `performance.now()`.
        safe fn now() -> f64;
    }

    /// A moment of a clock that never goes back, like [`std::time::Instant`].
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the current moment.
        pub fn now() -> Self {
            // If the clock cannot be read, time stands still.
            Self(Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default())
        }

        /// Returns the time since this moment.
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }

        /// Returns the moment `time` later, or `None` if it cannot be represented.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }
}
