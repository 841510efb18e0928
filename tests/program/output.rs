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
