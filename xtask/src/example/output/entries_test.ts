import { beforeEach, describe, expect, it } from "vitest";
import { findAccount, openAccount } from "../src/accounts.js";
import { open, type Db } from "../src/db.js";
import { book, EntryError, listPage } from "../src/entries.js";
import { currency, negate } from "../src/money.js";

const EUR = currency("EUR");

let db: Db;

beforeEach(() => {
  db = open({ file: ":memory:", migrations: "migrations" });
  openAccount(db, { code: "1200", name: "Bank", currency: "EUR", kind: "asset", openedOn: "2024-01-01" });
  openAccount(db, { code: "4100", name: "Food", currency: "EUR", kind: "expense", openedOn: "2024-01-01" });
});

function bookOn(...days: string[]): void {
  for (const [index, bookedOn] of days.entries()) {
    const amount = { currency: EUR, units: BigInt(100 + index) };
    const postings = [
      { account: findAccount(db, "4100"), amount },
      { account: findAccount(db, "1200"), amount: negate(amount) },
    ];
    book(db, { bookedOn, text: `entry ${index}`, postings }, "2025-11-24T09:00:00Z");
  }
}

function texts(limit: number, after?: string): string[] {
  return listPage(db, limit, after).entries.map((entry) => entry.text);
}

describe("listPage", () => {
  it("lists the newest first", () => {
    bookOn("2025-01-01", "2025-01-03", "2025-01-02");
    expect(texts(10)).toEqual(["entry 1", "entry 2", "entry 0"]);
  });

  it("goes on after the last entry of a page", () => {
    bookOn("2025-01-01", "2025-01-02", "2025-01-03");
    const { next } = listPage(db, 2);
    expect(texts(2, next ?? undefined)).toEqual(["entry 0"]);
  });

  it("does not skip entries of the same day", () => {
    bookOn("2025-01-01", "2025-01-01", "2025-01-01");
    const { next } = listPage(db, 1);
    expect(texts(5, next ?? undefined)).toEqual(["entry 1", "entry 0"]);
  });

  it("says when nothing is left", () => {
    bookOn("2025-01-01", "2025-01-02");
    expect(listPage(db, 2).next).toBeNull();
  });

  it("refuses a cursor that it did not make", () => {
    expect(() => listPage(db, 2, "bm9uc2Vuc2U")).toThrow(EntryError);
  });
});
