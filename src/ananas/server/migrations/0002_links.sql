-- Which browsers a guest has. Of each one's token only its SHA-256 is kept; the first is the one he came with.
CREATE TABLE devices (
    token_hash BLOB PRIMARY KEY,
    guest_id TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO devices SELECT token_hash, id, created_at FROM guests;

CREATE TABLE named (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO named SELECT id, name, created_at FROM guests;
DROP TABLE guests;
ALTER TABLE named RENAME TO guests;

-- Finished hands that somebody shared by a link, of which only the SHA-256 is kept. They are shown as `player` may know
-- them, or as a spectator may where it is null; `names`: whether those of players and table are told (0, 1).
CREATE TABLE shares (
    token_hash BLOB PRIMARY KEY,
    table_id TEXT NOT NULL,
    hand INTEGER NOT NULL,
    player TEXT,
    names INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
