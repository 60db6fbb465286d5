import { describe, expect, it } from "vitest";
import { exponent } from "../src/currency.js";
import { currency, formatMoney, MoneyError, parseMoney } from "../src/money.js";

describe("minor units", () => {
  it.each([
    ["500", "JPY", 500n],
    ["1,200", "JPY", 1200n],
    ["-4800", "JPY", -4800n],
    ["1.234", "KWD", 1234n],
    ["12.50", "EUR", 1250n],
  ])("reads %s in %s", (text, code, units) => {
    expect(parseMoney(text, currency(code)).units).toBe(units);
  });

  it.each([
    ["5.5", "JPY"],
    ["1.23", "KWD"],
  ])("refuses %s in %s", (text, code) => {
    expect(() => parseMoney(text, currency(code))).toThrow(MoneyError);
  });

  it.each([
    ["JPY", ["0", "5", "500", "-4800"]],
    ["KWD", ["0.001", "1.234", "-20.000"]],
  ])("writes what it reads in %s", (code, texts) => {
    for (const text of texts) {
      expect(formatMoney(parseMoney(text, currency(code)))).toBe(text);
    }
  });

  it("refuses a currency that the table does not have", () => {
    expect(() => exponent("ABC")).toThrow("no decimal places known for ABC");
  });
});
