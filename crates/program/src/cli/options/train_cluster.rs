//! `--cluster` of `hexzero train` and `hexzero experiment`: games of self-play played by other machines.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use crate::cli::support::{TrainingProgress, interrupted};
use clap::Args;
use hexzero_cluster::{Coordinator, CoordinatorSettings};
use hexzero_selfplay::GameSourceError;
use hexzero_train::{Progress, Run};

use super::broker_access::BrokerAccessArgs;

/// Options for games played by other machines.
#[derive(Debug, Args)]
pub struct TrainClusterArgs {
    /// Have the games played by workers ('hexzero cluster worker') at the NATS broker with this address, such as
    /// nats://host:4222
    #[arg(long, value_name = "ADDRESS")]
    cluster: Option<String>,
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
    lock_step: bool,
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

fn failed(error: impl Error + Send + Sync + 'static) -> GameSourceError {
    GameSourceError::Elsewhere(Box::new(error))
}

impl TrainClusterArgs {
    /// Has the games of a run played by the workers if `--cluster` is given; the broker knows the run as `name`.
    /// Returns false if the user interrupts that.
    ///
    /// # Errors
    /// If the broker cannot be reached, or has a coordinator already.
    pub fn prepare(&self, name: &str, run: &mut Run, progress: &TrainingProgress) -> Result<bool, GameSourceError> {
        let Some(address) = &self.cluster else { return Ok(true) };
        let broker = self.access.connect(address, &format!("hexzero train {name}")).map_err(failed)?;
        let settings = CoordinatorSettings {
            run: name.to_owned(),
            verify: self.verify,
            patience: Duration::from_secs(self.patience.into()),
            mixed: self.mixed,
            backend: run.backend().clone(),
        };
        let warn = |progress: TrainingProgress| move |text: &str| progress.warn(text);
        broker.on_connection_change(warn(progress.clone()));
        let coordinator = Coordinator::new(Arc::new(broker), settings, interrupted(), warn(progress.clone()));
        let Some(coordinator) = coordinator.map_err(failed)? else { return Ok(false) };
        run.play_with(Arc::new(coordinator));
        if !self.lock_step {
            run.learn_while_playing();
        }
        Ok(true)
    }

    /// Returns the options to print in the command that goes on. The address is left out, as it may hold a password.
    pub fn shown(&self) -> String {
        if self.cluster.is_none() {
            return String::new();
        }
        let [lock_step, mixed] = [(self.lock_step, " --lock-step"), (self.mixed, " --mixed")]
            .map(|(is_given, option)| if is_given { option } else { "" });
        let (verify, patience) = (self.verify, self.patience);
        format!(" --cluster ADDRESS --verify {verify} --patience {patience}{lock_step}{mixed}")
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        cluster: TrainClusterArgs,
    }

    #[test]
    fn all_options_are_shown_and_the_address_is_not() {
        let shown = |words: &str| Command::parse_from(words.split(' ')).cluster.shown();
        assert_eq!(shown("train"), "");
        let cluster = "train --cluster nats://me:secret@host";
        assert_eq!(shown(cluster), " --cluster ADDRESS --verify 0.02 --patience 12");
        assert_eq!(
            shown(&format!("{cluster} --mixed --lock-step --patience 60 --verify 0.5")),
            " --cluster ADDRESS --verify 0.5 --patience 60 --lock-step --mixed"
        );
    }
}
