-- Files merged over several snapshots, then merged again: rows of each snapshot stay apart.
-- attach: DATA_INLINING_ROW_LIMIT 0
CREATE TABLE lake.t (id INTEGER, s VARCHAR);
INSERT INTO lake.t VALUES (1, 'a'), (2, 'b');
INSERT INTO lake.t VALUES (3, 'c');
INSERT INTO lake.t VALUES (4, 'd'), (5, NULL);
CALL ducklake_merge_adjacent_files('lake');
INSERT INTO lake.t VALUES (6, 'f');
DELETE FROM lake.t WHERE id = 2;
INSERT INTO lake.t VALUES (7, 'g');
INSERT INTO lake.t VALUES (8, 'h');
CALL ducklake_merge_adjacent_files('lake');
UPDATE lake.t SET s = 'updated' WHERE id IN (1, 7);
INSERT INTO lake.t VALUES (9, 'i');
CALL ducklake_merge_adjacent_files('lake');
CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)
