//! Checkpoint and settings of a job.

use crate::games::Game;
use crate::network::Checkpoint;
use crate::selfplay::{GameOrder, SelfPlaySettings, StreamOrder};

/// Everything that games are played with, before it is stored at the broker as a [`super::super::Job`].
#[derive(Debug, Clone, Copy)]
pub struct JobParts<'a> {
    pub game: Game,
    pub checkpoint: &'a Checkpoint,
    pub settings: &'a SelfPlaySettings,
    pub run_seed: u64,
}

impl<'a> From<&GameOrder<'a>> for JobParts<'a> {
    fn from(&GameOrder { game, checkpoint, settings, run_seed, .. }: &GameOrder<'a>) -> Self {
        Self { game, checkpoint, settings, run_seed }
    }
}

impl<'a> From<&StreamOrder<'a>> for JobParts<'a> {
    fn from(&StreamOrder { game, checkpoint, settings, run_seed, .. }: &StreamOrder<'a>) -> Self {
        Self { game, checkpoint, settings, run_seed }
    }
}
