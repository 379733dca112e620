CREATE TABLE ducklake_column(column_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, table_id BIGINT, column_order BIGINT, column_name VARCHAR, column_type VARCHAR, initial_default VARCHAR, default_value VARCHAR, nulls_allowed BIGINT, parent_column BIGINT, default_value_type VARCHAR, default_value_dialect VARCHAR);
INSERT INTO "ducklake_column" VALUES
(1, 1, NULL, 1, 1, 'i', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 8, NULL, 2, 1, 'b', 'boolean', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(2, 8, NULL, 2, 2, 'i1', 'int8', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(3, 8, NULL, 2, 3, 'i2', 'int16', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(4, 8, NULL, 2, 4, 'i4', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(5, 8, NULL, 2, 5, 'i8', 'int64', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(6, 8, NULL, 2, 6, 'u1', 'uint8', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(7, 8, NULL, 2, 7, 'u2', 'uint16', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(8, 8, NULL, 2, 8, 'u4', 'uint32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(9, 8, NULL, 2, 9, 'u8', 'uint64', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(10, 8, NULL, 2, 10, 'f', 'float32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(11, 8, NULL, 2, 11, 'd', 'float64', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(12, 8, NULL, 2, 12, 'dec', 'decimal(10,2)', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(13, 8, NULL, 2, 13, 'dt', 'date', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(14, 8, NULL, 2, 14, 't', 'time', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(15, 8, NULL, 2, 15, 'ts', 'timestamp', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(16, 8, NULL, 2, 16, 'tz', 'timestamptz', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(17, 8, NULL, 2, 17, 'tss', 'timestamp_s', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(18, 8, NULL, 2, 18, 'tms', 'timestamp_ms', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(19, 8, NULL, 2, 19, 'tns', 'timestamp_ns', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(20, 8, NULL, 2, 20, 'v', 'varchar', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(21, 8, NULL, 2, 21, 'bl', 'blob', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(22, 8, NULL, 2, 22, 'u', 'uuid', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(23, 8, NULL, 2, 23, 'j', 'json', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(24, 8, NULL, 2, 24, 'l', 'list', NULL, 'NULL', 1, NULL, '', 'duckdb'),
(25, 8, NULL, 2, 25, 'element', 'int32', NULL, 'NULL', 1, 24, 'literal', 'duckdb'),
(26, 8, NULL, 2, 26, 's', 'struct', NULL, 'NULL', 1, NULL, '', 'duckdb'),
(27, 8, NULL, 2, 27, 'x', 'int32', NULL, 'NULL', 1, 26, 'literal', 'duckdb'),
(28, 8, NULL, 2, 28, 'y', 'varchar', NULL, 'NULL', 1, 26, 'literal', 'duckdb'),
(29, 8, NULL, 2, 29, 'm', 'map', NULL, 'NULL', 1, NULL, '', 'duckdb'),
(30, 8, NULL, 2, 30, 'key', 'varchar', NULL, 'NULL', 1, 29, 'literal', 'duckdb'),
(31, 8, NULL, 2, 31, 'value', 'int32', NULL, 'NULL', 1, 29, 'literal', 'duckdb'),
(1, 10, 83, 3, 1, 'i', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(2, 10, 83, 3, 2, 'v', 'varchar', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 16, NULL, 4, 1, 'i', 'int64', NULL, 'NULL', 0, NULL, 'literal', 'duckdb'),
(2, 16, NULL, 4, 2, 'v', 'varchar', 'x', 'x', 1, NULL, 'literal', 'duckdb'),
(3, 16, NULL, 4, 3, 'd', 'float64', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 23, 29, 5, 1, 'x', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(2, 23, 30, 5, 2, 'y', 'float32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(3, 23, NULL, 5, 3, 's', 'struct', NULL, 'NULL', 1, NULL, '', 'duckdb'),
(4, 23, NULL, 5, 4, 'p', 'int32', NULL, 'NULL', 1, 3, 'literal', 'duckdb'),
(5, 26, 33, 5, 5, 'z', 'int32', '42', '42', 1, NULL, 'literal', 'duckdb'),
(1, 29, 36, 5, 1, 'xx', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(2, 30, NULL, 5, 2, 'y', 'float64', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(6, 32, NULL, 5, 6, 'r', 'varchar', NULL, 'NULL', 0, 3, 'literal', 'duckdb'),
(1, 36, 37, 5, 1, 'xx', 'int32', NULL, '7', 1, NULL, 'literal', 'duckdb'),
(1, 37, 38, 5, 1, 'xx', 'int32', NULL, '7', 0, NULL, 'literal', 'duckdb'),
(1, 38, NULL, 5, 1, 'xx', 'int32', NULL, '7', 1, NULL, 'literal', 'duckdb'),
(1, 39, NULL, 6, 1, 'i', 'int32', '5', '5', 1, NULL, 'literal', 'duckdb'),
(2, 39, NULL, 6, 2, 'd', 'date', '2020-01-01', '2020-01-01', 1, NULL, 'literal', 'duckdb'),
(3, 39, NULL, 6, 3, 'v', 'varchar', 'it''s', 'it''s', 1, NULL, 'literal', 'duckdb'),
(4, 39, 42, 6, 4, 'n', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(5, 41, NULL, 6, 5, 'w', 'varchar', 'later', 'later', 1, NULL, 'literal', 'duckdb'),
(4, 42, NULL, 6, 4, 'n', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 43, NULL, 7, 1, 'i', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(2, 43, NULL, 7, 2, 'n', 'timestamp', NULL, 'now()', 1, NULL, 'expression', 'duckdb'),
(1, 44, NULL, 8, 1, 'k', 'varchar', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(2, 44, NULL, 8, 2, 'dt', 'date', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(3, 44, NULL, 8, 3, 'n', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 50, NULL, 12, 1, 'id', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(2, 50, NULL, 12, 2, 'nn', 'struct', NULL, 'NULL', 1, NULL, '', 'duckdb'),
(3, 50, NULL, 12, 3, 'a', 'int32', NULL, 'NULL', 1, 2, 'literal', 'duckdb'),
(1, 52, NULL, 13, 1, 'i', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 58, 78, 15, 1, 'i', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 61, NULL, 17, 1, 'sel ect', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 72, 77, 23, 1, 'i', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 80, NULL, 25, 1, 'a', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 80, 82, 26, 1, 'a', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb'),
(1, 82, NULL, 27, 1, 'b', 'int32', NULL, 'NULL', 1, NULL, 'literal', 'duckdb');
CREATE TABLE ducklake_column_mapping(mapping_id BIGINT, table_id BIGINT, "type" VARCHAR);
INSERT INTO "ducklake_column_mapping" VALUES
(29, 12, 'map_by_name');
CREATE TABLE ducklake_column_tag(table_id BIGINT, column_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, "key" VARCHAR, "value" VARCHAR);
INSERT INTO "ducklake_column_tag" VALUES
(4, 2, 69, NULL, 'comment', 'of a column'),
(23, 1, 76, 77, 'comment', 'c');
CREATE TABLE ducklake_data_file(data_file_id BIGINT PRIMARY KEY, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, file_order BIGINT, path VARCHAR, path_is_relative BIGINT, file_format VARCHAR, record_count BIGINT, file_size_bytes BIGINT, footer_size BIGINT, row_id_start BIGINT, partition_id BIGINT, encryption_key VARCHAR, mapping_id BIGINT, partial_max BIGINT);
INSERT INTO "ducklake_data_file" VALUES
(3, 1, 2, NULL, NULL, 'ducklake-01a22d5d-da7a-7eff-84b9-50220e9a5c2e.parquet', 1, 'parquet', 9, 430, 304, 0, NULL, NULL, NULL, 4),
(4, 1, 6, NULL, NULL, 'ducklake-01a22d5d-da9e-7a04-bd93-610550679942.parquet', 1, 'parquet', 3, 202, 153, 9, NULL, NULL, NULL, NULL),
(9, 3, 11, 83, NULL, 'ducklake-01a22d5d-db9a-73f6-983a-79fcb124037b.parquet', 1, 'parquet', 4, 689, 498, 0, NULL, NULL, NULL, 12),
(11, 2, 15, NULL, NULL, 'ducklake-01a22d5d-dbb9-705c-844d-92c0a7cace2a.parquet', 1, 'parquet', 2, 3384, 2344, 1, NULL, NULL, NULL, NULL),
(12, 4, 17, NULL, NULL, 'ducklake-01a22d5d-dc46-770e-9a7d-a4993c6b9c46.parquet', 1, 'parquet', 20, 725, 323, 0, NULL, NULL, NULL, NULL),
(15, 4, 20, NULL, NULL, 'ducklake-01a22d5d-dcaa-74a5-926b-6a711c63bfc2.parquet', 1, 'parquet', 2, 632, 458, 20, NULL, NULL, NULL, NULL),
(17, 4, 21, 22, NULL, 'ducklake-01a22d5d-dcce-71ac-9a52-cbbfde917206.parquet', 1, 'parquet', 4, 380, 256, 22, NULL, NULL, NULL, NULL),
(19, 5, 25, NULL, NULL, 'ducklake-01a22d5d-dd73-7cf9-9201-007dd590eb06.parquet', 1, 'parquet', 5, 449, 304, 1, NULL, NULL, NULL, NULL),
(24, 8, 46, NULL, NULL, 'k=k0/year=2020/ducklake-01a22d5d-e0d8-7825-b56d-b51846c0c7b4.parquet', 1, 'parquet', 1, 389, 288, 0, 9, NULL, NULL, NULL),
(25, 8, 46, NULL, NULL, 'k=k1/year=2020/ducklake-01a22d5d-e0d8-7b21-8720-3e123aa46907.parquet', 1, 'parquet', 1, 389, 288, 1, 9, NULL, NULL, NULL),
(26, 8, 46, NULL, NULL, 'k=k0/year=2021/ducklake-01a22d5d-e0d8-7b4c-911f-a12171972094.parquet', 1, 'parquet', 1, 389, 288, 2, 9, NULL, NULL, NULL),
(27, 8, 46, NULL, NULL, 'k=k1/year=2022/ducklake-01a22d5d-e0d8-7436-a58e-c7219c967c1a.parquet', 1, 'parquet', 1, 389, 288, 3, 9, NULL, NULL, NULL),
(28, 8, 48, NULL, NULL, 'ducklake-01a22d5d-e150-750d-98f2-9ecfea1aa91c.parquet', 1, 'parquet', 4, 428, 288, 4, NULL, NULL, NULL, NULL),
(30, 12, 51, NULL, NULL, '{LAKE}/data/main/outside.parquet', 0, 'parquet', 4, 327, 234, 0, NULL, NULL, 29, NULL),
(31, 13, 53, 55, NULL, 'ducklake-01a22d5d-e244-7b0a-80f9-f0c5a8dba033.parquet', 1, 'parquet', 10, 227, 153, 0, NULL, NULL, NULL, NULL),
(33, 13, 55, NULL, NULL, 'ducklake-01a22d5d-e2af-778f-b606-7d1dac496e12.parquet', 1, 'parquet', 4, 390, 292, NULL, NULL, NULL, NULL, NULL),
(36, 17, 62, NULL, NULL, 'ducklake-01a22d5d-e3c8-7e1d-afb4-58dbf0b247a3.parquet', 1, 'parquet', 4, 218, 165, 0, NULL, NULL, NULL, NULL),
(37, 23, 73, 77, NULL, 'ducklake-01a22d5d-e683-767d-ab04-3346f02e65dc.parquet', 1, 'parquet', 5, 217, 153, 0, NULL, NULL, NULL, NULL),
(41, 4, 84, NULL, NULL, 'ducklake-01a22d5d-eb69-7e54-b19c-f059e03b8121.parquet', 1, 'parquet', 5, 639, 346, 28, NULL, NULL, NULL, NULL);
CREATE TABLE ducklake_delete_file(delete_file_id BIGINT PRIMARY KEY, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, data_file_id BIGINT, path VARCHAR, path_is_relative BIGINT, format VARCHAR, delete_count BIGINT, file_size_bytes BIGINT, footer_size BIGINT, encryption_key VARCHAR, partial_max BIGINT);
INSERT INTO "ducklake_delete_file" VALUES
(5, 1, 7, NULL, 3, 'ducklake-01a22d5d-dacc-752e-bb4e-0c8e4dfb65f6-delete.parquet', 1, 'parquet', 2, 808, 623, NULL, NULL),
(10, 3, 13, 83, 9, 'ducklake-01a22d5d-db9e-7255-b7ec-5075baeebee9-delete.parquet', 1, 'parquet', 1, 977, 775, NULL, NULL),
(16, 4, 18, NULL, 12, 'ducklake-01a22d5d-dcab-7df1-94de-b660efb50219-delete.parquet', 1, 'parquet', 6, 1071, 775, NULL, 20),
(32, 13, 54, 55, 31, 'ducklake-01a22d5d-e286-7e8e-a5af-6d7319053579-delete.parquet', 1, 'parquet', 6, 893, 634, NULL, NULL);
CREATE TABLE ducklake_file_column_stats(data_file_id BIGINT, table_id BIGINT, column_id BIGINT, column_size_bytes BIGINT, value_count BIGINT, null_count BIGINT, min_value VARCHAR, max_value VARCHAR, contains_nan BIGINT, extra_stats VARCHAR);
INSERT INTO "ducklake_file_column_stats" VALUES
(3, 1, 1, 61, 9, 0, '100', '302', NULL, NULL),
(4, 1, 1, 37, 3, 0, '400', '402', NULL, NULL),
(9, 3, 1, 41, 4, 0, '1', '4', NULL, NULL),
(9, 3, 2, 45, 4, 0, 'a', 'b', NULL, NULL),
(11, 2, 1, 31, 1, 1, '1', '1', NULL, NULL),
(11, 2, 2, 34, 1, 1, '1', '1', NULL, NULL),
(11, 2, 3, 34, 1, 1, '2', '2', NULL, NULL),
(11, 2, 4, 34, 1, 1, '3', '3', NULL, NULL),
(11, 2, 5, 38, 1, 1, '4', '4', NULL, NULL),
(11, 2, 6, 34, 1, 1, '5', '5', NULL, NULL),
(11, 2, 7, 34, 1, 1, '6', '6', NULL, NULL),
(11, 2, 8, 34, 1, 1, '7', '7', NULL, NULL),
(11, 2, 9, 38, 1, 1, '8', '8', NULL, NULL),
(11, 2, 10, 32, 1, 1, '1.5', '1.5', 0, NULL),
(11, 2, 11, 32, 1, 1, NULL, NULL, 1, NULL),
(11, 2, 12, 38, 1, 1, '3.25', '3.25', NULL, NULL),
(11, 2, 13, 34, 1, 1, '2020-01-01', '2020-01-01', NULL, NULL),
(11, 2, 14, 37, 1, 1, '12:00:00', '12:00:00', NULL, NULL),
(11, 2, 15, 38, 1, 1, '2020-01-01 00:00:00.5', '2020-01-01 00:00:00.5', NULL, NULL),
(11, 2, 16, 37, 1, 1, '2020-01-01 00:00:00+00', '2020-01-01 00:00:00+00', NULL, NULL),
(11, 2, 17, 37, 1, 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
(11, 2, 18, 37, 1, 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
(11, 2, 19, 36, 1, 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
(11, 2, 20, 35, 1, 1, 'x', 'x', NULL, NULL),
(11, 2, 21, 36, 1, 1, '6162', '6162', NULL, NULL),
(11, 2, 22, 46, 1, 1, 'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', NULL, NULL),
(11, 2, 23, 41, 1, 1, '{"a":1}', '{"a":1}', NULL, NULL),
(11, 2, 25, 47, 1, 2, '1', '1', NULL, NULL),
(11, 2, 27, 35, 1, 1, '1', '1', NULL, NULL),
(11, 2, 28, 36, 1, 1, 'z', 'z', NULL, NULL),
(11, 2, 30, 42, 1, 1, 'k', 'k', NULL, NULL),
(11, 2, 31, 41, 1, 1, '1', '1', NULL, NULL),
(12, 4, 1, 159, 20, 0, '0', '19', NULL, NULL),
(12, 4, 2, 118, 20, 0, 'v0', 'v9', NULL, NULL),
(12, 4, 3, 113, 20, 0, '0.0', '9.5', 0, NULL),
(15, 4, 1, 41, 2, 0, '0', '1', NULL, NULL),
(15, 4, 2, 39, 2, 0, 'new', 'new', NULL, NULL),
(15, 4, 3, 41, 2, 0, '0.0', '0.5', 0, NULL),
(17, 4, 1, 51, 4, 0, '100', '103', NULL, NULL),
(17, 4, 2, 25, 0, 4, NULL, NULL, NULL, NULL),
(17, 4, 3, 36, 4, 0, NULL, NULL, 1, NULL),
(19, 5, 1, 44, 5, 0, '0', '4', NULL, NULL),
(19, 5, 2, 45, 5, 0, '0.0', '1.3333334', 0, NULL),
(19, 5, 4, 44, 5, 0, '0', '4', NULL, NULL),
(24, 8, 1, 31, 1, 0, 'k0', 'k0', NULL, NULL),
(24, 8, 2, 29, 1, 0, '2020-01-01', '2020-01-01', NULL, NULL),
(24, 8, 3, 29, 1, 0, '0', '0', NULL, NULL),
(25, 8, 1, 31, 1, 0, 'k1', 'k1', NULL, NULL),
(25, 8, 2, 29, 1, 0, '2020-10-27', '2020-10-27', NULL, NULL),
(25, 8, 3, 29, 1, 0, '1', '1', NULL, NULL),
(26, 8, 1, 31, 1, 0, 'k0', 'k0', NULL, NULL),
(26, 8, 2, 29, 1, 0, '2021-08-23', '2021-08-23', NULL, NULL),
(26, 8, 3, 29, 1, 0, '2', '2', NULL, NULL),
(27, 8, 1, 31, 1, 0, 'k1', 'k1', NULL, NULL),
(27, 8, 2, 29, 1, 0, '2022-06-19', '2022-06-19', NULL, NULL),
(27, 8, 3, 29, 1, 0, '3', '3', NULL, NULL),
(28, 8, 1, 46, 4, 0, 'k0', 'k1', NULL, NULL),
(28, 8, 2, 41, 4, 0, '2020-01-01', '2022-06-19', NULL, NULL),
(28, 8, 3, 41, 4, 0, '0', '3', NULL, NULL),
(30, 12, 1, 41, 4, 0, '0', '3', NULL, NULL),
(30, 12, 3, 40, 4, 0, '0', '3', NULL, NULL),
(31, 13, 1, 62, 10, 0, '0', '9', NULL, NULL),
(33, 13, 1, 41, 4, 0, '0', '3', NULL, NULL),
(36, 17, 1, 41, 4, 0, '0', '3', NULL, NULL),
(37, 23, 1, 52, 5, 0, '0', '4', NULL, NULL),
(41, 4, 1, 57, 5, 0, '5002', '5006', NULL, NULL),
(41, 4, 2, 65, 5, 0, 'last', 'last', NULL, NULL),
(41, 4, 3, 65, 5, 0, '1.0', '1.0', 0, NULL);
CREATE TABLE ducklake_file_partition_value(data_file_id BIGINT, table_id BIGINT, partition_key_index BIGINT, partition_value VARCHAR);
INSERT INTO "ducklake_file_partition_value" VALUES
(24, 8, 0, 'k0'),
(24, 8, 1, '2020'),
(25, 8, 0, 'k1'),
(25, 8, 1, '2020'),
(26, 8, 0, 'k0'),
(26, 8, 1, '2021'),
(27, 8, 0, 'k1'),
(27, 8, 1, '2022');
CREATE TABLE ducklake_file_variant_stats(data_file_id BIGINT, table_id BIGINT, column_id BIGINT, variant_path VARCHAR, shredded_type VARCHAR, column_size_bytes BIGINT, value_count BIGINT, null_count BIGINT, min_value VARCHAR, max_value VARCHAR, contains_nan BIGINT, extra_stats VARCHAR);
CREATE TABLE ducklake_files_scheduled_for_deletion(data_file_id BIGINT, path VARCHAR, path_is_relative BIGINT, schedule_start VARCHAR);
INSERT INTO "ducklake_files_scheduled_for_deletion" VALUES
(0, 'main/merged/ducklake-01a22d5d-da1e-7ae2-ab57-e033be2b5603.parquet', 1, '2026-11-30 16:50:55.208307+00'),
(1, 'main/merged/ducklake-01a22d5d-da31-7e33-8072-3a7d4d0c50c2.parquet', 1, '2026-11-30 16:50:55.208307+00'),
(2, 'main/merged/ducklake-01a22d5d-da4a-7d0d-9624-a9902a7b5f05.parquet', 1, '2026-11-30 16:50:55.208307+00'),
(13, 'main/rows/ducklake-01a22d5d-dc5d-7036-bf0c-4f94b82cc7df-delete.parquet', 1, '2026-11-30 16:50:55.73637+00'),
(14, 'main/rows/ducklake-01a22d5d-dc88-7e68-8926-2405a32dd668-delete.parquet', 1, '2026-11-30 16:50:55.769988+00');
CREATE TABLE ducklake_inlined_data_12_23(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, id BIGINT, nn VARCHAR);
CREATE TABLE ducklake_inlined_data_13_24(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT);
CREATE TABLE ducklake_inlined_data_15_26(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT);
INSERT INTO "ducklake_inlined_data_15_26" VALUES
(0, 59, NULL, 1);
CREATE TABLE ducklake_inlined_data_17_28(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, "sel ect" BIGINT);
CREATE TABLE ducklake_inlined_data_23_38(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT);
CREATE TABLE ducklake_inlined_data_23_39(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT);
CREATE TABLE ducklake_inlined_data_25_44(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, a BIGINT);
CREATE TABLE ducklake_inlined_data_26_44(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, a BIGINT);
CREATE TABLE ducklake_inlined_data_27_46(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, b BIGINT);
INSERT INTO "ducklake_inlined_data_27_46" VALUES
(0, 82, NULL, 5);
CREATE TABLE ducklake_inlined_data_2_2(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, b BIGINT, i1 BIGINT, i2 BIGINT, i4 BIGINT, i8 BIGINT, u1 BIGINT, u2 BIGINT, u4 BIGINT, u8 VARCHAR, f VARCHAR, d VARCHAR, "dec" VARCHAR, dt VARCHAR, t VARCHAR, ts VARCHAR, tz VARCHAR, tss VARCHAR, tms VARCHAR, tns VARCHAR, v VARCHAR, bl BLOB, u VARCHAR, j VARCHAR, l VARCHAR, s VARCHAR, m VARCHAR);
INSERT INTO "ducklake_inlined_data_2_2" VALUES
(0, 9, NULL, 1, 1, 2, 3, 4, 5, 6, 7, '8', '1.5', 'nan', '3.25', '2020-01-01', '12:00:00', '2020-01-01 00:00:00.5', '2020-01-01 00:00:00+00', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '2020-01-01 00:00:00', 'x', X'6162', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', '{"a":1}', '[1, NULL]', '{''x'': 1, ''y'': ''z''}', '{k=1}');
CREATE TABLE ducklake_inlined_data_3_3(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT, v VARCHAR);
INSERT INTO "ducklake_inlined_data_3_3" VALUES
(4, 56, NULL, 9, 'z');
CREATE TABLE ducklake_inlined_data_4_45(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT, v VARCHAR, d VARCHAR);
INSERT INTO "ducklake_inlined_data_4_45" VALUES
(26, 80, NULL, 5000, 'tx', '1.0'),
(27, 81, NULL, 5001, 'tx', '1.0');
CREATE TABLE ducklake_inlined_data_5_10(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, xx BIGINT, y VARCHAR, s VARCHAR);
INSERT INTO "ducklake_inlined_data_5_10" VALUES
(8, 34, NULL, 4, '0.4', '{''p'': 2, ''r'': ''k''}');
CREATE TABLE ducklake_inlined_data_5_5(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, x BIGINT, y VARCHAR, s VARCHAR);
INSERT INTO "ducklake_inlined_data_5_5" VALUES
(0, 24, NULL, 1, '0.1', '{''p'': 1}');
CREATE TABLE ducklake_inlined_data_5_6(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, x BIGINT, y VARCHAR, s VARCHAR, z BIGINT);
INSERT INTO "ducklake_inlined_data_5_6" VALUES
(6, 27, 28, 2, '0.2', '{''p'': 2}', 3);
CREATE TABLE ducklake_inlined_data_5_7(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, xx BIGINT, y VARCHAR, s VARCHAR, z BIGINT);
CREATE TABLE ducklake_inlined_data_5_8(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, xx BIGINT, y VARCHAR, s VARCHAR, z BIGINT);
INSERT INTO "ducklake_inlined_data_5_8" VALUES
(7, 31, NULL, 3, '0.3', '{''p'': 2}', 3);
CREATE TABLE ducklake_inlined_data_5_9(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, xx BIGINT, y VARCHAR, s VARCHAR, z BIGINT);
CREATE TABLE ducklake_inlined_data_6_15(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT, d VARCHAR, v VARCHAR, n BIGINT);
INSERT INTO "ducklake_inlined_data_6_15" VALUES
(0, 40, NULL, 5, '2020-01-01', 'it''s', 1);
CREATE TABLE ducklake_inlined_data_6_16(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT, d VARCHAR, v VARCHAR, n BIGINT, w VARCHAR);
CREATE TABLE ducklake_inlined_data_7_18(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT, n VARCHAR);
CREATE TABLE ducklake_inlined_data_8_19(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, k VARCHAR, dt VARCHAR, n BIGINT);
CREATE TABLE ducklake_inlined_data_8_20(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, k VARCHAR, dt VARCHAR, n BIGINT);
CREATE TABLE ducklake_inlined_data_8_21(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, k VARCHAR, dt VARCHAR, n BIGINT);
CREATE TABLE ducklake_inlined_data_tables(table_id BIGINT, table_name VARCHAR, schema_version BIGINT);
INSERT INTO "ducklake_inlined_data_tables" VALUES
(2, 'ducklake_inlined_data_2_2', 2),
(3, 'ducklake_inlined_data_3_3', 3),
(5, 'ducklake_inlined_data_5_5', 5),
(5, 'ducklake_inlined_data_5_6', 6),
(5, 'ducklake_inlined_data_5_7', 7),
(5, 'ducklake_inlined_data_5_8', 8),
(5, 'ducklake_inlined_data_5_9', 9),
(5, 'ducklake_inlined_data_5_10', 10),
(6, 'ducklake_inlined_data_6_15', 15),
(6, 'ducklake_inlined_data_6_16', 16),
(7, 'ducklake_inlined_data_7_18', 18),
(8, 'ducklake_inlined_data_8_19', 19),
(8, 'ducklake_inlined_data_8_20', 20),
(8, 'ducklake_inlined_data_8_21', 21),
(12, 'ducklake_inlined_data_12_23', 23),
(13, 'ducklake_inlined_data_13_24', 24),
(15, 'ducklake_inlined_data_15_26', 26),
(17, 'ducklake_inlined_data_17_28', 28),
(23, 'ducklake_inlined_data_23_38', 38),
(23, 'ducklake_inlined_data_23_39', 39),
(25, 'ducklake_inlined_data_25_44', 44),
(26, 'ducklake_inlined_data_26_44', 44),
(4, 'ducklake_inlined_data_4_45', 45),
(27, 'ducklake_inlined_data_27_46', 46);
CREATE TABLE ducklake_inlined_delete_23(file_id BIGINT, row_id BIGINT, begin_snapshot BIGINT);
INSERT INTO "ducklake_inlined_delete_23" VALUES
(37, 3, 74);
CREATE TABLE ducklake_macro(schema_id BIGINT, macro_id BIGINT, macro_name VARCHAR, begin_snapshot BIGINT, end_snapshot BIGINT);
INSERT INTO "ducklake_macro" VALUES
(0, 21, 'plus', 66, NULL),
(0, 22, 'listed', 67, NULL);
CREATE TABLE ducklake_macro_impl(macro_id BIGINT, impl_id BIGINT, dialect VARCHAR, "sql" VARCHAR, "type" VARCHAR);
INSERT INTO "ducklake_macro_impl" VALUES
(21, 0, 'duckdb', '(a + b)', 'scalar'),
(22, 0, 'duckdb', 'SELECT a', 'table');
CREATE TABLE ducklake_macro_parameters(macro_id BIGINT, impl_id BIGINT, column_id BIGINT, parameter_name VARCHAR, parameter_type VARCHAR, default_value VARCHAR, default_value_type VARCHAR);
INSERT INTO "ducklake_macro_parameters" VALUES
(21, 0, 0, 'a', 'unknown', 'NULL', 'unknown'),
(21, 0, 1, 'b', 'unknown', '3', 'int32'),
(22, 0, 0, 'a', 'unknown', 'NULL', 'unknown');
CREATE TABLE ducklake_metadata("key" VARCHAR NOT NULL, "value" VARCHAR NOT NULL, "scope" VARCHAR, scope_id BIGINT);
INSERT INTO "ducklake_metadata" VALUES
('version', '0.4', NULL, NULL),
('created_by', 'DuckDB 3a3967aa81', NULL, NULL),
('data_path', '{LAKE}/data/', NULL, NULL),
('encrypted', 'false', NULL, NULL),
('data_inlining_row_limit', '3', NULL, NULL),
('parquet_compression', 'zstd', NULL, NULL),
('target_file_size', '5000000', 'table', 4),
('parquet_row_group_size', '2000', 'schema', 14);
CREATE TABLE ducklake_name_mapping(mapping_id BIGINT, column_id BIGINT, source_name VARCHAR, target_field_id BIGINT, parent_column BIGINT, is_partition BIGINT);
INSERT INTO "ducklake_name_mapping" VALUES
(29, 0, 'id', 1, NULL, 0),
(29, 1, 'nn', 2, NULL, 0),
(29, 2, 'a', 3, 1, 0);
CREATE TABLE ducklake_partition_column(partition_id BIGINT, table_id BIGINT, partition_key_index BIGINT, column_id BIGINT, "transform" VARCHAR);
INSERT INTO "ducklake_partition_column" VALUES
(9, 8, 0, 1, 'identity'),
(9, 8, 1, 2, 'year'),
(24, 23, 0, 1, 'identity');
CREATE TABLE ducklake_partition_info(partition_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT);
INSERT INTO "ducklake_partition_info" VALUES
(9, 8, 45, 47),
(10, 8, 47, NULL),
(24, 23, 75, 77);
CREATE TABLE ducklake_schema(schema_id BIGINT PRIMARY KEY, schema_uuid VARCHAR, begin_snapshot BIGINT, end_snapshot BIGINT, schema_name VARCHAR, path VARCHAR, path_is_relative BIGINT);
INSERT INTO "ducklake_schema" VALUES
(0, '699d8ad7-6b84-4b1d-b3a8-0a24461d2e99', 0, NULL, 'main', 'main/', 1),
(14, '01a22d5d-e2d1-70c9-b43f-08e0ed9149fa', 57, 78, 'second', 'second/', 1),
(16, '01a22d5d-e357-7d06-bb32-15366ba914b7', 60, NULL, 'a schema', '01a22d5d-e357-7d06-bb32-15366ba914b7/', 1);
CREATE TABLE ducklake_schema_versions(begin_snapshot BIGINT, schema_version BIGINT, table_id BIGINT);
INSERT INTO "ducklake_schema_versions" VALUES
(1, 1, 1),
(8, 2, 2),
(10, 3, 3),
(16, 4, 4),
(23, 5, 5),
(26, 6, 5),
(29, 7, 5),
(30, 8, 5),
(32, 9, 5),
(33, 10, 5),
(35, 11, 5),
(36, 12, 5),
(37, 13, 5),
(38, 14, 5),
(39, 15, 6),
(41, 16, 6),
(42, 17, 6),
(43, 18, 7),
(44, 19, 8),
(45, 20, 8),
(47, 21, 8),
(50, 23, 12),
(52, 24, 13),
(58, 26, 15),
(61, 28, 17),
(72, 38, 23),
(75, 39, 23),
(80, 45, 25),
(80, 45, 26),
(82, 46, 27);
CREATE TABLE ducklake_snapshot(snapshot_id BIGINT PRIMARY KEY, snapshot_time VARCHAR, schema_version BIGINT, next_catalog_id BIGINT, next_file_id BIGINT);
INSERT INTO "ducklake_snapshot" VALUES
(0, '2026-11-30 16:50:55.002026+00', 0, 1, 0),
(1, '2026-11-30 16:50:55.05749+00', 1, 2, 0),
(2, '2026-11-30 16:50:55.082481+00', 1, 2, 1),
(3, '2026-11-30 16:50:55.151069+00', 1, 2, 2),
(4, '2026-11-30 16:50:55.17625+00', 1, 2, 3),
(7, '2026-11-30 16:50:55.292215+00', 1, 2, 6),
(9, '2026-11-30 16:50:55.349785+00', 2, 3, 7),
(10, '2026-11-30 16:50:55.397155+00', 3, 4, 7),
(11, '2026-11-30 16:50:55.409878+00', 3, 4, 8),
(12, '2026-11-30 16:50:55.445987+00', 3, 4, 9),
(13, '2026-11-30 16:50:55.496663+00', 3, 4, 9),
(14, '2026-11-30 16:50:55.508172+00', 3, 4, 11),
(15, '2026-11-30 16:50:55.543186+00', 3, 4, 12),
(16, '2026-11-30 16:50:55.628365+00', 4, 5, 12),
(17, '2026-11-30 16:50:55.656358+00', 4, 5, 13),
(18, '2026-11-30 16:50:55.693843+00', 4, 5, 14),
(19, '2026-11-30 16:50:55.73637+00', 4, 5, 15),
(20, '2026-11-30 16:50:55.769988+00', 4, 5, 17),
(21, '2026-11-30 16:50:55.819992+00', 4, 5, 18),
(22, '2026-11-30 16:50:55.8523+00', 4, 5, 18),
(23, '2026-11-30 16:50:55.890828+00', 5, 6, 18),
(24, '2026-11-30 16:50:55.900501+00', 5, 6, 19),
(25, '2026-11-30 16:50:55.98453+00', 5, 6, 20),
(26, '2026-11-30 16:50:56.012561+00', 6, 6, 20),
(27, '2026-11-30 16:50:56.031247+00', 6, 6, 21),
(28, '2026-11-30 16:50:56.076578+00', 6, 6, 21),
(29, '2026-11-30 16:50:56.092321+00', 7, 6, 21),
(30, '2026-11-30 16:50:56.124426+00', 8, 6, 21),
(31, '2026-11-30 16:50:56.172446+00', 8, 6, 22),
(32, '2026-11-30 16:50:56.228329+00', 9, 6, 22),
(33, '2026-11-30 16:50:56.256255+00', 10, 6, 22),
(34, '2026-11-30 16:50:56.292069+00', 10, 6, 23),
(35, '2026-11-30 16:50:56.365983+00', 11, 6, 23),
(36, '2026-11-30 16:50:56.428717+00', 12, 6, 23),
(37, '2026-11-30 16:50:56.443836+00', 13, 6, 23),
(38, '2026-11-30 16:50:56.472354+00', 14, 6, 23),
(39, '2026-11-30 16:50:56.524409+00', 15, 7, 23),
(40, '2026-11-30 16:50:56.56228+00', 15, 7, 24),
(41, '2026-11-30 16:50:56.598076+00', 16, 7, 24),
(42, '2026-11-30 16:50:56.605752+00', 17, 7, 24),
(43, '2026-11-30 16:50:56.648973+00', 18, 8, 24),
(44, '2026-11-30 16:50:56.691951+00', 19, 9, 24),
(45, '2026-11-30 16:50:56.728425+00', 20, 10, 24),
(46, '2026-11-30 16:50:56.785501+00', 20, 10, 28),
(47, '2026-11-30 16:50:56.872829+00', 21, 11, 28),
(48, '2026-11-30 16:50:56.929247+00', 21, 11, 29),
(49, '2026-11-30 16:50:56.990456+00', 22, 12, 29),
(50, '2026-11-30 16:50:57.048005+00', 23, 13, 29),
(51, '2026-11-30 16:50:57.096556+00', 23, 13, 31),
(52, '2026-11-30 16:50:57.172409+00', 24, 14, 31),
(53, '2026-11-30 16:50:57.19635+00', 24, 14, 32),
(54, '2026-11-30 16:50:57.226315+00', 24, 14, 33),
(55, '2026-11-30 16:50:57.312609+00', 24, 14, 34),
(56, '2026-11-30 16:50:57.338641+00', 24, 14, 35),
(57, '2026-11-30 16:50:57.359351+00', 25, 15, 35),
(58, '2026-11-30 16:50:57.368132+00', 26, 16, 35),
(59, '2026-11-30 16:50:57.424519+00', 26, 16, 36),
(60, '2026-11-30 16:50:57.492988+00', 27, 17, 36),
(61, '2026-11-30 16:50:57.503254+00', 28, 18, 36),
(62, '2026-11-30 16:50:57.560427+00', 28, 18, 37),
(63, '2026-11-30 16:50:57.636407+00', 29, 19, 37),
(64, '2026-11-30 16:50:57.660259+00', 30, 20, 37),
(65, '2026-11-30 16:50:57.69649+00', 31, 21, 37),
(66, '2026-11-30 16:50:57.764723+00', 32, 22, 37),
(67, '2026-11-30 16:50:57.82855+00', 33, 23, 37),
(68, '2026-11-30 16:50:57.888374+00', 34, 23, 37),
(69, '2026-11-30 16:50:57.940912+00', 35, 23, 37),
(70, '2026-11-30 16:50:57.995984+00', 36, 23, 37),
(71, '2026-11-30 16:50:58.064408+00', 37, 23, 37),
(72, '2026-11-30 16:50:58.236304+00', 38, 24, 37),
(73, '2026-11-30 16:50:58.264399+00', 38, 24, 38),
(74, '2026-11-30 16:50:58.338022+00', 38, 24, 38),
(75, '2026-11-30 16:50:58.382344+00', 39, 25, 38),
(76, '2026-11-30 16:50:58.544456+00', 40, 25, 38),
(77, '2026-11-30 16:50:58.679907+00', 41, 25, 38),
(78, '2026-11-30 16:50:58.772184+00', 42, 25, 38),
(79, '2026-11-30 16:50:58.940724+00', 43, 25, 38),
(80, '2026-11-30 16:50:59.088735+00', 45, 27, 39),
(81, '2026-11-30 16:50:59.224938+00', 45, 27, 40),
(82, '2026-11-30 16:50:59.321068+00', 46, 28, 41),
(83, '2026-11-30 16:50:59.428422+00', 47, 28, 41),
(84, '2026-11-30 16:50:59.512542+00', 47, 28, 42);
CREATE TABLE ducklake_snapshot_changes(snapshot_id BIGINT PRIMARY KEY, changes_made VARCHAR, author VARCHAR, commit_message VARCHAR, commit_extra_info VARCHAR);
INSERT INTO "ducklake_snapshot_changes" VALUES
(0, 'created_schema:"main"', NULL, NULL, NULL),
(1, 'created_table:"main"."merged"', NULL, NULL, NULL),
(2, 'inserted_into_table:1', NULL, NULL, NULL),
(3, 'inserted_into_table:1', NULL, NULL, NULL),
(4, 'inserted_into_table:1', NULL, NULL, NULL),
(7, 'deleted_from_table:1', NULL, NULL, NULL),
(9, 'inlined_insert:2', NULL, NULL, NULL),
(10, 'created_table:"main"."flushed"', NULL, NULL, NULL),
(11, 'inlined_insert:3', NULL, NULL, NULL),
(12, 'inlined_insert:3', NULL, NULL, NULL),
(13, 'inlined_delete:3', NULL, NULL, NULL),
(14, 'deleted_from_table:3,inline_flush:3', NULL, NULL, NULL),
(15, 'inserted_into_table:2', NULL, NULL, NULL),
(16, 'created_table:"main"."rows"', NULL, NULL, NULL),
(17, 'inserted_into_table:4', NULL, NULL, NULL),
(18, 'deleted_from_table:4', NULL, NULL, NULL),
(19, 'deleted_from_table:4', NULL, NULL, NULL),
(20, 'inserted_into_table:4,deleted_from_table:4', NULL, NULL, NULL),
(21, 'inserted_into_table:4', NULL, NULL, NULL),
(22, 'deleted_from_table:4', NULL, NULL, NULL),
(23, 'created_table:"main"."shapes"', NULL, NULL, NULL),
(24, 'inlined_insert:5', NULL, NULL, NULL),
(25, 'inserted_into_table:5', NULL, NULL, NULL),
(26, 'altered_table:5', NULL, NULL, NULL),
(27, 'inlined_insert:5', NULL, NULL, NULL),
(28, 'inlined_delete:5', NULL, NULL, NULL),
(29, 'altered_table:5', NULL, NULL, NULL),
(30, 'altered_table:5', NULL, NULL, NULL),
(31, 'inlined_insert:5', NULL, NULL, NULL),
(32, 'altered_table:5', NULL, NULL, NULL),
(33, 'altered_table:5', NULL, NULL, NULL),
(34, 'inlined_insert:5', NULL, NULL, NULL),
(35, 'created_table:"main"."shaped"', NULL, NULL, NULL),
(36, 'altered_table:5', NULL, NULL, NULL),
(37, 'altered_table:5', NULL, NULL, NULL),
(38, 'altered_table:5', NULL, NULL, NULL),
(39, 'created_table:"main"."defaults"', NULL, NULL, NULL),
(40, 'inlined_insert:6', NULL, NULL, NULL),
(41, 'altered_table:6', NULL, NULL, NULL),
(42, 'altered_table:6', NULL, NULL, NULL),
(43, 'created_table:"main"."moments"', NULL, NULL, NULL),
(44, 'created_table:"main"."parts"', NULL, NULL, NULL),
(45, 'altered_table:8', NULL, NULL, NULL),
(46, 'inserted_into_table:8', NULL, NULL, NULL),
(47, 'altered_table:8', NULL, NULL, NULL),
(48, 'inserted_into_table:8', NULL, NULL, NULL),
(49, 'altered_table:8', NULL, NULL, NULL),
(50, 'created_table:"main"."registered"', NULL, NULL, NULL),
(51, 'inserted_into_table:12', NULL, NULL, NULL),
(52, 'created_table:"main"."upkeep"', NULL, NULL, NULL),
(53, 'inserted_into_table:13', NULL, NULL, NULL),
(54, 'deleted_from_table:13', NULL, NULL, NULL),
(55, 'rewrite_delete:13', NULL, NULL, NULL),
(56, 'inlined_insert:3', NULL, NULL, NULL),
(57, 'created_schema:"second"', NULL, NULL, NULL),
(58, 'created_table:"second"."t"', NULL, NULL, NULL),
(59, 'inlined_insert:15', NULL, NULL, NULL),
(60, 'created_schema:"a schema"', NULL, NULL, NULL),
(61, 'created_table:"a schema"."od d""t"', NULL, NULL, NULL),
(62, 'inserted_into_table:17', NULL, NULL, NULL),
(63, 'created_view:"main"."viewed"', NULL, NULL, NULL),
(64, 'created_view:"main"."aliased"', NULL, NULL, NULL),
(65, 'created_view:"main"."gone_view"', NULL, NULL, NULL),
(66, 'created_scalar_macro:"main"."plus"', NULL, NULL, NULL),
(67, 'created_table_macro:"main"."listed"', NULL, NULL, NULL),
(68, 'altered_table:4', NULL, NULL, NULL),
(69, 'altered_table:4', NULL, NULL, NULL),
(70, 'altered_table:4', NULL, NULL, NULL),
(71, 'altered_view:18', NULL, NULL, NULL),
(72, 'created_table:"main"."gone"', NULL, NULL, NULL),
(73, 'inserted_into_table:23', NULL, NULL, NULL),
(74, 'inlined_delete:23', NULL, NULL, NULL),
(75, 'altered_table:23', NULL, NULL, NULL),
(76, 'altered_table:23', NULL, NULL, NULL),
(77, 'dropped_table:23', NULL, NULL, NULL),
(78, 'dropped_schema:14,dropped_table:15', NULL, NULL, NULL),
(79, 'dropped_view:20', NULL, NULL, NULL),
(80, 'created_table:"main"."first",created_table:"main"."other",inlined_insert:4', NULL, NULL, NULL),
(81, 'inlined_insert:4', 'someone', 'why', '{}'),
(82, 'dropped_table:26,created_table:"main"."first",inlined_insert:27', NULL, NULL, NULL),
(83, 'dropped_table:3', NULL, NULL, NULL),
(84, 'inserted_into_table:4', NULL, NULL, NULL);
CREATE TABLE ducklake_sort_expression(sort_id BIGINT, table_id BIGINT, sort_key_index BIGINT, expression VARCHAR, dialect VARCHAR, sort_direction VARCHAR, null_order VARCHAR);
INSERT INTO "ducklake_sort_expression" VALUES
(11, 8, 0, 'n', 'duckdb', 'DESC', 'NULLS_LAST');
CREATE TABLE ducklake_sort_info(sort_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT);
INSERT INTO "ducklake_sort_info" VALUES
(11, 8, 49, NULL);
CREATE TABLE ducklake_table(table_id BIGINT, table_uuid VARCHAR, begin_snapshot BIGINT, end_snapshot BIGINT, schema_id BIGINT, table_name VARCHAR, path VARCHAR, path_is_relative BIGINT);
INSERT INTO "ducklake_table" VALUES
(1, '01a22d5d-d9e0-7211-b3a6-0b41f3f453d2', 1, NULL, 0, 'merged', 'merged/', 1),
(2, '01a22d5d-dae9-7fb7-a0b2-bf3b814d9eb9', 8, NULL, 0, 'types', 'types/', 1),
(3, '01a22d5d-db26-7f5e-800b-be7c8001d58f', 10, 83, 0, 'flushed', 'flushed/', 1),
(4, '01a22d5d-dc0e-77f2-868e-3aa7e63c3754', 16, NULL, 0, 'rows', 'rows/', 1),
(5, '01a22d5d-dd15-7694-899a-5bf380d522b6', 23, 35, 0, 'shapes', 'shapes/', 1),
(5, '01a22d5d-dd15-7694-899a-5bf380d522b6', 35, NULL, 0, 'shaped', 'shapes/', 1),
(6, '01a22d5d-dfac-77ca-891e-d341489c6f2b', 39, NULL, 0, 'defaults', 'defaults/', 1),
(7, '01a22d5d-e02b-7004-a3c5-c0ff50eddd58', 43, NULL, 0, 'moments', 'moments/', 1),
(8, '01a22d5d-e043-7bcc-8b50-09a912bb139d', 44, NULL, 0, 'parts', 'parts/', 1),
(12, '01a22d5d-e1ac-7ee7-9ea6-698ab456da8d', 50, NULL, 0, 'registered', 'registered/', 1),
(13, '01a22d5d-e216-7689-9b44-96369a0b9998', 52, NULL, 0, 'upkeep', 'upkeep/', 1),
(15, '01a22d5d-e307-7035-bb77-12f24490df43', 58, 78, 14, 't', 't/', 1),
(17, '01a22d5d-e38c-7d40-9592-7624fd75b6b4', 61, NULL, 16, 'od d"t', '01a22d5d-e38c-7d40-9592-7624fd75b6b4/', 1),
(23, '01a22d5d-e63e-77d1-881e-1a6b60634479', 72, 77, 0, 'gone', 'gone/', 1),
(25, '01a22d5d-e9f4-751b-93fd-360c12049028', 80, NULL, 0, 'other', 'other/', 1),
(26, '01a22d5d-e9ef-71b7-9b5c-4d8388696460', 80, 82, 0, 'first', 'first/', 1),
(27, '01a22d5d-ea7f-7332-8cb3-0bed3341cb6e', 82, NULL, 0, 'first', 'first/', 1);
CREATE TABLE ducklake_table_column_stats(table_id BIGINT, column_id BIGINT, contains_null BIGINT, contains_nan BIGINT, min_value VARCHAR, max_value VARCHAR, extra_stats VARCHAR);
INSERT INTO "ducklake_table_column_stats" VALUES
(1, 1, 0, NULL, '100', '402', NULL),
(2, 1, 1, NULL, '1', 'true', NULL),
(2, 2, 1, NULL, '1', '1', NULL),
(2, 3, 1, NULL, '2', '2', NULL),
(2, 4, 1, NULL, '3', '3', NULL),
(2, 5, 1, NULL, '4', '4', NULL),
(2, 6, 1, NULL, '5', '5', NULL),
(2, 7, 1, NULL, '6', '6', NULL),
(2, 8, 1, NULL, '7', '7', NULL),
(2, 9, 1, NULL, '8', '8', NULL),
(2, 10, 1, NULL, '1.5', '1.5', NULL),
(2, 11, 1, NULL, NULL, NULL, NULL),
(2, 12, 1, NULL, '3.25', '3.25', NULL),
(2, 13, 1, NULL, '2020-01-01', '2020-01-01', NULL),
(2, 14, 1, NULL, '12:00:00', '12:00:00', NULL),
(2, 15, 1, NULL, '2020-01-01 00:00:00.5', '2020-01-01 00:00:00.5', NULL),
(2, 16, 1, NULL, '2020-01-01 00:00:00+00', '2020-01-01 00:00:00+00', NULL),
(2, 17, 1, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
(2, 18, 1, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
(2, 19, 1, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
(2, 20, 1, NULL, 'x', 'x', NULL),
(2, 21, 1, NULL, '6162', 'ab', NULL),
(2, 22, 1, NULL, 'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', NULL),
(2, 23, 1, NULL, '{"a":1}', '{"a":1}', NULL),
(2, 25, 1, NULL, '1', '1', NULL),
(2, 27, 1, NULL, '1', '1', NULL),
(2, 28, 1, NULL, 'z', 'z', NULL),
(2, 30, 1, NULL, 'k', 'k', NULL),
(2, 31, 1, NULL, '1', '1', NULL),
(3, 1, 0, NULL, '1', '9', NULL),
(3, 2, 0, NULL, 'a', 'z', NULL),
(4, 1, 0, NULL, '0', '5006', NULL),
(4, 2, 1, NULL, 'last', 'v9', NULL),
(4, 3, 0, NULL, NULL, NULL, NULL),
(5, 1, 0, NULL, '0', '4', NULL),
(5, 2, 0, NULL, '0.0', '1.3333334', NULL),
(5, 4, 0, NULL, '0', '4', NULL),
(6, 1, 0, NULL, '5', '5', NULL),
(6, 2, 0, NULL, '2020-01-01', '2020-01-01', NULL),
(6, 3, 0, NULL, 'it''s', 'it''s', NULL),
(6, 4, 0, NULL, '1', '1', NULL),
(8, 1, 0, NULL, 'k0', 'k1', NULL),
(8, 2, 0, NULL, '2020-01-01', '2022-06-19', NULL),
(8, 3, 0, NULL, '0', '3', NULL),
(12, 1, 0, NULL, '0', '3', NULL),
(12, 3, 0, NULL, '0', '3', NULL),
(13, 1, 0, NULL, '0', '9', NULL),
(15, 1, 0, NULL, '1', '1', NULL),
(17, 1, 0, NULL, '0', '3', NULL),
(23, 1, 0, NULL, '0', '4', NULL),
(27, 1, 0, NULL, '5', '5', NULL);
CREATE TABLE ducklake_table_stats(table_id BIGINT, record_count BIGINT, next_row_id BIGINT, file_size_bytes BIGINT);
INSERT INTO "ducklake_table_stats" VALUES
(1, 12, 12, 808),
(2, 3, 3, 3384),
(3, 5, 5, 689),
(4, 33, 33, 2376),
(5, 9, 9, 449),
(6, 1, 1, 0),
(8, 8, 8, 1984),
(12, 4, 4, 327),
(13, 10, 10, 227),
(15, 1, 1, 0),
(17, 4, 4, 218),
(23, 5, 5, 217),
(27, 1, 1, 0);
CREATE TABLE ducklake_tag(object_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, "key" VARCHAR, "value" VARCHAR);
INSERT INTO "ducklake_tag" VALUES
(4, 68, 70, 'comment', 'before'),
(4, 70, NULL, 'comment', 'after'),
(18, 71, NULL, 'comment', 'of a view');
CREATE TABLE ducklake_view(view_id BIGINT, view_uuid VARCHAR, begin_snapshot BIGINT, end_snapshot BIGINT, schema_id BIGINT, view_name VARCHAR, dialect VARCHAR, "sql" VARCHAR, column_aliases VARCHAR);
INSERT INTO "ducklake_view" VALUES
(18, '06948af4-49d1-4a92-adb3-956ebca7aeb2', 63, NULL, 0, 'viewed', 'duckdb', 'SELECT i, v FROM l."rows"', ''),
(19, '91bcf5a7-d74b-4823-8f3f-ad2fc30c9ef7', 64, NULL, 0, 'aliased', 'duckdb', 'SELECT i FROM l."rows"', '"c1"'),
(20, '11ebb4d4-2f10-4754-ae33-b3e9016eb5f8', 65, 79, 0, 'gone_view', 'duckdb', 'SELECT 1 AS one', '');
