//! Names of machines and workers.

use std::fs;

/// Longest name of a worker, in bytes.
const MAX_LENGTH: usize = 64;

/// Returns the name of this machine, or `unknown`.
pub fn host_name() -> String {
    let file = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let variable = || ["HOSTNAME", "COMPUTERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let name = file.map(|text| text.trim().to_owned()).filter(|name| !name.is_empty()).or_else(variable);
    name.unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the name of a worker: `requested`, or by default the names of machine and process.
///
/// # Errors
/// If `requested` cannot be part of a subject; the message says which names can.
pub fn worker_name(requested: Option<&str>) -> Result<String, String> {
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    match requested {
        Some(name) if !name.is_empty() && name.len() <= MAX_LENGTH && name.chars().all(fits) => Ok(name.to_owned()),
        Some(name) => Err(format!("invalid worker name '{name}'; give 1 to {MAX_LENGTH} letters, digits, '-' or '_'")),
        None => {
            let host: String = host_name().chars().map(|char| if fits(char) { char } else { '-' }).take(48).collect();
            Ok(format!("{host}-{}", std::process::id()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parts_of_subjects() {
        assert_eq!(worker_name(Some("lab-7_b")), Ok("lab-7_b".to_owned()));
        for wrong in ["", "a.b", "a b", ">", "*", "ä", &"x".repeat(65)] {
            assert!(worker_name(Some(wrong)).unwrap_err().contains("letters, digits"), "{wrong}");
        }
        let own = worker_name(None).unwrap();
        assert_eq!(worker_name(Some(&own)), Ok(own));
    }
}
