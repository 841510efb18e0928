//! Checkpoints: safetensors files with the tensors of a network and its metadata as JSON.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::architecture::{Architecture, LAST_VERSION_WITH_RETIRED, RETIRED, check_parameters};
use super::tensors::{
    NamedTensors, TensorData, check_safetensors, read_safetensors, read_safetensors_text, safetensors_without_checksum,
    write_safetensors,
};
use hexzero_games::{Game, NetworkView, game_named, game_names};
use hexzero_system::files::{read_at_most, write_whole};

/// The format version of new networks. This program reads all up to it.
pub const FORMAT_VERSION: u32 = 2;

/// The key of the metadata in the safetensors header.
const METADATA_KEY: &str = "hexzero";
/// Maximum size of a checkpoint file. The largest network takes two thirds of it.
pub const MAX_CHECKPOINT_BYTES: u64 = 1 << 30;
/// Upper bound on input planes, inputs and actions. No game has more, and sizes computed from them
/// do not overflow.
const MAX_VIEW_PLANES: usize = 65_536;

/// The description of a checkpoint: game, architecture and origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// The format version, see [`FORMAT_VERSION`].
    pub format_version: u32,
    /// The game's name.
    pub game: String,
    /// Size and depth of the network.
    pub architecture: Architecture,
    /// The inputs and outputs the network was built for.
    pub view: NetworkView,
    /// Number of optimiser steps so far.
    pub step: u64,
    /// Number of self-play games trained on so far.
    pub games: u64,
    /// Number of positions in those games.
    pub positions: u64,
    /// The checkpoint that training started from, if any.
    pub parent: Option<String>,
    /// A hash of the recipe used for training.
    pub recipe_hash: Option<String>,
    /// The measured rating, if any, with the scale it was measured on.
    pub rating: Option<String>,
}

impl Metadata {
    /// Describes a network of this game that has not been trained.
    pub fn untrained(game: Game, architecture: Architecture) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            game: game.network.to_owned(),
            architecture,
            view: game.view.clone(),
            step: 0,
            games: 0,
            positions: 0,
            parent: None,
            recipe_hash: None,
            rating: None,
        }
    }
}

/// The parameters of a network with their metadata.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Game, architecture and origin.
    pub metadata: Metadata,
    /// The parameters.
    pub tensors: NamedTensors,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("checkpoint {}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The contents are not a checkpoint: cut off, damaged, or something else altogether.
    #[error("checkpoint {name}: not a hexzero checkpoint, or damaged: {reason}")]
    Unreadable {
        /// The name of the checkpoint.
        name: String,
        /// The problem.
        reason: String,
    },
    /// The checkpoint was written in another version of the format.
    #[error("checkpoint {name}: format version {found}; this program reads versions 1 to {FORMAT_VERSION}")]
    OtherFormat {
        /// The name of the checkpoint.
        name: String,
        /// The format version of the checkpoint.
        found: u64,
    },
    /// The network was built in a way that is gone.
    #[error(
        "checkpoint {name}: {key} is gone, as it made no network stronger (docs/methods.md); \
         hexzero {LAST_VERSION_WITH_RETIRED} is the last that plays this network"
    )]
    Retired {
        /// The name of the checkpoint.
        name: String,
        /// The key of its architecture.
        key: &'static str,
    },
    /// The checkpoint cannot be put on a device, or not be evaluated there.
    #[error("checkpoint {name}: cannot run on the device {device}: {reason}")]
    Device {
        /// The name of the checkpoint.
        name: String,
        /// The name of the device.
        device: String,
        /// The device's error.
        reason: String,
    },
    /// The checkpoint was trained for another game.
    #[error("checkpoint {name}: plays {found}, but {wanted} is to be played")]
    OtherGame {
        /// The name of the checkpoint.
        name: String,
        /// The game of the checkpoint.
        found: String,
        /// The game to be played.
        wanted: &'static str,
    },
    /// The game of the checkpoint is unknown.
    #[error("checkpoint {name}: plays {found}, which this program does not know; it knows {}", game_names().join(", "))]
    UnknownGame {
        /// The name of the checkpoint.
        name: String,
        /// The game of the checkpoint.
        found: String,
    },
    /// No checkpoint of the game is compiled in.
    #[error("no model ships for {game}; give a checkpoint file or the folder of a run")]
    NoneShipped {
        /// The game.
        game: &'static str,
    },
    /// The answers of the network are not finite numbers.
    #[error("checkpoint {name}: damaged, or of a run that has failed: its answers are not finite numbers")]
    NotFinite {
        /// The name of the checkpoint.
        name: String,
    },
    /// The checkpoint was made for other input planes or actions than the game has now.
    #[error("checkpoint {name}: made for {game} inputs version {found}; this program has version {readable}")]
    OtherView {
        /// The name of the checkpoint.
        name: String,
        /// The game of the checkpoint.
        game: String,
        /// The version of the checkpoint's inputs.
        found: u32,
        /// The version that can be used.
        readable: u32,
    },
}

