//! Streams, buckets and files of a run at the broker.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};

use super::super::error::ClusterError;
use super::super::wire::{
    FILES, GAMES, GAMES_CONSUMER, GAMES_SUBJECTS, LEASE, STATE, WORK, WORK_CONSUMER, WORK_SUBJECT, WORKERS,
};
use super::connection::{Broker, LEASE_TTL, MAX_MESSAGE, REPORT_TTL, RETRY_PAUSE, answered};

/// Time after which finished games that the coordinator has not acknowledged are delivered again.
pub(super) const GAMES_ACK_WAIT: Duration = Duration::from_secs(60);
/// Time during which the broker drops messages with the same id.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(600);
/// Limit of unacknowledged messages and of waiting worker threads.
pub(super) const MAX_WAITING: i64 = 1 << 14;

/// Returns the configuration of a stream whose messages go to one reader each.
pub(super) fn work_queue(name: &str, subjects: &str) -> StreamConfig {
    StreamConfig {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        duplicate_window: DUPLICATE_WINDOW,
        max_message_size: MAX_MESSAGE as i32,
        num_replicas: 1,
        ..StreamConfig::default()
    }
}

/// Returns the configuration of a bucket's stream. The client's own function needs a request that brokers before 2.10 do
/// not have.
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
    /// Creates the streams and buckets of a run that do not exist yet. Work goes to another worker if its worker has sent
    /// no signal for `patience`.
    ///
    /// # Errors
    /// If the broker has no JetStream, or its account does not allow it.
    pub fn set_up_run(&self, patience: Duration) -> Result<(), ClusterError> {
        self.try_twice(|| self.create_run_streams(patience))
    }

    /// Repeats a failed `attempt` once: it fails if another process creates the same stream at the same moment.
    pub(super) fn try_twice(&self, attempt: impl Fn() -> Result<(), ClusterError>) -> Result<(), ClusterError> {
        match attempt() {
            Err(ClusterError::Broker { .. }) => {
                std::thread::sleep(RETRY_PAUSE);
                attempt()
            }
            result => result,
        }
    }

    fn create_run_streams(&self, patience: Duration) -> Result<(), ClusterError> {
        let consumer = |name: &str, ack_wait| pull::Config {
            durable_name: Some(name.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait,
            max_ack_pending: MAX_WAITING,
            max_waiting: MAX_WAITING,
            ..pull::Config::default()
        };
        self.consumers.lock().clear();
        // Consumers last: if there is a consumer, everything else exists.
        self.create_shared_buckets()?;
        self.wait(async {
            let streams = [
                (WORK, WORK_SUBJECT, WORK_CONSUMER, patience),
                (GAMES, GAMES_SUBJECTS, GAMES_CONSUMER, GAMES_ACK_WAIT),
            ];
            for (name, subject, consumer_name, ack_wait) in streams {
                let found = self.jetstream.get_or_create_stream(work_queue(name, subject));
                let found = answered("to create a stream", found).await?;
                answered("to create a consumer", found.create_consumer(consumer(consumer_name, ack_wait))).await?;
            }
            Ok(())
        })
    }

    /// Creates what runs and matches share: the buckets and the object store.
    pub(super) fn create_shared_buckets(&self) -> Result<(), ClusterError> {
        self.wait(async {
            for (name, max_age) in [(STATE, Duration::ZERO), (WORKERS, REPORT_TTL), (LEASE, LEASE_TTL)] {
                let made = self.jetstream.get_or_create_stream(bucket(name, max_age));
                answered("to create a bucket", made).await?;
            }
            if self.jetstream.get_object_store(FILES).await.is_err() {
                let config = object_store::Config {
                    bucket: FILES.to_owned(),
                    storage: StorageType::File,
                    num_replicas: 1,
                    ..object_store::Config::default()
                };
                answered("to create an object store", self.jetstream.create_object_store(config)).await?;
            }
            Ok(())
        })
    }
}
