CREATE TABLE conversation (
    id TEXT NOT NULL PRIMARY KEY,
    format TEXT NOT NULL,
    session_id TEXT NOT NULL,
    title TEXT NOT NULL,
    -- No foreign key: a parent may be forgotten while its children stay.
    parent TEXT,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Originals by the SHA-256 of their bytes. Data comes last, so that the other columns are read
-- without walking it.
CREATE TABLE blob (
    id INTEGER NOT NULL PRIMARY KEY,
    address BLOB NOT NULL UNIQUE,
    codec INTEGER NOT NULL CHECK (codec IN (0, 1)),
    length INTEGER NOT NULL,
    data BLOB NOT NULL
) STRICT;

CREATE TABLE batch (
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    raw_chars INTEGER NOT NULL,
    summary_chars INTEGER NOT NULL,
    summary TEXT NOT NULL,
    PRIMARY KEY (conversation, number)
) STRICT;

-- A call is kept when it has a short ref; else left_reason says why it was left.
CREATE TABLE call (
    conversation TEXT NOT NULL,
    batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    provider_id TEXT NOT NULL,
    occurrence INTEGER NOT NULL,
    tool TEXT NOT NULL,
    is_error INTEGER NOT NULL,
    timestamp INTEGER,
    lines INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    left_reason TEXT,
    short INTEGER,
    duplicate INTEGER,
    content_hash TEXT,
    args INTEGER REFERENCES blob (id),
    result INTEGER REFERENCES blob (id),
    bullets TEXT,
    rendering TEXT,
    UNIQUE (provider_id, conversation, occurrence),
    UNIQUE (conversation, batch, position),
    FOREIGN KEY (conversation, batch) REFERENCES batch (conversation, number) ON DELETE CASCADE,
    CHECK (
        CASE WHEN short IS NULL
        THEN left_reason IS NOT NULL
        ELSE left_reason IS NULL AND duplicate IS NOT NULL AND content_hash IS NOT NULL
            AND args IS NOT NULL AND result IS NOT NULL
            AND bullets IS NOT NULL AND rendering IS NOT NULL
        END
    )
) STRICT;

CREATE INDEX call_by_short ON call (short, conversation, batch, position) WHERE short IS NOT NULL;
CREATE INDEX call_by_args ON call (args);
CREATE INDEX call_by_result ON call (result);

CREATE TABLE rendering (
    id INTEGER NOT NULL PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    output BLOB NOT NULL UNIQUE,
    output_length INTEGER NOT NULL,
    source BLOB NOT NULL,
    source_length INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX rendering_by_conversation ON rendering (conversation);
CREATE INDEX rendering_by_length ON rendering (output_length DESC, output);

CREATE TABLE edit (
    rendering INTEGER NOT NULL REFERENCES rendering (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    byte_offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    original INTEGER NOT NULL REFERENCES blob (id),
    PRIMARY KEY (rendering, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX edit_by_original ON edit (original);
