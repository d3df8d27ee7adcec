//! The native virtual user for one fixed request.
