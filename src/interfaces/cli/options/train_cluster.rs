//! `hexzero train --cluster`: games played by other machines.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use parking_lot::Mutex;

use crate::cluster::{Coordinator, CoordinatorSettings, Traffic};
use crate::interfaces::error::CliError;
use crate::stop::StopSignal;
use crate::training::{Progress, Run};

use super::broker_access::BrokerAccessArgs;
use crate::interfaces::cli::support::training_progress::TrainingProgress;

/// Options for games played by other machines.
#[derive(Debug, Args)]
pub struct TrainClusterArgs {
    /// Have the games played by workers ('hexzero worker') at the NATS broker with this address, such as
    /// nats://host:4222
    #[arg(long, value_name = "ADDRESS")]
    pub cluster: Option<String>,
    #[command(flatten)]
    access: BrokerAccessArgs,
    /// Spend this share of the time on playing workers' games again, to refuse workers that forge games; 1 plays all of
    /// them again
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, requires = "cluster", value_parser = share)]
    verify: f64,
    /// Give the games of a worker that sends no signal for this many seconds to others
    #[arg(long, value_name = "SECONDS", default_value_t = 12, requires = "cluster", value_parser = clap::value_parser!(u32).range(1..=3600))]
    patience: u32,
    /// Play the games of an iteration, then learn from them, in turn, as without a cluster: slower, and exactly
    /// repeatable. Otherwise workers go on playing while this process learns
    #[arg(long, requires = "cluster")]
    pub lock_step: bool,
    /// Accept games of workers with other kernels or precisions too; the run can then not be repeated exactly
    #[arg(long, requires = "cluster")]
    mixed: bool,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("give a number from 0 to 1".to_owned()),
    }
}

impl TrainClusterArgs {
    /// Becomes the coordinator if `--cluster` is given. Returns `None` without it, or if `stop` is requested meanwhile.
    pub fn coordinator(
        &self,
        run: &Run,
        progress: &TrainingProgress,
        stop: &StopSignal,
    ) -> Result<Option<Coordinator>, CliError> {
        let Some(address) = &self.cluster else { return Ok(None) };
        let path = run.folder().path();
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let broker = self.access.connect(address, &format!("hexzero train {name}"))?;
        let settings = CoordinatorSettings {
            run: name,
            verify: self.verify,
            patience: Duration::from_secs(self.patience.into()),
            mixed: self.mixed,
        };
        let warn = |progress: TrainingProgress| move |text: &str| progress.warn(text);
        broker.on_connection_change(warn(progress.clone()));
        Coordinator::new(Arc::new(broker), settings, stop, warn(progress.clone())).map_err(CliError::failed)
    }
}

/// Formats the counts of received games as a line.
pub fn traffic_line(traffic: &Mutex<Traffic>) -> String {
    let Traffic { acknowledged, used, doubled, stale, refused, repeated, .. } = *traffic.lock();
    format!(
        "cluster: {acknowledged} games acknowledged, {used} used, {doubled} doubled, {stale} stale, {repeated} played \
         again; {refused} messages refused",
    )
}
