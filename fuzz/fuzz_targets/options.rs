//! Any JSON as a script's options: no panic, and a plan that is made can say what it needs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netload_plan::{Layered, Options, Origin, Plan};

fuzz_target!(|text: &str| {
    let Ok(json) = serde_json::from_str(text) else {
        return;
    };
    let Ok((options, _)) = Options::from_json(&json) else {
        return;
    };
    let again = Options::from_json(&options.to_json());
    assert!(again.is_ok(), "what was read cannot be read again");
    let layered = Layered::new().with(Origin::Script, options);
    if let Ok(plan) = Plan::resolve(&layered) {
        let _ = plan.requirements();
    }
});
