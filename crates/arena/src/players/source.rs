//! Sources of players for matches: each makes a [`Player`] for every thread.

use std::time::Duration;

use hexzero_games::Game;
use hexzero_nn::{Backend, CacheUse, Checkpoint, CheckpointError, NetworkEvaluator};
use hexzero_search::Limits;

use super::engine_player::EnginePlayer;
use super::gtp::{GtpPlayer, ProgramOptions};
use super::options::PlayerOptions;
use super::player::Player;
use super::spec::PlayerSpec;

/// Makes the [`Player`]s of one kind for the threads of a match.
#[derive(Debug)]
pub struct PlayerSource {
    name: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A built-in player.
    BuiltIn(PlayerSpec),
    /// Another program, started once for each thread.
    Program { words: Vec<String>, options: ProgramOptions },
    /// The engine with a network, which all its games share.
    Network(Box<SourceNetwork>),
}

/// The network of a player, and how it searches.
#[derive(Debug)]
pub struct SourceNetwork {
    evaluator: NetworkEvaluator,
    digest: String,
    /// The network.
    pub checkpoint: Checkpoint,
    /// The player's search options.
    pub options: PlayerOptions,
    /// The limits of its searches.
    pub limits: Limits,
}

impl PlayerSource {
    /// Mebibytes of the evaluation cache of a network whose games share openings.
    pub const CACHE: u32 = 64;

    /// Creates the source of a player that needs neither a checkpoint nor another program.
    ///
    /// # Panics
    /// If this one needs either.
    pub fn built_in(spec: PlayerSpec) -> Self {
        assert!(spec.built_in().is_some(), "'{spec}' is not built in");
        Self { name: spec.to_string(), kind: Kind::BuiltIn(spec) }
    }

    /// Creates the source of another program: its file and arguments, and its options. `time` is its time for a move if
    /// these have none.
    pub fn program(name: String, words: Vec<String>, options: ProgramOptions, time: Option<Duration>) -> Self {
        let options = ProgramOptions { time: options.time.or(time), ..options };
        Self { name, kind: Kind::Program { words, options } }
    }

    /// Creates the source of the engine with the network of a checkpoint, which runs on `backend` unless the options
    /// name a precision. `limits` apply if the options have none, and `cache` is the size of the evaluation cache in
    /// mebibytes.
    ///
    /// # Errors
    /// If the checkpoint cannot be used for this game.
    pub fn network(
        game: Game,
        name: String,
        checkpoint: &Checkpoint,
        backend: &Backend,
        options: PlayerOptions,
        limits: Limits,
        cache: u32,
    ) -> Result<Self, CheckpointError> {
        let backend = options.precision.map_or_else(|| backend.clone(), Backend::Cpu);
        let evaluator = NetworkEvaluator::new(game, checkpoint, &name, backend)?.with_cache(cache);
        let (digest, limits) = (checkpoint.digest()?, options.limits(limits));
        let network = SourceNetwork { evaluator, digest, checkpoint: checkpoint.clone(), options, limits };
        Ok(Self { name, kind: Kind::Network(Box::new(network)) })
    }

    /// Returns the player's name in results.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if the player is another program, which is on this machine only.
    pub fn is_program(&self) -> bool {
        matches!(self.kind, Kind::Program { .. })
    }

    /// Returns the player's network, if it has one. A player that has none and is no program is built in: its name is
    /// its [`PlayerSpec`].
    pub fn of_network(&self) -> Option<&SourceNetwork> {
        match &self.kind {
            Kind::Network(network) => Some(network),
            _ => None,
        }
    }

    /// Returns a checksum of the player's network, if it has one.
    pub fn digest(&self) -> Option<&str> {
        self.of_network().map(|network| network.digest.as_str())
    }

    /// Returns the usage of the player's evaluation cache, if it has one.
    pub fn cache_use(&self) -> Option<CacheUse> {
        self.of_network()?.evaluator.cache_use()
    }

    /// Makes a player for one thread.
    pub fn player(&self) -> Box<dyn Player> {
        match &self.kind {
            Kind::BuiltIn(spec) => match spec.built_in() {
                Some(player) => player,
                None => unreachable!("'{spec}' is not built in; see PlayerSource::built_in"),
            },
            Kind::Program { words, options } => Box::new(GtpPlayer::new(self.name.clone(), words.clone(), *options)),
            Kind::Network(network) => {
                let SourceNetwork { evaluator, options, limits, .. } = &**network;
                let player = EnginePlayer::new(self.name.clone(), evaluator.clone(), options.search, *limits);
                Box::new(player.on_threads(options.threads.unwrap_or(1) as usize).on_level(options.level))
            }
        }
    }
}
