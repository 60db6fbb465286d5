import { beforeEach, describe, expect, it } from "vitest";
import type { FastifyInstance } from "fastify";
import { openAccount } from "../src/accounts.js";
import { open } from "../src/db.js";
import { build } from "../src/http/server.js";

const TRANSFER = { from: "1200", to: "4100", amount: "12.50", currency: "EUR", bookedOn: "2025-11-24" };

let app: FastifyInstance;

beforeEach(() => {
  process.env["LEDGER_LOG"] = "silent";
  const db = open({ file: ":memory:", migrations: "migrations" });
  for (const [code, kind] of [["1200", "asset"], ["4100", "expense"]] as const) {
    openAccount(db, { code, name: code, currency: "EUR", kind, openedOn: "2024-01-01" });
  }
  app = build(db, () => "2025-11-24T09:00:00Z");
});

function transfer(body: object) {
  return app.inject({ method: "POST", url: "/transfers", payload: body });
}

describe("POST /transfers", () => {
  it("books a transfer", async () => {
    expect((await transfer(TRANSFER)).statusCode).toBe(201);
    const answer = await app.inject("/accounts/4100/balance");
    expect(answer.json()).toEqual({ code: "4100", currency: "EUR", balance: "12.50" });
  });

  it.each(["amount", "bookedOn"])("answers 400 without %s", async (field) => {
    const answer = await transfer({ ...TRANSFER, [field]: undefined });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields).toEqual({ [field]: ["Required"] });
  });

  it("answers 400 for an amount that is none", async () => {
    expect((await transfer({ ...TRANSFER, amount: "a lot" })).statusCode).toBe(400);
  });

  it("answers 404 for an unknown account", async () => {
    expect((await transfer({ ...TRANSFER, to: "7777" })).statusCode).toBe(404);
  });
});

describe("GET /accounts/:code/series", () => {
  it("answers 400 without a range", async () => {
    expect((await app.inject("/accounts/1200/series")).statusCode).toBe(400);
  });
});
