import type { Money } from "../money.js";

export interface StatementLine {
  bookedOn: string;
  /** Unique within the bank; the key that makes an import idempotent. */
  reference: string;
  text: string;
  amount: Money;
}

export interface Statement {
  bank: string;
  /** Code of the account in our books. */
  account: string;
  lines: StatementLine[];
}

export class StatementError extends Error {
  constructor(message: string, readonly row: number) {
    super(`row ${row}: ${message}`);
    this.name = "StatementError";
  }
}
