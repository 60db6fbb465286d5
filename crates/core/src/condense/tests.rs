//! Plans over small hand-written sessions.
