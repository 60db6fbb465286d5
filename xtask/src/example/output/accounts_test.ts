import { beforeEach, describe, expect, it } from "vitest";
import { balanceSeries, findAccount, openAccount } from "../src/accounts.js";
import { open, type Db } from "../src/db.js";
import { book } from "../src/entries.js";
import { currency, negate } from "../src/money.js";

let db: Db;

beforeEach(() => {
  db = open({ file: ":memory:", migrations: "migrations" });
  openAccount(db, { code: "1200", name: "Bank", currency: "EUR", kind: "asset", openedOn: "2024-01-01" });
  openAccount(db, { code: "3000", name: "Salary", currency: "EUR", kind: "income", openedOn: "2024-01-01" });
  for (const [day, units] of [["2025-10-28", 5000n], ["2025-11-02", -700n], ["2025-11-02", -300n], ["2025-11-09", 50n]] as const) {
    const amount = { currency: currency("EUR"), units };
    const postings = [
      { account: findAccount(db, "1200"), amount },
      { account: findAccount(db, "3000"), amount: negate(amount) },
    ];
    book(db, { bookedOn: day, text: day, postings }, "2025-11-24T09:00:00Z");
  }
});

function series(from: string, to: string) {
  return balanceSeries(db, findAccount(db, "1200"), from, to);
}

describe("balanceSeries", () => {
  it("starts with what was there before the range", () => {
    expect(series("2025-11-01", "2025-11-30")[0]).toEqual({ day: "2025-11-02", units: 4000n });
  });

  it("has one row for each day with a booking", () => {
    expect(series("2025-11-01", "2025-11-30").map(({ day }) => day)).toEqual(["2025-11-02", "2025-11-09"]);
  });

  it("is empty when nothing was booked", () => {
    expect(series("2025-12-01", "2025-12-31")).toEqual([]);
  });
});