impl Checkpoint {
    /// Reads a checkpoint from a file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is of another format version.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let file = |source| CheckpointError::File { path: path.to_owned(), source };
        Self::from_bytes(&read_at_most(path, MAX_CHECKPOINT_BYTES).map_err(file)?, &path.display().to_string())
    }

    /// Reads a checkpoint from memory. Errors call it `name`.
    ///
    /// # Errors
    /// As [`Checkpoint::read`].
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Self, CheckpointError> {
        let unreadable = |reason: String| CheckpointError::Unreadable { name: name.to_owned(), reason };
        let text = read_safetensors_text(bytes, METADATA_KEY).map_err(unreadable)?;
        let mut json: serde_json::Value = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        match json.get("format_version").and_then(serde_json::Value::as_u64) {
            Some(found) if (1..=u64::from(FORMAT_VERSION)).contains(&found) => {}
            Some(found) => return Err(CheckpointError::OtherFormat { name: name.to_owned(), found }),
            None => return Err(unreadable("its header has no format version".to_owned())),
        }
        check_safetensors(bytes, METADATA_KEY).map_err(unreadable)?;
        for (key, off) in RETIRED {
            let found = json.pointer_mut("/architecture").and_then(|keys| keys.as_object_mut()?.remove(key));
            if found.is_some_and(|value| value.to_string().trim_matches('"') != off) {
                return Err(CheckpointError::Retired { name: name.to_owned(), key });
            }
        }
        let metadata: Metadata = serde_json::from_value(json).map_err(|error| unreadable(error.to_string()))?;
        Ok(Self::new(metadata, read_safetensors(bytes).map_err(unreadable)?, name)?.with_added_inputs())
    }

    /// Adds weights of zero for the global inputs that the game has gained since, which change no answer.
    fn with_added_inputs(mut self) -> Self {
        let view = &mut self.metadata.view;
        let Some(game) = game_named(&self.metadata.game).ok().filter(|game| game.view_before().as_ref() == Some(view))
        else {
            return self;
        };
        *view = game.view.clone();
        if let Some(TensorData { shape, data }) = self.tensors.get_mut("stem.globals") {
            data.resize(view.global_inputs * shape[1], 0.0);
            shape[0] = view.global_inputs;
        }
        self
    }

    /// Assembles a checkpoint from its parts. Errors call it `name`.
    ///
    /// # Errors
    /// If there is no such network, or a tensor is missing, superfluous, or of the wrong shape.
    pub fn new(metadata: Metadata, tensors: NamedTensors, name: &str) -> Result<Self, CheckpointError> {
        let unusable = |reason: String| CheckpointError::Unreadable { name: name.to_owned(), reason };
        metadata.architecture.validate().map_err(|error| unusable(error.to_string()))?;
        let Metadata { architecture, view, .. } = &metadata;
        let NetworkView { cell_inputs, global_inputs, policy_planes, global_actions, .. } = *view;
        if [cell_inputs, global_inputs, policy_planes, global_actions].iter().any(|&count| count > MAX_VIEW_PLANES) {
            return Err(unusable(format!("its view has more than {MAX_VIEW_PLANES} planes, inputs or actions")));
        }
        check_parameters(architecture, view, &tensors).map_err(unusable)?;
        Ok(Self { metadata, tensors })
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// If a tensor's shape and its number of values disagree.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CheckpointError> {
        self.written(write_safetensors)
    }

    /// Returns a digest of the contents as hexadecimal digits: the CRC-32 of the file without a
    /// checksum in its header.
    ///
    /// # Errors
    /// If a tensor's shape and its number of values disagree.
    pub fn digest(&self) -> Result<String, CheckpointError> {
        Ok(format!("{:08x}", crc32fast::hash(&self.written(safetensors_without_checksum)?)))
    }

    fn written(
        &self,
        write: fn(&NamedTensors, &str, String) -> Result<Vec<u8>, String>,
    ) -> Result<Vec<u8>, CheckpointError> {
        let unwritable = |reason: String| CheckpointError::Unreadable { name: "to be written".to_owned(), reason };
        let metadata = serde_json::to_string(&self.metadata).map_err(|error| unwritable(error.to_string()))?;
        write(&self.tensors, METADATA_KEY, metadata).map_err(unwritable)
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let file = |source| CheckpointError::File { path: path.to_owned(), source };
        write_whole(path, &self.to_bytes()?).map_err(file)
    }

    /// Returns the game that the network was trained for. Errors call the checkpoint `name`.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game(&self, name: &str) -> Result<Game, CheckpointError> {
        let found = &self.metadata.game;
        game_named(found).map_err(|_| CheckpointError::UnknownGame { name: name.to_owned(), found: found.clone() })
    }

    /// Checks that this is a network for `game` with the inputs and actions of this program. Errors call it `name`.
    ///
    /// # Errors
    /// If the network is of another game, or was made for other inputs.
    pub fn check_game(&self, game: Game, name: &str) -> Result<(), CheckpointError> {
        let Metadata { game: found, view, .. } = &self.metadata;
        if found != game.network {
            let (found, wanted) = (found.clone(), game.name());
            return Err(CheckpointError::OtherGame { name: name.to_owned(), found, wanted });
        }
        if view.version != game.view.version {
            let (found, readable) = (view.version, game.view.version);
            return Err(CheckpointError::OtherView {
                name: name.to_owned(),
                game: game.network.to_owned(),
                found,
                readable,
            });
        }
        if *view != game.view {
            let reason = format!("its inputs and actions are not those of {}, version {}", game.network, view.version);
            return Err(CheckpointError::Unreadable { name: name.to_owned(), reason });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::architecture::parameter_shapes;
    use super::*;
    use crate::kernels::Kernel;
    use crate::{Inference, Precision, Workspace};

    #[test]
    fn network_of_before_added_inputs_answers_as_it_did() {
        let game = game_named("hexifence").unwrap();
        let before = game.view_before().unwrap();
        let metadata = Metadata { view: before.clone(), ..Metadata::untrained(game, Architecture::default()) };
        let shapes = parameter_shapes(&metadata.architecture, &before, false);
        let tensors = shapes.into_iter().map(|(name, shape)| {
            let values = (0..shape.iter().product::<usize>()).map(|number| (number as f32).sin() / 8.0);
            (name, TensorData { data: values.collect(), shape })
        });
        let earlier = Checkpoint::new(metadata, tensors.collect(), "").unwrap();
        assert!(matches!(earlier.check_game(game, ""), Err(CheckpointError::OtherView { found: 1, .. })));
        let read = Checkpoint::from_bytes(&earlier.to_bytes().unwrap(), "").unwrap();
        read.check_game(game, "").unwrap();
        let position = game.start(3).unwrap();
        let [then, now] = [&earlier, &read].map(|Checkpoint { metadata, tensors }| {
            let view = &metadata.view;
            let network = Inference::new(&metadata.architecture, view, tensors, Kernel::best(), Precision::F32);
            let mut workspace = Workspace::default();
            network.prepare(&mut workspace, position.topology());
            let mut globals = vec![0.0; game.view.global_inputs];
            position.encode(&mut workspace.cells, &mut globals);
            workspace.globals.copy_from_slice(&globals[..view.global_inputs]);
            network.evaluate(&mut workspace, position.topology());
            (workspace.outcome, workspace.policy)
        });
        assert_eq!(then, now);
    }
}
