import type { Db } from "./db.js";
import { currency, type Currency, type Money } from "./money.js";

export type AccountKind = "asset" | "liability" | "income" | "expense" | "equity";

export interface Account {
  id: number;
  code: string;
  name: string;
  currency: Currency;
  kind: AccountKind;
  openedOn: string;
  closedOn: string | null;
}

interface AccountRow {
  id: number;
  code: string;
  name: string;
  currency: string;
  kind: AccountKind;
  opened_on: string;
  closed_on: string | null;
}

export class AccountError extends Error {
  constructor(message: string, readonly code: string) {
    super(message);
    this.name = "AccountError";
  }
}

export interface NewAccount {
  code: string;
  name: string;
  currency: string;
  kind: AccountKind;
  openedOn: string;
}

export function openAccount(db: Db, account: NewAccount): Account {
  const row = db
    .prepare(
      `INSERT INTO account (code, name, currency, kind, opened_on)
       VALUES (@code, @name, @currency, @kind, @openedOn) RETURNING *`,
    )
    .get({ ...account, currency: currency(account.currency) }) as AccountRow;
  return fromRow(row);
}

export function findAccount(db: Db, code: string): Account {
  const row = db.prepare("SELECT * FROM account WHERE code = ?").get(code) as AccountRow | undefined;
  if (row === undefined) {
    throw new AccountError(`no account ${code}`, code);
  }
  return fromRow(row);
}

export function listAccounts(db: Db, kind?: AccountKind): Account[] {
  const rows =
    kind === undefined
      ? db.prepare("SELECT * FROM account ORDER BY code").all()
      : db.prepare("SELECT * FROM account WHERE kind = ? ORDER BY code").all(kind);
  return (rows as AccountRow[]).map(fromRow);
}

/** Balance at the end of a day; the whole history when no day is given. */
export function balance(db: Db, account: Account, day?: string): Money {
  const row = db
    .prepare(
      `SELECT coalesce(sum(p.units), 0) AS units
         FROM posting p JOIN entry e ON e.id = p.entry_id
        WHERE p.account_id = @account AND (@day IS NULL OR e.booked_on <= @day)`,
    )
    .get({ account: account.id, day: day ?? null }) as { units: number };
  return { currency: account.currency, units: BigInt(row.units) };
}

export interface DayBalance {
  day: string;
  units: bigint;
}

/** End-of-day balances over a range, one row for each day on which something was booked. */
export function balanceSeries(db: Db, account: Account, from: string, to: string): DayBalance[] {
  const rows = db
    .prepare(
      `SELECT e.booked_on AS day, sum(p.units) AS units
         FROM posting p JOIN entry e ON e.id = p.entry_id
        WHERE p.account_id = @account AND e.booked_on BETWEEN @from AND @to
        GROUP BY e.booked_on ORDER BY e.booked_on`,
    )
    .all({ account: account.id, from, to }) as { day: string; units: number }[];
  let running = 0n;
  return rows.map(({ day, units }) => {
    running += BigInt(units);
    return { day, units: running };
  });
}

export function closeAccount(db: Db, account: Account, day: string): void {
  const open = balance(db, account);
  if (open.units !== 0n) {
    throw new AccountError(`account ${account.code} is not empty`, account.code);
  }
  db.prepare("UPDATE account SET closed_on = ? WHERE id = ?").run(day, account.id);
}

function fromRow(row: AccountRow): Account {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    currency: currency(row.currency),
    kind: row.kind,
    openedOn: row.opened_on,
    closedOn: row.closed_on,
  };
}
