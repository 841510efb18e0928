//! The streams, buckets and files that runs need at the broker.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};

use super::super::error::ClusterError;
use super::super::names::{
    FILES, GAMES, GAMES_CONSUMER, GAMES_SUBJECTS, LEASE, STATE, WORK, WORK_CONSUMER, WORK_SUBJECT, WORKERS,
};
use super::{Broker, LARGEST_MESSAGE, LEASE_LASTS, PAUSE, REPORTS_LAST, answered, locked};

/// Games that the coordinator has not acknowledged for so long are sent to it again.
pub(super) const GAMES_ACK_WAIT: Duration = Duration::from_secs(60);
/// The broker drops a message whose id it has seen in this time.
const DUPLICATES: Duration = Duration::from_secs(600);
/// More threads of workers than this wait in vain for each other's turn.
pub(super) const MOST_WAITING: i64 = 1 << 14;

/// A stream whose messages go to one reader each.
pub(super) fn work_queue(name: &str, subjects: &str) -> StreamConfig {
    StreamConfig {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        duplicate_window: DUPLICATES,
        max_message_size: LARGEST_MESSAGE as i32,
        num_replicas: 1,
        ..StreamConfig::default()
    }
}

/// The stream of a bucket. The client's own way asks for the account first, in words that brokers before 2.10 do not have.
pub(super) fn bucket(name: &str, max_age: Duration) -> StreamConfig {
    StreamConfig {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        storage: StorageType::File,
        num_replicas: 1,
        ..StreamConfig::default()
    }
}

impl Broker {
    /// Makes the streams and buckets that are not there yet. Work that its worker has not spoken of for `patience` is
    /// dealt out to another.
    ///
    /// # Errors
    /// If the broker has no JetStream, or its account does not allow it.
    pub fn lay_out(&self, patience: Duration) -> Result<(), ClusterError> {
        self.twice(|| self.lay_out_run(patience))
    }

    /// Tries again at once where the broker refuses: two that make the same part at the same moment are in each other's way.
    pub(super) fn twice(&self, attempt: impl Fn() -> Result<(), ClusterError>) -> Result<(), ClusterError> {
        match attempt() {
            Err(ClusterError::Broker { .. }) => {
                std::thread::sleep(PAUSE);
                attempt()
            }
            result => result,
        }
    }

    fn lay_out_run(&self, patience: Duration) -> Result<(), ClusterError> {
        let consumer = |name: &str, ack_wait| pull::Config {
            durable_name: Some(name.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_ack_pending: MOST_WAITING,
            max_waiting: MOST_WAITING,
            ..pull::Config::default()
        };
        locked(&self.consumers).clear();
        // The readers last: who looks at what waits finds them only where everything else is there.
        self.lay_out_common()?;
        self.wait(async {
            let parts = [
                (WORK, WORK_SUBJECT, WORK_CONSUMER, patience),
                (GAMES, GAMES_SUBJECTS, GAMES_CONSUMER, GAMES_ACK_WAIT),
            ];
            for (name, subject, reader, ack_wait) in parts {
                let found = self.jetstream.get_or_create_stream(work_queue(name, subject));
                let found = answered("to make a stream", found).await?;
                answered("to make a consumer", found.create_consumer(consumer(reader, ack_wait))).await?;
            }
            Ok(())
        })
    }

    /// Makes what runs and matches share: the buckets and the store of files.
    pub(super) fn lay_out_common(&self) -> Result<(), ClusterError> {
        self.wait(async {
            for (name, max_age) in [(STATE, Duration::ZERO), (WORKERS, REPORTS_LAST), (LEASE, LEASE_LASTS)] {
                let made = self.jetstream.get_or_create_stream(bucket(name, max_age));
                answered("to make a bucket", made).await?;
            }
            if self.jetstream.get_object_store(FILES).await.is_err() {
                let config = object_store::Config {
                    bucket: FILES.to_owned(),
                    storage: StorageType::File,
                    num_replicas: 1,
                    ..object_store::Config::default()
                };
                answered("to make a store of files", self.jetstream.create_object_store(config)).await?;
            }
            Ok(())
        })
    }
}
