//! What can be wrong with the name, the argument or the variables of an output.

/// Why an output was refused before the load started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShipError {
    /// Something behind the name, or an environment variable, cannot be used.
    #[error("output `{output}`: {problem}")]
    Argument {
        /// The name of the output.
        output: &'static str,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// The output was left out when the program was built.
    #[error(
        "output `{output}`: this netload was built without {what}; build it with `--features {feature}`"
    )]
    NotBuilt {
        /// The name of the output.
        output: String,
        /// What is missing.
        what: &'static str,
        /// The feature of the binary that brings it.
        feature: &'static str,
    },
    /// The output cannot start.
    #[error("output `{output}`: {reason}")]
    Start {
        /// The name of the output.
        output: &'static str,
        /// What the system or the network layer said.
        reason: String,
    },
}
