//! Profile of self-play: for each of the standard networks, random weights, one thread and the visits of the
//! default recipe, the share spent inside the network, and the cost of a visit besides.
//!
//! No criterion: the question is one of shares, which a run of some seconds answers.

use std::time::{Duration, Instant};

use hexzero::benchmark::{Standard, random_parameters, standard_networks};
use hexzero::games::{Action, Evaluation, Evaluator, Position, default_game};
use hexzero::network::kernels::Kernel;
use hexzero::network::{Inference, Precision, Workspace};
use hexzero::selfplay::{SelfPlaySettings, SizeWeight, play_game};
use hexzero::stop::StopSignal;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How long each network plays.
const TIME: Duration = Duration::from_secs(5);

/// As `NetworkEvaluator`, with a clock around the network.
struct Timed {
    inference: Inference,
    workspace: Workspace,
    evaluations: u64,
    inside: Duration,
}

impl Evaluator for Timed {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        let topology = position.topology();
        self.inference.prepare(&mut self.workspace, topology);
        position.encode(&mut self.workspace.cells, &mut self.workspace.globals);
        let start = Instant::now();
        self.inference.evaluate(&mut self.workspace, topology);
        self.inside += start.elapsed();
        self.evaluations += 1;
        Evaluation::from_logits(position, legal, &self.workspace.policy, &self.workspace.outcome)
    }
}

fn main() {
    println!("network       size  evaluations/s  inside the network  besides it, each evaluation");
    for Standard { architecture, size } in standard_networks() {
        let tensors = random_parameters(default_game(), &architecture).expect("parameters");
        let inference =
            Inference::new(&architecture, &default_game().view, &tensors, Kernel::best(), Precision::best());
        let mut timed = Timed { inference, workspace: Workspace::default(), evaluations: 0, inside: Duration::ZERO };
        let settings = SelfPlaySettings { sizes: vec![SizeWeight::of(size)], ..SelfPlaySettings::default() };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let start = Instant::now();
        let stop = StopSignal::new().child_until(Some(start + TIME));
        while play_game(default_game(), &mut timed, &settings, &mut rng, &stop).is_some() {}
        let elapsed = start.elapsed();
        println!(
            "{:<12}  {size:>4}  {:>13.0}  {:>17.1}%  {:>24.2} µs",
            architecture.to_string(),
            timed.evaluations as f64 / elapsed.as_secs_f64(),
            100.0 * timed.inside.as_secs_f64() / elapsed.as_secs_f64(),
            (elapsed - timed.inside).as_secs_f64() * 1e6 / timed.evaluations as f64,
        );
    }
}
