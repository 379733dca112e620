-- Many files of one insert, a file for each thread, small row groups, other compressions.
-- attach: DATA_INLINING_ROW_LIMIT 10
CALL lake.set_option('target_file_size', '100KB');
CALL lake.set_option('parquet_compression', 'zstd');
CALL lake.set_option('parquet_row_group_size', 2048);
CREATE TABLE lake.t AS SELECT range AS id, md5(range::VARCHAR) AS s FROM range(5000);
CALL lake.set_option('per_thread_output', true);
INSERT INTO lake.t SELECT range, 'x' FROM range(10000, 10500);
CALL lake.set_option('parquet_version', 2, table_name => 't');
CALL lake.set_option('parquet_compression', 'gzip', table_name => 't');
INSERT INTO lake.t SELECT range, 'v2' FROM range(20000, 20500);
DELETE FROM lake.t WHERE id % 100 = 7;
INSERT INTO lake.t VALUES (1, 'inlined')
