-- A flush as the last thing that happened: its delete files are of several snapshots and do not say so.
-- attach: DATA_INLINING_ROW_LIMIT 10
CREATE TABLE lake.t (id INTEGER, s VARCHAR);
INSERT INTO lake.t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
DELETE FROM lake.t WHERE id = 1;
UPDATE lake.t SET s = 'B' WHERE id = 2;
INSERT INTO lake.t VALUES (5, 'e');
DELETE FROM lake.t WHERE id IN (3, 5);
CALL ducklake_flush_inlined_data('lake');
CREATE TABLE lake.other (i INTEGER)
