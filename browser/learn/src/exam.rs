//! What a network knows: its opinion of the empty board and of the openings, and its results against other players.

use std::error::Error;

use serde_json::{Value as Json, json};

use hexzero_arena::players::{AlphaBeta, EnginePlayer, Player, RandomPlayer};
use hexzero_arena::{MatchError, MatchSettings, play_match};
use hexzero_games::{Action, Game, Position, Value, game_named};
use hexzero_nn::{Checkpoint, NetworkEvaluator, Opinion, Precision, first_place};
use hexzero_prove::by_rules::{GameProver, ProofLimits};
use hexzero_prove::hex::{Geometry, Resistance, Stones};
use hexzero_prove::{Options, Prover};
use hexzero_search::{Limits, Search, SearchSettings};
use hexzero_system::stop::StopSignal;

/// The most positions that the proof of an opening looks at: a second or so.
const MAX_NODES: u64 = 200_000;
/// The most bytes of the table of a proof.
const MAX_BYTES: usize = 64 << 20;
/// The largest board whose openings are proven.
const MAX_PROVEN_CELLS: usize = 36;

/// Examines the networks of a run.
pub(crate) struct Examiner {
    game: Game,
    size: usize,
    /// The openings, each with the truth: whether it wins if there is no swap.
    openings: Vec<(Action, Option<bool>)>,
    /// The network of the last exam.
    earlier: Option<NetworkEvaluator>,
}

/// Returns as JSON what a network thinks of a position: `asked` names the game and the moves to it, separated by spaces.
pub(crate) fn opinion(size: usize, asked: &str, network: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut words = asked.split_whitespace();
    let game = game_named(words.next().unwrap_or_default())?;
    let mut position = game.start(size)?;
    for name in words {
        position.play_named(name)?;
    }
    let checkpoint = Checkpoint::from_bytes(network, "of this run")?;
    let mut evaluator = NetworkEvaluator::new(game, &checkpoint, "of this run", Precision::best())?;
    Ok(json!(Opinion::of(&position, &mut evaluator)).to_string())
}

impl Examiner {
    /// Proves which openings of a board win, as far as that is quick.
    pub fn new(game: Game, size: usize) -> Result<Self, Box<dyn Error>> {
        let start = game.start(size)?;
        let mut truth = Truth::of(game, size);
        let openings = start.legal().into_iter().map(|action| (action, truth.opening_wins(&start, action))).collect();
        Ok(Self { game, size, openings, earlier: None })
    }

    /// Examines a network, which will be the earlier one of the next exam. Returns its opinion of the empty board, with the
    /// `openings` whose truth is known, and the `scores` of the games.
    pub fn examine(&mut self, network: &Checkpoint, games: usize, visits: u32) -> Result<Json, Box<dyn Error>> {
        let mut evaluator = NetworkEvaluator::new(self.game, network, "of this run", Precision::best())?;
        let start = self.game.start(self.size)?;
        let mut exam = json!(Opinion::of(&start, &mut evaluator));
        exam["openings"] = self.judge_openings(&start, &mut evaluator, visits);
        let engine = |name: &str, evaluator: &NetworkEvaluator| {
            EnginePlayer::new(name, evaluator.clone(), SearchSettings::default(), Limits::visits(visits))
        };
        let player = || engine("network", &evaluator);
        let mut scores = vec![
            self.score(&player, || RandomPlayer::new(1), games)?,
            self.score(&player, || AlphaBeta::new(2), games)?,
        ];
        if let Some(earlier) = &self.earlier {
            scores.push(self.score(&player, || engine("earlier", earlier), games)?);
        }
        self.earlier = Some(evaluator);
        exam["scores"] = scores.into();
        Ok(exam)
    }

    /// Compares the network's judgement of the openings with the truth: whether to swap or, without a swap, who wins.
    fn judge_openings(&self, start: &Position, evaluator: &mut NetworkEvaluator, visits: u32) -> Json {
        let known = self.openings.iter().filter_map(|&(action, wins)| Some((action, wins?)));
        let judged = known.map(|(action, wins)| {
            let position = start.after(action);
            let swap = position.game_board().swap().filter(|swap| position.legal().contains(swap));
            let goes_on = position.to_move() == start.to_move();
            let mut search = Search::new(position, SearchSettings::default());
            search.run(evaluator, &Limits::visits(visits));
            let says_wins = match swap {
                Some(swap) => search.best_action() == Some(swap),
                None if goes_on => search.root_outcome().value() > 0.0,
                None => search.root_outcome().value() < 0.0,
            };
            let (name, place) = (start.action_name(action), first_place(start, action));
            json!({"move": name, "place": place, "wins": wins, "right": says_wins == wins})
        });
        judged.collect()
    }

    /// Plays against another player.
    fn score<A: Player, B: Player>(
        &self,
        network: &(impl Fn() -> A + Sync),
        other: impl Fn() -> B + Sync,
        games: usize,
    ) -> Result<Json, MatchError> {
        let settings = MatchSettings { size: self.size, games, seed: 1, sequential: None, threads: 1 };
        let result = play_match(self.game, network, other, &settings, &StopSignal::new(), |_| ())?;
        let games = result.played.len();
        Ok(json!({"against": result.b, "points": result.tally.score() * games as f64, "games": games}))
    }
}

/// Proves openings.
enum Truth {
    Connections(Box<Prover<'static>>),
    Rules(Box<GameProver<'static>>),
    Unknown,
}

impl Truth {
    fn of(game: Game, size: usize) -> Self {
        let Ok(board) = game.game_board(size) else { return Self::Unknown };
        if board.cells() > MAX_PROVEN_CELLS {
            return Self::Unknown;
        }
        let start = game.start(size).ok();
        if let Some(board) = start.and_then(|start| Geometry::of(&start)) {
            let options = Options { max_nodes: MAX_NODES, max_bytes: MAX_BYTES, ..Options::default() };
            return Self::Connections(Box::new(Prover::on(board, options, Box::new(Resistance::default()))));
        }
        let limits =
            ProofLimits { max_nodes: MAX_NODES, max_bytes: MAX_BYTES, without_swap: true, ..ProofLimits::default() };
        GameProver::new(board, limits).map_or(Self::Unknown, |prover| Self::Rules(Box::new(prover)))
    }

    /// Returns whether an opening wins if there is no swap; none if that is not known, or it draws.
    fn opening_wins(&mut self, start: &Position, opening: Action) -> Option<bool> {
        let position = start.after(opening);
        let goes_on = position.to_move() == start.to_move();
        // Where the opener moves again, the swap comes after that.
        if goes_on && start.game_board().swap().is_some() {
            return None;
        }
        match self {
            Self::Connections(prover) => {
                let stones = Stones::of(&position, prover.board());
                prover.prove(stones).map(|verdict| !verdict.wins)
            }
            Self::Rules(prover) => match prover.prove(&position)? {
                Value::Draw => None,
                value => Some(matches!(value, Value::Win(_)) == goes_on),
            },
            Self::Unknown => None,
        }
    }
}
