//! Three prompts about imports and balances: a slow night, a wrong chart, surplus zeros.

use anyhow::Result;

use super::{
    ACCOUNTS_TESTS, CURRENCY_TESTS, ENTRIES_TESTS, IMPORTER_TESTS, MONEY_TESTS, SERVER_TESTS,
};
use crate::example::story::{
    Story, edit, exit, find, list, read, read_part, run, say, search, silent, think, write,
};
use crate::example::texts::{failed, import_log, passed};

pub(super) fn import_is_slow(story: &mut Story) -> Result<()> {
    story.prompt(
        "The import took almost ten minutes last night, normally it is done in seconds. The log is \
         logs/import-2025-11-24.log. What happened, and can we make it robust against that?",
    );
    story.turn(
        silent(),
        [
            list("logs"),
            run(
                "cat logs/import-2025-11-24.log",
                "Show the log of the import",
                import_log(),
            ),
        ],
    )?;
    story.turn(
        say("From the third file on nearly every line waits for seconds. Let me add that up per file."),
        [run(
            r#"awk '/wait_ms=/ {match($0, /file=[^ ]+/); f=substr($0, RSTART+5, RLENGTH-5); match($0, /wait_ms=[0-9]+/); w=substr($0, RSTART+8, RLENGTH-8)+0; n[f]++; s[f]+=w; if (w>m[f]) m[f]=w} END {for (f in n) printf "%-20s %4d lines %6.1f s  longest %d ms\n", f, n[f], s[f]/1000, m[f]}' logs/import-2025-11-24.log | sort"#,
            "Add up the waiting time per file",
            "1200_2025-11-24.csv    92 lines    1.0 s  longest 18 ms\n\
             1210_2025-11-24.csv    92 lines    0.9 s  longest 18 ms\n\
             1220_2025-11-24.csv    92 lines  281.7 s  longest 4865 ms\n\
             1230_2025-11-24.csv    92 lines  281.8 s  longest 4856 ms\n\
             1310_2025-11-24.csv    92 lines    1.0 s  longest 18 ms\n",
        )],
    )?;
    story.turn(
        think(
            "563 seconds of waiting in two files, with SQLITE_BUSY warnings. Something else wrote at the time. Check \
             cron for jobs around 02:00, and how the importer opens transactions: one per line means one wait per line.",
        )
        .then_say("All of it is waiting for a lock. Who else writes at two in the morning, and how often do we ask for the lock?"),
        [
            run("crontab -l", "List the scheduled jobs", "0 2 * * *  cd /home/dev/ledger && npm run --silent import >> logs/import.log\n0 2 * * *  /home/dev/bin/backup-ledger\n30 6 * * 1 cd /home/dev/ledger && npm audit --omit=dev\n"),
            read("src/importer.ts"),
            read("src/db.ts"),
        ],
    )?;
    story.turn(
        silent(),
        [
            run(
                "cat /home/dev/bin/backup-ledger",
                "Show the backup script",
                include_str!("../output/backup.txt"),
            ),
            search("inTransaction", "src"),
        ],
    )?;
    story.turn(
        think(
            "The backup begins an immediate transaction for each table it dumps and the importer takes the write lock \
             for each line: they take turns. One transaction per file reduces 92 waits to one; nested transactions \
             become savepoints in better-sqlite3, so book() may stay as it is. But then a bad line rolls back its \
             whole file: that is what the archive rule wants anyway, a file is booked or it stays. Also a latent \
             fault: today a line that is known books its entry and leaves it behind, since book() commits before the \
             unique violation on statement_line! With a savepoint around both that goes away.",
        )
        .then_say(
            "The backup and the import start in the same minute and take turns at the write lock, once per line. One \
             transaction per file waits once.\n\nReading this I also found a real fault: `book` commits before \
             `statement_line` is inserted, so a line that is already known leaves a second entry behind. A \
             transaction around both repairs that too.",
        ),
        [
            edit(
                "src/importer.ts",
                "      for (const line of statement.lines) {\n        const outcome = importLine(db, statement, line, options);\n        report[outcome] += 1;\n        log.debug({ file: name, reference: line.reference, outcome }, \"statement line\");\n      }",
                "      const counts = inTransaction(db, () => importLines(db, statement, name, options, log));\n      report.booked += counts.booked;\n      report.known += counts.known;",
            ),
            edit(
                "src/importer.ts",
                "function importLine(\n",
                include_str!("../output/import_lines.ts"),
            ),
        ],
    )?;
    story.turn(
        silent(),
        [
            edit("src/importer.ts", "import { isUniqueViolation, type Db } from \"./db.js\";", "import { inTransaction, isUniqueViolation, type Db } from \"./db.js\";"),
            edit(
                "src/importer.ts",
                "    const outcome = importLine(db, statement, line, options);",
                "    const outcome = inTransaction(db, () => importLine(db, statement, line, options));",
            ),
        ],
    )?;
    story.turn(
        say("Unfortunately the `catch` sits inside the function that I wrap, so the savepoint would be released and not rolled back. Let me look at the whole file again."),
        [read("src/importer.ts")],
    )?;
    story.turn(
        silent(),
        [edit(
            "src/importer.ts",
            include_str!("../output/import_line_before.ts"),
            include_str!("../output/import_line_after.ts"),
        )],
    )?;
    story.turn(
        silent(),
        [edit(
            "src/importer.ts",
            "    const outcome = inTransaction(db, () => importLine(db, statement, line, options));",
            "    const outcome = bookOnce(() => inTransaction(db, () => importLine(db, statement, line, options)));",
        )],
    )?;
    story.turn(
        silent(),
        [
            edit(
                "test/importer.test.ts",
                "    expect(second.known).toBe(1);\n",
                "    expect(second.known).toBe(1);\n    expect(balance(db, findAccount(db, \"1200\")).units).toBe(-450n);\n",
            ),
            run(
                "npm run --silent build && npx vitest run --reporter=verbose",
                "Compile and run all tests",
                passed(&[CURRENCY_TESTS, MONEY_TESTS, IMPORTER_TESTS, SERVER_TESTS]),
            ),
        ],
    )?;
    story.turn(
        say("The new assertion would have failed before. Now the timing, with the backup running at the same time."),
        [run(
            "cp ledger.db scratch.db && cp -r data/archive/2025-11-24 scratch-inbox && cp data/inbox/*.csv scratch-inbox && (DB=scratch.db /home/dev/bin/backup-ledger &) ; time LEDGER_DB=scratch.db LEDGER_INBOX=scratch-inbox npm run --silent import",
            "Import while the backup runs",
            include_str!("../output/import_timing.txt"),
        )],
    )?;
    story.answer(
        "**What happened.** The import and `backup-ledger` both start at 02:00. Each statement line took the write \
         lock of its own, and the backup takes it for each table, so they took turns: 184 lines of the files for 1220 and 1230 \
         waited 563 seconds in sum. The \"import failed\" for 1300 is the yen fault that is already repaired.\n\n**Change.** \
         One transaction per statement file: 3.8 s with the backup running beside it.\n\n**Found on the way.** A line \
         that was already known left a second entry behind, because the entry was committed before the check. Both \
         are one unit now, and the test checks the balance. You may have such duplicates in the data: look for \
         entries without a row in `statement_line`.\n\nI left cron alone; moving the backup to 03:00 would still be wise.",
    )
}

