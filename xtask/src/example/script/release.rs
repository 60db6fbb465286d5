//! Two prompts about shipping: an install that fails, and the changelog.

use anyhow::Result;

use super::{
    ACCOUNTS_TESTS, CURRENCY_TESTS, ENTRIES_TESTS, IMPORTER_TESTS, MONEY_TESTS, SERVER_TESTS,
};
use crate::example::story::{Story, edit, exit, read, run, say, search, silent, think};
use crate::example::texts::passed;

pub(super) fn install_fails(story: &mut Story) -> Result<()> {
    story.prompt(
        "CI is red since this morning, in the install step, before any test runs. Have a look?",
    );
    story.turn(
        silent(),
        [exit(
            "npm ci",
            "Install from the lock file",
            1,
            include_str!("../output/npm_ci.txt"),
        )],
    )?;
    story.turn(silent(), [read("package.json"), read("package-lock.json")])?;
    story.turn(
        silent(),
        [
            run("git log --oneline -8 -- package.json package-lock.json", "Who touched the manifest", "b7d2c18 Raise pino\n90e4f3a Release 1.8.2\n51c07bb Raise vitest to 2.1.4\nd4a9982 Release 1.8.1\n77f0e1c Raise fastify to 5\n2b86a0d Release 1.8.0\n1f3c9d4 Read camt.053\na0b7719 First version\n"),
            run("git show --stat b7d2c18", "Show the last change of the manifest", "commit b7d2c18e0f6d1a97c3b55a41f0de8a4b1c2f9e63\nAuthor: Mara <mara@ledger.example>\nDate:   Mon Nov 24 07:58:12 2025 +0100\n\n    Raise pino\n\n package.json | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n"),
        ],
    )?;
    story.turn(
        think("package.json was changed without the lock file. Regenerate only the lock file, then npm ci again."),
        [run(
            "npm install --package-lock-only && git diff --stat",
            "Bring the lock file up to date",
            "\nup to date, audited 141 packages in 2s\n\n31 packages are looking for funding\n  run `npm fund` for details\n\nfound 0 vulnerabilities\n package-lock.json | 14 +++++++-------\n 1 file changed, 7 insertions(+), 7 deletions(-)\n",
        )],
    )?;
    story.turn(
        silent(),
        [
            run("npm ci", "Install from the lock file", "\nadded 140 packages, and audited 141 packages in 4s\n\n31 packages are looking for funding\n  run `npm fund` for details\n\nfound 0 vulnerabilities\n"),
            run("npm run build", "Compile", include_str!("../output/build_ok.txt")),
        ],
    )?;
    story.answer(
        "Commit b7d2c18 raised pino in `package.json` but not in `package-lock.json`, and `npm ci` refuses to install \
         when the two disagree. I brought the lock file up to date (seven lines each way, pino and its two helpers); `npm ci` and \
         the build work again. Nothing is committed yet.",
    )
}

pub(super) fn write_the_changelog(story: &mut Story) -> Result<()> {
    story.prompt(
        "Good. Write the changelog for 1.9.0 with all of this, raise the version and commit.",
    );
    story.turn(
        silent(),
        [
            read("CHANGELOG.md"),
            search("1.8.2", "."),
            run("git status --short", "See what changed", " M package-lock.json\n M src/accounts.ts\n M src/entries.ts\n M src/http/server.ts\n M src/importer.ts\n M src/money.ts\n M test/importer.test.ts\n?? migrations/0002_entry_by_day.sql\n?? src/currency.ts\n?? test/accounts.test.ts\n?? test/currency.test.ts\n?? test/entries.test.ts\n?? test/server.test.ts\n"),
        ],
    )?;
    story.turn(
        silent(),
        [edit(
            "CHANGELOG.md",
            "# Changelog\n",
            include_str!("../output/changelog.md"),
        )],
    )?;
    story.turn(
        silent(),
        [run(
            "npm version minor --no-git-tag-version && npm run --silent build && npx vitest run --reporter=verbose",
            "Raise the version, compile, run all tests",
            format!(
                "v1.9.0\n{}",
                passed(&[ACCOUNTS_TESTS, CURRENCY_TESTS, ENTRIES_TESTS, MONEY_TESTS, IMPORTER_TESTS, SERVER_TESTS])
            ),
        )],
    )?;
    story.turn(
        say("Everything is green, so I'll commit."),
        [run(
            "git add -A && git commit -q -m 'Release 1.9.0' && git log --oneline -3 && git show --stat --format= HEAD",
            "Commit the release",
            include_str!("../output/commit.txt"),
        )],
    )?;
    story.answer(
        "Version 1.9.0 is committed as e41b7f0 with the changelog. Three things are left for you:\n\n1. The dashboard \
         must use `after` instead of `offset` for `GET /entries`.\n2. Entries without a row in `statement_line` may be \
         duplicates from the old import.\n3. Moving the backup away from 02:00.",
    )
}
