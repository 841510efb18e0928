//! The settings of KataGo's configuration that a query may override.

use std::time::Duration;

use serde_json::{Map, Value};

use super::fields::{Fault, Fields, refused};
use hexzero_engine::analysis::Perspective;
use hexzero_search::Limits;

/// The field with these settings.
const FIELD: &str = "overrideSettings";

/// The settings that have a meaning here.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    pub max_visits: Option<u64>,
    pub time: Option<Duration>,
    pub max_following: Option<usize>,
    pub perspective: Perspective,
}

impl Settings {
    /// Takes the settings of a query, and adds a warning about those without a meaning here.
    pub fn take(fields: &mut Fields, warnings: &mut Vec<Fault>) -> Result<Self, Fault> {
        const PV_LENGTH: &str = "analysisPVLen";
        let mut settings: Map<String, Value> = fields.take(FIELD, "an object")?.unwrap_or_default();
        let of_query = fields.take(PV_LENGTH, "a whole number of moves")?;
        let found = Self {
            max_visits: take(&mut settings, "maxVisits", "a whole number")?,
            time: take(&mut settings, "maxTime", "a number of seconds")?.map(seconds).transpose()?,
            max_following: of_query.or(take(&mut settings, PV_LENGTH, "a whole number of moves")?),
            perspective: take(&mut settings, "reportAnalysisWinratesAs", "BLACK, WHITE or SIDETOMOVE")?
                .unwrap_or_default(),
        };
        if !settings.is_empty() {
            let names: Vec<&str> = settings.keys().map(String::as_str).collect();
            warnings.push(Fault::new(FIELD, format!("{}: ignored, without a meaning here", names.join(", "))));
        }
        Ok(found)
    }
}

fn take<T: serde::de::DeserializeOwned>(
    settings: &mut Map<String, Value>,
    name: &str,
    expected: &str,
) -> Result<Option<T>, Fault> {
    let value = settings.remove(name).filter(|value| !value.is_null());
    let read = |value: Value| {
        let expected = format!("an object whose {name} is {expected}");
        serde_json::from_value(value.clone()).map_err(|_| refused(FIELD, &expected, &value))
    };
    value.map(read).transpose()
}

/// Converts a time; one beyond the longest search is that.
fn seconds(seconds: f64) -> Result<Duration, Fault> {
    let time = Duration::try_from_secs_f64(seconds.min(Limits::MAX_TIME.as_secs_f64())).ok();
    let accepted = Limits::accepted_seconds();
    time.filter(|time| !time.is_zero()).ok_or_else(|| Fault::new(FIELD, format!("maxTime must be {accepted}")))
}
