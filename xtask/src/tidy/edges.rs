//! Which of our crates may use which.

use super::Report;
use super::repository::Repository;

const CORE: &str = "epitome-core";
const SUMMARIZER: &str = "epitome-summarizer";
const INDEX: &str = "epitome-index";
const CONDENSER: &str = "epitome-condenser";
const RETRIEVER: &str = "epitome-retriever";

/// Each package with what it may use. A binary is never used, so no binary stands on the right.
const ALLOWED: [(&str, &[&str]); 9] = [
    (CORE, &[]),
    (SUMMARIZER, &[CORE]),
    (INDEX, &[CORE]),
    (CONDENSER, &[CORE, SUMMARIZER, INDEX]),
    (RETRIEVER, &[CORE, SUMMARIZER, INDEX]),
    (
        "epitome-cli",
        &[CORE, SUMMARIZER, INDEX, CONDENSER, RETRIEVER],
    ),
    (
        "epitome-server",
        &[CORE, SUMMARIZER, INDEX, CONDENSER, RETRIEVER],
    ),
    (
        "epitome-tests",
        &[CORE, SUMMARIZER, INDEX, CONDENSER, RETRIEVER],
    ),
    ("xtask", &[CORE, SUMMARIZER, INDEX, CONDENSER, RETRIEVER]),
];

pub(super) fn check(repository: &Repository, report: &mut Report) {
    for package in repository.packages() {
        let name = package.name();
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            report.error(format!("{name} has no row in the table of allowed edges."));
            continue;
        };
        for (used, _) in package.dependencies() {
            let ours = ALLOWED.iter().any(|(known, _)| *known == used);
            if ours && !allowed.contains(&used) {
                report.error(format!("{name} must not use {used}."));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_outside_the_table_are_errors() {
        let check = |name: &str, table: &str, used: &str, expected: &[&str]| {
            let manifest =
                format!("[package]\nname = \"{name}\"\n[{table}]\n{used}.workspace = true\n");
            let mut report = Report::default();
            check(
                &Repository::of([("crates/some/Cargo.toml", &manifest)]),
                &mut report,
            );
            assert_eq!(report.errors, expected);
        };
        check(CORE, "dependencies", "serde", &[]);
        check(INDEX, "dependencies", CORE, &[]);
        check("xtask", "dependencies", CONDENSER, &[]);
        check(
            CORE,
            "dependencies",
            INDEX,
            &["epitome-core must not use epitome-index."],
        );
        check(
            CORE,
            "dev-dependencies",
            INDEX,
            &["epitome-core must not use epitome-index."],
        );
        check(
            INDEX,
            "target.'cfg(unix)'.dependencies",
            SUMMARIZER,
            &["epitome-index must not use epitome-summarizer."],
        );
        check(
            "epitome-cli",
            "dependencies",
            "epitome-server",
            &["epitome-cli must not use epitome-server."],
        );
        check(
            "epitome-new",
            "dependencies",
            CORE,
            &["epitome-new has no row in the table of allowed edges."],
        );
    }
}
