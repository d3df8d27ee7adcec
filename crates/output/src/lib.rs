//! Summary, JSON, CSV and the other places where results go.
