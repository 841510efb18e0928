//! Limits the number of connections, with a fair share for each subnet.
//!
//! When all permits are in use, a new connection takes one from the subnet that holds the most, so that no subnet can
//! shut out the others. Where its own subnet holds as many as any, the connection that has been idle the longest gives
//! way.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

/// A limit on the connections of one kind.
#[derive(Debug)]
pub(super) struct ConnectionLimiter {
    most: usize,
    /// A connection idle for this long may be closed even if its subnet holds few permits.
    patience: Duration,
    /// The connections with the time of their last use.
    holders: Mutex<Holders<Instant>>,
    count: watch::Sender<usize>,
}

/// The holders of a limited resource, each with its usage.
#[derive(Debug)]
pub(super) struct Holders<U> {
    last_number: u64,
    list: Vec<Holder<U>>,
}

#[derive(Debug)]
pub(super) struct Holder<U> {
    number: u64,
    pub subnet: IpAddr,
    pub usage: U,
    revoked: Arc<Notify>,
}

impl<U> Default for Holders<U> {
    fn default() -> Self {
        Self { last_number: 0, list: Vec::new() }
    }
}

impl<U> Holders<U> {
    /// Adds a holder; returns its number, and what is notified when it is evicted.
    pub fn add(&mut self, subnet: IpAddr, usage: U) -> (u64, Arc<Notify>) {
        self.last_number += 1;
        let revoked = Arc::new(Notify::new());
        self.list.push(Holder { number: self.last_number, subnet, usage, revoked: Arc::clone(&revoked) });
        (self.last_number, revoked)
    }

    /// Returns all holders.
    pub fn list(&self) -> &[Holder<U>] {
        &self.list
    }

    /// Returns the usage of a holder, unless it was evicted.
    pub fn usage(&mut self, number: u64) -> Option<&mut U> {
        self.list.iter_mut().find(|holder| holder.number == number).map(|holder| &mut holder.usage)
    }

    /// Sums up, for each subnet, a measure of its holders' usage.
    pub fn by_subnet(&self, measure: impl Fn(&U) -> usize) -> HashMap<IpAddr, usize> {
        let mut sums = HashMap::new();
        self.list.iter().for_each(|holder| *sums.entry(holder.subnet).or_default() += measure(&holder.usage));
        sums
    }

    /// Evicts the holder with an index, and notifies it; returns its number.
    pub fn evict(&mut self, index: usize) -> u64 {
        let Holder { number, revoked, .. } = self.list.swap_remove(index);
        revoked.notify_one();
        number
    }

    /// Removes a holder that has left.
    pub fn remove(&mut self, number: u64) {
        self.list.retain(|holder| holder.number != number);
    }
}

/// Permission for a connection, given back when dropped.
#[derive(Debug)]
pub(super) struct Permit {
    limiter: Arc<ConnectionLimiter>,
    number: u64,
    revoked: Arc<Notify>,
}

impl ConnectionLimiter {
    /// Creates a limit of `most` connections.
    pub fn new(most: usize, patience: Duration) -> Arc<Self> {
        Arc::new(Self { most, patience, holders: Mutex::default(), count: watch::Sender::new(0) })
    }

    /// Returns a permit for a connection from this address, perhaps revoking another; none if no connection has to give
    /// way.
    pub fn acquire(self: &Arc<Self>, address: IpAddr) -> Option<Permit> {
        let subnet = subnet(address);
        let mut holders = self.holders.lock();
        if holders.list.len() >= self.most {
            let evicted = holders.to_evict(subnet, self.patience)?;
            holders.evict(evicted);
        }
        let (number, revoked) = holders.add(subnet, Instant::now());
        self.count.send_replace(holders.list.len());
        Some(Permit { limiter: Arc::clone(self), number, revoked })
    }

    /// Returns the number of permits in use, and signals when it changes.
    pub fn count(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }

    /// Waits until no permit is in use.
    pub async fn all_released(&self) {
        // This fails only if the sender is gone, which it is not.
        let _ = self.count().wait_for(|&count| count == 0).await;
    }
}

