//! The device thread: collects positions from many searches, evaluates them in batches, and returns
//! the answers.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Instant;

use candle_core::{Result, Tensor};

use crate::{Boards, Network};
use hexzero_board::Topology;
use hexzero_games::NetworkView;
use hexzero_nn::{Architecture, DeviceEvaluator, DeviceStats, NamedTensors};

use super::candle_device::CandleDevice;
use super::choice::first_line;

/// Number of batches after which an evaluator that sends no request is no longer waited for.
const RECENT_BATCHES: u64 = 4;

/// The logits of win, draw and loss followed by those of all actions, or the reason why there are
/// none.
type Answer = std::result::Result<Vec<f32>, String>;

/// A position to evaluate.
struct Request {
    topology: &'static Topology,
    cells: Vec<f32>,
    globals: Vec<f32>,
    /// The number of the evaluator that asks.
    evaluator: usize,
    /// Where it waits for the answer. If the device thread ends, it finds the other end dropped.
    answer: SyncSender<Answer>,
}

/// The state that searches and the device thread share.
#[derive(Debug, Default)]
struct Shared {
    /// Number of evaluators so far, by which they are numbered.
    numbered: AtomicUsize,
    /// Number of evaluators that have sent a request and are not dropped yet: an upper bound on the
    /// waiting positions.
    evaluators: AtomicUsize,
    batches: AtomicU64,
    positions: AtomicU64,
}

/// A network on a device. Clones share the device thread, which ends with the last of them.
#[derive(Debug)]
pub(crate) struct SharedNetwork {
    requests: Sender<Request>,
    shared: Arc<Shared>,
    number: usize,
    has_asked: bool,
}

impl Clone for SharedNetwork {
    fn clone(&self) -> Self {
        Self::new(self.requests.clone(), self.shared.clone())
    }
}

