//! Options for the credentials of a broker.

use std::path::PathBuf;

use clap::Args;

use hexzero_cluster::{Access, Broker, ClusterError};

/// Options for the credentials of a broker.
#[derive(Debug, Clone, Args)]
pub struct BrokerAccessArgs {
    /// A file with credentials for the broker (JWT and NKey seed). A user and a password can stand in the address:
    /// nats://USER:PASSWORD@host
    #[arg(long, value_name = "FILE", requires = "cluster")]
    credentials: Option<PathBuf>,
    /// A file with the certificates of the broker's authority, if the system does not know it
    #[arg(long, value_name = "FILE", requires = "cluster")]
    ca: Option<PathBuf>,
}

impl BrokerAccessArgs {
    /// Connects to the broker at `address` under the client name `name`.
    pub fn connect(&self, address: &str, name: &str) -> Result<Broker, ClusterError> {
        let access = Access {
            address: address.to_owned(),
            credentials: self.credentials.clone(),
            certificates: self.ca.clone(),
        };
        Broker::connect(&access, name)
    }
}

/// The broker, for commands that need one.
#[derive(Debug, Args)]
pub struct BrokerArgs {
    /// The address of the broker, such as nats://host:4222 or tls://host:4222
    #[arg(long, value_name = "ADDRESS", required = true)]
    cluster: String,
    #[command(flatten)]
    access: BrokerAccessArgs,
}

impl BrokerArgs {
    /// Connects to the broker under the client name `name`.
    pub fn connect(&self, name: &str) -> Result<Broker, ClusterError> {
        self.access.connect(&self.cluster, name)
    }
}
