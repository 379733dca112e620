-- Small deletes of rows in files, kept in the catalog, beside delete files and inlined rows.
-- attach: DATA_INLINING_ROW_LIMIT 10
CREATE TABLE lake.t AS SELECT range::INTEGER AS id, 'r' || range AS s FROM range(100);
DELETE FROM lake.t WHERE id IN (3, 5, 7);
INSERT INTO lake.t VALUES (200, 'in'), (201, 'lined'), (202, 'rows');
DELETE FROM lake.t WHERE id IN (8, 201);
INSERT INTO lake.t SELECT range, 'second' FROM range(300, 350);
DELETE FROM lake.t WHERE id BETWEEN 20 AND 60;
DELETE FROM lake.t WHERE id = 310 OR id = 99;
UPDATE lake.t SET s = 'updated' WHERE id IN (0, 1, 200, 349);
DELETE FROM lake.t WHERE id >= 300 AND id < 340;
INSERT INTO lake.t SELECT id + 1000, s FROM lake.t WHERE id < 10
