-- Rows that keep their row id through UPDATE and MERGE, in files and in the catalog.
-- attach: DATA_INLINING_ROW_LIMIT 5
CREATE TABLE lake.t AS SELECT range::INTEGER AS id, 'v0' AS v FROM range(50);
INSERT INTO lake.t VALUES (100, 'v0'), (101, 'v0');
UPDATE lake.t SET v = 'v1' WHERE id < 20;
UPDATE lake.t SET v = 'v2' WHERE id IN (1, 2, 100);
MERGE INTO lake.t USING (SELECT unnest([3, 101, 500]) AS id) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = 'merged' WHEN NOT MATCHED THEN INSERT VALUES (s.id, 'new');
UPDATE lake.t SET v = v || '!' WHERE id % 5 = 0;
DELETE FROM lake.t WHERE id = 5;
UPDATE lake.t SET id = id + 1000
