-- Deletion vectors in puffin form, alone and replaced by a second one.
-- attach: DATA_INLINING_ROW_LIMIT 0, WRITE_DELETION_VECTORS true
CREATE TABLE lake.t AS SELECT range::INTEGER AS id FROM range(1000);
DELETE FROM lake.t WHERE id % 10 = 3;
INSERT INTO lake.t SELECT range FROM range(2000, 2100);
DELETE FROM lake.t WHERE id BETWEEN 100 AND 300 OR id = 2050;
CREATE TABLE lake.big AS SELECT range AS i FROM range(150000);
DELETE FROM lake.big WHERE i % 2 = 0;
UPDATE lake.t SET id = id + 10000 WHERE id < 20
