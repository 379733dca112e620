-- Tables partitioned by values, parts of dates and buckets, with NULLs, odd values and a change of the partitioning.
-- attach: DATA_INLINING_ROW_LIMIT 0
CREATE TABLE lake.t (id INTEGER, g VARCHAR, d TIMESTAMP);
INSERT INTO lake.t VALUES (0, 'before', '2019-01-01');
ALTER TABLE lake.t SET PARTITIONED BY (g, year(d), month(d));
INSERT INTO lake.t SELECT range, ['a', 'b=1', 'c/d', NULL, '', '%41 é'][1 + range % 6], TIMESTAMP '2020-11-15' + INTERVAL (range * 20) DAY FROM range(24);
ALTER TABLE lake.t SET PARTITIONED BY (bucket(4, id));
INSERT INTO lake.t SELECT range, 'bucket', NULL FROM range(100, 120);
ALTER TABLE lake.t RESET PARTITIONED BY;
INSERT INTO lake.t VALUES (200, 'none', '2020-01-01');
UPDATE lake.t SET g = 'moved' WHERE id IN (3, 110, 200);
DELETE FROM lake.t WHERE id % 10 = 5;
CREATE TABLE lake.flat (k INTEGER, v VARCHAR);
CALL lake.set_option('hive_file_pattern', false, table_name => 'flat');
ALTER TABLE lake.flat SET PARTITIONED BY (k);
INSERT INTO lake.flat SELECT range % 3, 'v' || range FROM range(9);
CALL ducklake_merge_adjacent_files('lake')
