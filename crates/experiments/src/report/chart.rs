//! Charts as SVG: curves over a number, dots with intervals, and rows of names with intervals. A chart follows
//! the reader's light or dark theme.

use std::fmt::Write;

use serde_json::{Value, json};

use super::axis::Axis;

/// The style of all charts. A page with charts includes it once; so does [`Svg::standalone`].
pub const CHART_STYLE: &str = include_str!("chart.css");

/// The number of colours; further series repeat them.
const COLOURS: usize = 8;
/// A chart's width. Pages scale it; letters stay readable on a telephone.
const WIDTH: f64 = 440.0;
/// The height of a chart with axes, its title and a short legend included. A longer legend makes it taller.
const HEIGHT: f64 = 256.0;
/// The lines of a short legend.
const SHORT_LEGEND: f64 = 3.0;
const MARGIN: f64 = 12.0;
const LINE: f64 = 16.0;
/// The height of a row with a name and an interval.
const ROW: f64 = 22.0;
/// The approximate width of a letter.
const LETTER: f64 = 6.3;

/// A value at a place on the horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The place on the horizontal axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The ends of the interval around the value, if it has one.
    pub interval: Option<(f64, f64)>,
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y, interval: None }
    }
}

impl Point {
    fn is_finite(&self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// Points of one curve. Those that are not finite are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, in order.
    pub points: Vec<Point>,
}

/// Series over a common horizontal axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// The title above the chart.
    pub title: String,
    /// The name of the horizontal axis.
    pub x_name: String,
    /// The series. A single one has no legend.
    pub series: Vec<Series>,
    /// Whether the vertical axis includes 0, for numbers whose ratios matter.
    pub from_zero: bool,
    /// The ends of the vertical axis; by default from the values.
    pub y_range: Option<(f64, f64)>,
    /// The ends of the horizontal axis; by default from 0 to the last value.
    pub x_range: Option<(f64, f64)>,
    /// A dashed reference line, from one point to another; only [`Chart::data`] has it.
    pub reference: Option<[(f64, f64); 2]>,
}

/// A name with a value and the interval around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    /// The name.
    pub name: String,
    /// The value.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

/// Names, one below the other, with their values and intervals: such as the ratings of players.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IntervalChart {
    /// The title above the chart.
    pub title: String,
    /// The name of the axis.
    pub x_name: String,
    /// The rows, from the top.
    pub rows: Vec<Interval>,
}

/// A drawn chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Svg {
    height: f64,
    /// Attributes that give a page's script the place of the curves.
    frame: String,
    body: String,
}

impl Svg {
    /// Returns the chart as an element of a page that has [`CHART_STYLE`]; `id` is its name there.
    pub fn in_page(&self, id: &str) -> String {
        let Self { height, frame, body } = self;
        let id = escaped(id);
        format!("<svg class=\"chart\" id=\"{id}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\"{frame}>\n{body}</svg>")
    }

    /// Returns the chart as a file.
    pub fn standalone(&self) -> String {
        let Self { height, body, .. } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" \
             width=\"{}\" height=\"{}\" role=\"img\">\n<style>\n{CHART_STYLE}</style>\n\
             <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n{body}</svg>\n",
            2.0 * WIDTH,
            2.0 * height,
        )
    }
}

