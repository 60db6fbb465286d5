/**
 * Amounts of money as integers in the smallest unit of a currency.
 *
 * Nothing in here uses floating point arithmetic: an amount that does not fit the currency is an error,
 * never a rounding.
 */

export type Currency = string & { readonly __currency: unique symbol };

export interface Money {
  readonly currency: Currency;
  /** Smallest units: cents for EUR. Negative for a credit. */
  readonly units: bigint;
}

export class MoneyError extends Error {
  constructor(message: string, readonly text: string) {
    super(message);
    this.name = "MoneyError";
  }
}

const CURRENCY_PATTERN = /^[A-Z]{3}$/;
const AMOUNT_PATTERN = /^([+-])?(\d{1,3}(?:[,']\d{3})+|\d+)(?:\.(\d+))?$/;

export function currency(code: string): Currency {
  if (!CURRENCY_PATTERN.test(code)) {
    throw new MoneyError(`not a currency code: ${code}`, code);
  }
  return code as Currency;
}

/** Parses `1,234.50` in the given currency. */
export function parseMoney(text: string, code: Currency): Money {
  const match = AMOUNT_PATTERN.exec(text.trim());
  if (match === null) {
    throw new MoneyError(`not an amount: ${text}`, text);
  }
  const [, sign, whole, fraction = ""] = match;
  if (fraction.length !== 2) {
    throw new MoneyError(`expected 2 digits after the point: ${text}`, text);
  }
  const digits = whole.replaceAll(/[,']/g, "") + fraction;
  const units = BigInt(digits);
  return { currency: code, units: sign === "-" ? -units : units };
}

/** Writes an amount the way `parseMoney` reads it, without grouping. */
export function formatMoney(money: Money): string {
  const negative = money.units < 0n;
  const digits = (negative ? -money.units : money.units).toString().padStart(3, "0");
  const whole = digits.slice(0, -2);
  const fraction = digits.slice(-2);
  return `${negative ? "-" : ""}${whole}.${fraction}`;
}

export function add(left: Money, right: Money): Money {
  requireSameCurrency(left, right);
  return { currency: left.currency, units: left.units + right.units };
}

export function negate(money: Money): Money {
  return { currency: money.currency, units: -money.units };
}

export function isZero(money: Money): boolean {
  return money.units === 0n;
}

/** Sums amounts per currency, so that a mixed list is no error. */
export function sumByCurrency(amounts: Iterable<Money>): Map<Currency, bigint> {
  const totals = new Map<Currency, bigint>();
  for (const { currency: code, units } of amounts) {
    totals.set(code, (totals.get(code) ?? 0n) + units);
  }
  return totals;
}

/** Splits an amount into parts that differ by at most one unit; the first parts are the larger ones. */
export function allocate(money: Money, parts: number): Money[] {
  if (!Number.isInteger(parts) || parts < 1) {
    throw new MoneyError(`cannot split into ${parts} parts`, String(parts));
  }
  const count = BigInt(parts);
  const base = money.units / count;
  let rest = money.units % count;
  const step = rest < 0n ? -1n : 1n;
  const result: Money[] = [];
  for (let index = 0; index < parts; index += 1) {
    const extra = rest === 0n ? 0n : step;
    rest -= extra;
    result.push({ currency: money.currency, units: base + extra });
  }
  return result;
}

function requireSameCurrency(left: Money, right: Money): void {
  if (left.currency !== right.currency) {
    throw new MoneyError(`cannot add ${right.currency} to ${left.currency}`, right.currency);
  }
}
