//! Third-party crates: declared once, each with a word on why, and every package under our licence.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::Report;
use super::repository::Repository;

/// The list with a line for each third-party crate, opening with "- `NAME`: ".
const LIST: &str = "docs/dependencies.md";

pub(super) fn check(repository: &Repository, report: &mut Report) {
    let workspace = repository.workspace();
    let declared = declared(&workspace);
    check_packages(repository, &workspace, &declared, report);
    check_reasons(
        repository.text("Cargo.toml").unwrap_or_default(),
        &declared,
        report,
    );
    check_list(repository.text(LIST).unwrap_or_default(), &declared, report);
}

/// The third-party crates of the workspace table.
fn declared(workspace: &Table) -> BTreeSet<String> {
    let table = workspace
        .get("workspace")
        .and_then(|table| table.get("dependencies"))
        .and_then(Value::as_table);
    table
        .into_iter()
        .flatten()
        .filter(|(_, entry)| entry.get("path").is_none())
        .map(|(name, _)| name.clone())
        .collect()
}

fn check_packages(
    repository: &Repository,
    workspace: &Table,
    declared: &BTreeSet<String>,
    report: &mut Report,
) {
    let licence = workspace
        .get("workspace")
        .and_then(|table| table.get("package"))
        .and_then(|table| table.get("license"));
    if licence.and_then(Value::as_str) != Some("MIT OR Apache-2.0") {
        report.error("Cargo.toml does not name the licence MIT OR Apache-2.0.".to_owned());
    }
    let inherited = |value: Option<&Value>| {
        value
            .and_then(|value| value.get("workspace"))
            .and_then(Value::as_bool)
            == Some(true)
    };
    let mut used = BTreeSet::new();
    for package in repository.packages() {
        if !inherited(package.field("license")) {
            report.error(format!(
                "{}/Cargo.toml does not inherit the licence.",
                package.folder
            ));
        }
        if !inherited(package.manifest.get("lints")) {
            report.error(format!(
                "{}/Cargo.toml does not inherit the lints.",
                package.folder
            ));
        }
        for (name, entry) in package.dependencies() {
            used.insert(name.to_owned());
            if !inherited(Some(entry)) {
                report.error(format!(
                    "{}/Cargo.toml declares {name} itself, not through the workspace.",
                    package.folder
                ));
            }
        }
    }
    for name in declared.difference(&used) {
        report.error(format!(
            "Cargo.toml declares {name}, which no package uses."
        ));
    }
}

/// Each declaration ends with a comment that says why the crate is there.
fn check_reasons(manifest: &str, declared: &BTreeSet<String>, report: &mut Report) {
    for name in declared {
        let line = manifest.lines().find(|line| {
            line.strip_prefix(name.as_str())
                .is_some_and(|rest| rest.starts_with(" ="))
        });
        let reason = line
            .and_then(|line| line.rsplit_once('#'))
            .map(|(_, reason)| reason.trim());
        if reason.is_none_or(str::is_empty) {
            report.error(format!(
                "Cargo.toml does not say behind {name} why it is there."
            ));
        }
    }
}

fn check_list(list: &str, declared: &BTreeSet<String>, report: &mut Report) {
    let entries = list
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split_once("`: "));
    let listed: BTreeSet<String> = entries.map(|(name, _)| name.to_owned()).collect();
    for name in declared.difference(&listed) {
        report.error(format!("{LIST} has no line for {name}."));
    }
    for name in listed.difference(declared) {
        report.error(format!(
            "{LIST} has a line for {name}, which Cargo.toml does not declare."
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str =
        "[workspace.package]\nlicense = \"MIT OR Apache-2.0\"\n\n[workspace.dependencies]\n";
    const MEMBER: &str = "[package]\nname = \"a\"\nlicense.workspace = true\n\n[lints]\nworkspace = true\n\n[dependencies]\n";

    fn errors(root: &str, member: &str, list: &str) -> Vec<String> {
        let (root, member) = (format!("{ROOT}{root}\n"), format!("{MEMBER}{member}\n"));
        let files = [
            ("Cargo.toml", root.as_str()),
            ("crates/a/Cargo.toml", &member),
            (LIST, list),
        ];
        let mut report = Report::default();
        super::check(&Repository::of(files), &mut report);
        report.errors
    }

    #[test]
    fn a_crate_is_declared_once_with_a_reason_and_a_line() {
        let check = |root, member, list, expected: &[&str]| {
            assert_eq!(errors(root, member, list), expected);
        };
        let (good, uses, line) = (
            "fine = \"1\" # because",
            "fine.workspace = true",
            "- `fine`: because\n",
        );
        check(good, uses, line, &[]);
        check(
            "own = { path = \"crates/own\" }",
            "own.workspace = true",
            "",
            &[],
        );
        check(
            "fine = \"1\"",
            uses,
            line,
            &["Cargo.toml does not say behind fine why it is there."],
        );
        check(
            good,
            "",
            line,
            &["Cargo.toml declares fine, which no package uses."],
        );
        check(
            good,
            uses,
            "",
            &["docs/dependencies.md has no line for fine."],
        );
        check(
            "",
            "fine = \"1\"",
            line,
            &[
                "crates/a/Cargo.toml declares fine itself, not through the workspace.",
                "docs/dependencies.md has a line for fine, which Cargo.toml does not declare.",
            ],
        );
    }

    #[test]
    fn packages_inherit_licence_and_lints() {
        let member = "[package]\nname = \"a\"\nlicense = \"MIT\"\n";
        let mut report = Report::default();
        super::check(
            &Repository::of([("Cargo.toml", ROOT), ("crates/a/Cargo.toml", member)]),
            &mut report,
        );
        let expected = [
            "crates/a/Cargo.toml does not inherit the licence.",
            "crates/a/Cargo.toml does not inherit the lints.",
        ];
        assert_eq!(report.errors, expected);
    }
}
