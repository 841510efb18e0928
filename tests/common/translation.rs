//! A language that is made up for tests, in which every letter of English is another one, so that every word of English that
//! is left is found.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// A text with other letters in place of those of English, except within braces.
pub fn translated(text: &str) -> String {
    let mut is_name = false;
    let letter = |c: char| match c {
        'a'..='z' => char::from_u32('а' as u32 + (c as u32 - 'a' as u32)).unwrap(),
        'A'..='Z' => char::from_u32('А' as u32 + (c as u32 - 'A' as u32)).unwrap(),
        _ => c,
    };
    text.chars()
        .map(|c| {
            is_name = c == '{' || is_name && c != '}';
            if is_name { c } else { letter(c) }
        })
        .collect()
}

/// The table of the pages that the program writes itself in that language, with what games say of themselves.
pub fn translated_table(games: &[&str]) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/words.json");
    let mut table: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for word in table["words"].as_object_mut().unwrap().values_mut() {
        match word {
            Value::Object(forms) => {
                forms.values_mut().for_each(|form| *form = translated(form.as_str().unwrap()).into())
            }
            plain => *plain = translated(plain.as_str().unwrap()).into(),
        }
    }
    table["words"]["number.point"] = ",".into();
    table["language"] = "uk".into();
    table["games"] = games.iter().map(|text| ((*text).to_owned(), Value::from(translated(text)))).collect();
    table
}
