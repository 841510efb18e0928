//! Messages of the broker and their acknowledgement.

use std::time::Duration;

use async_nats::jetstream::{self, AckKind};

/// An answer that is not on its way by then is given up.
const ANSWER: Duration = Duration::from_secs(1);

/// A message of a stream, to be acknowledged.
#[derive(Debug, Clone)]
pub struct Delivery {
    pub(super) message: jetstream::Message,
    /// How often to say that it is being done.
    pub(super) keep: Duration,
    pub(super) handle: tokio::runtime::Handle,
}

impl Delivery {
    /// What it says.
    pub fn payload(&self) -> &[u8] {
        &self.message.payload
    }

    /// Where it was sent to.
    pub fn subject(&self) -> &str {
        &self.message.subject
    }

    /// The number of the message in its stream, which it keeps when it is delivered again.
    pub fn sequence(&self) -> u64 {
        self.message.info().map_or(0, |info| info.stream_sequence)
    }

    /// How often it has been delivered, with this time.
    pub fn times(&self) -> u32 {
        self.message.info().map_or(1, |info| info.delivered.clamp(1, 1000) as u32)
    }

    fn say(&self, kind: AckKind) {
        // What is lost on the way is delivered again. While the connection is lost there is room for some answers only.
        let _ = self.handle.block_on(async { tokio::time::timeout(ANSWER, self.message.ack_with(kind)).await });
    }

    /// It is done.
    pub fn acknowledge(&self) {
        self.say(AckKind::Ack);
    }

    /// It will never be done; nobody need try.
    pub fn reject(&self) {
        self.say(AckKind::Term);
    }

    /// Somebody else is to do it.
    pub fn give_back(&self) {
        self.say(AckKind::Nak(None));
    }

    /// It is to be done again after a while.
    pub fn put_off(&self, wait: Duration) {
        self.say(AckKind::Nak(Some(wait)));
    }

    /// Says again and again that it is being done, until the answer is dropped.
    pub fn keep(&self) -> Keeping {
        let (message, every) = (self.message.clone(), self.keep.max(Duration::from_millis(50)));
        let task = self.handle.spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                let _ = message.ack_with(AckKind::Progress).await;
            }
        });
        Keeping(task.abort_handle())
    }
}

/// See [`Delivery::keep`].
#[derive(Debug)]
pub struct Keeping(tokio::task::AbortHandle);

impl Drop for Keeping {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Games as they come.
#[derive(Debug)]
pub(super) struct Arriving {
    pub(super) receiver: std::sync::mpsc::Receiver<Delivery>,
    pub(super) task: tokio::task::AbortHandle,
}

impl Arriving {
    /// The next message, if there is one within this time.
    pub fn next(&self, wait: Duration) -> Option<Delivery> {
        self.receiver.recv_timeout(wait).ok()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.task.abort();
        // Who comes next need not wait for them.
        self.receiver.try_iter().for_each(|delivery| delivery.give_back());
    }
}
