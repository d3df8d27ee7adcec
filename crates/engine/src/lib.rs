//! Workers, virtual users, executors at run time, pacing and aggregation.
