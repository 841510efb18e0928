//! Parts of pages that are one self-contained HTML file: templates, data for scripts, charts.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::chart::Chart;
use super::numbers::whole;

/// Returns a template with each `{{part}}` filled in.
pub(super) fn filled(template: &str, part: impl Fn(&str) -> String) -> String {
    let mut pieces = template.split("{{");
    let mut html = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or(("", piece));
        html += &part(name);
        html += rest;
    }
    html
}

/// Formats data as JSON for a script element: nothing in it looks like markup.
pub(super) fn embedded(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

/// Draws a chart with a line below for the values under the pointer, which are added to `charts`.
pub(super) fn figure(id: &str, chart: &Chart, charts: &mut Map<String, Value>) -> String {
    charts.insert(id.to_owned(), chart.data()["series"].take());
    format!("<figure>{}<figcaption></figcaption></figure>\n", chart.draw().in_page(id))
}

/// Formats a length of time in its two largest units.
pub(super) fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{} h {minutes} min", whole(hours)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_script() {
        let text = "</script><!-- <b> & \"quoted\"";
        let json = embedded(&text);
        assert!(!json.contains('<'), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn lengths_of_time() {
        let told = [0, 63, 3599, 3600, 93_784].map(|seconds| span(Duration::from_secs(seconds)));
        assert_eq!(told, ["0 s", "1 min 3 s", "59 min 59 s", "1 h 0 min", "26 h 3 min"]);
    }
}
