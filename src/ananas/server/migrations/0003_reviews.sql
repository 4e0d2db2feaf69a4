-- What the coach has said of finished hands, each to one who played it: the streets, as JSON that zlib has packed. `coach`
-- is which coach it was: a newer one says it anew.
CREATE TABLE reviews (
    table_id TEXT NOT NULL,
    hand INTEGER NOT NULL,
    player TEXT NOT NULL,
    coach INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (table_id, hand, player)
) STRICT, WITHOUT ROWID;

-- The puzzle of each day (YYYY-MM-DD, UTC), as JSON: the same all day long, whatever is started meanwhile.
CREATE TABLE puzzles (
    day TEXT PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
