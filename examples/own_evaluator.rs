//! Searches with an evaluator of its own in place of a network, and plays a match with it.
//!
//! An evaluator gives a prior for each legal action and the chances of the player to move. This one looks at the places that
//! an action is played on: the nearer to the middle of the board, the higher the prior. The chances come from a few random games.
//!
//! ```sh
//! cargo run --release --example own_evaluator -- hex 5
//! ```

use std::error::Error;

use hexzero::arena::{MatchSettings, play_match};
use hexzero::games::{Action, Evaluation, Evaluator, GameRng, Pick, Position, WinDrawLoss, game_named};
use hexzero::players::{EnginePlayer, PlayerSource, PlayerSpec};
use hexzero::search::{Limits, Search, SearchSettings};
use hexzero::stop::StopSignal;
use rand::SeedableRng;

/// The number of random games that evaluate a position.
const PLAYOUTS: usize = 4;

#[derive(Clone)]
struct TowardsTheMiddle {
    rng: GameRng,
}

impl TowardsTheMiddle {
    fn new() -> Self {
        Self { rng: GameRng::seed_from_u64(0) }
    }
}

/// Counts the neighbours of the neighbours of an action's place: fewer at the edge than in the middle.
fn room(position: &Position, action: Action) -> f32 {
    let Some(Pick::Place(place)) = position.picks(action).first().copied() else { return 1.0 };
    let neighbours = position.topology().neighbours();
    let around = |cell: usize| neighbours.get(cell).into_iter().flatten().map(|&next| usize::from(next));
    let within = |cell: &usize| *cell < neighbours.len();
    around(usize::from(place)).filter(within).map(|next| around(next).filter(within).count() as f32).sum()
}

impl Evaluator for TowardsTheMiddle {
    fn evaluate(&mut self, position: &Position, legal: &[Action]) -> Evaluation {
        let mut priors: Vec<f32> = legal.iter().map(|&action| room(position, action).max(1.0)).collect();
        let sum: f32 = priors.iter().sum();
        priors.iter_mut().for_each(|prior| *prior /= sum);
        let mut chances = WinDrawLoss { win: 0.0, draw: 0.0, loss: 0.0 };
        for _ in 0..PLAYOUTS {
            let end = position.clone().playout(&mut self.rng, &mut Vec::new());
            match end.winner {
                Some(winner) if winner == position.to_move() => chances.win += 1.0 / PLAYOUTS as f32,
                Some(_) => chances.loss += 1.0 / PLAYOUTS as f32,
                None => chances.draw += 1.0 / PLAYOUTS as f32,
            }
        }
        Evaluation { priors, outcome: chances }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, size] = &arguments[..] else {
        return Err("usage: own_evaluator GAME SIZE, such as: hex 5".into());
    };
    let (game, size) = (game_named(game)?, size.parse()?);

    let position = game.start(size)?;
    let mut search = Search::new(position.clone(), SearchSettings::default());
    search.run(&mut TowardsTheMiddle::new(), &Limits::visits(500));
    for found in search.root_moves().iter().take(3) {
        println!("{} {} visits, {:.2}", position.action_name(found.action), found.visits, found.outcome.expected());
    }

    let mine = || EnginePlayer::new("mine", TowardsTheMiddle::new(), SearchSettings::default(), Limits::visits(100));
    let random = PlayerSource::built_in(PlayerSpec::Random);
    let settings = MatchSettings { size, games: 20, seed: 0, sequential: None, threads: 0 };
    let result = play_match(game, mine, || random.player(), &settings, &StopSignal::new(), |_| ())?;
    println!("{} of {} games won against random", result.tally.wins_a, result.tally.games);
    Ok(())
}
