//! Streams of self-play work and of finished games; their messages, and the acknowledgement of these.

use std::time::Duration;

use async_nats::jetstream;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, context};
use futures_util::StreamExt;

use super::connection::{Broker, RETRY_PAUSE, TIMEOUT, answered};
use super::layout::GAMES_ACK_WAIT;
use crate::ClusterError;
use crate::wire::{FrameError, GAMES, GAMES_CONSUMER, WORK, WORK_CONSUMER};

/// Messages published at a time.
const MAX_UNACKNOWLEDGED: usize = 1000;

impl Broker {
    /// Publishes messages, each with subject, id and payload, and waits until the broker has stored all of them. The broker
    /// drops a message whose id it has, so a failed call can be repeated.
    ///
    /// # Errors
    /// If the broker does not accept one of them.
    pub fn publish(&self, messages: &[(String, String, Vec<u8>)]) -> Result<(), ClusterError> {
        const DOING: &str = "to send messages";
        self.wait(async {
            // The client has room for a limited number of acknowledgements, and blocks for ever beyond that.
            for messages in messages.chunks(MAX_UNACKNOWLEDGED) {
                let mut acknowledgements = Vec::new();
                for (subject, id, bytes) in messages {
                    let message = PublishMessage::build().payload(bytes.clone().into()).message_id(id);
                    // Without a connection the client queues a limited number of messages.
                    let sent = self.jetstream.send_publish(subject.clone(), message);
                    let sent = tokio::time::timeout(TIMEOUT, sent).await;
                    let sent = sent.map_err(|_| ClusterError::broker(DOING, "no answer"))?;
                    acknowledgements.push(sent.map_err(|error| match error.kind() {
                        context::PublishErrorKind::MaxPayloadExceeded => FrameError::TooLarge(bytes.len()).into(),
                        _ => ClusterError::broker(DOING, error),
                    })?);
                }
                for acknowledgement in acknowledgements {
                    answered(DOING, acknowledgement.into_future()).await?;
                }
            }
            Ok(())
        })
    }

    /// Waits up to `timeout` for a range of games to play.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn next_work(&self, timeout: Duration) -> Result<Option<Delivery>, ClusterError> {
        const DOING: &str = "to fetch work";
        let asked = self.wait(async {
            let consumer = self.consumer(WORK, WORK_CONSUMER).await?;
            let batch = consumer.batch().max_messages(1).expires(timeout).messages();
            let mut batch = answered(DOING, batch).await?;
            match tokio::time::timeout(timeout + RETRY_PAUSE * 3, batch.next()).await {
                Ok(Some(Ok(message))) => {
                    let keep_alive = consumer.cached_info().config.ack_wait / 3;
                    Ok(Some(self.delivery(message, keep_alive)))
                }
                Ok(Some(Err(error))) => Err(ClusterError::broker(DOING, error)),
                Ok(None) | Err(_) => Ok(None),
            }
        });
        asked.inspect_err(|_| _ = self.consumers.lock().remove(WORK))
    }

    pub(super) async fn consumer(
        &self,
        stream: &'static str,
        name: &'static str,
    ) -> Result<PullConsumer, ClusterError> {
        if let Some(consumer) = self.consumers.lock().get(stream) {
            return Ok(consumer.clone());
        }
        let consumer: PullConsumer =
            answered("to find a consumer", self.jetstream.get_consumer_from_stream(name, stream)).await?;
        self.consumers.lock().insert(stream, consumer.clone());
        Ok(consumer)
    }

    /// Wraps a message; `keep_alive` is the interval of its keep-alive signals.
    pub(super) fn delivery(&self, message: jetstream::Message, keep_alive: Duration) -> Delivery {
        Delivery { message, keep_alive, runtime: self.runtime.clone() }
    }

    /// Returns finished games as they arrive, until the result is dropped.
    pub(crate) fn finished_games(&self) -> Incoming {
        let jetstream = self.jetstream.clone();
        self.incoming(GAMES_ACK_WAIT / 3, move || {
            let jetstream = jetstream.clone();
            async move { jetstream.get_consumer_from_stream(GAMES_CONSUMER, GAMES).await.ok() }
        })
    }

    /// Returns the messages of a consumer as they arrive, until the result is dropped. `find` finds the consumer, again after
    /// each lost connection.
    pub(super) fn incoming<F: Future<Output = Option<PullConsumer>> + Send>(
        &self,
        keep_alive: Duration,
        find: impl Fn() -> F + Send + Sync + 'static,
    ) -> Incoming {
        let (sender, receiver) = tokio::sync::mpsc::channel(256);
        let runtime = self.runtime.clone();
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
                        let delivery = Delivery { message, keep_alive, runtime: runtime.clone() };
                        if sender.send(delivery).await.is_err() {
                            return;
                        }
                    }
                }
                tokio::time::sleep(RETRY_PAUSE).await;
            }
        };
        Incoming { receiver, runtime: self.runtime.clone(), task: self.runtime.spawn(listen).abort_handle() }
    }

    /// Counts messages that are not acknowledged: those with work, and those with finished games.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn pending(&self) -> Result<(u64, u64), ClusterError> {
        self.wait(async {
            let work = answered("to look at the work", self.consumer(WORK, WORK_CONSUMER).await?.get_info()).await?;
            // Read after the work: a worker sends its games before it acknowledges its work.
            let games =
                answered("to look at the games", self.consumer(GAMES, GAMES_CONSUMER).await?.get_info()).await?;
            let pending = [work, games].map(|info| info.num_pending + info.num_ack_pending as u64);
            Ok(pending.into())
        })
    }

    /// Removes all assigned work.
    ///
    /// # Errors
    /// If the broker does not answer.
    pub fn purge_work(&self) -> Result<(), ClusterError> {
        self.wait(async {
            let stream = answered("to find the work", self.jetstream.get_stream(WORK)).await?;
            answered("to purge the work", stream.purge().into_future()).await.map(|_| ())
        })
    }
}

