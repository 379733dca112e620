-- A sorted table, flushed and merged: row ids no longer run with the place in the file.
-- attach: DATA_INLINING_ROW_LIMIT 10
CREATE TABLE lake.t (id INTEGER, v INTEGER);
ALTER TABLE lake.t SET SORTED BY (v DESC NULLS LAST);
INSERT INTO lake.t SELECT range, (range * 7) % 11 FROM range(30);
INSERT INTO lake.t VALUES (100, 3), (101, NULL), (102, 20);
DELETE FROM lake.t WHERE v = 3;
CALL ducklake_flush_inlined_data('lake');
INSERT INTO lake.t SELECT range, range FROM range(200, 230);
CALL ducklake_merge_adjacent_files('lake');
CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)
