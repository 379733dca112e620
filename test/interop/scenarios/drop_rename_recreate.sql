-- Names that are dropped, made anew, swapped and replaced, with rows in every form.
-- attach: DATA_INLINING_ROW_LIMIT 5
CREATE TABLE lake.a AS SELECT range AS i FROM range(10);
CREATE TABLE lake.b (s VARCHAR);
INSERT INTO lake.b VALUES ('x'), ('y');
BEGIN;
ALTER TABLE lake.a RENAME TO tmp;
ALTER TABLE lake.b RENAME TO a;
ALTER TABLE lake.tmp RENAME TO b;
COMMIT;
INSERT INTO lake.a VALUES ('z');
INSERT INTO lake.b SELECT range FROM range(100, 110);
CREATE OR REPLACE TABLE lake.a AS SELECT 1.5 AS d;
DROP TABLE lake.b;
CREATE TABLE lake.b (k DATE);
INSERT INTO lake.b VALUES ('2020-01-01');
BEGIN;
DROP TABLE lake.b;
CREATE TABLE lake.b (k INTEGER);
INSERT INTO lake.b VALUES (7);
COMMIT;
CREATE SCHEMA lake.s;
CREATE TABLE lake.s.t AS SELECT 1 AS i;
DROP SCHEMA lake.s CASCADE;
CREATE SCHEMA lake.s;
CREATE TABLE lake.s.t AS SELECT 'again' AS s
