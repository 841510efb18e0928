//! Options for where the games of matches are played.

use clap::Args;

#[cfg(feature = "cluster")]
use crate::cli::support::interrupted;
use crate::error::CliError;
use hexzero_arena::{Host, MAX_FAULTS, ThisMachine};
#[cfg(feature = "cluster")]
use hexzero_system::notice;

#[cfg(feature = "cluster")]
use super::broker_access::BrokerAccessArgs;
use super::machine::worker_count;
#[cfg(not(feature = "cluster"))]
use super::no_cluster::NoClusterOption;

/// Options for where the games of matches are played: on threads of this machine, or by the workers of a cluster.
#[derive(Debug, Args)]
pub struct VenueArgs {
    /// Play T games at the same time (default: one a core)
    #[arg(long, value_name = "T", value_parser = worker_count())]
    threads: Option<u32>,
    /// End the games of a player that lost N in a row by a fault: it crashed, broke the rules, or took too long
    #[arg(long, value_name = "N", default_value_t = MAX_FAULTS as u32, value_parser = clap::value_parser!(u32).range(1..))]
    max_faults: u32,
    /// Have the games played by the workers at this broker, such as nats://host:4222 (see 'hexzero cluster worker')
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["threads", "max_faults"])]
    cluster: Option<String>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    access: BrokerAccessArgs,
    #[cfg(not(feature = "cluster"))]
    #[command(flatten)]
    _cluster: NoClusterOption,
}

impl VenueArgs {
    /// Returns the host of the matches.
    pub fn host(&self) -> Result<Box<dyn Host>, CliError> {
        #[cfg(feature = "cluster")]
        if let Some(address) = &self.cluster {
            let broker = self.access.connect(address, "hexzero matches")?;
            broker.on_connection_change(|text| notice(text));
            let host = hexzero_cluster::BrokerHost::new(broker.into(), interrupted(), |text: &str| notice(text));
            return Ok(Box::new(host?));
        }
        let threads = self.threads.unwrap_or(0) as usize;
        Ok(Box::new(ThisMachine { threads, max_faults: self.max_faults as usize }))
    }
}
