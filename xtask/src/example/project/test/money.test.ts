import { describe, expect, it } from "vitest";
import { add, allocate, currency, formatMoney, MoneyError, parseMoney } from "../src/money.js";

const EUR = currency("EUR");

describe("parseMoney", () => {
  it.each([
    ["0.00", 0n],
    ["1.05", 105n],
    ["-3.20", -320n],
    ["+7.00", 700n],
    ["1,234.50", 123450n],
    ["1'234'567.89", 123456789n],
  ])("reads %s", (text, units) => {
    expect(parseMoney(text, EUR)).toEqual({ currency: "EUR", units });
  });

  it.each(["", "1", "1.5", "1.234", "12,34.00", "one", "--1.00", "1.00 EUR"])("refuses %j", (text) => {
    expect(() => parseMoney(text, EUR)).toThrow(MoneyError);
  });
});

describe("formatMoney", () => {
  it.each([
    [0n, "0.00"],
    [5n, "0.05"],
    [-5n, "-0.05"],
    [123450n, "1234.50"],
  ])("writes %s", (units, text) => {
    expect(formatMoney({ currency: EUR, units })).toBe(text);
  });
});

describe("add", () => {
  it("adds units", () => {
    expect(add(parseMoney("1.10", EUR), parseMoney("2.20", EUR)).units).toBe(330n);
  });

  it("refuses two currencies", () => {
    expect(() => add(parseMoney("1.00", EUR), parseMoney("1.00", currency("USD")))).toThrow("cannot add USD to EUR");
  });
});

describe("allocate", () => {
  it.each([
    [100n, 3, [34n, 33n, 33n]],
    [-100n, 3, [-34n, -33n, -33n]],
    [2n, 4, [1n, 1n, 0n, 0n]],
  ])("splits %s into %s", (units, parts, expected) => {
    expect(allocate({ currency: EUR, units }, parts).map((part) => part.units)).toEqual(expected);
  });
});
