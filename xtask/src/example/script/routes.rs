//! Two prompts about routes: a transfer without an amount, and pages of entries.

use anyhow::Result;

use super::{CURRENCY_TESTS, ENTRIES_TESTS, IMPORTER_TESTS, MONEY_TESTS, SERVER_TESTS};
use crate::example::story::{
    Story, edit, exit, read, read_part, run, say, search, silent, think, write,
};
use crate::example::texts::{failed, passed};

pub(super) fn transfer_answers_500(story: &mut Story) -> Result<()> {
    story.prompt(
        "Thanks. Next: POST /transfers answers 500 when the amount is missing. It should be a 400 that says what is \
         wrong. Same for the other fields.",
    );
    story.turn(
        silent(),
        [
            read("src/http/server.ts"),
            search("z.object", "src"),
            search("setErrorHandler", "src"),
        ],
    )?;
    story.turn(
        say("I'll see what it answers now."),
        [run(
            "curl -si -X POST localhost:8460/transfers -H 'content-type: application/json' -d '{\"from\":\"1200\",\"to\":\"4100\",\"currency\":\"EUR\",\"bookedOn\":\"2025-11-24\"}'",
            "Post a transfer without amount",
            include_str!("../output/transfer_500.txt"),
        )],
    )?;
    story.turn(
        think(
            "body.amount is undefined, parseMoney calls trim on it: a TypeError, not a MoneyError, hence 500. The \
             interface is only a promise to the compiler. There is a zod schema for the series query already; use \
             the same for the body, and map ZodError to 400, which also fixes the series route, since its ZodError \
             ends as 500 today.",
        )
        .then_say("The body is never checked: the interface is only a promise. `SeriesQuery` has the same flaw, since nobody maps `ZodError`. I'll fix both."),
        [edit("src/http/server.ts", TRANSFER_INTERFACE, TRANSFER_SCHEMA)],
    )?;
    story.turn(
        silent(),
        [
            edit(
                "src/http/server.ts",
                "    if (error instanceof MoneyError) {",
                "    if (error instanceof z.ZodError) {\n      return reply.status(400).send({ error: \"invalid request\", fields: z.flattenError(error).fieldErrors });\n    }\n    if (error instanceof MoneyError) {",
            ),
            edit(
                "src/http/server.ts",
                "  app.post<{ Body: TransferBody }>(\"/transfers\", async (request, reply) => {\n    const body = request.body;",
                "  app.post(\"/transfers\", async (request, reply) => {\n    const body = TransferBody.parse(request.body);",
            ),
        ],
    )?;
    story.turn(
        silent(),
        [exit(
            "npm run build",
            "Compile",
            2,
            include_str!("../output/build_zod.txt"),
        )],
    )?;
    story.turn(
        say(
            "That function belongs to the next major version of zod. Version 3 has it as a method.",
        ),
        [
            search("\"zod\"", "package.json"),
            edit(
                "src/http/server.ts",
                "z.flattenError(error).fieldErrors",
                "error.flatten().fieldErrors",
            ),
        ],
    )?;
    story.turn(
        silent(),
        [run(
            "npm run build",
            "Compile",
            include_str!("../output/build_ok.txt"),
        )],
    )?;
    story.turn(
        silent(),
        [write(
            "test/server.test.ts",
            include_str!("../output/server_test.ts"),
        )],
    )?;
    story.turn(
        silent(),
        [run(
            "npx vitest run --reporter=verbose",
            "Run all tests",
            passed(&[CURRENCY_TESTS, MONEY_TESTS, IMPORTER_TESTS, SERVER_TESTS]),
        )],
    )?;
    story.answer(
        "`POST /transfers` now answers 400 with the fields that are wrong:\n\n```json\n{\"error\":\"invalid request\",\"fields\":{\"amount\":[\"Required\"]}}\n```\n\nThe body goes through a zod schema, and the error handler maps `ZodError` to 400. That also repairs `GET /accounts/:code/series`, which answered 500 for a missing range. `test/server.test.ts` has six cases; all 42 tests pass.",
    )
}

const TRANSFER_INTERFACE: &str = "\
interface TransferBody {
  from: string;
  to: string;
  amount: string;
  currency: string;
  text?: string;
  bookedOn: string;
}
";

const TRANSFER_SCHEMA: &str = "\
const TransferBody = z.object({
  from: z.string().min(1),
  to: z.string().min(1),
  amount: z.string().min(1),
  currency: z.string().length(3),
  text: z.string().optional(),
  bookedOn: z.string().regex(DAY),
});
";

