//! Streams, buckets and files at the broker: those of a run and, separate so that workers can play for both, those of
//! matches.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};
use futures_util::StreamExt;

use crate::ClusterError;
use crate::wire::{
    FILES, GAMES, GAMES_CONSUMER, GAMES_SUBJECTS, LEASE, MATCH_CONSUMER, MATCH_FILES, MATCH_RESULTS, MATCH_WORK,
    MATCHES, MATCHES_SUBJECTS, RESULTS_SUBJECTS, STATE, WORK, WORK_CONSUMER, WORK_SUBJECT, WORKERS, matches_subject,
    results_subject,
};

use super::connection::{
    Broker, LEASE_TTL, MATCH_TTL, MAX_MESSAGE, REPORT_TTL, RETRY_PAUSE, answered, messages_by_subject,
};
use super::streams::{Delivery, Incoming};

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

/// Returns the configuration of a consumer whose messages have to be acknowledged.
fn consumer(name: &str) -> pull::Config {
    pull::Config { durable_name: Some(name.to_owned()), ack_policy: AckPolicy::Explicit, ..pull::Config::default() }
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
        self.consumers.lock().clear();
        // Consumers last: if there is a consumer, everything else exists.
        self.create_shared_buckets()?;
        self.wait(async {
            let streams = [
                (WORK, WORK_SUBJECT, WORK_CONSUMER, patience),
                (GAMES, GAMES_SUBJECTS, GAMES_CONSUMER, GAMES_ACK_WAIT),
            ];
            for (name, subject, reader, ack_wait) in streams {
                let found = self.jetstream.get_or_create_stream(work_queue(name, subject));
                let found = answered("to create a stream", found).await?;
                let (max_ack_pending, max_waiting) = (MAX_WAITING, MAX_WAITING);
                let config = pull::Config { ack_wait, max_ack_pending, max_waiting, ..consumer(reader) };
                answered("to create a consumer", found.create_consumer(config)).await?;
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

/// Time after which match work goes to another worker if its worker has sent no signal.
const ACK_WAIT: Duration = Duration::from_secs(20);
/// Timeout of a request for match work, which the broker answers at once.
const FETCH_TIMEOUT: Duration = Duration::from_secs(2);
/// Time after which unread messages and unused consumers of matches expire.
const MESSAGE_TTL: Duration = Duration::from_secs(3600);

impl Broker {
    /// Creates the streams and buckets that matches need and that do not exist yet, and removes what dead hosts left.
    ///
    /// # Errors
    /// If the broker has no JetStream, or its account does not allow it.
    pub fn set_up_matches(&self) -> Result<(), ClusterError> {
        self.try_twice(|| self.create_match_streams())?;
        self.remove_dead_matches()
    }

    fn create_match_streams(&self) -> Result<(), ClusterError> {
        self.create_shared_buckets()?;
        self.wait(async {
            for (name, subjects) in [(MATCH_WORK, MATCHES_SUBJECTS), (MATCH_RESULTS, RESULTS_SUBJECTS)] {
                let mut config = work_queue(name, subjects);
                config.max_age = MESSAGE_TTL;
                answered("to create a stream", self.jetstream.get_or_create_stream(config)).await?;
            }
            answered("to create a bucket", self.jetstream.get_or_create_stream(bucket(MATCHES, MATCH_TTL))).await?;
            let stream = answered("to find a stream", self.jetstream.get_stream(MATCH_WORK)).await?;
            let players = pull::Config { ack_wait: ACK_WAIT, max_ack_pending: MAX_WAITING, ..consumer(MATCH_CONSUMER) };
            answered("to create a consumer", stream.create_consumer(players)).await.map(drop)
        })
    }

    /// Removes the games of matches whose hosts have died, so that workers need not reject them one by one.
    fn remove_dead_matches(&self) -> Result<(), ClusterError> {
        for (name, subjects) in [(MATCH_WORK, MATCHES_SUBJECTS), (MATCH_RESULTS, RESULTS_SUBJECTS)] {
            let there = self.wait(messages_by_subject(&self.jetstream, name, subjects))?;
            // Read after the games: a host announces its match before it assigns games.
            let active: Vec<String> = self.entries(MATCHES)?.into_iter().map(|(name, _)| name).collect();
            self.wait(async {
                let stream = answered("to find a stream", self.jetstream.get_stream(name)).await?;
                for (subject, _) in there {
                    let of = subject.split('.').nth(2).unwrap_or_default();
                    if active.iter().all(|name| name != of) {
                        answered("to purge a match", stream.purge().filter(subject).into_future()).await?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Returns the next work of any match, if there is some.
    ///
    /// # Errors
    /// If the broker does not answer, or knows of no matches.
    pub fn next_match_work(&self) -> Result<Option<Delivery>, ClusterError> {
        const DOING: &str = "to fetch match work";
        let asked = self.wait(async {
            let consumer = self.consumer(MATCH_WORK, MATCH_CONSUMER).await?;
            let mut waiting = answered(DOING, consumer.fetch().max_messages(1).messages()).await?;
            match tokio::time::timeout(FETCH_TIMEOUT, waiting.next()).await {
                Ok(Some(Ok(message))) => Ok(Some(self.delivery(message, ACK_WAIT / 3))),
                Ok(Some(Err(error))) => Err(ClusterError::broker(DOING, error)),
                Ok(None) | Err(_) => Ok(None),
            }
        });
        asked.inspect_err(|_| _ = self.consumers.lock().remove(MATCH_WORK))
    }

    /// Returns the finished games of match `name` as they arrive, until the result is dropped.
    pub(crate) fn match_results(&self, name: &str) -> Incoming {
        let filter_subject = results_subject(name, "*");
        let config = pull::Config { filter_subject, inactive_threshold: MESSAGE_TTL, ..consumer(name) };
        let jetstream = self.jetstream.clone();
        self.incoming(ACK_WAIT / 3, move || {
            let (jetstream, config) = (jetstream.clone(), config.clone());
            async move {
                let stream = jetstream.get_stream(MATCH_RESULTS).await.ok()?;
                let consumer: PullConsumer = stream.create_consumer(config).await.ok()?;
                Some(consumer)
            }
        })
    }

    /// Counts the work of match `name` that is not acknowledged.
    ///
    /// # Errors
    /// If the broker does not answer, or has lost the consumer of match work.
    pub(crate) fn match_work_pending(&self, name: &str) -> Result<usize, ClusterError> {
        self.wait(async {
            let consumer = self.consumer(MATCH_WORK, MATCH_CONSUMER).await?;
            answered("to look at the matches", consumer.get_info()).await?;
            let there = messages_by_subject(&self.jetstream, MATCH_WORK, &matches_subject(name)).await?;
            Ok(there.iter().map(|(_, messages)| messages).sum())
        })
    }

    /// Removes everything of match `name`, whose job is the file `job`.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub(crate) fn end_match(&self, name: &str, job: &str) -> Result<(), ClusterError> {
        self.remove(MATCHES, name)?;
        self.wait(async {
            for (stream, subject) in [(MATCH_WORK, matches_subject(name)), (MATCH_RESULTS, results_subject(name, "*"))]
            {
                let stream = answered("to find a stream", self.jetstream.get_stream(stream)).await?;
                answered("to purge a match", stream.purge().filter(subject).into_future()).await?;
            }
            let results = answered("to find a stream", self.jetstream.get_stream(MATCH_RESULTS)).await?;
            // The consumer may never have been created.
            let _ = answered("to remove a consumer", results.delete_consumer(name)).await;
            Ok(())
        })?;
        // Matches share checkpoints.
        let is_last = self.entries(MATCHES)?.is_empty();
        self.remove_files(|name| name == job || is_last && name.starts_with(MATCH_FILES))
    }
}