impl Chart {
    /// Draws the chart.
    pub fn draw(&self) -> Svg {
        let (x_axis, y_axis) = self.axes();
        let mut body = heading(&self.title);
        let top = self.legend(&mut body);
        let widest = y_axis.ticks().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        let (left, right) = (MARGIN + widest as f64 * LETTER + 4.0, WIDTH - MARGIN);
        let height = HEIGHT + (top - (MARGIN + 4.0 + (1.0 + SHORT_LEGEND) * LINE)).max(0.0);
        let bottom = height - 4.0 - 2.0 * LINE;
        let place = |x: f64, y: f64| {
            let down = 1.0 - y_axis.place(y).clamp(0.0, 1.0);
            (left + x_axis.place(x) * (right - left), top + down * (bottom - top))
        };
        for (tick, text) in y_axis.ticks() {
            let y = place(x_axis.low, tick).1;
            line(&mut body, "grid", (left, y), (right, y));
            label(&mut body, "end", (left - 4.0, y + 4.0), &text);
        }
        horizontal_axis(&mut body, &x_axis, &self.x_name, (left, right), bottom);
        for (number, series) in self.series.iter().enumerate() {
            let points: Vec<&Point> = series.points.iter().filter(|point| point.is_finite()).collect();
            let places: Vec<(f64, f64)> = points.iter().map(|point| place(point.x, point.y)).collect();
            draw_series(&mut body, number, &points, &places, |x, y| place(x, y).1);
        }
        if !self.series.iter().flat_map(|series| &series.points).any(Point::is_finite) {
            label(&mut body, "middle", ((left + right) / 2.0, (top + bottom) / 2.0), "nothing yet");
        }
        let Axis { low, high, .. } = x_axis;
        let frame = format!(
            " data-left=\"{left}\" data-right=\"{right}\" data-top=\"{top}\" data-bottom=\"{bottom}\" \
             data-low=\"{low}\" data-high=\"{high}\""
        );
        Svg { height, frame, body }
    }

    /// Returns the axes, with round or given ends.
    fn axes(&self) -> (Axis, Axis) {
        let points = || self.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite());
        let values = points().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [low, point.y, high]
        });
        let values = values.chain(self.from_zero.then_some(0.0));
        let y_axis = self.y_range.map_or_else(|| Axis::around(values), |(low, high)| Axis::between(low, high));
        let x_axis = self.x_range.map_or_else(
            || Axis::around(points().map(|point| point.x).chain([0.0])).cut_to(points().map(|point| point.x)),
            |(low, high)| Axis::between(low, high),
        );
        (x_axis, y_axis)
    }

    /// Returns the chart as JSON for a script that draws it: `title`, the ends of the axes `x` and `y`, `reference`,
    /// and `series`, each with `name` and `points`, `[x, y]` or with an interval `[x, y, low, high]`.
    pub fn data(&self) -> Value {
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        let point = |point: &Point| {
            let ends = point.interval.into_iter().flat_map(|(low, high)| [low, high]);
            [point.x, point.y].into_iter().chain(ends).map(rounded).collect::<Vec<f64>>()
        };
        let series = self.series.iter().map(|Series { name, points }| {
            let finite = points.iter().filter(|point| point.is_finite());
            json!({"name": name, "points": finite.map(point).collect::<Vec<_>>()})
        });
        let series: Vec<Value> = series.collect();
        let (x, y) = self.axes();
        let (x, y) = ([x.low, x.high], [y.low, y.high]);
        json!({"title": self.title, "x": x, "y": y, "series": series, "reference": self.reference})
    }

    /// Writes the names of the series in as many lines as they take, and returns the top of the drawing.
    fn legend(&self, body: &mut String) -> f64 {
        let mut top = MARGIN + LINE;
        if self.series.len() > 1 {
            let mut x = MARGIN;
            for (number, series) in self.series.iter().enumerate() {
                let width = 14.0 + (series.name.chars().count() + 2) as f64 * LETTER;
                if x + width > WIDTH && x > MARGIN {
                    (x, top) = (MARGIN, top + LINE);
                }
                let colour = number % COLOURS;
                let _ =
                    writeln!(body, "<circle class=\"dot s{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"/>", x + 4.0, top);
                label(body, "start", (x + 12.0, top + 4.0), &series.name);
                x += width;
            }
            top += LINE;
        }
        top + 4.0
    }
}

