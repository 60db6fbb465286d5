import { currency, negate, parseMoney } from "../money.js";
import { StatementError, type Statement, type StatementLine } from "./statement.js";

/**
 * Reads the part of camt.053 that we need: account, entries, amounts, references.
 *
 * The files are produced by machines and always have the same shape, so a handful of patterns is enough and
 * saves us an XML library. Anything else is an error with the number of the entry.
 */
export function parseCamt(text: string): Statement {
  const account = first(text, "Id", 0);
  const bank = first(text, "BICFI", 0);
  const lines: StatementLine[] = [];
  for (const [index, block] of blocks(text, "Ntry").entries()) {
    lines.push(toLine(block, index + 1));
  }
  return { bank, account, lines };
}

function toLine(block: string, row: number): StatementLine {
  const amount = /<Amt Ccy="([A-Z]{3})">([^<]+)<\/Amt>/.exec(block);
  if (amount === null) {
    throw new StatementError("the amount is missing", row);
  }
  const [, code = "", digits = ""] = amount;
  const money = parseMoney(digits, currency(code));
  return {
    bookedOn: first(block, "Dt", row),
    reference: first(block, "AcctSvcrRef", row),
    text: optional(block, "Ustrd") ?? optional(block, "AddtlNtryInf") ?? "",
    amount: first(block, "CdtDbtInd", row) === "DBIT" ? negate(money) : money,
  };
}

function blocks(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].map((match) => match[1] ?? "");
}

function optional(text: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
}

function first(text: string, name: string, row: number): string {
  const value = optional(text, name);
  if (value === undefined) {
    throw new StatementError(`element ${name} is missing`, row);
  }
  return value;
}