pub(super) fn chart_starts_at_zero(story: &mut Story) -> Result<()> {
    story.prompt(
        "The balance chart on the dashboard looks wrong for November, see shots/balances.png. The account had about 3,900 on \
         November 1st but the line starts near zero.",
    );
    story.turn(
        silent(),
        [read("shots/balances.png"), search("balanceSeries", "src")],
    )?;
    story.turn(
        say("The line has the right shape but begins at nothing, as if the range had no past."),
        [read("src/accounts.ts")],
    )?;
    story.turn(
        think(
            "balanceSeries starts running = 0n and sums only the range. The balance before `from` is missing. Use \
             balance(db, account, day before from) as the start, or a query with booked_on < from, which avoids date \
             arithmetic.",
        )
        .then_say("`running` starts at zero, whatever was booked before `from`. I'll write the test first."),
        [write("test/accounts.test.ts", include_str!("../output/accounts_test.ts"))],
    )?;
    story.turn(
        silent(),
        [exit(
            "npx vitest run --reporter=verbose test/accounts.test.ts",
            "Run the new test",
            1,
            failed(
                &[ACCOUNTS_TESTS],
                "balanceSeries > starts with what was there before the range",
                include_str!("../output/series_test_failure.txt"),
            ),
        )],
    )?;
    story.turn(
        silent(),
        [
            edit(
                "src/accounts.ts",
                "  let running = 0n;\n",
                "  const before = db\n    .prepare(\n      `SELECT coalesce(sum(p.units), 0) AS units\n         FROM posting p JOIN entry e ON e.id = p.entry_id\n        WHERE p.account_id = @account AND e.booked_on < @from`,\n    )\n    .get({ account: account.id, from }) as { units: number };\n  let running = BigInt(before.units);\n",
            ),
            read_part("src/accounts.ts", 84, 40),
        ],
    )?;
    story.turn(
        silent(),
        [run(
            "npm run --silent build && npx vitest run --reporter=verbose",
            "Compile and run all tests",
            passed(&[
                ACCOUNTS_TESTS,
                CURRENCY_TESTS,
                ENTRIES_TESTS,
                MONEY_TESTS,
                IMPORTER_TESTS,
                SERVER_TESTS,
            ]),
        )],
    )?;
    story.turn(
        silent(),
        [run(
            "curl -s 'localhost:8460/accounts/1200/series?from=2025-11-01&to=2025-11-05'",
            "Ask for the first days of November",
            "[{\"day\":\"2025-11-01\",\"balance\":\"3911.27\"},{\"day\":\"2025-11-03\",\"balance\":\"3886.77\"},{\"day\":\"2025-11-04\",\"balance\":\"3702.10\"},{\"day\":\"2025-11-05\",\"balance\":\"3749.60\"}]",
        )],
    )?;
    story.answer(
        "The series summed only what was booked inside the range. It starts with the balance before `from` now; for \
         account 1200 the first of November gives 3,911.27. The test in `test/accounts.test.ts` failed before the \
         change and passes after it.",
    )
}