impl IntervalChart {
    /// Draws the chart.
    pub fn draw(&self) -> Svg {
        let x_axis = Axis::around(self.rows.iter().flat_map(|row| [row.low, row.value, row.high]));
        let mut body = heading(&self.title);
        let top = MARGIN + LINE;
        let bottom = top + ROW * self.rows.len() as f64;
        let widest = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        let (left, right) = ((MARGIN + widest as f64 * LETTER + 8.0).min(WIDTH / 2.0), WIDTH - 4.0 * MARGIN);
        let place = |value: f64| left + x_axis.place(value).clamp(0.0, 1.0) * (right - left);
        horizontal_axis(&mut body, &x_axis, &self.x_name, (left, right), bottom);
        let letters = ((left - MARGIN - 8.0) / LETTER).round() as usize;
        let finite = |row: &Interval| row.value.is_finite() && row.low.is_finite() && row.high.is_finite();
        for (number, row) in self.rows.iter().enumerate() {
            let y = top + ROW * (number as f64 + 0.5);
            let shown = match row.name.chars().count() {
                count if count > letters => row.name.chars().take(letters.max(2) - 1).chain(['…']).collect(),
                _ => row.name.clone(),
            };
            label(&mut body, "end", (left - 8.0, y + 4.0), &shown);
            if finite(row) {
                whisker(&mut body, 0, [(place(row.low), y), (place(row.high), y)], (0.0, 4.0));
                let Interval { name, value, low, high } = row;
                let tooltip = format!("{name}: {value:.0} ({low:.0} to {high:.0})");
                dot(&mut body, 0, (place(*value), y), 4.0, &tooltip);
                label(&mut body, "start", (right + 6.0, y + 4.0), &format!("{value:.0}"));
            }
        }
        Svg { height: bottom + 2.0 * LINE + MARGIN, frame: String::new(), body }
    }
}

/// Writes a chart's title, also for screen readers.
fn heading(title: &str) -> String {
    let title = escaped(title);
    let y = MARGIN + 6.0;
    format!("<title>{title}</title>\n<text class=\"title\" x=\"{MARGIN}\" y=\"{y}\">{title}</text>\n")
}

fn horizontal_axis(body: &mut String, axis: &Axis, name: &str, (left, right): (f64, f64), bottom: f64) {
    line(body, "axis", (left, bottom), (right, bottom));
    for (tick, text) in axis.ticks() {
        let x = left + axis.place(tick) * (right - left);
        line(body, "axis", (x, bottom), (x, bottom + 3.0));
        label(body, "middle", (x, bottom + 14.0), &text);
    }
    label(body, "end", (right, bottom + 14.0 + LINE), name);
}

fn draw_series(
    body: &mut String,
    number: usize,
    points: &[&Point],
    places: &[(f64, f64)],
    height: impl Fn(f64, f64) -> f64,
) {
    let colour = number % COLOURS;
    for (point, &(x, _)) in points.iter().zip(places) {
        if let Some((low, high)) = point.interval.filter(|(low, high)| low.is_finite() && high.is_finite()) {
            whisker(body, colour, [(x, height(point.x, low)), (x, height(point.x, high))], (3.0, 0.0));
        }
    }
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(body, "<polyline class=\"line s{colour}\" points=\"{}\"/>", path.join(" "));
    // Dots mark single points; a long curve is better without.
    if points.len() <= 40 {
        for (point, &place) in points.iter().zip(places) {
            let Point { x, y, interval } = point;
            let interval = interval.map(|(low, high)| format!(" ({low:.4} to {high:.4})")).unwrap_or_default();
            dot(body, colour, place, 2.5, &format!("{x}: {y:.4}{interval}"));
        }
    }
}

/// Draws a line with a bar across each end, which reaches `bar` to both sides.
fn whisker(body: &mut String, colour: usize, ends: [(f64, f64); 2], bar: (f64, f64)) {
    let [(x1, y1), (x2, y2)] = ends;
    let across = |(x, y): (f64, f64)| format!("M{:.1},{:.1}L{:.1},{:.1}", x - bar.0, y - bar.1, x + bar.0, y + bar.1);
    let (first, second) = (across(ends[0]), across(ends[1]));
    let _ = writeln!(body, "<path class=\"whisker s{colour}\" d=\"M{x1:.1},{y1:.1}L{x2:.1},{y2:.1}{first}{second}\"/>");
}

/// Draws a dot with a tooltip.
fn dot(body: &mut String, colour: usize, (x, y): (f64, f64), radius: f64, says: &str) {
    let _ = writeln!(
        body,
        "<circle class=\"dot s{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"><title>{}</title></circle>",
        escaped(says)
    );
}

