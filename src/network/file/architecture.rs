//! Size and depth of a network.

use serde::{Deserialize, Serialize};

use crate::network::kernels::OUTPUT_MULTIPLE;

use super::tensors::NamedTensors;

/// Size and depth of a network: a stem, a tower of residual blocks, and heads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Architecture {
    /// Residual blocks of two hexagonal convolutions each.
    pub blocks: usize,
    /// Channels of the tower, a multiple of 16.
    pub channels: usize,
    /// Every how many blocks the whole board is pooled into each cell; 0 for never.
    pub pool_every: usize,
    /// Channels of the policy head over the cells, a multiple of 16.
    pub policy_channels: usize,
    /// Width of the hidden layer of the heads over the whole position, a multiple of 16.
    pub value_channels: usize,
}

/// A network that cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("network: {field} = {value}; accepted: {accepted}")]
pub struct ArchitectureError {
    field: &'static str,
    value: usize,
    accepted: &'static str,
}

impl Architecture {
    /// Checks that the network can be built.
    ///
    /// # Errors
    /// Names the first size that is out of range.
    pub fn validate(&self) -> Result<(), ArchitectureError> {
        let multiple = "a multiple of 16 from 16 to 512";
        let is_width = |width: usize| (16..=512).contains(&width) && width.is_multiple_of(OUTPUT_MULTIPLE);
        let checks = [
            ("blocks", self.blocks, (1..=40).contains(&self.blocks), "1 to 40"),
            ("channels", self.channels, is_width(self.channels), multiple),
            ("pool_every", self.pool_every, self.pool_every <= 40, "0 to 40"),
            ("policy_channels", self.policy_channels, is_width(self.policy_channels), multiple),
            ("value_channels", self.value_channels, is_width(self.value_channels), multiple),
        ];
        match checks.into_iter().find(|check| !check.2) {
            Some((field, value, _, accepted)) => Err(ArchitectureError { field, value, accepted }),
            None => Ok(()),
        }
    }

    /// Reads the sizes of a network off the shapes of its tensors. Returns none if one of those is missing; whether
    /// the others are there and fit is for [`crate::network::Network::from_named`] to find.
    pub fn of_tensors(tensors: &NamedTensors) -> Option<Self> {
        let width = |name: &str| tensors.get(name)?.shape.last().copied();
        let blocks = (0..).take_while(|block| tensors.contains_key(&format!("blocks.{block}.first.bias"))).count();
        let first_pool = (0..blocks).find(|block| tensors.contains_key(&format!("blocks.{block}.pool.bias")));
        Some(Self {
            blocks,
            channels: width("stem.bias")?,
            pool_every: first_pool.map_or(0, |block| block + 1),
            policy_channels: width("policy.bias")?,
            value_channels: width("position.bias")?,
        })
    }

    /// Formats all sizes as in a recipe.
    pub fn in_full(&self) -> String {
        let Self { blocks, channels, pool_every, policy_channels, value_channels } = self;
        format!(
            "{{ blocks = {blocks}, channels = {channels}, pool_every = {pool_every}, \
             policy_channels = {policy_channels}, value_channels = {value_channels} }}"
        )
    }

    /// Returns true if block number `block`, from 0, pools the whole board.
    pub fn pools(&self, block: usize) -> bool {
        self.pool_every > 0 && (block + 1).is_multiple_of(self.pool_every)
    }
}

impl Default for Architecture {
    fn default() -> Self {
        Self { blocks: 4, channels: 32, pool_every: 2, policy_channels: 16, value_channels: 32 }
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b{}c{}", self.blocks, self.channels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_named() {
        assert_eq!(Architecture::default().validate(), Ok(()));
        let odd = Architecture { channels: 40, ..Architecture::default() };
        assert_eq!(
            odd.validate().unwrap_err().to_string(),
            "network: channels = 40; accepted: a multiple of 16 from 16 to 512"
        );
        let pooling = Architecture { pool_every: 2, ..Architecture::default() };
        assert_eq!([0, 1, 2, 3].map(|block| pooling.pools(block)), [false, true, false, true]);
    }
}
