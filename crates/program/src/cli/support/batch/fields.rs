//! The fields of a query, read one by one, so that a fault names the field and what is accepted.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use hexzero_system::texts::cut;

/// The maximum number of characters of a value shown in a message.
const MAX_SHOWN: usize = 60;

/// A fault of a query, or a warning about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The field concerned, if it is one.
    pub field: Option<&'static str>,
    /// What is wrong, and what is accepted.
    pub problem: String,
}

impl Fault {
    pub fn new(field: &'static str, problem: impl Into<String>) -> Self {
        Self { field: Some(field), problem: problem.into() }
    }
}

/// The fields of a JSON object that have not been read yet.
pub struct Fields(pub Map<String, Value>);

impl Fields {
    /// Returns the fields of a line.
    pub fn of(line: &str) -> Result<Self, Fault> {
        let fault = |problem| Fault { field: None, problem };
        match serde_json::from_str(line) {
            Ok(Value::Object(object)) => Ok(Self(object)),
            Ok(_) => Err(fault("a query is a JSON object, such as {\"id\":\"1\",\"moves\":[\"c3\"]}".to_owned())),
            Err(error) => Err(fault(format!("this line is not JSON: {error}"))),
        }
    }

    /// Takes a field whose value is `expected`; none if it is missing or null.
    pub fn take<T: DeserializeOwned>(&mut self, name: &'static str, expected: &str) -> Result<Option<T>, Fault> {
        let value = self.0.remove(name).filter(|value| !value.is_null());
        let read = |value: Value| serde_json::from_value(value.clone()).map_err(|_| refused(name, expected, &value));
        value.map(read).transpose()
    }

    /// Takes the field that has one of these names, which mean the same.
    pub fn take_one_of<T: DeserializeOwned>(
        &mut self,
        names: &[&'static str],
        expected: &str,
    ) -> Result<Option<T>, Fault> {
        let mut found = None;
        for &name in names {
            let Some(value) = self.take(name, expected)? else { continue };
            if let Some((other, _)) = found.replace((name, value)) {
                return Err(Fault::new(name, format!("{other} and {name} mean the same; give one of them")));
            }
        }
        Ok(found.map(|(_, value)| value))
    }

    /// Takes a field that is true or false; false if it is missing.
    pub fn take_flag(&mut self, name: &'static str) -> Result<bool, Fault> {
        Ok(self.take(name, "true or false")?.unwrap_or(false))
    }

    /// Takes a field that has no effect here. Returns whether it asked for anything.
    pub fn ignore(&mut self, name: &str) -> bool {
        self.0.remove(name).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
    }
}

/// Returns the fault of a field with a wrong value.
pub fn refused(name: &'static str, expected: &str, value: &Value) -> Fault {
    Fault::new(name, format!("{name} must be {expected}, not {}", cut(&value.to_string(), MAX_SHOWN)))
}
