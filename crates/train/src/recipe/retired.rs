//! Keys of recipes that are gone, so that runs of the versions that had them can be read and resumed.

use hexzero_nn::{LAST_VERSION_WITH_RETIRED, RETIRED};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys of self-play that are gone, each with the value that turned its technique off.
const OF_SELF_PLAY: [(&str, &str); 4] = [
    ("symmetry", "none"),
    ("noise.prior_temperature", "1"),
    ("noise.early_prior_temperature", "1"),
    ("noise.fpu_share", "1"),
];

/// Removes the keys that are gone from a recipe and its stages. Refuses values that turn on what is gone.
pub(super) fn remove_retired_keys(recipe: &mut DeTable<'_>) -> Result<(), String> {
    if let Some(DeValue::Array(stages)) = recipe.get_mut("stage").map(Spanned::get_mut) {
        for stage in stages.iter_mut() {
            if let DeValue::Table(stage) = stage.get_mut() {
                remove_retired_keys(stage)?;
            }
        }
    }
    for (section, keys) in [("network", &RETIRED[..]), ("selfplay", &OF_SELF_PLAY)] {
        for (key, off) in keys {
            let key = format!("{section}.{key}");
            if remove(recipe, &key).is_some_and(|value| !is_same(&value, off)) {
                return Err(format!(
                    "{key} is gone, as it made no network stronger (docs/methods.md); leave it out, or use hexzero \
                     {LAST_VERSION_WITH_RETIRED}, the last with it"
                ));
            }
        }
    }
    Ok(())
}

/// Removes a key, such as `selfplay.symmetry`.
fn remove<'i>(table: &mut DeTable<'i>, key: &str) -> Option<DeValue<'i>> {
    match key.split_once('.') {
        None => table.remove(key).map(Spanned::into_inner),
        Some((name, rest)) => match table.get_mut(name)?.get_mut() {
            DeValue::Table(table) => remove(table, rest),
            _ => None,
        },
    }
}

/// Returns true if a value is this word or a number that equals it.
fn is_same(value: &DeValue<'_>, wanted: &str) -> bool {
    match value {
        DeValue::Boolean(value) => value.to_string() == wanted,
        DeValue::Integer(whole) => whole.as_str().parse() == wanted.parse::<f64>(),
        DeValue::Float(float) => float.as_str().parse() == wanted.parse::<f64>(),
        value => value.as_str() == Some(wanted),
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::default_game;

    use super::super::Recipe;

    #[test]
    fn retired_keys_may_be_off() {
        let parse = |text: &str| Recipe::parse(default_game(), text, "old");
        let old = "[network]\nblocks = 3\npool_into = \"output\"\nvalue_convolution = false\nwide_stem = false\n\
                   [selfplay]\nsymmetry = \"none\"\nnoise = { fraction = 0.5, prior_temperature = 1, fpu_share = 1.0 }\n\
                   [[stage]]\nafter_steps = 9\nselfplay.symmetry = \"none\"\nselfplay.full_visits = 9\n\
                   selfplay.noise.early_prior_temperature = 1.0\nselfplay.noise.fraction = 0.25\n";
        let new = "[network]\nblocks = 3\n[selfplay]\nnoise.fraction = 0.5\n\
                   [[stage]]\nafter_steps = 9\nselfplay.full_visits = 9\nselfplay.noise.fraction = 0.25\n";
        assert_eq!(parse(old).unwrap(), parse(new).unwrap());
        for (key, off, on) in [
            ("network.pool_into", "\"output\"", "\"bias\""),
            ("network.value_convolution", "convolution = false", "convolution = true"),
            ("network.wide_stem", "stem = false", "stem = true"),
            ("selfplay.symmetry", "\"none\"\nnoise", "\"random\"\nnoise"),
            ("selfplay.symmetry", "\"none\"\nselfplay", "\"random\"\nselfplay"),
            (
                "selfplay.noise.prior_temperature",
                "{ fraction = 0.5, prior_temperature = 1",
                "{ prior_temperature = 1.1",
            ),
            (
                "selfplay.noise.early_prior_temperature",
                "early_prior_temperature = 1.0",
                "early_prior_temperature = 1.25",
            ),
            ("selfplay.noise.fpu_share", "fpu_share = 1.0", "fpu_share = 0"),
        ] {
            let changed = old.replacen(off, on, 1);
            assert_ne!(changed, old, "{off}");
            let error = parse(&changed).unwrap_err().to_string();
            assert!(error.starts_with(&format!("recipe old: {key} is gone")) && error.contains("0.2.0"), "{error}");
        }
    }
}