pub(super) fn entries_need_pages(story: &mut Story) -> Result<()> {
    story.prompt(
        "GET /entries gets slow on the later pages and sometimes shows an entry twice when the import runs meanwhile. \
         Can you page by cursor instead of offset?",
    );
    story.turn(
        silent(),
        [
            read("src/entries.ts"),
            search("listEntries", "."),
            search("offset", "src"),
        ],
    )?;
    story.turn(
        say("Let me see how the database answers this for a late page."),
        [run(
            "sqlite3 ledger.db \"EXPLAIN QUERY PLAN SELECT id, booked_on, text FROM entry ORDER BY booked_on DESC, id DESC LIMIT 50 OFFSET 20000\"",
            "Show the query plan",
            "QUERY PLAN\n|--SCAN entry\n`--USE TEMP B-TREE FOR ORDER BY\n",
        )],
    )?;
    story.turn(
        think(
            "A full scan and a sort for each page. Keyset paging: WHERE (booked_on, id) < (?, ?) with an index on \
             both columns. The cursor should be opaque: base64url of day and id, and checked on the way in. Keep \
             limit; drop offset. Postings are fetched per entry, 50 queries a page, which is fine for now.",
        )
        .then_say("A scan and a sort for every page. An index on the sort key and a condition on it fixes both complaints."),
        [
            write("migrations/0002_entry_by_day.sql", "CREATE INDEX entry_by_day ON entry (booked_on, id);\n"),
            read("migrations/0001_init.sql"),
        ],
    )?;
    story.turn(
        silent(),
        [edit(
            "src/entries.ts",
            LIST_BY_OFFSET,
            include_str!("../output/list_page.ts"),
        )],
    )?;
    story.turn(
        silent(),
        [
            edit("src/http/server.ts", "import { book, EntryError, listEntries } from \"../entries.js\";", "import { book, EntryError, listPage } from \"../entries.js\";"),
            edit(
                "src/http/server.ts",
                "  app.get<{ Querystring: { limit?: string; offset?: string } }>(\"/entries\", async (request) => {\n    const limit = Number(request.query.limit ?? \"50\");\n    const offset = Number(request.query.offset ?? \"0\");\n    return { entries: listEntries(db, limit, offset) };\n  });",
                "  app.get(\"/entries\", async (request) => {\n    const { limit, after } = EntriesQuery.parse(request.query);\n    return listPage(db, limit, after);\n  });",
            ),
            edit(
                "src/http/server.ts",
                "const TransferBody = z.object({",
                "const EntriesQuery = z.object({\n  limit: z.coerce.number().int().min(1).max(200).default(50),\n  after: z.string().optional(),\n});\n\nconst TransferBody = z.object({",
            ),
        ],
    )?;
    story.turn(
        silent(),
        [write(
            "test/entries.test.ts",
            include_str!("../output/entries_test.ts"),
        )],
    )?;
    story.turn(
        silent(),
        [exit(
            "npm run --silent build && npx vitest run --reporter=verbose",
            "Compile and run all tests",
            1,
            failed(
                &[
                    CURRENCY_TESTS,
                    ENTRIES_TESTS,
                    MONEY_TESTS,
                    IMPORTER_TESTS,
                    SERVER_TESTS,
                ],
                "listPage > says when nothing is left",
                include_str!("../output/page_test_failure.txt"),
            ),
        )],
    )?;
    story.turn(
        think(
            "With exactly `limit` entries left the page is full and I hand out a cursor that leads to an empty \
             page. Ask for one more than limit and look whether it came.",
        )
        .then_say("A full last page still hands out a cursor. I'll fetch one row more than asked and see whether it exists."),
        [read_part("src/entries.ts", 66, 48)],
    )?;
    story.turn(
        silent(),
        [
            edit("src/entries.ts", ".all({ day, id, limit })", ".all({ day, id, limit: limit + 1 })"),
            edit(
                "src/entries.ts",
                "  const last = rows.at(-1);\n  const next = rows.length === limit && last !== undefined ? writeCursor(last) : null;",
                "  const more = rows.length > limit;\n  if (more) {\n    rows.pop();\n  }\n  const last = rows.at(-1);\n  const next = more && last !== undefined ? writeCursor(last) : null;",
            ),
        ],
    )?;
    story.turn(
        silent(),
        [
            run(
                "npm run --silent build && npx vitest run --reporter=verbose",
                "Compile and run all tests",
                passed(&[CURRENCY_TESTS, ENTRIES_TESTS, MONEY_TESTS, IMPORTER_TESTS, SERVER_TESTS]),
            ),
            run(
                "sqlite3 ledger.db < migrations/0002_entry_by_day.sql; sqlite3 ledger.db \"EXPLAIN QUERY PLAN SELECT id, booked_on, text FROM entry WHERE (booked_on, id) < ('2025-06-01', 80000) ORDER BY booked_on DESC, id DESC LIMIT 51\"",
                "Show the new query plan",
                "QUERY PLAN\n`--SEARCH entry USING INDEX entry_by_day ((booked_on,id)<(?,?))\n",
            ),
        ],
    )?;
    story.turn(silent(), [read("src/entries.ts")])?;
    story.answer(
        "`GET /entries` pages by cursor now: pass the `next` of one answer as `after` of the next request; `next` is \
         `null` on the last page. The query is a search on the new index `entry_by_day` instead of a scan with a \
         sort, and an entry that arrives meanwhile cannot shift the pages. `offset` is gone, so the dashboard needs \
         the matching change. 47 tests pass.",
    )
}

const LIST_BY_OFFSET: &str = r#"/** Lists the newest entries first. */
export function listEntries(db: Db, limit: number, offset: number): ListedEntry[] {
  const rows = db
    .prepare("SELECT id, booked_on, text FROM entry ORDER BY booked_on DESC, id DESC LIMIT ? OFFSET ?")
    .all(limit, offset) as { id: number; booked_on: string; text: string }[];
  return rows.map((row) => ({
    id: row.id,
    bookedOn: row.booked_on,
    text: row.text,
    postings: postingsOf(db, row.id),
  }));
}
"#;
