//! Where the store is, how it is opened, and how commands that use it are spelled.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use epitome_condenser::resume::shell_word;
use epitome_index::{DocumentStore, ErrorKind, MemoryStore, SqliteStore, Store};

use crate::args::STORE_VARIABLE;
use crate::explain::explain_store;
use crate::failure::{Failure, Result};

/// The place of the store, and whether a printed command must name it.
#[derive(Debug, Clone)]
pub(crate) struct StorePlace {
    pub(crate) path: PathBuf,
    is_default: bool,
}

impl StorePlace {
    /// The named store, else the one of the variable, else `store.db` in the platform's data
    /// folder.
    pub(crate) fn new(named: Option<&Path>) -> Result<Self> {
        let default =
            ProjectDirs::from("", "", "epitome").map(|folders| folders.data_dir().join("store.db"));
        let variable = std::env::var_os(STORE_VARIABLE).filter(|value| !value.is_empty());
        let named = named.map(Path::to_owned).or(variable.map(PathBuf::from));
        match (named, default) {
            (Some(path), default) => Ok(Self {
                is_default: default.as_ref() == Some(&path),
                path,
            }),
            (None, Some(path)) => Ok(Self {
                path,
                is_default: true,
            }),
            (None, None) => Err(Failure::new(
                "find the store: this user has no home folder",
                "Set HOME, or name the store with --store.",
            )),
        }
    }

    /// Opens the store for writing, makes it where there is none.
    pub(crate) fn open(&self) -> Result<SqliteStore> {
        SqliteStore::open(&self.path).map_err(|error| explain_store(&error))
    }

    /// Opens the store for reading; where there is none, an empty one stands in for it.
    pub(crate) fn open_to_read(&self) -> Result<Box<dyn Store>> {
        if !self.exists() {
            return Ok(Box::new(MemoryStore::default()));
        }
        Ok(Box::new(self.open_existing()?))
    }

    /// Opens the documents of the store for reading; where there is no store, an empty one stands in
    /// for it.
    pub(crate) fn open_documents_to_read(&self) -> Result<Box<dyn DocumentStore>> {
        if !self.exists() {
            return Ok(Box::new(MemoryStore::default()));
        }
        Ok(Box::new(self.open_existing()?))
    }

    /// Opens the store for reading, after it was brought up to date where an older version wrote it.
    fn open_existing(&self) -> Result<SqliteStore> {
        match SqliteStore::open_read_only(&self.path) {
            Err(error) if matches!(error.kind(), ErrorKind::Older { .. }) => self.open(),
            opened => opened.map_err(|error| explain_store(&error)),
        }
    }

    /// Whether something stands where the store is looked for.
    pub(crate) fn exists(&self) -> bool {
        self.path.symlink_metadata().is_ok()
    }

    /// The start of a command line of this program on this store, as it was called.
    pub(crate) fn program(&self) -> String {
        let called = std::env::args_os().next().unwrap_or_default();
        let mut words = shell_word(&program_name(&called));
        if !self.is_default {
            words.push_str(" --store ");
            words.push_str(&shell_word(&self.path.to_string_lossy()));
        }
        words
    }

    /// The variable that names this store to an agent that runs in another folder.
    pub(crate) fn variable(&self) -> Option<String> {
        let absolute = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        let value = shell_word(&absolute.to_string_lossy());
        (!self.is_default).then(|| format!("{STORE_VARIABLE}={value}"))
    }
}

/// The path by which the program was called; its plain name where the shell looked it up.
fn program_name(called: &OsStr) -> String {
    let called = called.to_string_lossy().into_owned();
    if called.contains(std::path::MAIN_SEPARATOR) {
        called
    } else {
        "epitome".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        let check = |text: &str, expected: &str| assert_eq!(shell_word(text), expected);
        check("target/example.db", "target/example.db");
        check("my store.db", "'my store.db'");
        check("it's", r"'it'\''s'");
        check("$HOME", "'$HOME'");
        check("", "''");
    }

    #[test]
    fn a_program_is_named_as_it_was_called() {
        let check = |called: &str, expected: &str| {
            assert_eq!(program_name(OsStr::new(called)), expected);
        };
        check("epitome", "epitome");
        check("target/debug/epitome", "target/debug/epitome");
        check("/usr/bin/epitome", "/usr/bin/epitome");
        check("", "epitome");
    }
}
