//! Memory for files of games and for what is made of them. When it is used up, the largest file of the subnet that uses the most
//! gives way, so that no client keeps others out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::interfaces::web::connection_limiter::subnet;

/// A limit on the bytes that all files take together.
#[derive(Debug)]
pub(super) struct Room {
    max: usize,
    holders: Mutex<Holders>,
}

#[derive(Debug, Default)]
struct Holders {
    last_number: u64,
    list: Vec<Holder>,
}

#[derive(Debug)]
struct Holder {
    number: u64,
    subnet: IpAddr,
    bytes: usize,
    revoked: Arc<Notify>,
}

/// The bytes that a file takes, given back when dropped.
#[derive(Debug)]
pub(super) struct Share {
    room: Arc<Room>,
    number: u64,
    revoked: Arc<Notify>,
}

impl Room {
    /// Creates room for `max` bytes.
    pub fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, holders: Mutex::default() })
    }

    /// Adds a file of no bytes, from this address.
    pub fn enter(self: &Arc<Self>, address: IpAddr) -> Share {
        let mut holders = self.holders.lock();
        holders.last_number += 1;
        let (number, revoked) = (holders.last_number, Arc::new(Notify::new()));
        holders.list.push(Holder { number, subnet: subnet(address), bytes: 0, revoked: Arc::clone(&revoked) });
        Share { room: Arc::clone(self), number, revoked }
    }
}

impl Holders {
    /// Returns the index of the largest file of the subnet that takes the most.
    fn largest(&self) -> Option<usize> {
        let mut taken: HashMap<IpAddr, usize> = HashMap::new();
        self.list.iter().for_each(|holder| *taken.entry(holder.subnet).or_default() += holder.bytes);
        let weight = |holder: &Holder| (taken.get(&holder.subnet).copied(), holder.bytes);
        self.list.iter().enumerate().max_by_key(|(_, holder)| weight(holder)).map(|(index, _)| index)
    }
}

impl Share {
    /// Takes `bytes` more, perhaps from others. Returns false if this file has to give way.
    pub fn grow(&self, bytes: usize) -> bool {
        let mut holders = self.room.holders.lock();
        match holders.list.iter_mut().find(|holder| holder.number == self.number) {
            Some(own) => own.bytes += bytes,
            None => return false,
        }
        while holders.list.iter().map(|holder| holder.bytes).sum::<usize>() > self.room.max {
            let Some(largest) = holders.largest() else { return false };
            let Holder { number, revoked, .. } = holders.list.swap_remove(largest);
            if number == self.number {
                return false;
            }
            revoked.notify_one();
        }
        true
    }

    /// Returns what is notified when this file has to give way to another.
    pub fn revocation(&self) -> Arc<Notify> {
        Arc::clone(&self.revoked)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.room.holders.lock().list.retain(|holder| holder.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    fn is_revoked(share: &Share) -> bool {
        !share.room.holders.lock().list.iter().any(|holder| holder.number == share.number)
    }

    #[test]
    fn the_subnet_with_the_most_gives_way() {
        let room = Room::new(100);
        let large: Vec<Share> = [40, 30, 20]
            .map(|bytes| (room.enter(address(1)), bytes))
            .into_iter()
            .map(|(share, bytes)| {
                assert!(share.grow(bytes));
                share
            })
            .collect();
        let other = room.enter(address(2));
        assert!(other.grow(24) && is_revoked(&large[0]) && !is_revoked(&large[1]));
        assert!(!large[0].grow(1), "it has given way");
        // Its own subnet has the most by far, and this is its largest file.
        assert!(!large[1].grow(60) && !is_revoked(&other) && !is_revoked(&large[2]));
        drop((large, other));
        assert!(room.enter(address(1)).grow(100) && room.holders.lock().list.is_empty());
    }

    #[test]
    fn a_small_file_gets_in_beside_large_ones_of_its_own_subnet() {
        let room = Room::new(100);
        let shares: Vec<Share> = (0..4).map(|_| room.enter(address(1))).collect();
        assert!(shares.iter().all(|share| share.grow(25)));
        assert!(room.enter(address(1)).grow(24));
        assert_eq!(shares.iter().filter(|share| is_revoked(share)).count(), 1);
        assert!(!room.enter(address(1)).grow(101), "more than there is");
    }

    #[test]
    fn what_was_announced_takes_nothing() {
        let room = Room::new(100);
        let silent: Vec<Share> = (0..1000).map(|_| room.enter(address(1))).collect();
        assert!(room.enter(address(1)).grow(100) && !silent.iter().any(is_revoked));
    }
}
