//! The long texts of the example: a log, a lock file, a web page, test reports.

use std::fmt::Write;

use super::random::Random;

/// Last night's import: calm, until a second process holds the database.
pub(crate) fn import_log() -> String {
    let mut random = Random::new(0x0010_6b00);
    let mut log = String::new();
    let kinds = [
        "card payment",
        "direct debit",
        "standing order",
        "cash withdrawal",
        "transfer",
    ];
    let shops = [
        "Bakery Nord",
        "City Transit",
        "Green Grocer",
        "Power & Water",
        "Harbour Books",
    ];
    let mut milliseconds = 7_200_004;
    let mut entry = 81_530;
    let mut write = |milliseconds: u64, rest: &str| {
        let (minute, second) = (milliseconds / 60_000 % 60, milliseconds / 1_000 % 60);
        let fraction = milliseconds % 1_000;
        let _ = writeln!(log, "02:{minute:02}:{second:02}.{fraction:03} {rest}");
    };
    write(milliseconds, "INFO  import started inbox=data/inbox");
    for account in ["1200", "1210", "1220", "1230", "1310"] {
        for line in 1..=92 {
            // The backup starts in the third file and holds the write lock for a part of each line.
            let waits = account == "1220" || account == "1230";
            let wait = if waits {
                random.between(1_400, 4_900)
            } else {
                random.between(3, 19)
            };
            milliseconds += wait;
            if wait > 4_400 {
                write(
                    milliseconds - 900,
                    "WARN  database is locked, waiting code=SQLITE_BUSY attempt=1",
                );
            }
            entry += 1;
            write(
                milliseconds,
                &format!(
                    "DEBUG statement line file={account}_2025-11-24.csv ref={account}-{line:05}-{} entry={entry} \
                     wait_ms={wait} outcome=booked text={} {}",
                    random.hex8(),
                    random.pick(&kinds),
                    random.pick(&shops),
                ),
            );
        }
    }
    write(
        milliseconds,
        "ERROR import failed file=1300_2025-11-24.csv reason=expected 2 digits after the point: -4800",
    );
    write(
        milliseconds,
        "INFO  import finished files=6 booked=460 known=0 failed=1",
    );
    log
}

const PACKAGES: [&str; 40] = [
    "@esbuild/linux-x64",
    "@fastify/ajv-compiler",
    "@fastify/error",
    "@types/better-sqlite3",
    "@types/node",
    "@vitest/expect",
    "@vitest/runner",
    "@vitest/snapshot",
    "abstract-logging",
    "ajv",
    "ajv-formats",
    "avvio",
    "better-sqlite3",
    "bindings",
    "chai",
    "cookie",
    "debug",
    "esbuild",
    "fast-decode-uri-component",
    "fast-json-stringify",
    "fast-redact",
    "fastify",
    "fastq",
    "find-my-way",
    "ipaddr.js",
    "light-my-request",
    "magic-string",
    "nanoid",
    "on-exit-leak-free",
    "pino",
    "pino-std-serializers",
    "prebuild-install",
    "process-warning",
    "rollup",
    "secure-json-parse",
    "thread-stream",
    "typescript",
    "undici-types",
    "vitest",
    "zod",
];

/// A lock file; versions and checksums are invented.
pub(crate) fn lock_file() -> String {
    let mut random = Random::new(0x0010_c400);
    let mut text = String::from(
        "{\n  \"name\": \"ledger\",\n  \"version\": \"1.8.2\",\n  \"lockfileVersion\": 3,\n  \"requires\": true,\n  \"packages\": {\n",
    );
    for (index, name) in PACKAGES.iter().enumerate() {
        let version = format!(
            "{}.{}.{}",
            random.between(1, 12),
            random.between(0, 30),
            random.between(0, 12)
        );
        let file = name.rsplit('/').next().unwrap_or(name);
        let integrity: String = random.signature().chars().take(86).collect();
        let comma = if index + 1 == PACKAGES.len() { "" } else { "," };
        let _ = write!(
            text,
            "    \"node_modules/{name}\": {{\n      \"version\": \"{version}\",\n      \"resolved\": \"https://packages.example/{name}/-/{file}-{version}.tgz\",\n      \"integrity\": \"sha512-{integrity}==\",\n      \"license\": \"MIT\",\n      \"engines\": {{ \"node\": \">={}\" }}\n    }}{comma}\n",
            random.between(14, 21),
        );
    }
    text.push_str("  }\n}\n");
    text
}

