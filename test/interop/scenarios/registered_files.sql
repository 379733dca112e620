-- Files from outside: columns in another order, missing, extra, narrower, from folder names; changed afterwards.
-- attach: DATA_INLINING_ROW_LIMIT 0
CREATE TABLE lake.t (id BIGINT, name VARCHAR DEFAULT 'none', s STRUCT(a INTEGER, b VARCHAR), year INTEGER);
INSERT INTO lake.t VALUES (1, 'own', {'a': 1, 'b': 'x'}, 2019);
COPY (SELECT {'b': 'y', 'a': 2::INTEGER} AS s, 'two' AS "NAME", 2::BIGINT AS id, 2020::INTEGER AS year) TO '{FILES}/two.parquet' (FORMAT parquet);
COPY (SELECT range::INTEGER AS id, 'extra' AS extra, NULL::STRUCT(a INTEGER, b VARCHAR) AS s FROM range(10, 20)) TO '{FILES}/three.parquet' (FORMAT parquet);
COPY (SELECT range::BIGINT AS id, 'h' || range AS name, {'a': range::INTEGER, 'b': NULL::VARCHAR} AS s, 2020 + (range % 2)::INTEGER AS year FROM range(30, 40)) TO '{FILES}/hive' (FORMAT parquet, PARTITION_BY (year));
CALL ducklake_add_data_files('lake', 't', '{FILES}/two.parquet');
CALL ducklake_add_data_files('lake', 't', '{FILES}/three.parquet', allow_missing => true, ignore_extra_columns => true);
CALL ducklake_add_data_files('lake', 't', '{FILES}/hive/*/*.parquet', hive_partitioning => true);
DELETE FROM lake.t WHERE id IN (12, 31);
ALTER TABLE lake.t RENAME COLUMN name TO label;
ALTER TABLE lake.t ADD COLUMN more DOUBLE DEFAULT 0.5;
UPDATE lake.t SET label = 'changed' WHERE id IN (2, 15, 38);
ALTER TABLE lake.t DROP COLUMN s;
INSERT INTO lake.t VALUES (99, 'last', 2022, 1)
