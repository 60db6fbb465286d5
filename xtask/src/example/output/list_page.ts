export interface Page {
  entries: ListedEntry[];
  /** Cursor of the next page, null on the last one. */
  next: string | null;
}

interface EntryRow {
  id: number;
  booked_on: string;
  text: string;
}

/** Lists the newest entries first, from behind a cursor on. */
export function listPage(db: Db, limit: number, after?: string): Page {
  const { day, id } = after === undefined ? { day: "9999-12-31", id: 0 } : readCursor(after);
  const rows = db
    .prepare(
      `SELECT id, booked_on, text FROM entry WHERE (booked_on, id) < (@day, @id)
        ORDER BY booked_on DESC, id DESC LIMIT @limit`,
    )
    .all({ day, id, limit }) as EntryRow[];
  const last = rows.at(-1);
  const next = rows.length === limit && last !== undefined ? writeCursor(last) : null;
  const entries = rows.map((row) => ({
    id: row.id,
    bookedOn: row.booked_on,
    text: row.text,
    postings: postingsOf(db, row.id),
  }));
  return { entries, next };
}

function writeCursor(row: EntryRow): string {
  return Buffer.from(`${row.booked_on}/${row.id}`).toString("base64url");
}

function readCursor(cursor: string): { day: string; id: number } {
  const match = /^(\d{4}-\d{2}-\d{2})\/(\d+)$/.exec(Buffer.from(cursor, "base64url").toString());
  if (match === null) {
    throw new EntryError("the cursor is not one of ours", "unknown");
  }
  const [, day = "", id = ""] = match;
  return { day, id: Number(id) };
}