/// Code, name, digits after the point.
const CURRENCIES: [(&str, &str, u8); 48] = [
    ("AED", "UAE dirham", 2),
    ("ARS", "Argentine peso", 2),
    ("AUD", "Australian dollar", 2),
    ("BHD", "Bahraini dinar", 3),
    ("BIF", "Burundi franc", 0),
    ("BRL", "Brazilian real", 2),
    ("CAD", "Canadian dollar", 2),
    ("CHF", "Swiss franc", 2),
    ("CLF", "Unidad de fomento", 4),
    ("CLP", "Chilean peso", 0),
    ("CNY", "Yuan renminbi", 2),
    ("CZK", "Czech koruna", 2),
    ("DJF", "Djibouti franc", 0),
    ("DKK", "Danish krone", 2),
    ("EGP", "Egyptian pound", 2),
    ("EUR", "Euro", 2),
    ("GBP", "Pound sterling", 2),
    ("GNF", "Guinean franc", 0),
    ("HKD", "Hong Kong dollar", 2),
    ("HUF", "Forint", 2),
    ("ILS", "New Israeli sheqel", 2),
    ("INR", "Indian rupee", 2),
    ("IQD", "Iraqi dinar", 3),
    ("ISK", "Iceland krona", 0),
    ("JOD", "Jordanian dinar", 3),
    ("JPY", "Yen", 0),
    ("KMF", "Comorian franc", 0),
    ("KRW", "Won", 0),
    ("KWD", "Kuwaiti dinar", 3),
    ("LYD", "Libyan dinar", 3),
    ("MXN", "Mexican peso", 2),
    ("NOK", "Norwegian krone", 2),
    ("NZD", "New Zealand dollar", 2),
    ("OMR", "Rial Omani", 3),
    ("PLN", "Zloty", 2),
    ("PYG", "Guarani", 0),
    ("RWF", "Rwanda franc", 0),
    ("SEK", "Swedish krona", 2),
    ("SGD", "Singapore dollar", 2),
    ("TND", "Tunisian dinar", 3),
    ("TRY", "Turkish lira", 2),
    ("UGX", "Uganda shilling", 0),
    ("USD", "US dollar", 2),
    ("UYI", "Uruguay peso en UI", 0),
    ("VND", "Dong", 0),
    ("XAF", "CFA franc BEAC", 0),
    ("XOF", "CFA franc BCEAO", 0),
    ("ZAR", "Rand", 2),
];

/// A page with a table of currencies.
pub(crate) fn currency_page() -> String {
    let mut rows = String::new();
    for (code, name, digits) in CURRENCIES {
        let note = match digits {
            0 => "no smaller unit in use; amounts are written without a decimal point",
            2 => "",
            _ => "more than two decimal places; a parser that assumes two reads a wrong amount",
        };
        let _ = write!(
            rows,
            "      <tr id=\"{code}\">\n        <td class=\"code\"><a href=\"/currencies/{code}\">{code}</a></td>\n        <td class=\"name\">{name}</td>\n        <td class=\"digits\">{digits}</td>\n        <td class=\"note\">{note}</td>\n      </tr>\n"
        );
    }
    include_str!("output/currency_page.html").replace("{rows}", &rows)
}

/// A vitest run in the verbose reporter, all green.
pub(crate) fn passed(suites: &[Suite]) -> String {
    report(suites, "", 0)
}

/// A vitest run in which one test fails: its name and what the runner prints about it.
pub(crate) fn failed(suites: &[Suite], test: &str, detail: &str) -> String {
    let red = report(suites, test, 1);
    let (tests, summary) = red.split_once("\n\n Test Files").unwrap_or((&red, ""));
    format!(
        "{tests}\n\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n{detail}\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n\n Test Files{summary}"
    )
}

/// A test file and the names of its tests.
pub(crate) type Suite = (&'static str, &'static [&'static str]);

fn report(suites: &[Suite], red: &str, failures: usize) -> String {
    let total: usize = suites.iter().map(|(_, tests)| tests.len()).sum();
    let mut random = Random::new(total as u64 + failures as u64);
    let mut text = String::from("\n RUN  v2.1.4 /home/dev/ledger\n\n");
    for (file, tests) in suites {
        for test in *tests {
            let mark = if *test == red { "×" } else { "✓" };
            let _ = writeln!(text, " {mark} {file} > {test} {}ms", random.between(1, 40));
        }
    }
    let files = suites.len();
    let (file_line, test_line) = if failures == 0 {
        (
            format!("{files} passed ({files})"),
            format!("{total} passed ({total})"),
        )
    } else {
        (
            format!("1 failed | {} passed ({files})", files - 1),
            format!("1 failed | {} passed ({total})", total - 1),
        )
    };
    let _ = write!(
        text,
        "\n Test Files  {file_line}\n      Tests  {test_line}\n   Start at  10:{:02}:{:02}\n   Duration  {}ms (transform 212ms, setup 0ms, collect 604ms, tests 141ms, environment 1ms, prepare 388ms)\n",
        random.between(10, 59),
        random.between(10, 59),
        random.between(900, 1_900),
    );
    text
}
