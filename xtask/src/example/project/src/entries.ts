import { inTransaction, type Db } from "./db.js";
import type { Account } from "./accounts.js";
import { currency, formatMoney, sumByCurrency, type Money } from "./money.js";

export interface Posting {
  account: Account;
  amount: Money;
}

export interface NewEntry {
  bookedOn: string;
  text: string;
  postings: Posting[];
  reverses?: number;
}

export interface ListedEntry {
  id: number;
  bookedOn: string;
  text: string;
  postings: { account: string; amount: string; currency: string }[];
}

export class EntryError extends Error {
  constructor(message: string, readonly reason: "unbalanced" | "empty" | "closed" | "unknown") {
    super(message);
    this.name = "EntryError";
  }
}

/** Books an entry and returns its id. Either all postings are stored or none. */
export function book(db: Db, entry: NewEntry, now: string): number {
  if (entry.postings.length < 2) {
    throw new EntryError("an entry needs at least two postings", "empty");
  }
  for (const [code, units] of sumByCurrency(entry.postings.map((posting) => posting.amount))) {
    if (units !== 0n) {
      throw new EntryError(`postings in ${code} sum to ${units}`, "unbalanced");
    }
  }
  for (const { account } of entry.postings) {
    if (account.closedOn !== null && account.closedOn < entry.bookedOn) {
      throw new EntryError(`account ${account.code} was closed on ${account.closedOn}`, "closed");
    }
  }
  return inTransaction(db, () => {
    const { lastInsertRowid } = db
      .prepare("INSERT INTO entry (booked_on, text, reverses, created_at) VALUES (?, ?, ?, ?)")
      .run(entry.bookedOn, entry.text, entry.reverses ?? null, now);
    const insert = db.prepare(
      "INSERT INTO posting (entry_id, line, account_id, currency, units) VALUES (?, ?, ?, ?, ?)",
    );
    entry.postings.forEach(({ account, amount }, line) => {
      insert.run(lastInsertRowid, line, account.id, amount.currency, amount.units);
    });
    return Number(lastInsertRowid);
  });
}

/** Lists the newest entries first. */
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

/** Books the mirror image of an entry. */
export function reverse(db: Db, id: number, bookedOn: string, accounts: Map<number, Account>, now: string): number {
  const rows = db
    .prepare("SELECT account_id, currency, units FROM posting WHERE entry_id = ? ORDER BY line")
    .all(id) as { account_id: number; currency: string; units: number }[];
  if (rows.length === 0) {
    throw new EntryError(`no entry ${id}`, "unknown");
  }
  const postings = rows.map((row) => {
    const account = accounts.get(row.account_id);
    if (account === undefined) {
      throw new EntryError(`no account with id ${row.account_id}`, "unknown");
    }
    return { account, amount: { currency: currency(row.currency), units: BigInt(-row.units) } };
  });
  return book(db, { bookedOn, text: `reversal of ${id}`, postings, reverses: id }, now);
}

function postingsOf(db: Db, id: number): ListedEntry["postings"] {
  const rows = db
    .prepare(
      `SELECT a.code, p.currency, p.units FROM posting p
         JOIN account a ON a.id = p.account_id WHERE p.entry_id = ? ORDER BY p.line`,
    )
    .all(id) as { code: string; currency: string; units: number }[];
  return rows.map((row) => ({
    account: row.code,
    currency: row.currency,
    amount: formatMoney({ currency: currency(row.currency), units: BigInt(row.units) }),
  }));
}
