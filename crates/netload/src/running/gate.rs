//! Which verdicts on the generator fail a run (`--fail-on-generator`).

use netload_engine::RunResult;
use netload_metrics::generator::Verdict;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::typed::Typed;

/// The mildest verdict that fails; none lets everything pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gate(Option<Verdict>);

impl Gate {
    /// As typed.
    pub(crate) fn read(typed: &Typed) -> Result<Self, Failure> {
        Ok(Self(typed.read("failOnGenerator", verdict)?))
    }

    /// Fails when the verdict on a finished run is one of those.
    pub(super) fn check(self, result: &RunResult) -> Result<(), Failure> {
        let (Some(limit), Some(report)) = (self.0, &result.summary.generator) else {
            return Ok(());
        };
        // All connections being busy is a matter of the plan or of the server, not of the generator.
        if report.verdict < limit || report.verdict == Verdict::ConcurrencyBound {
            return Ok(());
        }
        let text = format!(
            "the verdict on the generator is {}: {}",
            report.verdict.name(),
            report.detail
        );
        Err(Failure::new(Exit::Generator, text).at("--fail-on-generator"))
    }
}

fn verdict(text: &str) -> Result<Verdict, String> {
    match Verdict::named(text) {
        Some(verdict @ (Verdict::Disturbed | Verdict::GeneratorBound | Verdict::Invalid)) => {
            Ok(verdict)
        }
        _ => Err(format!(
            "`{text}` is no verdict that can fail a test; there are disturbed, generator-bound and invalid"
        )),
    }
}
