import { readFileSync, readdirSync, renameSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { Logger } from "pino";
import { findAccount } from "./accounts.js";
import { isUniqueViolation, type Db } from "./db.js";
import { book } from "./entries.js";
import { negate } from "./money.js";
import { parseCamt } from "./parsers/camt.js";
import { parseCsv } from "./parsers/csv.js";
import type { Statement, StatementLine } from "./parsers/statement.js";

export interface ImportOptions {
  inbox: string;
  archive: string;
  /** Account that takes the other side until somebody assigns the line. */
  suspense: string;
  now: () => string;
}

export interface ImportReport {
  files: number;
  booked: number;
  known: number;
  failed: { file: string; reason: string }[];
}

/** Imports every statement of the inbox. A bad file is reported and stays where it is. */
export function importAll(db: Db, options: ImportOptions, log: Logger): ImportReport {
  const report: ImportReport = { files: 0, booked: 0, known: 0, failed: [] };
  for (const name of readdirSync(options.inbox).sort()) {
    const path = join(options.inbox, name);
    report.files += 1;
    try {
      const statement = readStatement(path);
      for (const line of statement.lines) {
        const outcome = importLine(db, statement, line, options);
        report[outcome] += 1;
        log.debug({ file: name, reference: line.reference, outcome }, "statement line");
      }
      renameSync(path, join(options.archive, name));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ file: name, reason }, "import failed");
      report.failed.push({ file: name, reason });
    }
  }
  log.info(report, "import finished");
  return report;
}

function readStatement(path: string): Statement {
  const text = readFileSync(path, "utf8");
  switch (extname(path)) {
    case ".csv":
      return parseCsv(text, basename(path));
    case ".xml":
      return parseCamt(text);
    default:
      throw new Error(`unknown statement format: ${basename(path)}`);
  }
}

function importLine(
  db: Db,
  statement: Statement,
  line: StatementLine,
  options: ImportOptions,
): "booked" | "known" {
  const account = findAccount(db, statement.account);
  const suspense = findAccount(db, options.suspense);
  try {
    const entry = book(
      db,
      {
        bookedOn: line.bookedOn,
        text: line.text,
        postings: [
          { account, amount: line.amount },
          { account: suspense, amount: negate(line.amount) },
        ],
      },
      options.now(),
    );
    db.prepare("INSERT INTO statement_line (bank, reference, entry_id, imported_at) VALUES (?, ?, ?, ?)").run(
      statement.bank,
      line.reference,
      entry,
      options.now(),
    );
    return "booked";
  } catch (error) {
    if (isUniqueViolation(error)) {
      return "known";
    }
    throw error;
  }
}
