import Fastify, { type FastifyInstance } from "fastify";
import { z } from "zod";
import { AccountError, balance, balanceSeries, findAccount, listAccounts } from "../accounts.js";
import { open, type Db } from "../db.js";
import { book, EntryError, listEntries } from "../entries.js";
import { currency, formatMoney, MoneyError, negate, parseMoney } from "../money.js";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const SeriesQuery = z.object({ from: z.string().regex(DAY), to: z.string().regex(DAY) });

interface TransferBody {
  from: string;
  to: string;
  amount: string;
  currency: string;
  text?: string;
  bookedOn: string;
}

export function build(db: Db, now: () => string): FastifyInstance {
  const app = Fastify({ logger: { level: process.env["LEDGER_LOG"] ?? "info" } });

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof AccountError) {
      return reply.status(404).send({ error: error.message });
    }
    if (error instanceof EntryError) {
      return reply.status(409).send({ error: error.message, reason: error.reason });
    }
    if (error instanceof MoneyError) {
      return reply.status(400).send({ error: error.message });
    }
    request.log.error(error);
    return reply.status(500).send({ error: "internal error" });
  });

  app.get("/health", async () => "ok");

  app.get("/accounts", async () =>
    listAccounts(db).map(({ code, name, kind, currency: unit }) => ({ code, name, kind, currency: unit })),
  );

  app.get<{ Params: { code: string } }>("/accounts/:code/balance", async (request) => {
    const account = findAccount(db, request.params.code);
    return { code: account.code, currency: account.currency, balance: formatMoney(balance(db, account)) };
  });

  app.get<{ Params: { code: string } }>("/accounts/:code/series", async (request) => {
    const { from, to } = SeriesQuery.parse(request.query);
    const account = findAccount(db, request.params.code);
    return balanceSeries(db, account, from, to).map(({ day, units }) => ({
      day,
      balance: formatMoney({ currency: account.currency, units }),
    }));
  });

  app.get<{ Querystring: { limit?: string; offset?: string } }>("/entries", async (request) => {
    const limit = Number(request.query.limit ?? "50");
    const offset = Number(request.query.offset ?? "0");
    return { entries: listEntries(db, limit, offset) };
  });

  app.post<{ Body: TransferBody }>("/transfers", async (request, reply) => {
    const body = request.body;
    const amount = parseMoney(body.amount, currency(body.currency));
    const id = book(
      db,
      {
        bookedOn: body.bookedOn,
        text: body.text ?? "transfer",
        postings: [
          { account: findAccount(db, body.to), amount },
          { account: findAccount(db, body.from), amount: negate(amount) },
        ],
      },
      now(),
    );
    return reply.status(201).send({ id });
  });

  return app;
}

if (process.argv[1]?.endsWith("server.js") === true) {
  const db = open({ file: process.env["LEDGER_DB"] ?? "ledger.db", migrations: "migrations" });
  const app = build(db, () => new Date().toISOString());
  await app.listen({ port: 8460, host: "127.0.0.1" });
}
