//! Streams, bucket and files of matches, separate from those of a run, so that workers can play for both.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use futures_util::StreamExt;

use super::super::error::ClusterError;
use super::super::wire::{
    MATCH_CONSUMER, MATCH_RESULTS, MATCH_WORK, MATCHES, MATCHES_SUBJECTS, RESULTS_SUBJECTS, matches_subject,
    results_subject,
};
use super::connection::{Broker, MATCH_TTL, answered, messages_by_subject};
use super::delivery::{Delivery, Incoming};
use super::layout::{MAX_WAITING, bucket, work_queue};

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
            let players = pull::Config {
                durable_name: Some(MATCH_CONSUMER.to_owned()),
                ack_policy: AckPolicy::Explicit,
                ack_wait: ACK_WAIT,
                max_ack_pending: MAX_WAITING,
                ..pull::Config::default()
            };
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
                        let purge = async { stream.purge().filter(subject).await };
                        answered("to purge a match", purge).await?;
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
        if asked.is_err() {
            self.consumers.lock().remove(MATCH_WORK);
        }
        asked
    }

    /// Returns the finished games of match `name` as they arrive, until the result is dropped.
    pub(crate) fn match_results(&self, name: &str) -> Incoming {
        let config = pull::Config {
            durable_name: Some(name.to_owned()),
            filter_subject: results_subject(name, "*"),
            ack_policy: AckPolicy::Explicit,
            inactive_threshold: MESSAGE_TTL,
            ..pull::Config::default()
        };
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
                let purge = async { stream.purge().filter(subject).await };
                answered("to purge a match", purge).await?;
            }
            let results = answered("to find a stream", self.jetstream.get_stream(MATCH_RESULTS)).await?;
            // The consumer may never have been created.
            let _ = answered("to remove a consumer", results.delete_consumer(name)).await;
            Ok(())
        })?;
        self.remove_file(job)?;
        // Matches share checkpoints.
        if self.entries(MATCHES)?.is_empty() { self.remove_match_files() } else { Ok(()) }
    }
}
