-- A browser's token is renewed from time to time. `replaces`: the hash of the one that this one came in place of, until the
-- browser has shown that it has it; `until`: when a token that was replaced is forgotten (room time in milliseconds).
ALTER TABLE devices ADD COLUMN replaces BLOB;
ALTER TABLE devices ADD COLUMN until INTEGER;
