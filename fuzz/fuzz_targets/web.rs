//! A session of the page: frames of one connection line by line, and queries and headers of HTTP requests.
#![no_main]

use hexzero::interfaces::web::fuzz_entry::FuzzClient;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut client = FuzzClient::default();
    for line in input.split(|&byte| byte == b'\n').take(50) {
        match line.split_first() {
            Some((b'?', query)) => client.query(&String::from_utf8_lossy(query)),
            Some((b'!', host)) => client.call(host),
            _ => {
                let answers = client.frame(&String::from_utf8_lossy(line));
                let is_frame = |answer: &String| answer.starts_with("{\"id\":") && !answer.contains('\n');
                assert!(!answers.is_empty() && answers.iter().all(is_frame), "{answers:?}");
            }
        }
    }
});
