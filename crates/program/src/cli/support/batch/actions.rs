//! Queries that are not for an analysis. The answer to each repeats its fields and adds more.

use serde_json::{Map, Value, json};

use super::Models;
use super::fields::{Fault, Fields};
use super::queue::Queue;
use super::work::Job;

/// The names of all actions.
const ACTIONS: &str = "query_version, query_models, clear_cache, terminate or terminate_all";

/// Carries out the action of a query. Returns the jobs that it ended before they had started, and the answer, which
/// begins with the fields of the query itself.
pub fn answer(
    action: &str,
    mut fields: Fields,
    mut echo: Map<String, Value>,
    models: &Models,
    queue: &Queue,
) -> Result<(Vec<Job>, Map<String, Value>), Fault> {
    let mut ended = Vec::new();
    match action {
        "query_version" => {
            echo.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
            echo.insert("git_hash".to_owned(), json!("<omitted>"));
        }
        "query_models" => {
            echo.insert("models".to_owned(), models.list());
        }
        // Cached evaluations never change an answer.
        "clear_cache" => {}
        "terminate" | "terminate_all" => {
            let turns = fields.take::<Vec<usize>>("turnNumbers", "a list of whole numbers")?;
            let needs_id = || Fault::new("terminateId", "terminate needs a terminateId, the id of the query to end");
            let which = match action {
                "terminate_all" => None,
                _ => Some(fields.take::<String>("terminateId", "the id of a query")?.ok_or_else(needs_id)?),
            };
            ended = queue.terminate(which.as_deref(), turns.as_deref());
        }
        other => return Err(Fault::new("action", format!("there is no action '{other}'; choose {ACTIONS}"))),
    }
    Ok((ended, echo))
}