/// Timeout of sending an acknowledgement.
const ACK_TIMEOUT: Duration = Duration::from_secs(1);

/// Message of a stream, which its receiver has to acknowledge.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub(super) message: jetstream::Message,
    /// Interval of keep-alive signals.
    pub(super) keep_alive: Duration,
    pub(super) runtime: tokio::runtime::Handle,
}

impl Delivery {
    /// Returns the bytes of the message.
    pub fn payload(&self) -> &[u8] {
        &self.message.payload
    }

    /// Returns the subject that the message was sent to.
    pub fn subject(&self) -> &str {
        &self.message.subject
    }

    /// Returns the number of the message in its stream, which redeliveries share.
    pub fn sequence(&self) -> u64 {
        self.message.info().map_or(0, |info| info.stream_sequence)
    }

    /// Returns the number of deliveries of the message so far, this one included.
    pub fn deliveries(&self) -> u32 {
        self.message.info().map_or(1, |info| info.delivered.clamp(1, 1000) as u32)
    }

    fn send(&self, kind: AckKind) {
        // A message whose acknowledgement is lost is delivered again. Without a connection the
        // client queues only a limited number of acknowledgements.
        let _ = self.runtime.block_on(async { tokio::time::timeout(ACK_TIMEOUT, self.message.ack_with(kind)).await });
    }

    /// Acknowledges the message.
    pub fn acknowledge(&self) {
        self.send(AckKind::Ack);
    }

    /// Rejects the message for good: it is not delivered again.
    pub fn reject(&self) {
        self.send(AckKind::Term);
    }

    /// Returns the message to its stream, to be delivered again at once.
    pub fn give_back(&self) {
        self.send(AckKind::Nak(None));
    }

    /// Defers the message: it is delivered again after `wait`.
    pub fn defer(&self, wait: Duration) {
        self.send(AckKind::Nak(Some(wait)));
    }

    /// Signals at intervals that the message is being worked on, until the returned guard is dropped.
    pub fn keep_alive(&self) -> KeepAlive {
        let (message, interval) = (self.message.clone(), self.keep_alive.max(Duration::from_millis(50)));
        let task = self.runtime.spawn(async move {
            loop {
                tokio::time::sleep(interval).await;
                let _ = message.ack_with(AckKind::Progress).await;
            }
        });
        KeepAlive(task.abort_handle())
    }
}

/// Guard of [`Delivery::keep_alive`].
#[derive(Debug)]
pub struct KeepAlive(tokio::task::AbortHandle);

impl Drop for KeepAlive {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Messages of a consumer as they arrive.
#[derive(Debug)]
pub(crate) struct Incoming {
    receiver: tokio::sync::mpsc::Receiver<Delivery>,
    runtime: tokio::runtime::Handle,
    task: tokio::task::AbortHandle,
}

impl Incoming {
    /// Waits up to `timeout` for the next message.
    pub fn next(&mut self, timeout: Duration) -> Option<Delivery> {
        let receiver = &mut self.receiver;
        self.runtime.block_on(async { tokio::time::timeout(timeout, receiver.recv()).await.ok().flatten() })
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        self.task.abort();
        // Returned at once, so that the next reader need not wait until their acknowledgement is
        // overdue.
        while let Ok(delivery) = self.receiver.try_recv() {
            delivery.give_back();
        }
    }
}