pub(super) fn surplus_zeros(story: &mut Story) -> Result<()> {
    story.prompt(
        "One bank sends yen as 500.00 in its camt files. Accept surplus zeros, but only zeros. And do not loosen it for \
         the other direction.",
    );
    story.turn(
        silent(),
        [
            read("src/parsers/camt.ts"),
            read("src/money.ts"),
            find("**/*.test.ts"),
        ],
    )?;
    story.turn(
        think(
            "In parseMoney: when fraction is longer than places, the surplus must be all zeros; cut it. When it is \
             shorter, still an error. One place, both parsers profit. The existing test refuses '1.234' in EUR and \
             must stay green; '1.230' in EUR becomes acceptable, say so.",
        ),
        [edit(
            "src/money.ts",
            "  const places = exponent(code);\n  if (fraction.length !== places) {",
            "  const places = exponent(code);\n  const surplus = match[3]?.slice(places) ?? \"\";\n  if (fraction.length - surplus.length !== places || /[^0]/.test(surplus)) {",
        )],
    )?;
    story.turn(
        silent(),
        [edit(
            "src/money.ts",
            "  const digits = whole.replaceAll(/[,']/g, \"\") + fraction;",
            "  const digits = whole.replaceAll(/[,']/g, \"\") + fraction.slice(0, places);",
        )],
    )?;
    story.turn(
        silent(),
        [
            edit(
                "test/currency.test.ts",
                "    [\"-4800\", \"JPY\", -4800n],\n",
                "    [\"-4800\", \"JPY\", -4800n],\n    [\"500.00\", \"JPY\", 500n],\n    [\"12.500\", \"EUR\", 1250n],\n",
            ),
            edit(
                "test/currency.test.ts",
                "    [\"5.5\", \"JPY\"],\n",
                "    [\"5.5\", \"JPY\"],\n    [\"5.01\", \"JPY\"],\n    [\"5.5\", \"EUR\"],\n",
            ),
        ],
    )?;
    story.turn(
        silent(),
        [run(
            "npm run --silent build && npx vitest run --reporter=verbose test/currency.test.ts test/money.test.ts",
            "Compile and run the tests of amounts",
            passed(&[CURRENCY_TESTS, MONEY_TESTS]),
        )],
    )?;
    story.answer(
        "`parseMoney` accepts digits beyond the currency's decimal places when all of them are zeros: `500.00` in yen \
         reads as 500, `5.01` is still refused, and so is `5.5` in euro, which has too few. Since the rule sits in \
         `parseMoney`, it holds for CSV as well.",
    )
}
