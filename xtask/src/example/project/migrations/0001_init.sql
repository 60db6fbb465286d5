CREATE TABLE account (
  id        INTEGER PRIMARY KEY,
  code      TEXT NOT NULL UNIQUE,
  name      TEXT NOT NULL,
  currency  TEXT NOT NULL CHECK (length(currency) = 3),
  kind      TEXT NOT NULL CHECK (kind IN ('asset', 'liability', 'income', 'expense', 'equity')),
  opened_on TEXT NOT NULL,
  closed_on TEXT
) STRICT;

CREATE TABLE entry (
  id         INTEGER PRIMARY KEY,
  booked_on  TEXT NOT NULL,
  text       TEXT NOT NULL,
  reverses   INTEGER REFERENCES entry (id),
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE posting (
  entry_id   INTEGER NOT NULL REFERENCES entry (id),
  line       INTEGER NOT NULL,
  account_id INTEGER NOT NULL REFERENCES account (id),
  currency   TEXT NOT NULL,
  units      INTEGER NOT NULL,
  PRIMARY KEY (entry_id, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE statement_line (
  bank       TEXT NOT NULL,
  reference  TEXT NOT NULL,
  entry_id   INTEGER NOT NULL REFERENCES entry (id),
  imported_at TEXT NOT NULL,
  PRIMARY KEY (bank, reference)
) STRICT, WITHOUT ROWID;

CREATE INDEX posting_by_account ON posting (account_id, entry_id);
