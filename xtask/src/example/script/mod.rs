//! What happens in the example session: eight prompts about a small ledger.

mod currency;
mod release;
mod routes;
mod statements;

use anyhow::Result;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::session::Session;
use super::story::Story;
use super::texts::{self, Suite};
use super::workspace::Workspace;

/// Tells the whole session.
pub(super) fn tell() -> Result<Session> {
    let mut story = Story::new(project());
    currency::yen_import_fails(&mut story)?;
    routes::transfer_answers_500(&mut story)?;
    statements::import_is_slow(&mut story)?;
    routes::entries_need_pages(&mut story)?;
    statements::chart_starts_at_zero(&mut story)?;
    release::install_fails(&mut story)?;
    statements::surplus_zeros(&mut story)?;
    release::write_the_changelog(&mut story)?;
    Ok(Session {
        seed: 20_251_124,
        title: "Yen statements, transfers and a slow import".to_owned(),
        folder: "/home/dev/ledger".to_owned(),
        chains: story.into_chains(),
    })
}

fn project() -> Workspace {
    let mut workspace = Workspace::default();
    for (path, content) in [
        ("CHANGELOG.md", include_str!("../project/CHANGELOG.md")),
        ("README.md", include_str!("../project/README.md")),
        (
            "migrations/0001_init.sql",
            include_str!("../project/migrations/0001_init.sql"),
        ),
        ("package.json", include_str!("../project/package.json")),
        (
            "src/accounts.ts",
            include_str!("../project/src/accounts.ts"),
        ),
        ("src/db.ts", include_str!("../project/src/db.ts")),
        ("src/entries.ts", include_str!("../project/src/entries.ts")),
        (
            "src/http/server.ts",
            include_str!("../project/src/http/server.ts"),
        ),
        (
            "src/importer.ts",
            include_str!("../project/src/importer.ts"),
        ),
        ("src/money.ts", include_str!("../project/src/money.ts")),
        (
            "src/parsers/camt.ts",
            include_str!("../project/src/parsers/camt.ts"),
        ),
        (
            "src/parsers/csv.ts",
            include_str!("../project/src/parsers/csv.ts"),
        ),
        (
            "src/parsers/statement.ts",
            include_str!("../project/src/parsers/statement.ts"),
        ),
        (
            "test/importer.test.ts",
            include_str!("../project/test/importer.test.ts"),
        ),
        (
            "test/money.test.ts",
            include_str!("../project/test/money.test.ts"),
        ),
        ("tsconfig.json", include_str!("../project/tsconfig.json")),
        ("data/inbox/1300_2025-11-24.csv", YEN_STATEMENT),
        ("logs/import-2025-11-24.log", &texts::import_log()),
        ("package-lock.json", &texts::lock_file()),
    ] {
        workspace.add(path, content);
    }
    let chart = include_bytes!("../project/balances.png");
    workspace.add_image("shots/balances.png", BASE64_STANDARD.encode(chart));
    workspace
}

const YEN_STATEMENT: &str = "\
booking date,reference,text,amount,currency
2025-11-21,1300-00001-7c1e90aa,Hotel Sakura,-4800,JPY
2025-11-21,1300-00002-0b12f4d7,\"Airport train, return\",-3250,JPY
2025-11-22,1300-00003-59aa1c03,Refund Hotel Sakura,\"1,200\",JPY
2025-11-22,1300-00004-e0d94b5f,Conference fee,-68000,JPY
";

const MONEY_TESTS: Suite = (
    "test/money.test.ts",
    &[
        "parseMoney > reads 0.00",
        "parseMoney > reads 1.05",
        "parseMoney > reads -3.20",
        "parseMoney > reads +7.00",
        "parseMoney > reads 1,234.50",
        "parseMoney > reads 1'234'567.89",
        "parseMoney > refuses \"\"",
        "parseMoney > refuses \"1\"",
        "parseMoney > refuses \"1.5\"",
        "parseMoney > refuses \"1.234\"",
        "parseMoney > refuses \"12,34.00\"",
        "parseMoney > refuses \"one\"",
        "parseMoney > refuses \"--1.00\"",
        "parseMoney > refuses \"1.00 EUR\"",
        "formatMoney > writes 0",
        "formatMoney > writes 5",
        "formatMoney > writes -5",
        "formatMoney > writes 123450",
        "add > adds units",
        "add > refuses two currencies",
        "allocate > splits 100 into 3",
        "allocate > splits -100 into 3",
        "allocate > splits 2 into 4",
    ],
);

const IMPORTER_TESTS: Suite = (
    "test/importer.test.ts",
    &[
        "importAll > books every line once",
        "importAll > knows a line that it has seen",
        "importAll > keeps a bad file in the inbox and says why",
    ],
);

const CURRENCY_TESTS: Suite = (
    "test/currency.test.ts",
    &[
        "minor units > reads 500 in JPY",
        "minor units > reads 1,200 in JPY",
        "minor units > reads -4800 in JPY",
        "minor units > reads 1.234 in KWD",
        "minor units > reads 12.50 in EUR",
        "minor units > refuses 5.5 in JPY",
        "minor units > refuses 1.23 in KWD",
        "minor units > writes what it reads in JPY",
        "minor units > writes what it reads in KWD",
        "minor units > refuses a currency that the table does not have",
    ],
);

const SERVER_TESTS: Suite = (
    "test/server.test.ts",
    &[
        "POST /transfers > books a transfer",
        "POST /transfers > answers 400 without amount",
        "POST /transfers > answers 400 without bookedOn",
        "POST /transfers > answers 400 for an amount that is none",
        "POST /transfers > answers 404 for an unknown account",
        "GET /accounts/:code/series > answers 400 without a range",
    ],
);

const ENTRIES_TESTS: Suite = (
    "test/entries.test.ts",
    &[
        "listPage > lists the newest first",
        "listPage > goes on after the last entry of a page",
        "listPage > does not skip entries of the same day",
        "listPage > says when nothing is left",
        "listPage > refuses a cursor that it did not make",
    ],
);

const ACCOUNTS_TESTS: Suite = (
    "test/accounts.test.ts",
    &[
        "balanceSeries > starts with what was there before the range",
        "balanceSeries > has one row for each day with a booking",
        "balanceSeries > is empty when nothing was booked",
    ],
);
