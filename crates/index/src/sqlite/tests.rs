//! Tests of what only the store on disk does.
