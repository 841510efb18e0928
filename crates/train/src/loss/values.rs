//! A number for each loss, by name: the weights of a recipe, and the losses of a step.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use hexzero_search::SettingsError;

use super::{COUNT, LOSSES};

/// The names, in the order of [`LOSSES`].
const NAMES: [&str; COUNT] = {
    let mut names = [""; COUNT];
    let mut number = 0;
    while number < COUNT {
        names[number] = LOSSES[number].name;
        number += 1;
    }
    names
};

fn number(name: &str) -> Option<usize> {
    NAMES.iter().position(|known| *known == name)
}

/// The weights of the losses in their sum. The name of every loss is a key of `[training.losses]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LossWeights(pub(super) [f64; COUNT]);

impl LossWeights {
    /// Returns these weights with one changed.
    ///
    /// # Panics
    /// If there is no loss with this name.
    pub fn with(mut self, name: &str, weight: f64) -> Self {
        self.0[number(name).unwrap_or_else(|| panic!("no loss is called {name}"))] = weight;
        self
    }

    /// Checks the weights.
    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        NAMES.iter().zip(self.0).try_for_each(|(name, weight)| {
            SettingsError::check(name, weight, weight >= 0.0 && weight.is_finite(), "0 or more")
                .map_err(|error| error.within("losses"))
        })
    }
}

impl Default for LossWeights {
    fn default() -> Self {
        Self(LOSSES.each_ref().map(|loss| loss.weight))
    }
}

impl Serialize for LossWeights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(NAMES.iter().zip(&self.0))
    }
}

/// The name of a loss.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name(usize);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        number(&name).map(Self).ok_or_else(|| D::Error::unknown_field(&name, &NAMES))
    }
}

impl<'de> Deserialize<'de> for LossWeights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut weights = Self::default();
        for (name, weight) in BTreeMap::<Name, f64>::deserialize(deserializer)? {
            weights.0[name.0] = weight;
        }
        Ok(weights)
    }
}

/// The losses of a batch before weighting, as means over their targets. Losses without a weight are
/// not computed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Losses {
    pub(super) each: [Option<f32>; COUNT],
    /// The weighted sum, which training minimises.
    pub total: f32,
}

/// The name of [`Losses::total`] among those of the losses.
const TOTAL: &str = "total";

impl Losses {
    /// Returns the loss with a name, if there is one and it was computed.
    pub fn get(&self, name: &str) -> Option<f32> {
        self.each[number(name)?]
    }

    /// Lists names and values of all computed losses.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f32)> {
        NAMES.into_iter().zip(self.each).filter_map(|(name, value)| Some((name, value?)))
    }

    /// Adds another batch's losses.
    pub fn add(&mut self, other: &Self) {
        for (sum, value) in self.each.iter_mut().zip(other.each) {
            *sum = value.map(|value| sum.unwrap_or(0.0) + value).or(*sum);
        }
        self.total += other.total;
    }

    /// Divides by a number of batches.
    pub fn divide(&mut self, batches: f32) {
        self.each.iter_mut().flatten().for_each(|loss| *loss /= batches);
        self.total /= batches;
    }
}

impl fmt::Display for Losses {
    /// Shows the total, policy and outcome losses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.total)?;
        let playing = ["policy", "outcome"].into_iter().filter_map(|name| Some((name, self.get(name)?)));
        let playing: Vec<String> = playing.map(|(name, value)| format!("{name} {value:.3}")).collect();
        if playing.is_empty() { Ok(()) } else { write!(f, " ({})", playing.join(", ")) }
    }
}

impl Serialize for Losses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().chain([(TOTAL, self.total)]))
    }
}

impl<'de> Deserialize<'de> for Losses {
    /// Skips losses of other versions of the program.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = BTreeMap::<String, f32>::deserialize(deserializer)?;
        let total = found.get(TOTAL).copied().ok_or_else(|| D::Error::missing_field(TOTAL))?;
        Ok(Self { each: NAMES.map(|name| found.get(name).copied()), total })
    }
}
