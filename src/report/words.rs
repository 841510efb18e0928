//! The texts of the pages that the program writes itself, in a table for each language.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

static ENGLISH: LazyLock<Words> =
    LazyLock::new(|| serde_json::from_str(include_str!("words.json")).expect("a test reads the table"));

/// The texts of the page of a run and of a review, in one language. docs/web.md describes the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// The language as a tag of BCP 47.
    language: String,
    words: BTreeMap<String, Word>,
    /// What games say of themselves, by the English text.
    #[serde(default)]
    games: BTreeMap<String, String>,
}

/// A text, or its forms by plurals, which only scripts choose from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Word {
    Text(String),
    Forms(BTreeMap<String, String>),
}

/// A table of texts that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WordsError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is no table of texts.
    #[error("{} is no table of texts such as src/report/words.json: {source}", path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

impl Words {
    /// Returns the English texts.
    pub fn english() -> &'static Self {
        &ENGLISH
    }

    /// Reads a translation. What it lacks stays English.
    ///
    /// # Errors
    /// If the file cannot be read, or is no table of texts.
    pub fn read(path: &Path) -> Result<Self, WordsError> {
        let table = fs::read(path).map_err(|source| WordsError::File { path: path.to_owned(), source })?;
        let read = serde_json::from_slice(&table);
        let mut found: Self = read.map_err(|source| WordsError::Table { path: path.to_owned(), source })?;
        for (key, word) in &Self::english().words {
            found.words.entry(key.clone()).or_insert_with(|| word.clone());
        }
        Ok(found)
    }

    /// Returns the language as a tag of BCP 47.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// Returns a text if there is one.
    pub fn find(&self, key: &str) -> Option<&str> {
        match self.words.get(key)? {
            Word::Text(text) => Some(text),
            Word::Forms(forms) => forms.get("other").map(String::as_str),
        }
    }

    /// Returns a text with values in place of the names in braces. One whose name begins with a capital letter begins with
    /// one too.
    pub fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        let mut rest = self.find(key).unwrap_or(key);
        let mut said = String::new();
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            said += before;
            let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            match value(name) {
                Some(value) => said += value,
                None => said += &value(&name.to_lowercase()).map(capital).unwrap_or_default(),
            }
            rest = after;
        }
        said + rest
    }

    /// Returns what a game says of itself in this language.
    pub fn theirs<'a>(&'a self, text: &'a str) -> &'a str {
        self.games.get(text).map_or(text, String::as_str)
    }

    /// Formats a number with so many digits after the point.
    pub fn decimal(&self, number: f64, digits: usize) -> String {
        self.with_point(&format!("{number:.digits$}"))
    }

    /// Puts the language's decimal point into a number.
    pub fn with_point(&self, number: &str) -> String {
        number.replace('.', self.find("number.point").unwrap_or("."))
    }

    /// Formats a whole number with the language's separator of thousands.
    pub fn whole(&self, number: u64) -> String {
        let digits = number.to_string();
        let separator = self.find("number.thousands").unwrap_or("");
        let mut text = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                text += separator;
            }
            text.push(digit);
        }
        text
    }

    /// Formats a share of 1 in percent, with so many digits after the point.
    pub fn percent(&self, share: f64, digits: usize) -> String {
        self.say("number.percent", &[("n", &self.decimal(100.0 * share, digits))])
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_take_the_place_of_their_names() {
        let words: Words = serde_json::from_str(
            r#"{"language": "de", "words": {"a": "{Who} zieht {move}, {who}!", "b": {"one": "x", "other": "{n} y"},
                "number.point": ",", "number.thousands": ".", "number.percent": "{n} %"}, "games": {"red": "rot"}}"#,
        )
        .unwrap();
        assert_eq!(words.say("a", &[("who", words.theirs("red")), ("move", "{who}")]), "Rot zieht {who}, rot!");
        assert_eq!((words.say("b", &[("n", "3")]), words.say("none", &[])), ("3 y".to_owned(), "none".to_owned()));
        assert_eq!((words.theirs("blue"), words.language()), ("blue", "de"));
        assert_eq!((words.decimal(1.25, 1), words.percent(0.5, 1)), ("1,2".to_owned(), "50,0 %".to_owned()));
        assert_eq!([0, 999, 1000, 1_234_567].map(|number| words.whole(number)), ["0", "999", "1.000", "1.234.567"]);
    }

    /// A letter of a title takes some 7.4 units of the chart's 416 between its margins.
    #[test]
    fn titles_fit_their_charts() {
        let titles = ENGLISH.words.keys().filter(|key| key.starts_with("curve.") || *key == "calibration.title");
        for title in titles.map(|key| ENGLISH.say(key, &[("count", "stones captured")])) {
            assert!(title.chars().count() <= 54, "{title}");
        }
    }

    #[test]
    fn what_a_translation_lacks_is_english() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.json");
        fs::write(&path, r#"{"language": "de", "words": {"nav.games": "Spiele"}}"#).unwrap();
        let words = Words::read(&path).unwrap();
        assert_eq!((words.find("nav.games"), words.find("nav.boards")), (Some("Spiele"), Some("Boards")));
        fs::write(&path, r#"{"language": "de", "texts": {}}"#).unwrap();
        let told = Words::read(&path).unwrap_err().to_string();
        assert!(told.contains("words.json is no table of texts") && told.contains("texts"), "{told}");
        assert!(Words::read(&folder.path().join("none")).unwrap_err().to_string().starts_with("cannot read"));
    }
}
