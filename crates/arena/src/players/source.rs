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
    Network(Box<Network>),
}

/// The parts of a player, to make the same one on another machine.
#[derive(Debug, Clone, Copy)]
pub enum PlayerParts<'a> {
    /// A built-in player.
    BuiltIn(&'a PlayerSpec),
    /// Another program, which is on this machine only.
    Program,
    /// The engine with a network.
    Network {
        /// The network.
        checkpoint: &'a Checkpoint,
        /// The player's search options.
        options: PlayerOptions,
        /// The limits for options without their own.
        limits: Limits,
    },
}

#[derive(Debug)]
struct Network {
    evaluator: NetworkEvaluator,
    checkpoint: Checkpoint,
    digest: String,
    options: PlayerOptions,
    limits: Limits,
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
        let network = Network { evaluator, checkpoint: checkpoint.clone(), digest, options, limits };
        Ok(Self { name, kind: Kind::Network(Box::new(network)) })
    }

    /// Returns the player's name in results.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the player's parts.
    pub fn parts(&self) -> PlayerParts<'_> {
        match &self.kind {
            Kind::BuiltIn(spec) => PlayerParts::BuiltIn(spec),
            Kind::Program { .. } => PlayerParts::Program,
            Kind::Network(network) => {
                let Network { checkpoint, options, limits, .. } = &**network;
                PlayerParts::Network { checkpoint, options: *options, limits: *limits }
            }
        }
    }

    /// Returns a checksum of the player's network, if it has one.
    pub fn digest(&self) -> Option<&str> {
        match &self.kind {
            Kind::Network(network) => Some(&network.digest),
            _ => None,
        }
    }

    /// Returns the usage of the player's evaluation cache, if it has one.
    pub fn cache_use(&self) -> Option<CacheUse> {
        match &self.kind {
            Kind::Network(network) => network.evaluator.cache_use(),
            _ => None,
        }
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
                let Network { evaluator, options, limits, .. } = &**network;
                let player = EnginePlayer::new(self.name.clone(), evaluator.clone(), options.search, *limits);
                Box::new(player.on_threads(options.threads.unwrap_or(1) as usize).on_level(options.level))
            }
        }
    }
}
