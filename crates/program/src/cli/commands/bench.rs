//! `hexzero bench`.

use std::io::{Write, stdout};

use clap::{Args, ValueEnum};

use crate::cli::options::device::DeviceArgs;
use crate::cli::options::game::GameArg;
use crate::error::CliError;
use hexzero_benchmark::{DeviceReport, Part, Report, TrainingSpeed, measure};
use hexzero_games::game_named;
use hexzero_system::notice;

const EXAMPLES: &str = "\
Networks have random weights; b6c64 has six residual blocks of 64 channels. '% of peak' compares the
convolutions with the fastest multiplications of a core that loads nothing from memory. What runs on
one thread is measured in processor time; programs running at the same time lower the other figures
more.

HEXZERO_KERNEL chooses the kernel of search, self-play and training, HEXZERO_PRECISION the precision
of search and self-play, HEXZERO_TRAINING_PRECISION that of training. With --device, evaluations,
self-play and training are measured on that device, evaluations with batches of several sizes.

Examples:
  hexzero bench
  hexzero bench --part evaluations --json
  hexzero bench --device cuda --device-batch 1024";

/// Measure the speed of this machine, in a minute or two.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    #[command(flatten)]
    game: GameArg,
    /// Measure only this part; may be given several times
    #[arg(long = "part", value_name = "PART")]
    parts: Vec<PartName>,
    /// Print the figures as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PartName {
    Rules,
    Evaluations,
    Search,
    SelfPlay,
    Training,
}

impl From<PartName> for Part {
    fn from(name: PartName) -> Self {
        match name {
            PartName::Rules => Self::Rules,
            PartName::Evaluations => Self::Evaluations,
            PartName::Search => Self::Search,
            PartName::SelfPlay => Self::SelfPlay,
            PartName::Training => Self::Training,
        }
    }
}

impl BenchArgs {
    /// Measures the parts and prints the figures.
    pub fn run(self) -> Result<(), CliError> {
        let game = self.game.or_of_model(None)?;
        let mut parts: Vec<Part> = self.parts.into_iter().map(Part::from).collect();
        if parts.is_empty() {
            parts = Part::ALL.to_vec();
        }
        let device = self.device.open()?;
        let of_devices = [Part::Evaluations, Part::SelfPlay, Part::Training];
        if device.is_some() && !parts.iter().any(|part| of_devices.contains(part)) {
            let message = "--device measures these parts only: evaluations, self-play and training";
            return Err(CliError::Request(message.to_owned()));
        }
        let report = measure(game, &parts, device.as_ref(), |part| notice(format_args!("{} …", title(part))))
            .map_err(CliError::failed)?;
        let output = &mut stdout().lock();
        if self.json {
            serde_json::to_writer(&mut *output, &report).map_err(std::io::Error::from)?;
            return Ok(writeln!(output)?);
        }
        Ok(write_tables(output, &report)?)
    }
}

fn title(part: Part) -> &'static str {
    match part {
        Part::Rules => "Rules",
        Part::Evaluations => "Evaluations",
        Part::Search => "Search",
        Part::SelfPlay => "Self-play",
        Part::Training => "Training",
    }
}

