//! Keys of recipes that earlier versions had, so that their runs can be read and resumed.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys that are gone: section, table, key, and the value that turned its technique off. Other values are refused; a
/// key without a value counted only beside another one.
const FORMER: [(&str, &str, &str, Option<&str>); 12] = [
    ("selfplay", "opening", "balance", Some("0")),
    ("selfplay", "root", "method", Some("puct")),
    ("selfplay", "root", "considered", None),
    ("selfplay", "root", "visit_offset", None),
    ("selfplay", "root", "value_scale", None),
    ("selfplay", "search", "variance_scale", Some("0")),
    ("training", "losses", "reply", Some("0")),
    ("training", "losses", "future_board", Some("0")),
    ("training", "losses", "winning_chain", Some("0")),
    ("training", "losses", "captured_soon", Some("0")),
    ("training", "losses", "soft_policy", Some("0")),
    ("training", "losses", "short_term_value", Some("0")),
];

/// Removes the former keys from a recipe and its stages.
///
/// # Errors
/// If one of them turns on what is gone.
pub(super) fn remove_former_keys(recipe: &mut DeTable<'_>) -> Result<(), String> {
    if let Some(stages) = recipe.get_mut("stage")
        && let DeValue::Array(stages) = stages.get_mut()
    {
        for stage in stages.iter_mut() {
            if let DeValue::Table(stage) = stage.get_mut() {
                remove_from(stage)?;
            }
        }
    }
    remove_from(recipe)
}

/// Removes the former keys from a recipe without stages, or from a stage.
fn remove_from(recipe: &mut DeTable<'_>) -> Result<(), String> {
    if let Some(selfplay) = table_in(recipe, "selfplay") {
        move_forced_playouts(selfplay);
    }
    let mut refused = Vec::new();
    for (section, name, key, off) in FORMER {
        let Some(tables) = table_in(recipe, section) else { continue };
        let Some(table) = table_in(tables, name) else { continue };
        if let Some(value) = table.remove(key)
            && off.is_some_and(|off| !is_same(value.get_ref(), off))
        {
            refused.push(format!("{section}.{name}.{key}"));
        }
        // A table that nothing else is in may be gone as well.
        if table.is_empty() {
            tables.remove(name);
        }
    }
    match &refused[..] {
        [] => Ok(()),
        [key] => Err(format!("{key} is gone: it made no network stronger (docs/methods.md); leave it out")),
        keys => {
            let keys = keys.join(", ");
            Err(format!("{keys} are gone: they made no network stronger (docs/methods.md); leave them out"))
        }
    }
}

/// Moves `root.forced_playouts` to where it is now, `noise.forced_playouts`.
fn move_forced_playouts(selfplay: &mut DeTable<'_>) {
    let forced = table_in(selfplay, "root").and_then(|root| root.remove_entry("forced_playouts"));
    let Some((key, value)) = forced else { return };
    let empty = || Spanned::new(value.span(), DeValue::Table(DeTable::new()));
    let noise = selfplay.entry(Spanned::new(key.span(), "noise".into())).or_insert_with(empty);
    if let DeValue::Table(noise) = noise.get_mut() {
        noise.entry(key).or_insert(value);
    }
}

fn table_in<'a, 'i>(table: &'a mut DeTable<'i>, name: &str) -> Option<&'a mut DeTable<'i>> {
    match table.get_mut(name)?.get_mut() {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

/// Returns true if a value is a word, or a number that equals one.
fn is_same(value: &DeValue<'_>, wanted: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    match value {
        DeValue::String(text) => text == wanted,
        DeValue::Integer(whole) => number(whole.as_str()) == number(wanted),
        DeValue::Float(float) => number(float.as_str()) == number(wanted),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use hexzero_games::default_game;

    use super::super::Recipe;

    #[test]
    fn former_keys_may_be_off() {
        let parse = |text: &str| Recipe::parse(default_game(), text, "old");
        let root = "method = \"puct\"\nforced_playouts = 0.0\nconsidered = 8\nvisit_offset = 50.0\nvalue_scale = 1.0\n";
        let stage = "[[stage]]\nafter_steps = 9\nselfplay.root.forced_playouts = 0\nselfplay.full_visits = 9\n";
        let old = format!(
            "[selfplay]\nopening = {{ random = 0.5, balance = 0 }}\n[selfplay.search]\nvariance_scale = 0.0\n\
             [selfplay.root]\n{root}[training.losses]\nsoft_policy = 0.0\npolicy = 0.5\n{stage}\
             training.losses = {{ short_term_value = 0 }}\n"
        );
        let new = "[selfplay]\nopening.random = 0.5\nnoise.forced_playouts = 0\n[training.losses]\npolicy = 0.5\n\
                   [[stage]]\nafter_steps = 9\nselfplay.full_visits = 9\nselfplay.noise.forced_playouts = 0\n";
        assert_eq!(parse(&old).unwrap(), parse(new).unwrap());
        for (key, changed) in [
            ("selfplay.opening.balance", old.replace("balance = 0", "balance = 1.0")),
            ("selfplay.search.variance_scale", old.replace("scale = 0.0", "scale = 0.5")),
            ("selfplay.root.method", old.replace("puct", "gumbel")),
            ("training.losses.soft_policy", old.replace("soft_policy = 0.0", "soft_policy = 2.0")),
            ("training.losses.short_term_value", old.replace("short_term_value = 0", "short_term_value = 0.5")),
        ] {
            let error = parse(&changed).unwrap_err().to_string();
            assert!(error.starts_with(&format!("recipe old: {key} is gone: ")), "{error}");
        }
        let both = old.replace("soft_policy = 0.0", "reply = 0.15\nsoft_policy = 2.0");
        let error = parse(&both).unwrap_err().to_string();
        assert!(error.contains("training.losses.reply, training.losses.soft_policy are gone: "), "{error}");
        let unknown = parse(&old.replace("considered", "consider")).unwrap_err().to_string();
        assert!(unknown.contains("unknown field `root`"), "{unknown}");
    }
}
