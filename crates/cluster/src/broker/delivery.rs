//! Messages of streams and their acknowledgement.

use std::time::Duration;

use async_nats::jetstream::{self, AckKind};

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
    pub(super) receiver: std::sync::mpsc::Receiver<Delivery>,
    pub(super) task: tokio::task::AbortHandle,
}

impl Incoming {
    /// Waits up to `timeout` for the next message.
    pub fn next(&self, timeout: Duration) -> Option<Delivery> {
        self.receiver.recv_timeout(timeout).ok()
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        self.task.abort();
        // Returned at once, so that the next reader need not wait until their acknowledgement is
        // overdue.
        self.receiver.try_iter().for_each(|delivery| delivery.give_back());
    }
}
