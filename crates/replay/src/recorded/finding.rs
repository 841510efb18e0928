//! What a search found out about a position, as files keep it.

use serde::{Deserialize, Serialize};

use super::quoted;

/// Maximum number of moves of the best line.
const MAX_MOVES: usize = 10;

/// A search result as text: the first player's win rate in per cent, the visits, and the best line in hexzero's
/// notation, such as `62.5 4000 e5 d6`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Finding(String);

impl Finding {
    /// Parses a text; `None` if it is no such result.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let win = words.next()?.parse().ok().filter(|win: &f64| (0.0..=100.0).contains(win))?;
        let visits: u64 = words.next()?.parse().ok()?;
        let moves: Vec<&str> = words.take(MAX_MOVES).collect();
        let is_name = |name: &&str| quoted(name) == **name;
        let line: String = moves.iter().take_while(|name| is_name(name)).map(|name| format!(" {name}")).collect();
        Some(Self(format!("{win:.1} {visits}{line}")))
    }

    /// Parses the win rate of Black in per cent, as Sabaki writes it.
    pub(crate) fn of_win_rate(text: &str) -> Option<Self> {
        Self::parse(&format!("{text} 0"))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the first player's win rate in per cent, as text.
    pub(crate) fn win_rate(&self) -> &str {
        self.0.split(' ').next().unwrap_or_default()
    }
}

impl TryFrom<String> for Finding {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("expected a win rate, visits and moves, such as '62.5 4000 e5 d6'")
    }
}

impl From<Finding> for String {
    fn from(finding: Finding) -> Self {
        finding.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_checked_and_shortened() {
        let parsed = |text| Finding::parse(text).map(String::from);
        assert_eq!(parsed(" 62.54  4000 e5 s:3,3 ").as_deref(), Some("62.5 4000 e5 s:3,3"));
        assert_eq!(parsed("50 1 a b c d e f g h i j k").as_deref(), Some("50.0 1 a b c d e f g h i j"));
        assert_eq!(parsed("50 1 a \u{1b} b").as_deref(), Some("50.0 1 a"));
        for text in ["", "50", "101 5", "-1 5", "NaN 5", "50 -3", "half 5"] {
            assert_eq!(parsed(text), None, "{text}");
        }
        assert_eq!(Finding::of_win_rate("37.25").map(String::from).as_deref(), Some("37.2 0"));
        assert_eq!(Finding::parse("62.5 4000 e5").unwrap().win_rate(), "62.5");
    }
}
