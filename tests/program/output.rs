//! What a finished program wrote.

use assert_cmd::assert::Assert;
use serde_json::Value;

/// Standard output as text.
pub fn stdout(done: &Assert) -> String {
    String::from_utf8(done.get_output().stdout.clone()).unwrap()
}

/// Standard output as one JSON value.
pub fn json_stdout(done: &Assert) -> Value {
    serde_json::from_slice(&done.get_output().stdout).unwrap()
}
