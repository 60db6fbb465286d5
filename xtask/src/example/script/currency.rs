//! First prompt: statements in yen are refused.

use anyhow::Result;

use super::{CURRENCY_TESTS, IMPORTER_TESTS, MONEY_TESTS};
use crate::example::story::{
    Story, edit, exit, fetch, find, list, read, run, say, search, silent, think, write,
};
use crate::example::texts::{currency_page, failed, passed};

pub(super) fn yen_import_fails(story: &mut Story) -> Result<()> {
    story.prompt(
        "The nightly import has been failing for the yen account (1300) since we opened it. The file stays in \
         data/inbox and the log says \"import failed\". Please find out why and fix it properly, not only for yen.",
    );
    explore(story)?;
    fix(story)?;
    test(story)?;
    story.answer(
        "The yen statements are imported again.\n\n**Cause.** `parseMoney` demanded exactly two digits after the \
         point, whatever the currency. Yen amounts have none, so the first line of the file was refused and the \
         whole file stayed in the inbox.\n\n**Fix.**\n- `src/currency.ts` is new: a table of the currencies that \
         do not have two decimal places, and `exponent(code)`.\n- `parseMoney` and `formatMoney` ask it, so dinars \
         with three places work too.\n- `test/currency.test.ts` covers yen, Kuwaiti dinar and unknown codes. It \
         also caught that `slice(0, -0)` is empty, which would have printed every yen amount behind a stray point.\n\nBuild and \
         all 36 tests pass. I did not run the import itself; tonight's run will pick up the file that is still in \
         the inbox.",
    )
}

fn explore(story: &mut Story) -> Result<()> {
    story.turn(
        think(
            "The user wants the cause of a failing import for a yen account. Yen has no minor unit, so an \
             assumption of two decimals somewhere is likely. I should look at the layout first and not jump to it.",
        )
        .then_say("I'll get an overview of the project and the importer first."),
        [read("README.md"), list("."), list("src")],
    )?;
    story.turn(
        silent(),
        [read("src/importer.ts"), read("src/parsers/csv.ts")],
    )?;
    story.turn(
        say("The CSV parser hands the amount to `parseMoney`. Let me look at that and at the table of currencies."),
        [read("src/money.ts"), read("src/currencies.ts")],
    )?;
    story.turn(
        say("There is no table of currencies. I'll check who else assumes two decimal places, and what tests exist."),
        [search("parseMoney(", "src"), search("slice(", "src"), find("**/*.test.ts")],
    )?;
    story.turn(silent(), [read("test/money.test.ts")])?;
    story.turn(
        silent(),
        [list("data/inbox"), read("data/inbox/1300_2025-11-24.csv")],
    )?;
    story.turn(
        silent(),
        [run(
            "npx vitest run --reporter=verbose",
            "Run all tests",
            passed(&[MONEY_TESTS, IMPORTER_TESTS]),
        )],
    )?;
    story.turn(
        say("The tests are green, so none of them covers this. I'll reproduce it with the real file."),
        [exit(
            "npm run --silent build && node -e \"import('./dist/parsers/csv.js').then(async (csv) => { const fs = await import('node:fs'); csv.parseCsv(fs.readFileSync('data/inbox/1300_2025-11-24.csv', 'utf8'), '1300_2025-11-24.csv'); })\"",
            "Parse the failing statement",
            1,
            include_str!("../output/yen_error.txt"),
        )],
    )
}

fn fix(story: &mut Story) -> Result<()> {
    story.turn(
        think(
            "Confirmed: parseMoney insists on two digits. The number of digits belongs to the currency. I know most \
             of ISO 4217 by heart, but a table in a ledger should be checked against a source.",
        )
        .then_say("Confirmed. Before I write a table of minor units I'll check the list."),
        [fetch(
            "https://currencies.example/minor-units",
            "Which currencies do not have two decimal places?",
            currency_page(),
        )],
    )?;
    story.turn(
        silent(),
        [write(
            "src/currency.ts",
            include_str!("../output/currency.ts"),
        )],
    )?;
    story.turn(
        silent(),
        [edit(
            "src/money.ts",
            "  if (fraction.length !== 2) {\n    throw new MoneyError(`expected 2 digits after the point: ${text}`, text);\n  }",
            "  const places = exponent(code);\n  if (fraction.length !== places) {\n    throw new MoneyError(`expected ${places} digits after the point: ${text}`, text);\n  }",
        )],
    )?;
    story.turn(
        silent(),
        [edit(
            "src/money.ts",
            "  const digits = (negative ? -money.units : money.units).toString().padStart(3, \"0\");\n  const whole = digits.slice(0, -2);\n  const fraction = digits.slice(-2);\n  return `${negative ? \"-\" : \"\"}${whole}.${fraction}`;",
            "  const places = exponent(money.currency);\n  const digits = (negative ? -money.units : money.units).toString().padStart(places + 1, \"0\");\n  const whole = digits.slice(0, -places);\n  const fraction = digits.slice(-places);\n  return `${negative ? \"-\" : \"\"}${whole}.${fraction}`;",
        )],
    )?;
    story.turn(
        silent(),
        [exit(
            "npm run build",
            "Compile",
            2,
            include_str!("../output/build_exponent.txt"),
        )],
    )?;
    story.turn(
        say("The import is missing."),
        [edit(
            "src/money.ts",
            "export type Currency = string",
            "import { exponent } from \"./currency.js\";\n\nexport type Currency = string",
        )],
    )?;
    story.turn(
        silent(),
        [run(
            "npm run build",
            "Compile",
            include_str!("../output/build_ok.txt"),
        )],
    )
}

fn test(story: &mut Story) -> Result<()> {
    story.turn(
        silent(),
        [write(
            "test/currency.test.ts",
            include_str!("../output/currency_test.ts"),
        )],
    )?;
    story.turn(
        silent(),
        [exit(
            "npx vitest run --reporter=verbose",
            "Run all tests",
            1,
            failed(
                &[CURRENCY_TESTS, MONEY_TESTS, IMPORTER_TESTS],
                "minor units > writes what it reads in JPY",
                include_str!("../output/yen_test_failure.txt"),
            ),
        )],
    )?;
    story.turn(
        think(
            "Expected '0', received '.0': with places = 0, slice(0, -0) is slice(0, 0), which is empty, and \
             slice(-0) is the whole text. I also must not print the point. Cut at digits.length - places instead.",
        )
        .then_say("`slice(0, -0)` is empty. I'll cut from the front and leave out the point where there are no decimals."),
        [read("src/money.ts")],
    )?;
    story.turn(
        silent(),
        [edit(
            "src/money.ts",
            "  const whole = digits.slice(0, -places);\n  const fraction = digits.slice(-places);\n  return `${negative ? \"-\" : \"\"}${whole}.${fraction}`;",
            "  const whole = digits.slice(0, digits.length - places);\n  const fraction = digits.slice(digits.length - places);\n  const point = places === 0 ? \"\" : \".\";\n  return `${negative ? \"-\" : \"\"}${whole}${point}${fraction}`;",
        )],
    )?;
    story.turn(
        silent(),
        [
            run(
                "npm run build",
                "Compile",
                include_str!("../output/build_ok.txt"),
            ),
            run(
                "npx vitest run --reporter=verbose",
                "Run all tests",
                passed(&[CURRENCY_TESTS, MONEY_TESTS, IMPORTER_TESTS]),
            ),
        ],
    )
}
