//! The memory of the machine.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Returns the bytes of memory that this process can have: those of the machine, or fewer if its
/// control groups limit it. Returns `None` where the system does not say, as outside Linux.
pub fn available() -> Option<u64> {
    let machine = total(&read_to_string("/proc/meminfo").ok()?)?;
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    // A limit of "max" is none.
    let limits = limit_files(&groups).into_iter().filter_map(|file| read_to_string(file).ok()?.trim().parse().ok());
    Some(limits.fold(machine, u64::min))
}

/// Reads the total from the text of `/proc/meminfo`, in bytes.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Lists the files that may limit the memory of a process with these control groups, of version 1 or
/// 2: that of its own group and those of the groups around it.
fn limit_files(groups: &str) -> Vec<PathBuf> {
    let files = groups.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, group) = rest.split_once(':')?;
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let around = Path::new(group.trim_start_matches('/')).ancestors();
        Some(around.map(move |group| Path::new(root).join(group).join(file)))
    });
    files.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_of_the_machine() {
        assert_eq!(total("MemFree: 7 kB\nMemTotal:       24684236 kB\n"), Some(24_684_236 << 10));
        assert_eq!(total("MemTotal: many kB\n"), None);
        assert_eq!(available().is_some(), cfg!(target_os = "linux"));
    }

    #[test]
    fn limits_of_all_groups_around() {
        let files = |groups: &str| -> Vec<String> {
            limit_files(groups).into_iter().map(|file| file.display().to_string().replace('\\', "/")).collect()
        };
        let [own, around, all] = ["/a/b", "/a", ""].map(|group| format!("/sys/fs/cgroup{group}/memory.max"));
        assert_eq!(files("0::/a/b\n"), [own, around, all]);
        let old = ["/job", ""].map(|group| format!("/sys/fs/cgroup/memory{group}/memory.limit_in_bytes"));
        assert_eq!(files("8:pids:/\n4:cpu,memory:/job\nnonsense\n"), old);
    }
}