impl Holders<Instant> {
    /// Returns the index of the holder to evict for a new connection from `subnet`.
    fn to_evict(&self, subnet: IpAddr, patience: Duration) -> Option<usize> {
        let permits = self.by_subnet(|_| 1);
        let of = |subnet| permits.get(&subnet).copied().unwrap_or_default();
        let most = permits.values().copied().max()?;
        let longest_idle = |may_go: &dyn Fn(&Holder<Instant>) -> bool| {
            let candidates = self.list.iter().enumerate().filter(|(_, holder)| may_go(holder));
            candidates.min_by_key(|(_, holder)| holder.usage).map(|(index, _)| index)
        };
        if most > of(subnet) + 1 {
            return longest_idle(&|holder| of(holder.subnet) == most);
        }
        // If its own subnet holds as many as any, it takes a permit of such a subnet.
        let idle = |holder: &Holder<Instant>| holder.usage.elapsed() >= patience;
        longest_idle(&|holder| idle(holder) && of(holder.subnet) >= of(subnet)).or_else(|| longest_idle(&idle))
    }
}

impl Permit {
    /// Marks the connection as used.
    pub fn touch(&self) {
        if let Some(last_used) = self.limiter.holders.lock().usage(self.number) {
            *last_used = Instant::now();
        }
    }

    /// Waits until the permit is revoked, so that this connection has to end.
    pub async fn revoked(&self) {
        self.revoked.notified().await;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut holders = self.limiter.holders.lock();
        holders.remove(self.number);
        self.limiter.count.send_replace(holders.list.len());
    }
}

/// Returns the subnet of an address: the /64 network of an IPv6 address, since one machine can have any number of
/// addresses there; an IPv4 address itself.
pub(super) fn subnet(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_revoked(permit: &Permit) -> bool {
        permit.limiter.holders.lock().usage(permit.number).is_none()
    }

    #[test]
    fn crowded_subnet_gives_its_oldest_to_others() {
        let limiter = ConnectionLimiter::new(4, Duration::from_secs(3600));
        let many: Vec<Permit> = (0..4).map(|_| limiter.acquire(address("10.0.0.1")).unwrap()).collect();
        many[0].touch();
        assert!(limiter.acquire(address("10.0.0.1")).is_none(), "a subnet takes none of its own");
        let first = limiter.acquire(address("10.0.0.2")).unwrap();
        let second = limiter.acquire(address("10.0.0.2")).unwrap();
        assert_eq!(many.iter().map(is_revoked).collect::<Vec<_>>(), [false, true, true, false]);
        assert!(limiter.acquire(address("10.0.0.2")).is_none(), "as many as the other has");
        assert!(limiter.acquire(address("10.0.0.3")).is_some(), "one that has none gets one");
        assert!(*limiter.count().borrow() == 3 && !is_revoked(&second), "{first:?}");
    }

    #[test]
    fn longest_idle_goes_first() {
        let limiter = ConnectionLimiter::new(2, Duration::ZERO);
        let permits = [limiter.acquire(address("::1")).unwrap(), limiter.acquire(address("::1")).unwrap()];
        permits[0].touch();
        let third = limiter.acquire(address("::1")).unwrap();
        assert_eq!([is_revoked(&permits[0]), is_revoked(&permits[1]), is_revoked(&third)], [false, true, false]);
    }

    #[test]
    fn flood_from_one_address_takes_its_own_permits() {
        let limiter = ConnectionLimiter::new(4, Duration::ZERO);
        let other = limiter.acquire(address("10.0.0.2")).unwrap();
        let flood: Vec<Permit> = (0..12).filter_map(|_| limiter.acquire(address("10.0.0.1"))).collect();
        assert!(flood.len() == 12 && !is_revoked(&other));
    }

    #[test]
    fn addresses_of_a_network_are_one_subnet() {
        assert_eq!(subnet(address("2001:db8:1:2:3::4")), subnet(address("2001:db8:1:2::9")));
        assert_ne!(subnet(address("2001:db8:1:2::1")), subnet(address("2001:db8:1:3::1")));
        assert_eq!(subnet(address("::ffff:10.0.0.1")), address("10.0.0.1"));
        assert_ne!(subnet(address("10.0.0.1")), subnet(address("10.0.0.2")));
    }
}
