//! The files under check, read once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml::{Table, Value};

/// Folders that hold no work of ours.
const SKIPPED_FOLDERS: [&str; 4] = [".git", ".venv", "target", "node_modules"];

/// All files by their path from the root, with slashes.
#[derive(Debug, Default)]
pub(super) struct Repository {
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

impl Repository {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut repository = Self::default();
        repository.read_folder(root, "")?;
        Ok(repository)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        let unreadable = || format!("could not read {}", folder.display());
        for entry in fs::read_dir(folder).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            let kind = entry.file_type().with_context(unreadable)?;
            if kind.is_dir() && !SKIPPED_FOLDERS.contains(&name.as_str()) {
                self.read_folder(&entry.path(), &format!("{path}/"))?;
            } else if kind.is_file() {
                let bytes =
                    fs::read(entry.path()).with_context(|| format!("could not read {path}"))?;
                self.files.insert(path, bytes);
            }
        }
        Ok(())
    }

    /// A file's text, `None` when it is missing or binary.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files
            .get(path)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    /// All text files.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter_map(|(path, bytes)| Some((path.as_str(), std::str::from_utf8(bytes).ok()?)))
    }

    /// The root manifest; empty when it is missing or does not parse.
    pub(super) fn workspace(&self) -> Table {
        self.text("Cargo.toml")
            .and_then(|text| text.parse().ok())
            .unwrap_or_default()
    }

    /// The manifests of the packages.
    pub(super) fn packages(&self) -> Vec<Package> {
        let manifests = self
            .texts()
            .filter(|(path, _)| path.ends_with("/Cargo.toml"));
        manifests
            .filter_map(|(path, text)| {
                let folder = path.strip_suffix("/Cargo.toml")?.to_owned();
                Some(Package {
                    folder,
                    manifest: text.parse().ok()?,
                })
            })
            .collect()
    }

    #[cfg(test)]
    pub(super) fn of<const N: usize>(files: [(&str, &str); N]) -> Self {
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        Self {
            files: files.into(),
        }
    }
}

/// A package of the workspace.
#[derive(Debug)]
pub(super) struct Package {
    /// Folder from the root.
    pub(super) folder: String,
    pub(super) manifest: Table,
}

impl Package {
    /// Name in the manifest.
    pub(super) fn name(&self) -> &str {
        self.field("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// A field of the table `package`.
    pub(super) fn field(&self, name: &str) -> Option<&Value> {
        self.manifest.get("package")?.get(name)
    }

    /// Names and entries of the dependencies of every kind and target.
    pub(super) fn dependencies(&self) -> Vec<(&str, &Value)> {
        let targets = self.manifest.get("target").and_then(Value::as_table);
        let tables = targets
            .into_iter()
            .flat_map(Table::values)
            .filter_map(Value::as_table);
        std::iter::once(&self.manifest)
            .chain(tables)
            .flat_map(|table| {
                ["dependencies", "dev-dependencies", "build-dependencies"]
                    .map(|kind| table.get(kind))
            })
            .flatten()
            .filter_map(Value::as_table)
            .flatten()
            .map(|(name, entry)| (name.as_str(), entry))
            .collect()
    }
}
