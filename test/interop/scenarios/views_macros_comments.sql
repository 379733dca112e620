-- Views, macros and comments, replaced, renamed and dropped; odd names.
-- attach: DATA_INLINING_ROW_LIMIT 0
CREATE SCHEMA lake."odd ""schema"".x";
CREATE TABLE lake."odd ""schema"".x"."a table" AS SELECT range AS "from", 'lake.x' AS s FROM range(5);
CREATE TABLE lake.t AS SELECT range AS i FROM range(3);
CREATE VIEW lake.v AS SELECT i + 1 AS j FROM lake.t WHERE i <> 5;
CREATE VIEW lake.aliased (x, "y z") AS SELECT i, 'lake.main.t' FROM lake.main.t;
CREATE VIEW lake."odd ""schema"".x"."a view" AS SELECT a."from", b.j FROM lake."odd ""schema"".x"."a table" a JOIN lake.main.v b ON a."from" = b.j;
CREATE VIEW lake.no_table AS SELECT 42 AS answer, DATE '2020-01-01' AS d;
CREATE MACRO lake.twice(x) AS x * 2;
CREATE MACRO lake.upto(n, step := 1) AS TABLE SELECT * FROM range(0, n, step);
COMMENT ON TABLE lake.t IS 'it''s a table';
COMMENT ON COLUMN lake.t.i IS 'a column';
COMMENT ON VIEW lake.v IS 'a view';
CREATE OR REPLACE VIEW lake.v AS SELECT i * 10 AS j FROM lake.t;
ALTER VIEW lake.aliased RENAME TO "renamed view";
COMMENT ON TABLE lake.t IS NULL;
COMMENT ON TABLE lake."odd ""schema"".x"."a table" IS 'stays';
DROP MACRO lake.twice;
DROP VIEW lake.no_table;
ALTER TABLE lake.t RENAME TO tt;
ALTER TABLE lake.tt RENAME TO t
