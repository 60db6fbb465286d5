/**
 * Decimal places of currencies. Two is the rule; the table holds the exceptions and the codes that we accept.
 *
 * Checked against the list of minor units on 2025-11-24.
 */

const NONE = ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "XAF", "XOF"];
const THREE = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];
const FOUR = ["CLF"];
const TWO = [
  "AED", "ARS", "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EGP", "EUR", "GBP", "HKD", "HUF", "ILS", "INR",
  "MXN", "NOK", "NZD", "PLN", "SEK", "SGD", "TRY", "USD", "ZAR",
];

const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...NONE.map((code): [string, number] => [code, 0]),
  ...TWO.map((code): [string, number] => [code, 2]),
  ...THREE.map((code): [string, number] => [code, 3]),
  ...FOUR.map((code): [string, number] => [code, 4]),
]);

/** Number of digits after the point. An unknown code is an error: guessing two would book a wrong amount. */
export function exponent(code: string): number {
  const places = EXPONENTS.get(code);
  if (places === undefined) {
    throw new RangeError(`no decimal places known for ${code}`);
  }
  return places;
}
