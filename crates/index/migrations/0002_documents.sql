CREATE TABLE sources (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    version INTEGER NOT NULL,
    overview TEXT,
    overview_key BLOB,
    created_ms INTEGER NOT NULL,
    imported_ms INTEGER,
    CHECK ((overview IS NULL) = (overview_key IS NULL))
) STRICT;

-- Numbers are never given twice, so that one that was read before a change finds nothing after it.
CREATE TABLE documents (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES sources (id),
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    date TEXT,
    created_at_manual INTEGER NOT NULL CHECK (created_at_manual IN (0, 1)),
    kind TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    chars INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    file_bytes INTEGER NOT NULL,
    file_modified_ms INTEGER NOT NULL,
    summary TEXT,
    summary_by TEXT CHECK (summary_by IN ('auto', 'owner')),
    -- Content hash that the summary was made from: another one than content_hash is stale.
    summary_of BLOB,
    UNIQUE (source, path),
    CHECK ((summary IS NULL) = (summary_by IS NULL) AND (summary IS NULL) = (summary_of IS NULL))
) STRICT;

-- Full texts, apart from the documents, so that lists of documents are read without walking them.
CREATE TABLE contents (
    document INTEGER NOT NULL PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    codec INTEGER NOT NULL CHECK (codec IN (0, 1)),
    length INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;

-- A chunk is a byte range of its document's text; at position -1 it is the summary.
CREATE TABLE chunks (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    position INTEGER NOT NULL CHECK (position >= -1),
    first INTEGER NOT NULL,
    past INTEGER NOT NULL,
    trail TEXT NOT NULL,
    is_summary INTEGER NOT NULL AS (position = -1) VIRTUAL,
    UNIQUE (document, position)
) STRICT;

CREATE TABLE folders (
    source INTEGER NOT NULL REFERENCES sources (id),
    path TEXT NOT NULL,
    summary TEXT NOT NULL,
    key BLOB NOT NULL,
    PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE vector_models (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL
) STRICT;

-- Numbers of 32 bits, little endian. The table has row ids, because rows of this size do not fit
-- the pages of an index.
CREATE TABLE vectors (
    id INTEGER NOT NULL PRIMARY KEY,
    chunk INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
    model INTEGER NOT NULL REFERENCES vector_models (id),
    data BLOB NOT NULL,
    UNIQUE (chunk, model)
) STRICT;

CREATE TABLE calibrations (
    model TEXT NOT NULL PRIMARY KEY,
    dense_weight REAL NOT NULL,
    gain REAL NOT NULL,
    gain_low REAL NOT NULL,
    gain_high REAL NOT NULL,
    k REAL NOT NULL,
    threshold REAL NOT NULL,
    threshold_low REAL NOT NULL,
    threshold_high REAL NOT NULL,
    -- Quantiles, eight bytes each, little-endian.
    coverage BLOB NOT NULL,
    cosine BLOB NOT NULL,
    pairs INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The texts are in `contents`, so the indexes keep none. The title stands on every chunk: the best
-- chunk speaks for its document.
CREATE VIRTUAL TABLE chunks_fts USING fts5 (
    title, trail, text, bigrams,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61'
);

-- Only text that is neither Latin nor in `bigrams`: over Latin text it would cost five times the
-- import and find nothing that a plain scan does not.
CREATE VIRTUAL TABLE chunks_tri USING fts5 (
    text,
    content = '', contentless_delete = 1, tokenize = 'trigram'
);
