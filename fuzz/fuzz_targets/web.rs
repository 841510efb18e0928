//! A session of the page: frames of one connection line by line, and what is asked for over HTTP.
#![no_main]

use hexzero::interfaces::web::doors::Visitor;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut visitor = Visitor::default();
    for line in input.split(|&byte| byte == b'\n').take(50) {
        match line.split_first() {
            Some((b'?', query)) => visitor.query(&String::from_utf8_lossy(query)),
            Some((b'!', host)) => visitor.call(host),
            _ => {
                let answer = visitor.frame(&String::from_utf8_lossy(line));
                assert!(answer.starts_with("{\"id\":") && !answer.contains('\n'), "{answer}");
            }
        }
    }
});
