import Database from "better-sqlite3";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Db = Database.Database;

export interface OpenOptions {
  /** Path of the database file, or `:memory:`. */
  file: string;
  /** Folder with the numbered migrations. */
  migrations: string;
}

/** Opens the database and brings its schema up to date. */
export function open(options: OpenOptions): Db {
  const db = new Database(options.file);
  db.pragma("journal_mode = WAL");
  db.pragma("foreign_keys = ON");
  db.pragma("busy_timeout = 5000");
  migrate(db, options.migrations);
  return db;
}

function migrate(db: Db, folder: string): void {
  const version = db.pragma("user_version", { simple: true }) as number;
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort();
  for (const name of files) {
    const number = Number.parseInt(name.slice(0, 4), 10);
    if (number <= version) {
      continue;
    }
    const sql = readFileSync(join(folder, name), "utf8");
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${number}`);
    })();
  }
}

/** Runs `work` in one transaction; a throw rolls everything back. */
export function inTransaction<T>(db: Db, work: () => T): T {
  return db.transaction(work).immediate();
}

/** Maps the errors that a caller can act on. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error as { code: string }).code === "SQLITE_CONSTRAINT_UNIQUE"
  );
}
