//! End-to-end tests live in the tests folder of this package.
