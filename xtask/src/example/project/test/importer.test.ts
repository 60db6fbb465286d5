import { mkdtempSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { balance, findAccount, openAccount } from "../src/accounts.js";
import { open, type Db } from "../src/db.js";
import { importAll, type ImportOptions } from "../src/importer.js";

const HEADER = "booking date,reference,text,amount,currency\n";

let db: Db;
let options: ImportOptions;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  mkdirSync(join(folder, "inbox"));
  mkdirSync(join(folder, "archive"));
  db = open({ file: ":memory:", migrations: "migrations" });
  openAccount(db, { code: "1200", name: "Bank", currency: "EUR", kind: "asset", openedOn: "2024-01-01" });
  openAccount(db, { code: "9000", name: "Suspense", currency: "EUR", kind: "equity", openedOn: "2024-01-01" });
  options = {
    inbox: join(folder, "inbox"),
    archive: join(folder, "archive"),
    suspense: "9000",
    now: () => "2025-11-03T02:00:00Z",
  };
});

function drop(name: string, text: string): void {
  writeFileSync(join(options.inbox, name), text);
}

describe("importAll", () => {
  it("books every line once", () => {
    drop("1200_2025-11-03.csv", `${HEADER}2025-11-02,A-1,Coffee,-4.50,EUR\n2025-11-02,A-2,Refund,12.00,EUR\n`);
    const first = importAll(db, options, pino({ level: "silent" }));
    expect(first).toEqual({ files: 1, booked: 2, known: 0, failed: [] });
    expect(balance(db, findAccount(db, "1200")).units).toBe(750n);
  });

  it("knows a line that it has seen", () => {
    drop("1200_2025-11-03.csv", `${HEADER}2025-11-02,A-1,Coffee,-4.50,EUR\n`);
    importAll(db, options, pino({ level: "silent" }));
    drop("1200_2025-11-04.csv", `${HEADER}2025-11-02,A-1,Coffee,-4.50,EUR\n`);
    const second = importAll(db, options, pino({ level: "silent" }));
    expect(second.known).toBe(1);
  });

  it("keeps a bad file in the inbox and says why", () => {
    drop("1200_bad.csv", `${HEADER}02.11.2025,A-1,Coffee,-4.50,EUR\n`);
    const report = importAll(db, options, pino({ level: "silent" }));
    expect(report.failed).toEqual([{ file: "1200_bad.csv", reason: "row 2: not a date: 02.11.2025" }]);
    expect(readdirSync(options.inbox)).toEqual(["1200_bad.csv"]);
  });
});
