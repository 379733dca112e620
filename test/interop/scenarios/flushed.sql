-- Inlined rows and deletes flushed to files, with rows that had been updated or deleted before.
-- attach: DATA_INLINING_ROW_LIMIT 10
CREATE TABLE lake.t (id INTEGER, s VARCHAR);
INSERT INTO lake.t VALUES (1, 'a'), (2, 'b'), (3, 'c');
UPDATE lake.t SET s = 'B' WHERE id = 2;
DELETE FROM lake.t WHERE id = 1;
INSERT INTO lake.t VALUES (4, 'd');
UPDATE lake.t SET s = 'BB' WHERE id = 2;
CALL ducklake_flush_inlined_data('lake');
DELETE FROM lake.t WHERE id = 3;
INSERT INTO lake.t VALUES (5, 'e');
DELETE FROM lake.t WHERE id = 4;
INSERT INTO lake.t SELECT range, 'many' FROM range(100, 150);
DELETE FROM lake.t WHERE id IN (101, 102);
CALL ducklake_flush_inlined_data('lake');
INSERT INTO lake.t VALUES (6, 'f');
UPDATE lake.t SET s = 'last' WHERE id = 110
