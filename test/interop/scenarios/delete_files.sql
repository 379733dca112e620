-- Delete files: of one snapshot, partial ones of several, whole files retired, tables emptied.
-- attach: DATA_INLINING_ROW_LIMIT 0
CREATE TABLE lake.t AS SELECT range::INTEGER AS id, range % 7 AS k FROM range(200);
DELETE FROM lake.t WHERE k = 3;
INSERT INTO lake.t SELECT range, 100 FROM range(1000, 1020);
DELETE FROM lake.t WHERE id < 10 OR id = 1005;
DELETE FROM lake.t WHERE id = 150;
DELETE FROM lake.t WHERE id BETWEEN 40 AND 90 AND k = 5;
BEGIN;
DELETE FROM lake.t WHERE id = 151;
DELETE FROM lake.t WHERE id = 152;
INSERT INTO lake.t VALUES (5000, 0);
DELETE FROM lake.t WHERE id = 5000;
COMMIT;
DELETE FROM lake.t WHERE id >= 1000;
CREATE TABLE lake.u AS SELECT range AS i FROM range(50);
DELETE FROM lake.u WHERE i > 25;
TRUNCATE lake.u;
INSERT INTO lake.u VALUES (7)
