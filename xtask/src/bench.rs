//! placeholder
pub(crate) fn run(_: &[String]) -> crate::Outcome {
    Err("not yet".into())
}
