//! What a finished program wrote.

use std::fs;
use std::path::Path;

use assert_cmd::assert::Assert;
use serde_json::Value;

/// Standard output as text.
pub fn stdout(done: &Assert) -> String {
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

/// Standard error as text.
pub fn stderr(done: &Assert) -> String {
    String::from_utf8(done.get_output().stderr.clone()).unwrap()
}

/// Standard output as one JSON value.
pub fn json_stdout(done: &Assert) -> Value {
    serde_json::from_slice(&done.get_output().stdout).unwrap()
}

/// A file with a JSON value on each line.
pub fn json_lines(file: &Path) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A file with one JSON value.
pub fn json_file(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// The games in a file of a match or a tournament, sorted, without what differs each time.
pub fn sorted_games(file: &Path) -> Vec<Value> {
    let mut games: Vec<Value> = json_lines(file).into_iter().map(timeless).collect();
    games.sort_by_key(Value::to_string);
    games
}

/// A result without what differs each time, at any depth: times, the checksums of lines with times, and how often the
/// cache knew an answer.
pub fn timeless(mut value: Value) -> Value {
    const OTHERS: [&str; 4] = ["seconds_per_move", "thinking", "crc", "cache_hits"];
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !name.ends_with("seconds") && !OTHERS.contains(&name.as_str()));
            fields.values_mut().for_each(|field| *field = timeless(field.take()));
        }
        Value::Array(list) => list.iter_mut().for_each(|entry| *entry = timeless(entry.take())),
        _ => {}
    }
    value
}

/// The texts under a key of each object in a list.
pub fn each<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|object| object[key].as_str().unwrap()).collect()
}

/// The data that the script of a report's page reads, and the whole page.
pub fn report_page(file: &Path) -> (Value, String) {
    let html = fs::read_to_string(file).unwrap();
    let (_, rest) = html.split_once("<script type=\"application/json\" id=\"run-data\">").unwrap();
    (serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap(), html)
}
