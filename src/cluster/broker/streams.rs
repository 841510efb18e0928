//! Work that is dealt out, and games that come in.

use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, context};
use futures_util::StreamExt;

use super::super::delivery::{Arriving, Delivery};
use super::super::error::ClusterError;
use super::super::frame::FrameProblem;
use super::super::names::{GAMES, GAMES_CONSUMER, WORK, WORK_CONSUMER};
use super::layout::GAMES_ACK_WAIT;
use super::{Broker, PATIENCE, PAUSE, answered, locked};

/// Messages that are published at a time.
const MOST_UNACKNOWLEDGED: usize = 1000;

impl Broker {
    /// Publishes messages, each with a subject and an id, and waits until the broker has them all. A message whose id it
    /// has is not stored again, so this may be repeated.
    ///
    /// # Errors
    /// If the broker does not take one.
    pub fn publish(&self, messages: &[(String, String, Vec<u8>)]) -> Result<(), ClusterError> {
        // The client has room for so many acknowledgements only, and waits for ever for more.
        messages.chunks(MOST_UNACKNOWLEDGED).try_for_each(|messages| self.publish_some(messages))
    }

    fn publish_some(&self, messages: &[(String, String, Vec<u8>)]) -> Result<(), ClusterError> {
        const DOING: &str = "to send messages";
        self.wait(async {
            let mut acknowledgements = Vec::new();
            for (subject, id, bytes) in messages {
                let message = PublishMessage::build().payload(bytes.clone().into()).message_id(id);
                // Nothing goes out while the connection is lost, and there is room for some messages only.
                let sent = tokio::time::timeout(PATIENCE, self.jetstream.send_publish(subject.clone(), message)).await;
                let sent = sent.map_err(|_| ClusterError::broker(DOING, "no answer"))?;
                let too_large =
                    |error: &context::PublishError| error.kind() == context::PublishErrorKind::MaxPayloadExceeded;
                acknowledgements.push(sent.map_err(|error| match error {
                    error if too_large(&error) => FrameProblem::TooLarge(bytes.len()).into(),
                    error => ClusterError::broker(DOING, error),
                })?);
            }
            for acknowledgement in acknowledgements {
                answered(DOING, acknowledgement.into_future()).await?;
            }
            Ok(())
        })
    }

    /// The next piece of work, if there is one within this time.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn next_work(&self, wait: Duration) -> Result<Option<Delivery>, ClusterError> {
        const DOING: &str = "to ask for work";
        let asked = self.wait(async {
            let consumer = self.consumer(WORK, WORK_CONSUMER).await?;
            let batch = consumer.batch().max_messages(1).expires(wait).messages();
            let mut batch = answered(DOING, batch).await?;
            match tokio::time::timeout(wait + PAUSE * 3, batch.next()).await {
                Ok(Some(Ok(message))) => {
                    let keep = consumer.cached_info().config.ack_wait / 3;
                    Ok(Some(self.delivery(message, keep)))
                }
                Ok(Some(Err(error))) => Err(ClusterError::broker(DOING, error)),
                Ok(None) | Err(_) => Ok(None),
            }
        });
        if asked.is_err() {
            locked(&self.consumers).remove(WORK);
        }
        asked
    }

    pub(super) async fn consumer(
        &self,
        stream: &'static str,
        name: &'static str,
    ) -> Result<PullConsumer, ClusterError> {
        if let Some(consumer) = locked(&self.consumers).get(stream) {
            return Ok(consumer.clone());
        }
        let consumer: PullConsumer =
            answered("to find a consumer", self.jetstream.get_consumer_from_stream(name, stream)).await?;
        locked(&self.consumers).insert(stream, consumer.clone());
        Ok(consumer)
    }

    /// A message to be acknowledged, and how often to say that it is being done.
    pub(super) fn delivery(&self, message: jetstream::Message, keep: Duration) -> Delivery {
        Delivery { message, keep, handle: self.runtime.clone() }
    }

    /// Finished games as they come, until it is dropped.
    pub(in crate::cluster) fn games(&self) -> Arriving {
        let jetstream = self.jetstream.clone();
        self.arriving(GAMES_ACK_WAIT / 3, move || {
            let jetstream = jetstream.clone();
            async move { jetstream.get_consumer_from_stream(GAMES_CONSUMER, GAMES).await.ok() }
        })
    }

    /// Messages of a consumer as they come, until the answer is dropped. `find` finds the consumer, anew whenever the
    /// connection broke.
    pub(super) fn arriving<F: Future<Output = Option<PullConsumer>> + Send>(
        &self,
        keep: Duration,
        find: impl Fn() -> F + Send + Sync + 'static,
    ) -> Arriving {
        let (sender, receiver) = std::sync::mpsc::sync_channel(256);
        let handle = self.runtime.clone();
        let listen = async move {
            loop {
                if let Some(consumer) = find().await
                    && let Ok(mut messages) = consumer
                        .stream()
                        .max_messages_per_batch(128)
                        .expires(Duration::from_secs(6))
                        .heartbeat(Duration::from_secs(1))
                        .messages()
                        .await
                {
                    while let Some(Ok(message)) = messages.next().await {
                        let mut delivery = Delivery { message, keep, handle: handle.clone() };
                        // A channel that is full must not hold up the connection's only thread.
                        while let Err(error) = sender.try_send(delivery) {
                            match error {
                                std::sync::mpsc::TrySendError::Full(back) => delivery = back,
                                std::sync::mpsc::TrySendError::Disconnected(_) => return,
                            }
                            tokio::time::sleep(Duration::from_millis(5)).await;
                        }
                    }
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        Arriving { receiver, task: self.runtime.spawn(listen).abort_handle() }
    }

    /// Messages that wait to be delivered or acknowledged: work first, then games.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn waiting(&self) -> Result<(u64, u64), ClusterError> {
        self.wait(async {
            let work = answered("to look at the work", self.consumer(WORK, WORK_CONSUMER).await?.get_info()).await?;
            // After the work: a worker sends its games before it acknowledges its work.
            let games =
                answered("to look at the games", self.consumer(GAMES, GAMES_CONSUMER).await?.get_info()).await?;
            let waiting = [work, games].map(|info| info.num_pending + info.num_ack_pending as u64);
            Ok(waiting.into())
        })
    }

    /// Takes back all work that was dealt out.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn take_work_back(&self) -> Result<(), ClusterError> {
        self.wait(async {
            let stream = answered("to find the work", self.jetstream.get_stream(WORK)).await?;
            answered("to take work back", stream.purge().into_future()).await.map(|_| ())
        })
    }
}