fn line(body: &mut String, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let _ = writeln!(body, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
}

fn label(body: &mut String, anchor: &str, (x, y): (f64, f64), text: &str) {
    let _ = writeln!(body, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escaped(text));
}

/// Escapes a text for HTML and XML.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML allows no other control characters.
            control if control.is_control() && control != '\n' && control != '\t' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.to_owned(), points: points.iter().map(|&point| point.into()).collect() }
    }

    #[test]
    fn curve_goes_from_corner_to_corner() {
        let chart = Chart {
            title: "losses".to_owned(),
            x_name: "games".to_owned(),
            series: vec![series("policy", &[(0.0, 0.0), (f64::NAN, 3.0), (5.0, 0.5), (10.0, 1.0)])],
            ..Chart::default()
        };
        let drawn = chart.draw().in_page("losses");
        // A letter is 6.3 wide, "0.0" has three of them, and there are 4 to the drawing.
        assert!(drawn.contains("points=\"34.9,220.0 231.5,126.0 428.0,32.0\""), "{drawn}");
        assert!(drawn.contains("data-left=\"34.9\" data-right=\"428\" data-top=\"32\" data-bottom=\"220\""), "{drawn}");
        assert!(drawn.contains("data-low=\"0\" data-high=\"10\""), "{drawn}");
        assert!(!drawn.contains("policy"), "one series needs no legend: {drawn}");
        assert!(!drawn.contains("http") && drawn.contains("id=\"losses\""), "{drawn}");
    }

    #[test]
    fn long_legend_leaves_room_for_the_curves() {
        let many = (0..40).map(|number| series(&format!("a series with a long name, number {number}"), &[(1.0, 1.0)]));
        let drawn = Chart { series: many.collect(), ..Chart::default() }.draw();
        // A name a line: 40 lines, of which a short legend has 3.
        assert_eq!(drawn.height, HEIGHT + 37.0 * LINE);
        assert_eq!(
            Chart { series: vec![series("a", &[]), series("b", &[])], ..Chart::default() }.draw().height,
            HEIGHT
        );
    }

    #[test]
    fn intervals_are_drawn() {
        let point = Point { x: 1.0, y: 0.5, interval: Some((0.25, 2.0)) };
        let chart = Chart {
            series: vec![Series { name: "a".to_owned(), points: vec![point] }, series("b", &[])],
            x_range: Some((0.0, 2.0)),
            y_range: Some((0.0, 1.0)),
            ..Chart::default()
        };
        let drawn = chart.draw().in_page("x");
        // The upper end is cut off at the edge, 48 from the top because of the legend.
        let whisker = "M231.5,177.0L231.5,48.0M228.5,177.0L234.5,177.0M228.5,48.0L234.5,48.0";
        assert!(drawn.contains(whisker), "{drawn}");
        assert!(drawn.contains(">a</text>") && drawn.contains(">b</text>"), "two series have a legend: {drawn}");
        assert!(Chart::default().draw().in_page("x").contains("nothing yet"));
    }

    #[test]
    fn rows_with_intervals() {
        let row = |name: &str, value, low, high| Interval { name: name.to_owned(), value, low, high };
        let chart = IntervalChart {
            title: "Elo <of> \"all\" & sundry".to_owned(),
            x_name: "Elo".to_owned(),
            rows: vec![row("trained", 500.0, 400.0, 600.0), row("random", 0.0, 0.0, 0.0), row("x", 1.0, f64::NAN, 2.0)],
        };
        let file = chart.draw().standalone();
        assert!(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{file}");
        assert!(file.contains("Elo &lt;of&gt; &quot;all&quot; &amp; sundry"), "{file}");
        assert!(file.contains("<title>trained: 500 (400 to 600)</title>"), "{file}");
        assert_eq!(file.matches("<circle").count(), 2, "what has no interval has a name only: {file}");
        assert!(file.contains("<style>") && file.contains("prefers-color-scheme: dark"));
        // Names, 64.1 wide at most, then from 0 to 600 up to 392: 500 is at five sixths.
        assert!(file.contains("cx=\"337.4\" cy=\"39.0\""), "{file}");
    }
}
