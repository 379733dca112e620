-- Snapshots with gaps after expiry, files cleaned up, ids that go on.
-- attach: DATA_INLINING_ROW_LIMIT 3
CREATE TABLE lake.t (id INTEGER);
INSERT INTO lake.t SELECT range FROM range(10);
INSERT INTO lake.t VALUES (100);
DELETE FROM lake.t WHERE id < 3;
CREATE TABLE lake.gone AS SELECT range AS i FROM range(10);
DROP TABLE lake.gone;
UPDATE lake.t SET id = id + 1000 WHERE id = 100;
INSERT INTO lake.t SELECT range FROM range(20, 30);
CALL ducklake_expire_snapshots('lake', versions => [1, 2, 4, 5, 6]);
CALL ducklake_cleanup_old_files('lake', cleanup_all => true);
INSERT INTO lake.t VALUES (200)
