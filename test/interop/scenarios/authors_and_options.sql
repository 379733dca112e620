-- Commit messages, options of every scope, a transaction over many things.
-- attach: DATA_INLINING_ROW_LIMIT 0
CREATE SCHEMA lake."s 1";
BEGIN;
CALL lake.set_commit_message('Ada', 'it''s "one"', extra_info => '{"k": [1, 2]}');
CREATE TABLE lake."s 1".t (i INTEGER DEFAULT 5, s VARCHAR NOT NULL DEFAULT 'x', d DATE DEFAULT '2020-01-01', f DOUBLE DEFAULT -1.5, b BOOLEAN DEFAULT true, e TIMESTAMP DEFAULT now());
CREATE TABLE lake.u AS SELECT range AS i FROM range(10);
INSERT INTO lake."s 1".t (i) VALUES (1), (2);
CREATE VIEW lake.v AS SELECT count(*) AS c FROM lake."s 1".t;
COMMIT;
BEGIN;
CALL lake.set_commit_message('', NULL);
DROP TABLE lake.u;
COMMIT;
CALL lake.set_option('target_file_size', '5MB');
CALL lake.set_option('target_file_size', '1GiB', schema => 's 1');
CALL lake.set_option('parquet_compression', 'zstd', schema => 's 1', table_name => 't');
CALL lake.set_option('expire_older_than', '3 months');
UPDATE lake."s 1".t SET e = '2020-01-01'
