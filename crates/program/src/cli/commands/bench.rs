//! `hexzero bench`.

use std::io::Write;

use clap::{Args, ValueEnum};

use crate::cli::options::{DeviceArgs, GameArg};
use crate::cli::support::{columns, print_result};
use crate::counted;
use crate::error::CliError;
use hexzero_benchmark::{EvaluationParts, NetworkSpeed, Part, Report, Speeds, measure};
use hexzero_experiments::report::numbers::whole;
use hexzero_games::game_named;
use hexzero_system::notice;

const EXAMPLES: &str = "\
Networks have random weights; b6c64 has six residual blocks of 64 channels. What runs on one thread
is measured in processor time; programs running at the same time lower the other figures more.

HEXZERO_KERNEL chooses the kernel of self-play and training, HEXZERO_PRECISION the precision of
self-play, HEXZERO_TRAINING_PRECISION that of training. With --device everything is measured on that
device, evaluations with batches of several sizes.

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
    Evaluations,
    SelfPlay,
    Training,
}

impl From<PartName> for Part {
    fn from(name: PartName) -> Self {
        match name {
            PartName::Evaluations => Self::Evaluations,
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
        let report = measure(game, &parts, device.as_ref(), |part| notice(format_args!("{} …", title(part))))
            .map_err(CliError::Failed)?;
        Ok(print_result(self.json, &report, |output| write!(output, "{}", tables(&report)))?)
    }
}

fn title(part: Part) -> &'static str {
    match part {
        Part::Evaluations => "Evaluations",
        Part::SelfPlay => "Self-play",
        Part::Training => "Training",
    }
}

/// Formats a rate as a whole number, rounded to three significant digits, with thousands separated.
fn rate(value: f64) -> String {
    let digits = value.abs().max(1.0).log10().floor() as i32;
    let step = 10f64.powi((digits - 2).max(0));
    whole(((value / step).round() * step) as u64).replace('\u{202f}', " ")
}

/// Returns a table under a title, its last `figures` columns right-aligned; nothing without rows.
fn section(title: &str, rows: &[Vec<String>], figures: usize) -> String {
    let Some(row) = rows.first() else { return String::new() };
    let table = columns(rows, |column| column + figures < row.len());
    format!("\n{title}\n{}", table.lines().map(|line| format!("  {line}\n")).collect::<String>())
}

/// Returns the rows about evaluations or training steps.
fn network_rows(speeds: &[NetworkSpeed]) -> Vec<Vec<String>> {
    let row = |speed: &NetworkSpeed| {
        vec![
            speed.network.clone(),
            format!("{0}×{0}", speed.size),
            speed.kernel.to_owned(),
            speed.precision.to_owned(),
            counted(speed.threads, "thread", "threads"),
            format!("batch {}", speed.batch),
            rate(speed.rate.per_second()),
        ]
    };
    speeds.iter().map(row).collect()
}

/// Returns the rows about the parts of an evaluation, below their heads; nothing if none was measured.
fn part_rows(parts: &[EvaluationParts]) -> Vec<Vec<String>> {
    let heads = ["", "", "", "", "legal", "encoding", "cache", "first", "tower", "pooling", "policy", "outcome"];
    let row = |part: &EvaluationParts| {
        let names = [part.network.clone(), format!("{0}×{0}", part.size), part.kernel.into(), part.precision.into()];
        let around = [part.legal_actions, part.encoding, part.cache_and_softmax];
        let times = around.into_iter().chain([part.first_layer, part.tower, part.pooling, part.policy, part.outcome]);
        names.into_iter().chain(times.map(|time| format!("{time:.2}"))).collect()
    };
    let heads = parts.first().map(|_| heads.map(str::to_owned).to_vec());
    heads.into_iter().chain(parts.iter().map(row)).collect()
}

fn tables(report: &Report) -> String {
    let mut text = format!(
        "hexzero {}, {}, kernel {}\n",
        report.version,
        counted(report.threads, "thread", "threads"),
        report.kernel
    );
    if let Some(device) = &report.device {
        text += &format!("device {}, evaluations in {}\n", device.device, device.precision);
    }
    let Speeds { evaluations, evaluation_parts, self_play, training } =
        report.device.as_ref().map_or(&report.speeds, |device| &device.speeds);
    let self_play = self_play.iter().map(|speed| {
        let mut row = vec![
            speed.game.to_owned(),
            speed.network.clone(),
            game_named(speed.game).map_or_else(|_| String::new(), |game| game.board_name(speed.size)),
            speed.precision.to_owned(),
            counted(speed.threads, "thread", "threads"),
            format!("{} visits a move", speed.visits),
            format!("{:.0} moves a game", speed.moves_per_game),
            rate(speed.games_per_hour),
        ];
        if let Some(positions) = speed.positions_per_batch {
            row.insert(5, format!("{positions:.0} positions a batch"));
        }
        row
    });
    text += &section("Evaluations: positions a second", &network_rows(evaluations), 1);
    text += &section("Parts of an evaluation: microseconds", &part_rows(evaluation_parts), 8);
    text += &section("Self-play: games an hour", &self_play.collect::<Vec<_>>(), 1);
    text += &section("Training: positions a second", &network_rows(training), 1);
    if !report.defaults.is_empty() {
        text.push('\n');
    }
    report.defaults.iter().fold(text, |text, choice| text + &choice.in_words() + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        let rates = [0.4, 7.6, 999.4, 14_075.3, 5_781_234.0].map(rate);
        assert_eq!(rates, ["0", "8", "999", "14 100", "5 780 000"]);
    }
}
