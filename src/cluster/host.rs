//! What a machine and a worker on it are called.

use std::fs;

/// The longest name of a worker.
const LONGEST: usize = 64;

/// The name of this machine, as far as it is known.
pub fn host_name() -> String {
    let file = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let variable = || ["HOSTNAME", "COMPUTERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let name = file.map(|text| text.trim().to_owned()).filter(|name| !name.is_empty()).or_else(variable);
    name.unwrap_or_else(|| "unknown".to_owned())
}

/// A worker's name: the one that is asked for, or that of the machine and the process.
///
/// # Errors
/// If the name cannot be part of a subject; says what can.
pub fn worker_name(asked: Option<&str>) -> Result<String, String> {
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    match asked {
        Some(name) if !name.is_empty() && name.len() <= LONGEST && name.chars().all(fits) => Ok(name.to_owned()),
        Some(name) => Err(format!("the name '{name}' of a worker: give 1 to {LONGEST} letters, digits, '-' or '_'")),
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