/// Formats a rate as a whole number, rounded to three significant digits, with thousands separated.
fn rate(value: f64) -> String {
    let digits = value.abs().max(1.0).log10().floor() as i32;
    let step = 10f64.powi((digits - 2).max(0));
    let text = format!("{:.0}", (value / step).round() * step);
    let mut grouped = String::new();
    for (at, digit) in text.chars().enumerate() {
        if at > 0 && (text.len() - at).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// Names the board of a standard network, a rhombus.
fn board(size: usize) -> String {
    format!("{size}×{size}")
}

fn board_of(game: &str, size: usize) -> String {
    game_named(game).map_or_else(|_| board(size), |game| game.board_name(size))
}

fn threads(count: usize) -> String {
    format!("{count} {}", if count == 1 { "thread" } else { "threads" })
}

/// Writes rows in columns of minimal width, the last one right-aligned.
fn write_columns(output: &mut impl Write, title: &str, rows: &[Vec<String>]) -> std::io::Result<()> {
    let Some(columns) = rows.first().map(Vec::len) else { return Ok(()) };
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    writeln!(output, "\n{title}")?;
    for row in rows {
        let (last, cells) = row.split_last().expect("columns");
        write!(output, " ")?;
        for (cell, &width) in cells.iter().zip(&widths) {
            write!(output, " {cell:<width$} ")?;
        }
        writeln!(output, " {last:>width$}", width = widths[columns - 1])?;
    }
    Ok(())
}

/// Writes the figures of a GPU.
fn write_device(output: &mut impl Write, report: &DeviceReport) -> std::io::Result<()> {
    writeln!(output, "device {}, evaluations in {}", report.device, report.precision)?;
    if report.peak_gigaops_per_second > 0.0 {
        let peak = rate(report.peak_gigaops_per_second);
        writeln!(output, "peak, of a product of large matrices: {peak} · 10⁹ multiplications and additions a second")?;
    }
    let evaluations = report.evaluations.iter().map(|speed| {
        vec![
            speed.network.clone(),
            board(speed.size),
            format!("batch {}", speed.batch),
            format!("{:.0} % of peak", 100.0 * speed.share_of_peak),
            rate(speed.positions_per_second),
        ]
    });
    write_columns(output, "Evaluations: positions a second", &evaluations.collect::<Vec<_>>())?;
    let self_play = report.self_play.iter().map(|speed| {
        vec![
            speed.game.to_owned(),
            speed.network.clone(),
            board_of(speed.game, speed.size),
            format!("{} at once", speed.games_at_once),
            format!("{:.0} positions a batch", speed.positions_per_batch),
            format!("{} visits a move", speed.visits),
            format!("{:.0} moves a game", speed.moves_per_game),
            rate(speed.games_per_hour),
        ]
    });
    write_columns(output, "Self-play: games an hour", &self_play.collect::<Vec<_>>())?;
    write_training(output, &report.training)
}

fn write_training(output: &mut impl Write, speeds: &[TrainingSpeed]) -> std::io::Result<()> {
    let training = speeds.iter().map(|speed| {
        vec![
            speed.network.clone(),
            board(speed.size),
            threads(speed.threads),
            format!("batch {}", speed.batch),
            speed.kernel.to_owned(),
            speed.precision.to_owned(),
            speed.share_of_peak.map_or_else(String::new, |share| format!("{:.0} % of peak", 100.0 * share)),
            rate(speed.samples_per_second),
        ]
    });
    write_columns(output, "Training: positions a second", &training.collect::<Vec<_>>())
}

fn write_tables(output: &mut impl Write, report: &Report) -> std::io::Result<()> {
    writeln!(output, "hexzero {}, {}, kernel {}", report.version, threads(report.threads), report.kernel)?;
    if let Some(device) = &report.device {
        return write_device(output, device);
    }
    let rules = report.rules.iter();
    let rules =
        rules.map(|speed| vec![speed.game.to_owned(), board_of(speed.game, speed.size), rate(speed.moves_per_second)]);
    write_columns(output, "Rules: random moves a second on one thread", &rules.collect::<Vec<_>>())?;
    let peaks = report.peaks.iter();
    let peaks = peaks.map(|peak| vec![peak.kernel.into(), peak.precision.into(), rate(peak.gigaops_per_second)]);
    write_columns(output, "Peak of one core: 10⁹ multiplications and additions a second", &peaks.collect::<Vec<_>>())?;
    let evaluations = report.evaluations.iter().map(|speed| {
        vec![
            speed.network.clone(),
            board(speed.size),
            speed.kernel.to_owned(),
            speed.precision.to_owned(),
            threads(speed.threads),
            format!("batch {}", speed.batch),
            format!("{:.0} % of peak", 100.0 * speed.share_of_peak),
            rate(speed.positions_per_second),
        ]
    });
    write_columns(output, "Evaluations: positions a second", &evaluations.collect::<Vec<_>>())?;
    let search = report.search.iter().map(|speed| {
        let network = speed.network.clone();
        vec![
            speed.game.to_owned(),
            network,
            board_of(speed.game, speed.size),
            speed.precision.into(),
            rate(speed.visits_per_second),
        ]
    });
    write_columns(output, "Search: visits a second on one thread", &search.collect::<Vec<_>>())?;
    let self_play = report.self_play.iter().map(|speed| {
        vec![
            speed.game.to_owned(),
            speed.network.clone(),
            board_of(speed.game, speed.size),
            speed.precision.to_owned(),
            threads(speed.threads),
            format!("{} visits a move", speed.visits),
            format!("{:.0} moves a game", speed.moves_per_game),
            rate(speed.games_per_hour),
        ]
    });
    write_columns(output, "Self-play: games an hour", &self_play.collect::<Vec<_>>())?;
    write_training(output, &report.training)?;
    if !report.defaults.is_empty() {
        writeln!(output)?;
    }
    report.defaults.iter().try_for_each(|choice| writeln!(output, "{}", choice.in_words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits_and_thousands_apart() {
        for (value, text) in [(0.4, "0"), (7.6, "8"), (999.4, "999"), (14_075.3, "14 100"), (5_781_234.0, "5 780 000")]
        {
            assert_eq!(rate(value), text);
        }
    }

    #[test]
    fn columns_stand_under_each_other() {
        let mut output = Vec::new();
        let rows = [["7×7", "a", "10"], ["11×11", "bb", "9"]].map(|row| row.map(str::to_owned).to_vec());
        write_columns(&mut output, "Title", &rows).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), "\nTitle\n  7×7    a   10\n  11×11  bb   9\n");
    }
}
