//! The streams, bucket and files of matches at the broker. They stand beside those of a run, so that workers play for
//! both.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use futures_util::StreamExt;

use super::super::delivery::{Arriving, Delivery};
use super::super::error::ClusterError;
use super::super::names::{
    MATCH_CONSUMER, MATCH_RESULTS, MATCH_WORK, MATCHES, MATCHES_SUBJECTS, RESULTS_SUBJECTS, matches_subject,
};
use super::layout::{MOST_WAITING, bucket, work_queue};
use super::{Broker, MATCH_LASTS, answered, locked, messages_by_subject};

/// A piece of a match that its worker has not spoken of for so long is dealt out to another.
const PATIENCE: Duration = Duration::from_secs(20);
/// Who asks for a piece is answered at once, so that this is waited for in vain.
const ANSWER: Duration = Duration::from_secs(2);
/// What nobody has fetched for so long is of a match that is over.
const OVER: Duration = Duration::from_secs(3600);

impl Broker {
    /// Makes the streams and the bucket of matches, as far as they are not there yet, and those that workers wait for.
    ///
    /// # Errors
    /// If the broker has no JetStream, or its account does not allow it.
    pub fn lay_out_matches(&self) -> Result<(), ClusterError> {
        self.twice(|| self.make_match_parts())?;
        self.forget_dead_matches()
    }

    fn make_match_parts(&self) -> Result<(), ClusterError> {
        self.lay_out_common()?;
        self.wait(async {
            for (name, subjects) in [(MATCH_WORK, MATCHES_SUBJECTS), (MATCH_RESULTS, RESULTS_SUBJECTS)] {
                let mut config = work_queue(name, subjects);
                config.max_age = OVER;
                answered("to make a stream", self.jetstream.get_or_create_stream(config)).await?;
            }
            answered("to make a bucket", self.jetstream.get_or_create_stream(bucket(MATCHES, MATCH_LASTS))).await?;
            let stream = answered("to find a stream", self.jetstream.get_stream(MATCH_WORK)).await?;
            let players = pull::Config {
                durable_name: Some(MATCH_CONSUMER.to_owned()),
                ack_policy: AckPolicy::Explicit,
                ack_wait: PATIENCE,
                max_ack_pending: MOST_WAITING,
                ..pull::Config::default()
            };
            answered("to make a consumer", stream.create_consumer(players)).await.map(drop)
        })
    }

    /// Removes the games of matches whose hosts have died, before workers have to pass over them one by one.
    fn forget_dead_matches(&self) -> Result<(), ClusterError> {
        for (name, subjects) in [(MATCH_WORK, MATCHES_SUBJECTS), (MATCH_RESULTS, RESULTS_SUBJECTS)] {
            let there = self.wait(messages_by_subject(&self.jetstream, name, subjects))?;
            // After the games: a host announces its match before it deals games out.
            let going_on: Vec<String> = self.entries(MATCHES)?.into_iter().map(|(name, _)| name).collect();
            self.wait(async {
                let stream = answered("to find a stream", self.jetstream.get_stream(name)).await?;
                for (subject, _) in there {
                    let of = subject.split('.').nth(2).unwrap_or_default();
                    if going_on.iter().all(|name| name != of) {
                        let purge = async { stream.purge().filter(subject).await };
                        answered("to take games of a match back", purge).await?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The next piece of a match, if one waits.
    ///
    /// # Errors
    /// If the broker does not answer, or knows of no matches.
    pub fn next_match_work(&self) -> Result<Option<Delivery>, ClusterError> {
        const DOING: &str = "to ask for games of matches";
        let asked = self.wait(async {
            let consumer = self.consumer(MATCH_WORK, MATCH_CONSUMER).await?;
            let mut waiting = answered(DOING, consumer.fetch().max_messages(1).messages()).await?;
            match tokio::time::timeout(ANSWER, waiting.next()).await {
                Ok(Some(Ok(message))) => Ok(Some(self.delivery(message, PATIENCE / 3))),
                Ok(Some(Err(error))) => Err(ClusterError::broker(DOING, error)),
                Ok(None) | Err(_) => Ok(None),
            }
        });
        if asked.is_err() {
            locked(&self.consumers).remove(MATCH_WORK);
        }
        asked
    }

    /// The results of a match as they come, until it is dropped.
    pub(in crate::cluster) fn match_results(&self, name: &str) -> Arriving {
        let config = pull::Config {
            durable_name: Some(name.to_owned()),
            filter_subject: format!("hexzero.results.{name}.*"),
            ack_policy: AckPolicy::Explicit,
            inactive_threshold: OVER,
            ..pull::Config::default()
        };
        let jetstream = self.jetstream.clone();
        self.arriving(PATIENCE / 3, move || {
            let (jetstream, config) = (jetstream.clone(), config.clone());
            async move {
                let stream = jetstream.get_stream(MATCH_RESULTS).await.ok()?;
                let consumer: PullConsumer = stream.create_consumer(config).await.ok()?;
                Some(consumer)
            }
        })
    }

    /// Pieces of a match that wait to be played, or are.
    ///
    /// # Errors
    /// If the broker does not answer, or has no workers' consumer any more.
    pub(in crate::cluster) fn match_work_waiting(&self, name: &str) -> Result<usize, ClusterError> {
        self.wait(async {
            let consumer = self.consumer(MATCH_WORK, MATCH_CONSUMER).await?;
            answered("to look at the matches", consumer.get_info()).await?;
            let there = messages_by_subject(&self.jetstream, MATCH_WORK, &matches_subject(name)).await?;
            Ok(there.iter().map(|(_, messages)| messages).sum())
        })
    }

    /// Forgets what is left of a match.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub(in crate::cluster) fn end_match(&self, name: &str, job: &str) -> Result<(), ClusterError> {
        self.remove(MATCHES, name)?;
        self.wait(async {
            for (stream, subject) in
                [(MATCH_WORK, format!("hexzero.matches.{name}")), (MATCH_RESULTS, format!("hexzero.results.{name}.*"))]
            {
                let stream = answered("to find a stream", self.jetstream.get_stream(stream)).await?;
                let purge = async { stream.purge().filter(subject).await };
                answered("to take games of a match back", purge).await?;
            }
            let results = answered("to find a stream", self.jetstream.get_stream(MATCH_RESULTS)).await?;
            // It may never have been made.
            let _ = answered("to remove a consumer", results.delete_consumer(name)).await;
            Ok(())
        })?;
        self.remove_file(job)?;
        // Matches share checkpoints.
        if self.entries(MATCHES)?.is_empty() { self.remove_match_files() } else { Ok(()) }
    }
}
