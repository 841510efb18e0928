//! Counts with singular and plural nouns.

/// For example `1 game`, `0 games`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
