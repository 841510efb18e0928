//! How to be let in at the broker of a cluster.

use std::path::PathBuf;

use clap::Args;

use crate::cluster::{Access, Broker};
use crate::interfaces::error::CliError;

/// How to be let in at the broker.
#[derive(Debug, Clone, Args)]
pub struct BrokerAccessArgs {
    /// A file with credentials for the broker (JWT and NKey seed). A user and a password can stand in the address:
    /// nats://USER:PASSWORD@host
    #[arg(long, value_name = "FILE", requires = "cluster")]
    credentials: Option<PathBuf>,
    /// A file with the certificates that vouch for the broker, if the system does not know them
    #[arg(long, value_name = "FILE", requires = "cluster")]
    ca: Option<PathBuf>,
}

impl BrokerAccessArgs {
    /// Connects to the broker at an address; `name` is shown in its lists.
    ///
    /// # Errors
    /// If it cannot be reached.
    pub(super) fn connect(&self, address: &str, name: &str) -> Result<Broker, CliError> {
        let access = Access {
            address: address.to_owned(),
            credentials: self.credentials.clone(),
            certificates: self.ca.clone(),
        };
        Broker::connect(&access, name).map_err(CliError::failed)
    }
}
