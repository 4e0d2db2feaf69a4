-- What a command said, as a hash: its id, sent again with other words, is not answered as if it had been kept. Null
-- where the command is the room's own, or was kept before this was noted.
ALTER TABLE events ADD COLUMN body_hash BLOB;

-- The log is only added to. Whoever owns the file can take these away; nothing does so by mistake.
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER events_are_not_removed BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER secrets_stay BEFORE UPDATE ON secrets BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER secrets_are_not_removed BEFORE DELETE ON secrets
BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;

-- Who has looked at what is hidden, each entry chained to the one before: wall time in milliseconds, who, and what.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    what TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;

CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;

-- What the coach has said holds cards that one player alone has seen. From here on it cannot be read without the secrets of
-- its table; what was said before is said anew when somebody asks.
DELETE FROM reviews;
