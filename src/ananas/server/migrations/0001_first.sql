-- Who has said a name here. Of the token only its SHA-256 is kept.
CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a table: where its log ends, and when it must be woken (room time in milliseconds; null: it sleeps).
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    hash BLOB NOT NULL,
    due_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX tables_due ON tables (due_at) WHERE due_at IS NOT NULL;

-- The log: one row a kept command, each chained to the one before. Here is only what everybody may know.
CREATE TABLE events (
    table_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    command_id TEXT,
    events TEXT NOT NULL,
    secrets_hash BLOB,
    hash BLOB NOT NULL,
    PRIMARY KEY (table_id, version),
    UNIQUE (table_id, command_id)
) STRICT, WITHOUT ROWID;

-- What is hidden for now or for ever: decks, discards. Joined only by recovery and by `ananas check`.
CREATE TABLE secrets (
    table_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    salt BLOB NOT NULL,
    hidden TEXT NOT NULL,
    PRIMARY KEY (table_id, version)
) STRICT, WITHOUT ROWID;

-- When the room was last seen alive (room time in milliseconds).
CREATE TABLE room (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    alive_at INTEGER NOT NULL
) STRICT;
