//! Measures training steps.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::{Action, Evaluation, Game, Position};
use crate::network::Card;
use crate::replay::Window;
use crate::selfplay::{Pool, SelfPlaySettings, SizeWeight};
use crate::stop::StopSignal;
use crate::training::{ExactTargets, Recipe, StepParts, Trainer};

use super::report::TrainingSpeed;
use super::timing::per_second;
use super::{BenchmarkError, MEASURING_TIME, Standard, standard_networks};

/// Positions per step.
const BATCH: usize = 256;

/// The number of games to train on.
const GAMES: u64 = 16;

/// Measures the two smaller networks on all threads; a step of the largest would take most of the benchmark's time.
pub(super) fn measure(game: Game, threads: usize) -> Result<Vec<TrainingSpeed>, BenchmarkError> {
    let [small, middle, _] = standard_networks();
    rates(game, threads, None, &[small, middle])
}

/// Measures `networks` on a card, with inputs prepared on all threads.
pub(super) fn measure_on(game: Game, card: &Card, networks: &[Standard]) -> Result<Vec<TrainingSpeed>, BenchmarkError> {
    rates(game, rayon::current_num_threads(), Some(card), networks)
}

fn rates(
    game: Game,
    threads: usize,
    card: Option<&Card>,
    networks: &[Standard],
) -> Result<Vec<TrainingSpeed>, BenchmarkError> {
    let pool = Pool::new(threads)?;
    let mut speeds = Vec::new();
    for standard in networks {
        let size = standard.size_in(game);
        let mut recipe = Recipe { network: standard.architecture.clone(), ..Recipe::default() };
        recipe.training.batch = BATCH;
        recipe.selfplay = SelfPlaySettings {
            sizes: vec![SizeWeight::of(size)],
            full_visits: 8,
            full_share: 1.0,
            ..SelfPlaySettings::default()
        };
        let guess = |_: &Position, legal: &[Action]| Evaluation::uniform(legal.len());
        let never = StopSignal::new();
        let games = pool.play(game, &guess, &recipe.selfplay, 1, 0..GAMES, &never, |_, _| ()).unwrap_or_default();
        let mut window = Window::new(usize::MAX);
        games.into_iter().for_each(|record| {
            window.add(record);
        });
        let mut trainer = Trainer::new(game, &recipe)?;
        if let Some(card) = card {
            trainer = trainer.on_card(game, &recipe, card.clone())?;
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut problem = None;
        let rate = pool.install(|| {
            per_second(4 * MEASURING_TIME, || {
                let exact = ExactTargets::default();
                let parts = match card {
                    None => StepParts::draw(game, &recipe, &window, &exact, &mut rng),
                    Some(card) => StepParts::draw_on(&card.device, game, &recipe, &window, &exact, &mut rng),
                };
                if let Err(error) = parts.and_then(|parts| trainer.train_step(&parts)) {
                    problem = Some(error);
                }
            })
        });
        if let Some(error) = problem {
            return Err(error.into());
        }
        speeds.push(TrainingSpeed {
            network: standard.architecture.to_string(),
            size,
            batch: BATCH,
            threads,
            samples_per_second: rate * BATCH as f64,
        });
    }
    Ok(speeds)
}
