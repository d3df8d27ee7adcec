//! What `netload hit` was asked for, as a request, a load and a network.

pub(crate) mod body;
mod form;
pub(crate) mod load;
pub(crate) mod request;
pub(crate) mod route;