impl Drop for SharedNetwork {
    fn drop(&mut self) {
        if self.has_asked {
            self.shared.evaluators.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl SharedNetwork {
    fn new(requests: Sender<Request>, shared: Arc<Shared>) -> Self {
        let number = shared.numbered.fetch_add(1, Ordering::Relaxed);
        Self { requests, shared, number, has_asked: false }
    }

    /// Puts a network on a device and starts the thread that evaluates with it.
    pub fn start(
        architecture: &Architecture,
        view: &NetworkView,
        tensors: &NamedTensors,
        device: &CandleDevice,
    ) -> Result<Self> {
        let (candle, dtype) = (&device.device, device.precision.of_evaluation());
        let (network, _) = Network::on_device(architecture, view, tensors, candle, dtype)?;
        let (requests, received) = channel();
        let shared = Arc::new(Shared::default());
        let mut thread = DeviceThread {
            network: network.for_evaluation()?,
            view: view.clone(),
            device: device.clone(),
            boards: HashMap::new(),
            received,
            waiting: Vec::new(),
            active: ActiveEvaluators::default(),
            shared: shared.clone(),
        };
        thread::Builder::new()
            .name("device".to_owned())
            .spawn(move || thread.run())
            .map_err(candle_core::Error::wrap)?;
        Ok(Self::new(requests, shared))
    }
}

impl DeviceEvaluator for SharedNetwork {
    fn stats(&self) -> DeviceStats {
        let Shared { batches, positions, .. } = &*self.shared;
        DeviceStats { batches: batches.load(Ordering::Relaxed), positions: positions.load(Ordering::Relaxed) }
    }

    fn evaluate(&mut self, topology: &'static Topology, cells: &[f32], globals: &[f32]) -> Answer {
        if !std::mem::replace(&mut self.has_asked, true) {
            self.shared.evaluators.fetch_add(1, Ordering::Relaxed);
        }
        let ended = "its thread has ended";
        let (answer, answered) = sync_channel(1);
        let (cells, globals) = (cells.to_vec(), globals.to_vec());
        let request = Request { topology, cells, globals, evaluator: self.number, answer };
        self.requests.send(request).map_err(|_| ended)?;
        answered.recv().map_err(|_| ended)?
    }

    fn share(&self) -> Box<dyn DeviceEvaluator> {
        Box::new(self.clone())
    }
}

/// The evaluators that have sent a request recently. An idle search, or a player whose opponent is
/// thinking, sends none for a long time.
#[derive(Debug, Default)]
struct ActiveEvaluators {
    batches: u64,
    /// For each evaluator, by its number, the number of batches evaluated before its last request.
    last: HashMap<usize, u64>,
}

impl ActiveEvaluators {
    fn note_request(&mut self, evaluator: usize) {
        self.last.insert(evaluator, self.batches);
    }

    fn batch_is_done(&mut self) {
        self.batches += 1;
        self.last.retain(|_, before| *before + RECENT_BATCHES >= self.batches);
    }

    fn count(&self) -> usize {
        self.last.len()
    }
}

struct DeviceThread {
    /// The network, detached from all graphs.
    network: Network,
    view: NetworkView,
    device: CandleDevice,
    /// The boards of batches, by the address of their topology, which lives forever, and the number
    /// of positions.
    boards: HashMap<(usize, usize), Boards>,
    received: Receiver<Request>,
    /// The waiting requests, oldest first.
    waiting: Vec<Request>,
    active: ActiveEvaluators,
    shared: Arc<Shared>,
}

impl DeviceThread {
    /// Evaluates requests until all evaluators are dropped.
    fn run(&mut self) {
        while self.gather() {
            let batch = self.take_batch();
            let answers = self.answers(&batch).map_err(|error| first_line(&error));
            let is_first = self.shared.batches.fetch_add(1, Ordering::Relaxed) == 0;
            self.shared.positions.fetch_add(batch.len() as u64, Ordering::Relaxed);
            for (number, request) in batch.into_iter().enumerate() {
                let answer = match &answers {
                    Ok(answers) => Ok(answers[number].clone()),
                    Err(problem) => Err(problem.clone()),
                };
                // An evaluator whose thread has panicked waits no more.
                let _ = request.answer.send(answer);
            }
            self.active.batch_is_done();
            if let Err(problem) = answers {
                // Games in progress need answers: their searches fall back to the kernels when this
                // thread has ended. Before the first batch there are none: its failure is an error.
                let name = &self.device.name;
                if !is_first {
                    (self.device.on_failure)(&format!("device {name} failed, continuing on the CPU: {problem}"));
                }
                return;
            }
        }
    }

    /// Waits until there is a batch to evaluate: a full one, one request from every active
    /// evaluator, or whatever arrived in time. Returns false if no more requests can come.
    fn gather(&mut self) -> bool {
        if self.waiting.is_empty() {
            match self.received.recv() {
                Ok(request) => self.enqueue(request),
                Err(_) => return false,
            }
        }
        let deadline = Instant::now() + self.device.wait;
        loop {
            while let Ok(request) = self.received.try_recv() {
                self.enqueue(request);
            }
            let evaluators = self.shared.evaluators.load(Ordering::Relaxed).min(self.active.count());
            let is_enough = self.waiting.len() >= evaluators || self.on_oldest_board() >= self.device.batch;
            let left = deadline.saturating_duration_since(Instant::now());
            if is_enough || left.is_zero() {
                return true;
            }
            match self.received.recv_timeout(left) {
                Ok(request) => self.enqueue(request),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return true,
            }
        }
    }

    fn enqueue(&mut self, request: Request) {
        self.active.note_request(request.evaluator);
        self.waiting.push(request);
    }

    /// Counts the waiting positions on the board of the oldest request.
    fn on_oldest_board(&self) -> usize {
        let Some(oldest) = self.waiting.first() else { return 0 };
        self.waiting.iter().filter(|request| std::ptr::eq(request.topology, oldest.topology)).count()
    }

    /// Takes the oldest position and others on the same board. Batches of one board have one shape,
    /// so their answers do not depend on other requests, and the data that a device caches for each
    /// shape is stored only once.
    fn take_batch(&mut self) -> Vec<Request> {
        let mut batch: Vec<Request> = Vec::new();
        for request in std::mem::take(&mut self.waiting) {
            let fits = batch.len() < self.device.batch
                && batch.first().is_none_or(|oldest| std::ptr::eq(oldest.topology, request.topology));
            if fits { batch.push(request) } else { self.waiting.push(request) }
        }
        batch
    }

    /// Evaluates a batch on one board and returns the answer to each position.
    fn answers(&mut self, batch: &[Request]) -> Result<Vec<Vec<f32>>> {
        let Some(topology) = batch.first().map(|request| request.topology) else { return Ok(Vec::new()) };
        let cells = topology.cells();
        let positions = match self.device.repeatable {
            true => self.device.batch,
            false => batch.len().next_power_of_two().min(self.device.batch),
        };
        let boards = self.boards_for(topology, positions)?;
        let NetworkView { cell_inputs, global_inputs, policy_planes, global_actions, .. } = self.view;
        // Pad the batch with boards of zeros.
        let input = |part: fn(&Request) -> &[f32], rows: usize, columns: usize| {
            let mut values = Vec::with_capacity(rows * columns);
            batch.iter().for_each(|request| values.extend_from_slice(part(request)));
            values.resize(rows * columns, 0.0);
            Tensor::from_vec(values, (rows, columns), &self.device.device)
        };
        let inputs = input(|request| &request.cells, positions * cells, cell_inputs)?;
        let globals = input(|request| &request.globals, positions, global_inputs)?;
        let heads = self.network.forward(&inputs, &globals, &boards)?;
        let by_plane = heads.cell_policy.reshape((positions, cells, policy_planes))?.transpose(1, 2)?;
        let mut parts = vec![heads.outcome, by_plane.reshape((positions, policy_planes * cells))?];
        if global_actions > 0 {
            parts.push(heads.global_policy);
        }
        let all = Tensor::cat(&parts, 1)?;
        let width = all.dim(1)?;
        // Copy the whole batch from the device at once.
        let values: Vec<f32> = all.flatten_all()?.to_vec1()?;
        Ok(values.chunks_exact(width).take(batch.len()).map(<[f32]>::to_vec).collect())
    }

    fn boards_for(&mut self, topology: &'static Topology, positions: usize) -> Result<Boards> {
        let key = (std::ptr::from_ref(topology).addr(), positions);
        if let Some(boards) = self.boards.get(&key) {
            return Ok(boards.clone());
        }
        let boards = Boards::new(&vec![topology; positions]).put_on(&self.device.device)?;
        self.boards.insert(key, boards.clone());
        Ok(boards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_evaluators_are_not_waited_for() {
        let mut active = ActiveEvaluators::default();
        (0..3).for_each(|evaluator| active.note_request(evaluator));
        assert_eq!(active.count(), 3);
        // Two evaluators take turns, as when one half of the games is evaluated while the other
        // half searches.
        for batch in 1..=2 * RECENT_BATCHES {
            active.batch_is_done();
            active.note_request((batch % 2) as usize);
            assert_eq!(active.count(), if batch <= RECENT_BATCHES { 3 } else { 2 }, "{batch}");
        }
        // Only one evaluator sends requests.
        for _ in 0..=RECENT_BATCHES {
            active.batch_is_done();
            active.note_request(2);
        }
        assert_eq!(active.count(), 1);
    }
}
