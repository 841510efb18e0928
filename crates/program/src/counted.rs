//! Counts with nouns in the singular or plural.

/// Joins a count and a noun, as in `1 game`, `0 games`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
