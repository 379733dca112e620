CREATE TABLE ducklake_column(column_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, table_id BIGINT, column_order BIGINT, column_name VARCHAR, column_type VARCHAR, initial_default VARCHAR, default_value VARCHAR, nulls_allowed BOOLEAN, parent_column BIGINT, default_value_type VARCHAR, default_value_dialect VARCHAR);
INSERT INTO "ducklake_column" VALUES
('1', '1', NULL, '1', '1', 'i', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '10', '83', '3', '1', 'i', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '16', NULL, '4', '1', 'i', 'int64', NULL, 'NULL', 'false', NULL, 'literal', 'duckdb'),
('1', '23', '29', '5', '1', 'x', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '29', '36', '5', '1', 'xx', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '36', '37', '5', '1', 'xx', 'int32', NULL, '7', 'true', NULL, 'literal', 'duckdb'),
('1', '37', '38', '5', '1', 'xx', 'int32', NULL, '7', 'false', NULL, 'literal', 'duckdb'),
('1', '38', NULL, '5', '1', 'xx', 'int32', NULL, '7', 'true', NULL, 'literal', 'duckdb'),
('1', '39', NULL, '6', '1', 'i', 'int32', '5', '5', 'true', NULL, 'literal', 'duckdb'),
('1', '43', NULL, '7', '1', 'i', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '44', NULL, '8', '1', 'k', 'varchar', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '50', NULL, '12', '1', 'id', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '52', NULL, '13', '1', 'i', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '58', '78', '15', '1', 'i', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '61', NULL, '17', '1', 'sel ect', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '72', '77', '23', '1', 'i', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '8', NULL, '2', '1', 'b', 'boolean', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '80', '82', '26', '1', 'a', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '80', NULL, '25', '1', 'a', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('1', '82', NULL, '27', '1', 'b', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('10', '8', NULL, '2', '10', 'f', 'float32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('11', '8', NULL, '2', '11', 'd', 'float64', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('12', '8', NULL, '2', '12', 'dec', 'decimal(10,2)', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('13', '8', NULL, '2', '13', 'dt', 'date', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('14', '8', NULL, '2', '14', 't', 'time', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('15', '8', NULL, '2', '15', 'ts', 'timestamp', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('16', '8', NULL, '2', '16', 'tz', 'timestamptz', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('17', '8', NULL, '2', '17', 'tss', 'timestamp_s', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('18', '8', NULL, '2', '18', 'tms', 'timestamp_ms', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('19', '8', NULL, '2', '19', 'tns', 'timestamp_ns', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('2', '10', '83', '3', '2', 'v', 'varchar', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('2', '16', NULL, '4', '2', 'v', 'varchar', 'x', 'x', 'true', NULL, 'literal', 'duckdb'),
('2', '23', '30', '5', '2', 'y', 'float32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('2', '30', NULL, '5', '2', 'y', 'float64', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('2', '39', NULL, '6', '2', 'd', 'date', '2020-01-01', '2020-01-01', 'true', NULL, 'literal', 'duckdb'),
('2', '43', NULL, '7', '2', 'n', 'timestamp', NULL, 'now()', 'true', NULL, 'expression', 'duckdb'),
('2', '44', NULL, '8', '2', 'dt', 'date', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('2', '50', NULL, '12', '2', 'nn', 'struct', NULL, 'NULL', 'true', NULL, '', 'duckdb'),
('2', '8', NULL, '2', '2', 'i1', 'int8', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('20', '8', NULL, '2', '20', 'v', 'varchar', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('21', '8', NULL, '2', '21', 'bl', 'blob', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('22', '8', NULL, '2', '22', 'u', 'uuid', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('23', '8', NULL, '2', '23', 'j', 'json', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('24', '8', NULL, '2', '24', 'l', 'list', NULL, 'NULL', 'true', NULL, '', 'duckdb'),
('25', '8', NULL, '2', '25', 'element', 'int32', NULL, 'NULL', 'true', '24', 'literal', 'duckdb'),
('26', '8', NULL, '2', '26', 's', 'struct', NULL, 'NULL', 'true', NULL, '', 'duckdb'),
('27', '8', NULL, '2', '27', 'x', 'int32', NULL, 'NULL', 'true', '26', 'literal', 'duckdb'),
('28', '8', NULL, '2', '28', 'y', 'varchar', NULL, 'NULL', 'true', '26', 'literal', 'duckdb'),
('29', '8', NULL, '2', '29', 'm', 'map', NULL, 'NULL', 'true', NULL, '', 'duckdb'),
('3', '16', NULL, '4', '3', 'd', 'float64', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('3', '23', NULL, '5', '3', 's', 'struct', NULL, 'NULL', 'true', NULL, '', 'duckdb'),
('3', '39', NULL, '6', '3', 'v', 'varchar', 'it''s', 'it''s', 'true', NULL, 'literal', 'duckdb'),
('3', '44', NULL, '8', '3', 'n', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('3', '50', NULL, '12', '3', 'a', 'int32', NULL, 'NULL', 'true', '2', 'literal', 'duckdb'),
('3', '8', NULL, '2', '3', 'i2', 'int16', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('30', '8', NULL, '2', '30', 'key', 'varchar', NULL, 'NULL', 'true', '29', 'literal', 'duckdb'),
('31', '8', NULL, '2', '31', 'value', 'int32', NULL, 'NULL', 'true', '29', 'literal', 'duckdb'),
('4', '23', NULL, '5', '4', 'p', 'int32', NULL, 'NULL', 'true', '3', 'literal', 'duckdb'),
('4', '39', '42', '6', '4', 'n', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('4', '42', NULL, '6', '4', 'n', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('4', '8', NULL, '2', '4', 'i4', 'int32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('5', '26', '33', '5', '5', 'z', 'int32', '42', '42', 'true', NULL, 'literal', 'duckdb'),
('5', '41', NULL, '6', '5', 'w', 'varchar', 'later', 'later', 'true', NULL, 'literal', 'duckdb'),
('5', '8', NULL, '2', '5', 'i8', 'int64', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('6', '32', NULL, '5', '6', 'r', 'varchar', NULL, 'NULL', 'false', '3', 'literal', 'duckdb'),
('6', '8', NULL, '2', '6', 'u1', 'uint8', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('7', '8', NULL, '2', '7', 'u2', 'uint16', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('8', '8', NULL, '2', '8', 'u4', 'uint32', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb'),
('9', '8', NULL, '2', '9', 'u8', 'uint64', NULL, 'NULL', 'true', NULL, 'literal', 'duckdb');
CREATE TABLE ducklake_column_mapping(mapping_id BIGINT, table_id BIGINT, "type" VARCHAR);
INSERT INTO "ducklake_column_mapping" VALUES
('29', '12', 'map_by_name');
CREATE TABLE ducklake_column_tag(table_id BIGINT, column_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, "key" VARCHAR, "value" VARCHAR);
INSERT INTO "ducklake_column_tag" VALUES
('23', '1', '76', '77', 'comment', 'c'),
('4', '2', '69', NULL, 'comment', 'of a column');
CREATE TABLE ducklake_data_file(data_file_id BIGINT PRIMARY KEY, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, file_order BIGINT, path VARCHAR, path_is_relative BOOLEAN, file_format VARCHAR, record_count BIGINT, file_size_bytes BIGINT, footer_size BIGINT, row_id_start BIGINT, partition_id BIGINT, encryption_key VARCHAR, mapping_id BIGINT, partial_max BIGINT);
INSERT INTO "ducklake_data_file" VALUES
('11', '2', '15', NULL, NULL, 'ducklake-01a22d5e-2a1a-7c23-b0ec-54c60420f92f.parquet', 'true', 'parquet', '2', '3384', '2344', '1', NULL, NULL, NULL, NULL),
('12', '4', '17', NULL, NULL, 'ducklake-01a22d5e-2a80-7a1b-b9ba-e4b2792eaf76.parquet', 'true', 'parquet', '20', '725', '323', '0', NULL, NULL, NULL, NULL),
('15', '4', '20', NULL, NULL, 'ducklake-01a22d5e-2af7-7f52-abbb-a73bebc2f190.parquet', 'true', 'parquet', '2', '632', '458', '20', NULL, NULL, NULL, NULL),
('17', '4', '21', '22', NULL, 'ducklake-01a22d5e-2b16-7ee2-b137-47a7237f1aab.parquet', 'true', 'parquet', '4', '380', '256', '22', NULL, NULL, NULL, NULL),
('19', '5', '25', NULL, NULL, 'ducklake-01a22d5e-2be5-709f-b678-934211174a5a.parquet', 'true', 'parquet', '5', '449', '304', '1', NULL, NULL, NULL, NULL),
('24', '8', '46', NULL, NULL, 'k=k0/year=2020/ducklake-01a22d5e-3080-7eb7-9385-cc60287340e2.parquet', 'true', 'parquet', '1', '389', '288', '0', '9', NULL, NULL, NULL),
('25', '8', '46', NULL, NULL, 'k=k1/year=2020/ducklake-01a22d5e-3081-78e2-96e0-30717a78c3a2.parquet', 'true', 'parquet', '1', '389', '288', '1', '9', NULL, NULL, NULL),
('26', '8', '46', NULL, NULL, 'k=k0/year=2021/ducklake-01a22d5e-3081-7c7a-be46-9b19e277f6a5.parquet', 'true', 'parquet', '1', '389', '288', '2', '9', NULL, NULL, NULL),
('27', '8', '46', NULL, NULL, 'k=k1/year=2022/ducklake-01a22d5e-3081-764a-b232-cec9334711da.parquet', 'true', 'parquet', '1', '389', '288', '3', '9', NULL, NULL, NULL),
('28', '8', '48', NULL, NULL, 'ducklake-01a22d5e-3148-7e9a-9793-3f21de574306.parquet', 'true', 'parquet', '4', '428', '288', '4', NULL, NULL, NULL, NULL),
('3', '1', '2', NULL, NULL, 'ducklake-01a22d5e-28b2-724a-ad5c-bc3c4ebaf6d3.parquet', 'true', 'parquet', '9', '430', '304', '0', NULL, NULL, NULL, '4'),
('30', '12', '51', NULL, NULL, '{LAKE}/data/main/outside.parquet', 'false', 'parquet', '4', '327', '234', '0', NULL, NULL, '29', NULL),
('31', '13', '53', '55', NULL, 'ducklake-01a22d5e-326e-7882-b6d8-7235941f43ff.parquet', 'true', 'parquet', '10', '227', '153', '0', NULL, NULL, NULL, NULL),
('33', '13', '55', NULL, NULL, 'ducklake-01a22d5e-32d0-73b0-9cf3-c12d6fd78b4e.parquet', 'true', 'parquet', '4', '390', '292', NULL, NULL, NULL, NULL, NULL),
('36', '17', '62', NULL, NULL, 'ducklake-01a22d5e-3468-7cff-9b73-c735541219d9.parquet', 'true', 'parquet', '4', '218', '165', '0', NULL, NULL, NULL, NULL),
('37', '23', '73', '77', NULL, 'ducklake-01a22d5e-3772-7698-8802-9105e826184b.parquet', 'true', 'parquet', '5', '217', '153', '0', NULL, NULL, NULL, NULL),
('4', '1', '6', NULL, NULL, 'ducklake-01a22d5e-28c9-7b13-963e-b70ce7337d0a.parquet', 'true', 'parquet', '3', '202', '153', '9', NULL, NULL, NULL, NULL),
('41', '4', '84', NULL, NULL, 'ducklake-01a22d5e-3b49-7dff-a454-094c8e05e6e2.parquet', 'true', 'parquet', '5', '639', '346', '28', NULL, NULL, NULL, NULL),
('9', '3', '11', '83', NULL, 'ducklake-01a22d5e-29e3-736a-96a7-7d33a568c8cc.parquet', 'true', 'parquet', '4', '689', '498', '0', NULL, NULL, NULL, '12');
CREATE TABLE ducklake_delete_file(delete_file_id BIGINT PRIMARY KEY, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, data_file_id BIGINT, path VARCHAR, path_is_relative BOOLEAN, format VARCHAR, delete_count BIGINT, file_size_bytes BIGINT, footer_size BIGINT, encryption_key VARCHAR, partial_max BIGINT);
INSERT INTO "ducklake_delete_file" VALUES
('10', '3', '13', '83', '9', 'ducklake-01a22d5e-29e9-711a-a3f3-868d83e11955-delete.parquet', 'true', 'parquet', '1', '977', '775', NULL, NULL),
('16', '4', '18', NULL, '12', 'ducklake-01a22d5e-2af8-7d78-b0cc-35d99c26c9b1-delete.parquet', 'true', 'parquet', '6', '1071', '775', NULL, '20'),
('32', '13', '54', '55', '31', 'ducklake-01a22d5e-3297-788d-863d-f40754d5b132-delete.parquet', 'true', 'parquet', '6', '893', '634', NULL, NULL),
('5', '1', '7', NULL, '3', 'ducklake-01a22d5e-28e6-7be3-a53d-d59fc3266675-delete.parquet', 'true', 'parquet', '2', '808', '623', NULL, NULL);
CREATE TABLE ducklake_file_column_stats(data_file_id BIGINT, table_id BIGINT, column_id BIGINT, column_size_bytes BIGINT, value_count BIGINT, null_count BIGINT, min_value VARCHAR, max_value VARCHAR, contains_nan BOOLEAN, extra_stats VARCHAR);
INSERT INTO "ducklake_file_column_stats" VALUES
('11', '2', '1', '31', '1', '1', '1', '1', NULL, NULL),
('11', '2', '10', '32', '1', '1', '1.5', '1.5', 'false', NULL),
('11', '2', '11', '32', '1', '1', NULL, NULL, 'true', NULL),
('11', '2', '12', '38', '1', '1', '3.25', '3.25', NULL, NULL),
('11', '2', '13', '34', '1', '1', '2020-01-01', '2020-01-01', NULL, NULL),
('11', '2', '14', '37', '1', '1', '12:00:00', '12:00:00', NULL, NULL),
('11', '2', '15', '38', '1', '1', '2020-01-01 00:00:00.5', '2020-01-01 00:00:00.5', NULL, NULL),
('11', '2', '16', '37', '1', '1', '2020-01-01 00:00:00+00', '2020-01-01 00:00:00+00', NULL, NULL),
('11', '2', '17', '37', '1', '1', '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
('11', '2', '18', '37', '1', '1', '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
('11', '2', '19', '36', '1', '1', '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
('11', '2', '2', '34', '1', '1', '1', '1', NULL, NULL),
('11', '2', '20', '35', '1', '1', 'x', 'x', NULL, NULL),
('11', '2', '21', '36', '1', '1', '6162', '6162', NULL, NULL),
('11', '2', '22', '46', '1', '1', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', NULL, NULL),
('11', '2', '23', '41', '1', '1', '{"a":1}', '{"a":1}', NULL, NULL),
('11', '2', '25', '47', '1', '2', '1', '1', NULL, NULL),
('11', '2', '27', '35', '1', '1', '1', '1', NULL, NULL),
('11', '2', '28', '36', '1', '1', 'z', 'z', NULL, NULL),
('11', '2', '3', '34', '1', '1', '2', '2', NULL, NULL),
('11', '2', '30', '42', '1', '1', 'k', 'k', NULL, NULL),
('11', '2', '31', '41', '1', '1', '1', '1', NULL, NULL),
('11', '2', '4', '34', '1', '1', '3', '3', NULL, NULL),
('11', '2', '5', '38', '1', '1', '4', '4', NULL, NULL),
('11', '2', '6', '34', '1', '1', '5', '5', NULL, NULL),
('11', '2', '7', '34', '1', '1', '6', '6', NULL, NULL),
('11', '2', '8', '34', '1', '1', '7', '7', NULL, NULL),
('11', '2', '9', '38', '1', '1', '8', '8', NULL, NULL),
('12', '4', '1', '159', '20', '0', '0', '19', NULL, NULL),
('12', '4', '2', '118', '20', '0', 'v0', 'v9', NULL, NULL),
('12', '4', '3', '113', '20', '0', '0.0', '9.5', 'false', NULL),
('15', '4', '1', '41', '2', '0', '0', '1', NULL, NULL),
('15', '4', '2', '39', '2', '0', 'new', 'new', NULL, NULL),
('15', '4', '3', '41', '2', '0', '0.0', '0.5', 'false', NULL),
('17', '4', '1', '51', '4', '0', '100', '103', NULL, NULL),
('17', '4', '2', '25', '0', '4', NULL, NULL, NULL, NULL),
('17', '4', '3', '36', '4', '0', NULL, NULL, 'true', NULL),
('19', '5', '1', '44', '5', '0', '0', '4', NULL, NULL),
('19', '5', '2', '45', '5', '0', '0.0', '1.3333334', 'false', NULL),
('19', '5', '4', '44', '5', '0', '0', '4', NULL, NULL),
('24', '8', '1', '31', '1', '0', 'k0', 'k0', NULL, NULL),
('24', '8', '2', '29', '1', '0', '2020-01-01', '2020-01-01', NULL, NULL),
('24', '8', '3', '29', '1', '0', '0', '0', NULL, NULL),
('25', '8', '1', '31', '1', '0', 'k1', 'k1', NULL, NULL),
('25', '8', '2', '29', '1', '0', '2020-10-27', '2020-10-27', NULL, NULL),
('25', '8', '3', '29', '1', '0', '1', '1', NULL, NULL),
('26', '8', '1', '31', '1', '0', 'k0', 'k0', NULL, NULL),
('26', '8', '2', '29', '1', '0', '2021-08-23', '2021-08-23', NULL, NULL),
('26', '8', '3', '29', '1', '0', '2', '2', NULL, NULL),
('27', '8', '1', '31', '1', '0', 'k1', 'k1', NULL, NULL),
('27', '8', '2', '29', '1', '0', '2022-06-19', '2022-06-19', NULL, NULL),
('27', '8', '3', '29', '1', '0', '3', '3', NULL, NULL),
('28', '8', '1', '46', '4', '0', 'k0', 'k1', NULL, NULL),
('28', '8', '2', '41', '4', '0', '2020-01-01', '2022-06-19', NULL, NULL),
('28', '8', '3', '41', '4', '0', '0', '3', NULL, NULL),
('3', '1', '1', '61', '9', '0', '100', '302', NULL, NULL),
('30', '12', '1', '41', '4', '0', '0', '3', NULL, NULL),
('30', '12', '3', '40', '4', '0', '0', '3', NULL, NULL),
('31', '13', '1', '62', '10', '0', '0', '9', NULL, NULL),
('33', '13', '1', '41', '4', '0', '0', '3', NULL, NULL),
('36', '17', '1', '41', '4', '0', '0', '3', NULL, NULL),
('37', '23', '1', '52', '5', '0', '0', '4', NULL, NULL),
('4', '1', '1', '37', '3', '0', '400', '402', NULL, NULL),
('41', '4', '1', '57', '5', '0', '5002', '5006', NULL, NULL),
('41', '4', '2', '65', '5', '0', 'last', 'last', NULL, NULL),
('41', '4', '3', '65', '5', '0', '1.0', '1.0', 'false', NULL),
('9', '3', '1', '41', '4', '0', '1', '4', NULL, NULL),
('9', '3', '2', '45', '4', '0', 'a', 'b', NULL, NULL);
CREATE TABLE ducklake_file_partition_value(data_file_id BIGINT, table_id BIGINT, partition_key_index BIGINT, partition_value VARCHAR);
INSERT INTO "ducklake_file_partition_value" VALUES
('24', '8', '0', 'k0'),
('24', '8', '1', '2020'),
('25', '8', '0', 'k1'),
('25', '8', '1', '2020'),
('26', '8', '0', 'k0'),
('26', '8', '1', '2021'),
('27', '8', '0', 'k1'),
('27', '8', '1', '2022');
CREATE TABLE ducklake_file_variant_stats(data_file_id BIGINT, table_id BIGINT, column_id BIGINT, variant_path VARCHAR, shredded_type VARCHAR, column_size_bytes BIGINT, value_count BIGINT, null_count BIGINT, min_value VARCHAR, max_value VARCHAR, contains_nan BOOLEAN, extra_stats VARCHAR);
CREATE TABLE ducklake_files_scheduled_for_deletion(data_file_id BIGINT, path VARCHAR, path_is_relative BOOLEAN, schedule_start TIMESTAMP WITH TIME ZONE);
INSERT INTO "ducklake_files_scheduled_for_deletion" VALUES
('0', 'main/merged/ducklake-01a22d5e-2835-78c7-9fea-3617287e3154.parquet', 'true', '2026-11-30 16:51:15.22026+00'),
('1', 'main/merged/ducklake-01a22d5e-285d-74d3-b994-f321beed84e3.parquet', 'true', '2026-11-30 16:51:15.22026+00'),
('13', 'main/rows/ducklake-01a22d5e-2aaa-7766-9136-2b1ddb551ff9-delete.parquet', 'true', '2026-11-30 16:51:15.776151+00'),
('14', 'main/rows/ducklake-01a22d5e-2ace-7d36-9b4d-6b5e6577795c-delete.parquet', 'true', '2026-11-30 16:51:15.808213+00'),
('2', 'main/merged/ducklake-01a22d5e-2871-7b36-8070-d46151484f9b.parquet', 'true', '2026-11-30 16:51:15.22026+00');
CREATE TABLE ducklake_inlined_data_12_23(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, id INTEGER, nn STRUCT(a INTEGER));
CREATE TABLE ducklake_inlined_data_13_24(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i INTEGER);
CREATE TABLE ducklake_inlined_data_15_26(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i INTEGER);
INSERT INTO "ducklake_inlined_data_15_26" VALUES
('0', '59', NULL, '1');
CREATE TABLE ducklake_inlined_data_17_28(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, "sel ect" INTEGER);
CREATE TABLE ducklake_inlined_data_23_38(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i INTEGER);
CREATE TABLE ducklake_inlined_data_23_39(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i INTEGER);
CREATE TABLE ducklake_inlined_data_25_44(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, a INTEGER);
CREATE TABLE ducklake_inlined_data_26_44(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, a INTEGER);
CREATE TABLE ducklake_inlined_data_27_46(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, b INTEGER);
INSERT INTO "ducklake_inlined_data_27_46" VALUES
('0', '82', NULL, '5');
CREATE TABLE ducklake_inlined_data_2_2(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, b BOOLEAN, i1 TINYINT, i2 SMALLINT, i4 INTEGER, i8 BIGINT, u1 UTINYINT, u2 USMALLINT, u4 UINTEGER, u8 UBIGINT, f FLOAT, d DOUBLE, "dec" DECIMAL(10,2), dt DATE, t TIME, ts TIMESTAMP, tz TIMESTAMP WITH TIME ZONE, tss TIMESTAMP_S, tms TIMESTAMP_MS, tns TIMESTAMP_NS, v VARCHAR, bl BLOB, u UUID, j JSON, l INTEGER[], s STRUCT(x INTEGER, y VARCHAR), m MAP(VARCHAR, INTEGER));
INSERT INTO "ducklake_inlined_data_2_2" VALUES
('0', '9', NULL, 'true', '1', '2', '3', '4', '5', '6', '7', '8', '1.5', 'nan', '3.25', '2020-01-01', '12:00:00', '2020-01-01 00:00:00.5', '2020-01-01 00:00:00+00', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '2020-01-01 00:00:00', 'x', 'ab', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', '{"a":1}', '[1, NULL]', '{''x'': 1, ''y'': z}', '{k=1}');
CREATE TABLE ducklake_inlined_data_3_3(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i INTEGER, v VARCHAR);
INSERT INTO "ducklake_inlined_data_3_3" VALUES
('4', '56', NULL, '9', 'z');
CREATE TABLE ducklake_inlined_data_4_45(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i BIGINT, v VARCHAR, d DOUBLE);
INSERT INTO "ducklake_inlined_data_4_45" VALUES
('26', '80', NULL, '5000', 'tx', '1.0'),
('27', '81', NULL, '5001', 'tx', '1.0');
CREATE TABLE ducklake_inlined_data_5_10(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, xx INTEGER, y DOUBLE, s STRUCT(p INTEGER, r VARCHAR));
INSERT INTO "ducklake_inlined_data_5_10" VALUES
('8', '34', NULL, '4', '0.4', '{''p'': 2, ''r'': k}');
CREATE TABLE ducklake_inlined_data_5_5(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, x INTEGER, y FLOAT, s STRUCT(p INTEGER));
INSERT INTO "ducklake_inlined_data_5_5" VALUES
('0', '24', NULL, '1', '0.1', '{''p'': 1}');
CREATE TABLE ducklake_inlined_data_5_6(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, x INTEGER, y FLOAT, s STRUCT(p INTEGER), z INTEGER);
INSERT INTO "ducklake_inlined_data_5_6" VALUES
('6', '27', '28', '2', '0.2', '{''p'': 2}', '3');
CREATE TABLE ducklake_inlined_data_5_7(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, xx INTEGER, y FLOAT, s STRUCT(p INTEGER), z INTEGER);
CREATE TABLE ducklake_inlined_data_5_8(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, xx INTEGER, y DOUBLE, s STRUCT(p INTEGER), z INTEGER);
INSERT INTO "ducklake_inlined_data_5_8" VALUES
('7', '31', NULL, '3', '0.3', '{''p'': 2}', '3');
CREATE TABLE ducklake_inlined_data_5_9(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, xx INTEGER, y DOUBLE, s STRUCT(p INTEGER, r VARCHAR), z INTEGER);
CREATE TABLE ducklake_inlined_data_6_15(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i INTEGER, d DATE, v VARCHAR, n INTEGER);
INSERT INTO "ducklake_inlined_data_6_15" VALUES
('0', '40', NULL, '5', '2020-01-01', 'it''s', '1');
CREATE TABLE ducklake_inlined_data_6_16(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i INTEGER, d DATE, v VARCHAR, n INTEGER, w VARCHAR);
CREATE TABLE ducklake_inlined_data_7_18(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, i INTEGER, n TIMESTAMP);
CREATE TABLE ducklake_inlined_data_8_19(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, k VARCHAR, dt DATE, n INTEGER);
CREATE TABLE ducklake_inlined_data_8_20(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, k VARCHAR, dt DATE, n INTEGER);
CREATE TABLE ducklake_inlined_data_8_21(row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, k VARCHAR, dt DATE, n INTEGER);
CREATE TABLE ducklake_inlined_data_tables(table_id BIGINT, table_name VARCHAR, schema_version BIGINT);
INSERT INTO "ducklake_inlined_data_tables" VALUES
('12', 'ducklake_inlined_data_12_23', '23'),
('13', 'ducklake_inlined_data_13_24', '24'),
('15', 'ducklake_inlined_data_15_26', '26'),
('17', 'ducklake_inlined_data_17_28', '28'),
('2', 'ducklake_inlined_data_2_2', '2'),
('23', 'ducklake_inlined_data_23_38', '38'),
('23', 'ducklake_inlined_data_23_39', '39'),
('25', 'ducklake_inlined_data_25_44', '44'),
('26', 'ducklake_inlined_data_26_44', '44'),
('27', 'ducklake_inlined_data_27_46', '46'),
('3', 'ducklake_inlined_data_3_3', '3'),
('4', 'ducklake_inlined_data_4_45', '45'),
('5', 'ducklake_inlined_data_5_10', '10'),
('5', 'ducklake_inlined_data_5_5', '5'),
('5', 'ducklake_inlined_data_5_6', '6'),
('5', 'ducklake_inlined_data_5_7', '7'),
('5', 'ducklake_inlined_data_5_8', '8'),
('5', 'ducklake_inlined_data_5_9', '9'),
('6', 'ducklake_inlined_data_6_15', '15'),
('6', 'ducklake_inlined_data_6_16', '16'),
('7', 'ducklake_inlined_data_7_18', '18'),
('8', 'ducklake_inlined_data_8_19', '19'),
('8', 'ducklake_inlined_data_8_20', '20'),
('8', 'ducklake_inlined_data_8_21', '21');
CREATE TABLE ducklake_inlined_delete_23(file_id BIGINT, row_id BIGINT, begin_snapshot BIGINT);
INSERT INTO "ducklake_inlined_delete_23" VALUES
('37', '3', '74');
CREATE TABLE ducklake_macro(schema_id BIGINT, macro_id BIGINT, macro_name VARCHAR, begin_snapshot BIGINT, end_snapshot BIGINT);
INSERT INTO "ducklake_macro" VALUES
('0', '21', 'plus', '66', NULL),
('0', '22', 'listed', '67', NULL);
CREATE TABLE ducklake_macro_impl(macro_id BIGINT, impl_id BIGINT, dialect VARCHAR, "sql" VARCHAR, "type" VARCHAR);
INSERT INTO "ducklake_macro_impl" VALUES
('21', '0', 'duckdb', '(a + b)', 'scalar'),
('22', '0', 'duckdb', 'SELECT a', 'table');
CREATE TABLE ducklake_macro_parameters(macro_id BIGINT, impl_id BIGINT, column_id BIGINT, parameter_name VARCHAR, parameter_type VARCHAR, default_value VARCHAR, default_value_type VARCHAR);
INSERT INTO "ducklake_macro_parameters" VALUES
('21', '0', '0', 'a', 'unknown', 'NULL', 'unknown'),
('21', '0', '1', 'b', 'unknown', '3', 'int32'),
('22', '0', '0', 'a', 'unknown', 'NULL', 'unknown');
CREATE TABLE ducklake_metadata("key" VARCHAR NOT NULL, "value" VARCHAR NOT NULL, "scope" VARCHAR, scope_id BIGINT);
INSERT INTO "ducklake_metadata" VALUES
('created_by', 'DuckDB 3a3967aa81', NULL, NULL),
('data_inlining_row_limit', '3', NULL, NULL),
('data_path', '{LAKE}/data/', NULL, NULL),
('encrypted', 'false', NULL, NULL),
('parquet_compression', 'zstd', NULL, NULL),
('parquet_row_group_size', '2000', 'schema', '14'),
('target_file_size', '5000000', 'table', '4'),
('version', '0.4', NULL, NULL);
CREATE TABLE ducklake_name_mapping(mapping_id BIGINT, column_id BIGINT, source_name VARCHAR, target_field_id BIGINT, parent_column BIGINT, is_partition BOOLEAN);
INSERT INTO "ducklake_name_mapping" VALUES
('29', '0', 'id', '1', NULL, 'false'),
('29', '1', 'nn', '2', NULL, 'false'),
('29', '2', 'a', '3', '1', 'false');
CREATE TABLE ducklake_partition_column(partition_id BIGINT, table_id BIGINT, partition_key_index BIGINT, column_id BIGINT, "transform" VARCHAR);
INSERT INTO "ducklake_partition_column" VALUES
('24', '23', '0', '1', 'identity'),
('9', '8', '0', '1', 'identity'),
('9', '8', '1', '2', 'year');
CREATE TABLE ducklake_partition_info(partition_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT);
INSERT INTO "ducklake_partition_info" VALUES
('10', '8', '47', NULL),
('24', '23', '75', '77'),
('9', '8', '45', '47');
CREATE TABLE ducklake_schema(schema_id BIGINT PRIMARY KEY, schema_uuid UUID, begin_snapshot BIGINT, end_snapshot BIGINT, schema_name VARCHAR, path VARCHAR, path_is_relative BOOLEAN);
INSERT INTO "ducklake_schema" VALUES
('0', '9484ec04-227c-419f-890b-5a423083d85b', '0', NULL, 'main', 'main/', 'true'),
('14', '01a22d5e-332d-7960-a5de-8141b1d847ff', '57', '78', 'second', 'second/', 'true'),
('16', '01a22d5e-33fd-796b-b3d6-5e26285079b1', '60', NULL, 'a schema', '01a22d5e-33fd-796b-b3d6-5e26285079b1/', 'true');
CREATE TABLE ducklake_schema_versions(begin_snapshot BIGINT, schema_version BIGINT, table_id BIGINT);
INSERT INTO "ducklake_schema_versions" VALUES
('1', '1', '1'),
('10', '3', '3'),
('16', '4', '4'),
('23', '5', '5'),
('26', '6', '5'),
('29', '7', '5'),
('30', '8', '5'),
('32', '9', '5'),
('33', '10', '5'),
('35', '11', '5'),
('36', '12', '5'),
('37', '13', '5'),
('38', '14', '5'),
('39', '15', '6'),
('41', '16', '6'),
('42', '17', '6'),
('43', '18', '7'),
('44', '19', '8'),
('45', '20', '8'),
('47', '21', '8'),
('50', '23', '12'),
('52', '24', '13'),
('58', '26', '15'),
('61', '28', '17'),
('72', '38', '23'),
('75', '39', '23'),
('8', '2', '2'),
('80', '45', '25'),
('80', '45', '26'),
('82', '46', '27');
CREATE TABLE ducklake_snapshot(snapshot_id BIGINT PRIMARY KEY, snapshot_time TIMESTAMP WITH TIME ZONE, schema_version BIGINT, next_catalog_id BIGINT, next_file_id BIGINT);
INSERT INTO "ducklake_snapshot" VALUES
('0', '2026-11-30 16:51:14.813147+00', '0', '1', '0'),
('1', '2026-11-30 16:51:14.940218+00', '1', '2', '0'),
('10', '2026-11-30 16:51:15.433115+00', '3', '4', '7'),
('11', '2026-11-30 16:51:15.45371+00', '3', '4', '8'),
('12', '2026-11-30 16:51:15.516225+00', '3', '4', '9'),
('13', '2026-11-30 16:51:15.532128+00', '3', '4', '9'),
('14', '2026-11-30 16:51:15.552277+00', '3', '4', '11'),
('15', '2026-11-30 16:51:15.608274+00', '3', '4', '12'),
('16', '2026-11-30 16:51:15.648281+00', '4', '5', '12'),
('17', '2026-11-30 16:51:15.668235+00', '4', '5', '13'),
('18', '2026-11-30 16:51:15.744314+00', '4', '5', '14'),
('19', '2026-11-30 16:51:15.776151+00', '4', '5', '15'),
('2', '2026-11-30 16:51:14.966912+00', '1', '2', '1'),
('20', '2026-11-30 16:51:15.808213+00', '4', '5', '17'),
('21', '2026-11-30 16:51:15.860351+00', '4', '5', '18'),
('22', '2026-11-30 16:51:15.892224+00', '4', '5', '18'),
('23', '2026-11-30 16:51:15.942848+00', '5', '6', '18'),
('24', '2026-11-30 16:51:16.000307+00', '5', '6', '19'),
('25', '2026-11-30 16:51:16.068098+00', '5', '6', '20'),
('26', '2026-11-30 16:51:16.100259+00', '6', '6', '20'),
('27', '2026-11-30 16:51:16.116246+00', '6', '6', '21'),
('28', '2026-11-30 16:51:16.184207+00', '6', '6', '21'),
('29', '2026-11-30 16:51:16.232306+00', '7', '6', '21'),
('3', '2026-11-30 16:51:15.164191+00', '1', '2', '2'),
('30', '2026-11-30 16:51:16.268274+00', '8', '6', '21'),
('31', '2026-11-30 16:51:16.348554+00', '8', '6', '22'),
('32', '2026-11-30 16:51:16.412228+00', '9', '6', '22'),
('33', '2026-11-30 16:51:16.436173+00', '10', '6', '22'),
('34', '2026-11-30 16:51:16.492299+00', '10', '6', '23'),
('35', '2026-11-30 16:51:16.564168+00', '11', '6', '23'),
('36', '2026-11-30 16:51:16.632349+00', '12', '6', '23'),
('37', '2026-11-30 16:51:16.664295+00', '13', '6', '23'),
('38', '2026-11-30 16:51:16.724352+00', '14', '6', '23'),
('39', '2026-11-30 16:51:16.776277+00', '15', '7', '23'),
('4', '2026-11-30 16:51:15.184186+00', '1', '2', '3'),
('40', '2026-11-30 16:51:16.836328+00', '15', '7', '24'),
('41', '2026-11-30 16:51:16.884052+00', '16', '7', '24'),
('42', '2026-11-30 16:51:16.900158+00', '17', '7', '24'),
('43', '2026-11-30 16:51:16.960266+00', '18', '8', '24'),
('44', '2026-11-30 16:51:17.020288+00', '19', '9', '24'),
('45', '2026-11-30 16:51:17.080412+00', '20', '10', '24'),
('46', '2026-11-30 16:51:17.171626+00', '20', '10', '28'),
('47', '2026-11-30 16:51:17.308249+00', '21', '11', '28'),
('48', '2026-11-30 16:51:17.404448+00', '21', '11', '29'),
('49', '2026-11-30 16:51:17.481453+00', '22', '12', '29'),
('50', '2026-11-30 16:51:17.549515+00', '23', '13', '29'),
('51', '2026-11-30 16:51:17.599955+00', '23', '13', '31'),
('52', '2026-11-30 16:51:17.680361+00', '24', '14', '31'),
('53', '2026-11-30 16:51:17.701696+00', '24', '14', '32'),
('54', '2026-11-30 16:51:17.766145+00', '24', '14', '33'),
('55', '2026-11-30 16:51:17.800572+00', '24', '14', '34'),
('56', '2026-11-30 16:51:17.884384+00', '24', '14', '35'),
('57', '2026-11-30 16:51:17.93224+00', '25', '15', '35'),
('58', '2026-11-30 16:51:17.945344+00', '26', '16', '35'),
('59', '2026-11-30 16:51:18.064244+00', '26', '16', '36'),
('60', '2026-11-30 16:51:18.14009+00', '27', '17', '36'),
('61', '2026-11-30 16:51:18.15207+00', '28', '18', '36'),
('62', '2026-11-30 16:51:18.208226+00', '28', '18', '37'),
('63', '2026-11-30 16:51:18.267488+00', '29', '19', '37'),
('64', '2026-11-30 16:51:18.288261+00', '30', '20', '37'),
('65', '2026-11-30 16:51:18.34039+00', '31', '21', '37'),
('66', '2026-11-30 16:51:18.381653+00', '32', '22', '37'),
('67', '2026-11-30 16:51:18.432479+00', '33', '23', '37'),
('68', '2026-11-30 16:51:18.49227+00', '34', '23', '37'),
('69', '2026-11-30 16:51:18.536012+00', '35', '23', '37'),
('7', '2026-11-30 16:51:15.292141+00', '1', '2', '6'),
('70', '2026-11-30 16:51:18.588115+00', '36', '23', '37'),
('71', '2026-11-30 16:51:18.640228+00', '37', '23', '37'),
('72', '2026-11-30 16:51:18.837058+00', '38', '24', '37'),
('73', '2026-11-30 16:51:18.888258+00', '38', '24', '38'),
('74', '2026-11-30 16:51:19.068283+00', '38', '24', '38'),
('75', '2026-11-30 16:51:19.136229+00', '39', '25', '38'),
('76', '2026-11-30 16:51:19.232125+00', '40', '25', '38'),
('77', '2026-11-30 16:51:19.30019+00', '41', '25', '38'),
('78', '2026-11-30 16:51:19.396175+00', '42', '25', '38'),
('79', '2026-11-30 16:51:19.518723+00', '43', '25', '38'),
('80', '2026-11-30 16:51:19.612546+00', '45', '27', '39'),
('81', '2026-11-30 16:51:19.724603+00', '45', '27', '40'),
('82', '2026-11-30 16:51:19.816363+00', '46', '28', '41'),
('83', '2026-11-30 16:51:19.881817+00', '47', '28', '41'),
('84', '2026-11-30 16:51:19.95613+00', '47', '28', '42'),
('9', '2026-11-30 16:51:15.3603+00', '2', '3', '7');
CREATE TABLE ducklake_snapshot_changes(snapshot_id BIGINT PRIMARY KEY, changes_made VARCHAR, author VARCHAR, commit_message VARCHAR, commit_extra_info VARCHAR);
INSERT INTO "ducklake_snapshot_changes" VALUES
('0', 'created_schema:"main"', NULL, NULL, NULL),
('1', 'created_table:"main"."merged"', NULL, NULL, NULL),
('10', 'created_table:"main"."flushed"', NULL, NULL, NULL),
('11', 'inlined_insert:3', NULL, NULL, NULL),
('12', 'inlined_insert:3', NULL, NULL, NULL),
('13', 'inlined_delete:3', NULL, NULL, NULL),
('14', 'deleted_from_table:3,inline_flush:3', NULL, NULL, NULL),
('15', 'inserted_into_table:2', NULL, NULL, NULL),
('16', 'created_table:"main"."rows"', NULL, NULL, NULL),
('17', 'inserted_into_table:4', NULL, NULL, NULL),
('18', 'deleted_from_table:4', NULL, NULL, NULL),
('19', 'deleted_from_table:4', NULL, NULL, NULL),
('2', 'inserted_into_table:1', NULL, NULL, NULL),
('20', 'inserted_into_table:4,deleted_from_table:4', NULL, NULL, NULL),
('21', 'inserted_into_table:4', NULL, NULL, NULL),
('22', 'deleted_from_table:4', NULL, NULL, NULL),
('23', 'created_table:"main"."shapes"', NULL, NULL, NULL),
('24', 'inlined_insert:5', NULL, NULL, NULL),
('25', 'inserted_into_table:5', NULL, NULL, NULL),
('26', 'altered_table:5', NULL, NULL, NULL),
('27', 'inlined_insert:5', NULL, NULL, NULL),
('28', 'inlined_delete:5', NULL, NULL, NULL),
('29', 'altered_table:5', NULL, NULL, NULL),
('3', 'inserted_into_table:1', NULL, NULL, NULL),
('30', 'altered_table:5', NULL, NULL, NULL),
('31', 'inlined_insert:5', NULL, NULL, NULL),
('32', 'altered_table:5', NULL, NULL, NULL),
('33', 'altered_table:5', NULL, NULL, NULL),
('34', 'inlined_insert:5', NULL, NULL, NULL),
('35', 'created_table:"main"."shaped"', NULL, NULL, NULL),
('36', 'altered_table:5', NULL, NULL, NULL),
('37', 'altered_table:5', NULL, NULL, NULL),
('38', 'altered_table:5', NULL, NULL, NULL),
('39', 'created_table:"main"."defaults"', NULL, NULL, NULL),
('4', 'inserted_into_table:1', NULL, NULL, NULL),
('40', 'inlined_insert:6', NULL, NULL, NULL),
('41', 'altered_table:6', NULL, NULL, NULL),
('42', 'altered_table:6', NULL, NULL, NULL),
('43', 'created_table:"main"."moments"', NULL, NULL, NULL),
('44', 'created_table:"main"."parts"', NULL, NULL, NULL),
('45', 'altered_table:8', NULL, NULL, NULL),
('46', 'inserted_into_table:8', NULL, NULL, NULL),
('47', 'altered_table:8', NULL, NULL, NULL),
('48', 'inserted_into_table:8', NULL, NULL, NULL),
('49', 'altered_table:8', NULL, NULL, NULL),
('50', 'created_table:"main"."registered"', NULL, NULL, NULL),
('51', 'inserted_into_table:12', NULL, NULL, NULL),
('52', 'created_table:"main"."upkeep"', NULL, NULL, NULL),
('53', 'inserted_into_table:13', NULL, NULL, NULL),
('54', 'deleted_from_table:13', NULL, NULL, NULL),
('55', 'rewrite_delete:13', NULL, NULL, NULL),
('56', 'inlined_insert:3', NULL, NULL, NULL),
('57', 'created_schema:"second"', NULL, NULL, NULL),
('58', 'created_table:"second"."t"', NULL, NULL, NULL),
('59', 'inlined_insert:15', NULL, NULL, NULL),
('60', 'created_schema:"a schema"', NULL, NULL, NULL),
('61', 'created_table:"a schema"."od d""t"', NULL, NULL, NULL),
('62', 'inserted_into_table:17', NULL, NULL, NULL),
('63', 'created_view:"main"."viewed"', NULL, NULL, NULL),
('64', 'created_view:"main"."aliased"', NULL, NULL, NULL),
('65', 'created_view:"main"."gone_view"', NULL, NULL, NULL),
('66', 'created_scalar_macro:"main"."plus"', NULL, NULL, NULL),
('67', 'created_table_macro:"main"."listed"', NULL, NULL, NULL),
('68', 'altered_table:4', NULL, NULL, NULL),
('69', 'altered_table:4', NULL, NULL, NULL),
('7', 'deleted_from_table:1', NULL, NULL, NULL),
('70', 'altered_table:4', NULL, NULL, NULL),
('71', 'altered_view:18', NULL, NULL, NULL),
('72', 'created_table:"main"."gone"', NULL, NULL, NULL),
('73', 'inserted_into_table:23', NULL, NULL, NULL),
('74', 'inlined_delete:23', NULL, NULL, NULL),
('75', 'altered_table:23', NULL, NULL, NULL),
('76', 'altered_table:23', NULL, NULL, NULL),
('77', 'dropped_table:23', NULL, NULL, NULL),
('78', 'dropped_schema:14,dropped_table:15', NULL, NULL, NULL),
('79', 'dropped_view:20', NULL, NULL, NULL),
('80', 'created_table:"main"."first",created_table:"main"."other",inlined_insert:4', NULL, NULL, NULL),
('81', 'inlined_insert:4', 'someone', 'why', '{}'),
('82', 'dropped_table:26,created_table:"main"."first",inlined_insert:27', NULL, NULL, NULL),
('83', 'dropped_table:3', NULL, NULL, NULL),
('84', 'inserted_into_table:4', NULL, NULL, NULL),
('9', 'inlined_insert:2', NULL, NULL, NULL);
CREATE TABLE ducklake_sort_expression(sort_id BIGINT, table_id BIGINT, sort_key_index BIGINT, expression VARCHAR, dialect VARCHAR, sort_direction VARCHAR, null_order VARCHAR);
INSERT INTO "ducklake_sort_expression" VALUES
('11', '8', '0', 'n', 'duckdb', 'DESC', 'NULLS_LAST');
CREATE TABLE ducklake_sort_info(sort_id BIGINT, table_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT);
INSERT INTO "ducklake_sort_info" VALUES
('11', '8', '49', NULL);
CREATE TABLE ducklake_table(table_id BIGINT, table_uuid UUID, begin_snapshot BIGINT, end_snapshot BIGINT, schema_id BIGINT, table_name VARCHAR, path VARCHAR, path_is_relative BOOLEAN);
INSERT INTO "ducklake_table" VALUES
('1', '01a22d5e-277d-7d4a-bc78-43ff9a5fdd52', '1', NULL, '0', 'merged', 'merged/', 'true'),
('12', '01a22d5e-31d0-7247-9a49-768f035a9f58', '50', NULL, '0', 'registered', 'registered/', 'true'),
('13', '01a22d5e-3231-7921-befb-dc3a58f18a03', '52', NULL, '0', 'upkeep', 'upkeep/', 'true'),
('15', '01a22d5e-3382-7e06-a7d1-2c6d3d84fb4f', '58', '78', '14', 't', 't/', 'true'),
('17', '01a22d5e-342f-7fcd-a06b-715fec7ddb5a', '61', NULL, '16', 'od d"t', '01a22d5e-342f-7fcd-a06b-715fec7ddb5a/', 'true'),
('2', '01a22d5e-2901-7a82-8552-7cd44b4b4ad2', '8', NULL, '0', 'types', 'types/', 'true'),
('23', '01a22d5e-36b6-7af9-a619-9dbfebac1937', '72', '77', '0', 'gone', 'gone/', 'true'),
('25', '01a22d5e-3a02-7b94-8906-63e7cc68c714', '80', NULL, '0', 'other', 'other/', 'true'),
('26', '01a22d5e-3a02-730c-b4db-1ec20993cd1e', '80', '82', '0', 'first', 'first/', 'true'),
('27', '01a22d5e-3a89-7a65-82af-2ab8b719af32', '82', NULL, '0', 'first', 'first/', 'true'),
('3', '01a22d5e-296a-77ea-a834-72952ebeaa68', '10', '83', '0', 'flushed', 'flushed/', 'true'),
('4', '01a22d5e-2a41-7c94-9664-ffdbc9786183', '16', NULL, '0', 'rows', 'rows/', 'true'),
('5', '01a22d5e-2b6a-7c68-a54b-f08ca6c785f0', '23', '35', '0', 'shapes', 'shapes/', 'true'),
('5', '01a22d5e-2b6a-7c68-a54b-f08ca6c785f0', '35', NULL, '0', 'shaped', 'shapes/', 'true'),
('6', '01a22d5e-2ecd-738f-b3e1-d3340abebd02', '39', NULL, '0', 'defaults', 'defaults/', 'true'),
('7', '01a22d5e-2f84-7706-b733-446c788f39f2', '43', NULL, '0', 'moments', 'moments/', 'true'),
('8', '01a22d5e-2fbe-7ef2-9801-7a7d8fef67d9', '44', NULL, '0', 'parts', 'parts/', 'true');
CREATE TABLE ducklake_table_column_stats(table_id BIGINT, column_id BIGINT, contains_null BOOLEAN, contains_nan BOOLEAN, min_value VARCHAR, max_value VARCHAR, extra_stats VARCHAR);
INSERT INTO "ducklake_table_column_stats" VALUES
('1', '1', 'false', NULL, '100', '402', NULL),
('12', '1', 'false', NULL, '0', '3', NULL),
('12', '3', 'false', NULL, '0', '3', NULL),
('13', '1', 'false', NULL, '0', '9', NULL),
('15', '1', 'false', NULL, '1', '1', NULL),
('17', '1', 'false', NULL, '0', '3', NULL),
('2', '1', 'true', NULL, '1', 'true', NULL),
('2', '10', 'true', NULL, '1.5', '1.5', NULL),
('2', '11', 'true', NULL, NULL, NULL, NULL),
('2', '12', 'true', NULL, '3.25', '3.25', NULL),
('2', '13', 'true', NULL, '2020-01-01', '2020-01-01', NULL),
('2', '14', 'true', NULL, '12:00:00', '12:00:00', NULL),
('2', '15', 'true', NULL, '2020-01-01 00:00:00.5', '2020-01-01 00:00:00.5', NULL),
('2', '16', 'true', NULL, '2020-01-01 00:00:00+00', '2020-01-01 00:00:00+00', NULL),
('2', '17', 'true', NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
('2', '18', 'true', NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
('2', '19', 'true', NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
('2', '2', 'true', NULL, '1', '1', NULL),
('2', '20', 'true', NULL, 'x', 'x', NULL),
('2', '21', 'true', NULL, '6162', 'ab', NULL),
('2', '22', 'true', NULL, 'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', NULL),
('2', '23', 'true', NULL, '{"a":1}', '{"a":1}', NULL),
('2', '25', 'true', NULL, '1', '1', NULL),
('2', '27', 'true', NULL, '1', '1', NULL),
('2', '28', 'true', NULL, 'z', 'z', NULL),
('2', '3', 'true', NULL, '2', '2', NULL),
('2', '30', 'true', NULL, 'k', 'k', NULL),
('2', '31', 'true', NULL, '1', '1', NULL),
('2', '4', 'true', NULL, '3', '3', NULL),
('2', '5', 'true', NULL, '4', '4', NULL),
('2', '6', 'true', NULL, '5', '5', NULL),
('2', '7', 'true', NULL, '6', '6', NULL),
('2', '8', 'true', NULL, '7', '7', NULL),
('2', '9', 'true', NULL, '8', '8', NULL),
('23', '1', 'false', NULL, '0', '4', NULL),
('27', '1', 'false', NULL, '5', '5', NULL),
('3', '1', 'false', NULL, '1', '9', NULL),
('3', '2', 'false', NULL, 'a', 'z', NULL),
('4', '1', 'false', NULL, '0', '5006', NULL),
('4', '2', 'true', NULL, 'last', 'v9', NULL),
('4', '3', 'false', NULL, NULL, NULL, NULL),
('5', '1', 'false', NULL, '0', '4', NULL),
('5', '2', 'false', NULL, '0.0', '1.3333334', NULL),
('5', '4', 'false', NULL, '0', '4', NULL),
('6', '1', 'false', NULL, '5', '5', NULL),
('6', '2', 'false', NULL, '2020-01-01', '2020-01-01', NULL),
('6', '3', 'false', NULL, 'it''s', 'it''s', NULL),
('6', '4', 'false', NULL, '1', '1', NULL),
('8', '1', 'false', NULL, 'k0', 'k1', NULL),
('8', '2', 'false', NULL, '2020-01-01', '2022-06-19', NULL),
('8', '3', 'false', NULL, '0', '3', NULL);
CREATE TABLE ducklake_table_stats(table_id BIGINT, record_count BIGINT, next_row_id BIGINT, file_size_bytes BIGINT);
INSERT INTO "ducklake_table_stats" VALUES
('1', '12', '12', '808'),
('12', '4', '4', '327'),
('13', '10', '10', '227'),
('15', '1', '1', '0'),
('17', '4', '4', '218'),
('2', '3', '3', '3384'),
('23', '5', '5', '217'),
('27', '1', '1', '0'),
('3', '5', '5', '689'),
('4', '33', '33', '2376'),
('5', '9', '9', '449'),
('6', '1', '1', '0'),
('8', '8', '8', '1984');
CREATE TABLE ducklake_tag(object_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, "key" VARCHAR, "value" VARCHAR);
INSERT INTO "ducklake_tag" VALUES
('18', '71', NULL, 'comment', 'of a view'),
('4', '68', '70', 'comment', 'before'),
('4', '70', NULL, 'comment', 'after');
CREATE TABLE ducklake_view(view_id BIGINT, view_uuid UUID, begin_snapshot BIGINT, end_snapshot BIGINT, schema_id BIGINT, view_name VARCHAR, dialect VARCHAR, "sql" VARCHAR, column_aliases VARCHAR);
INSERT INTO "ducklake_view" VALUES
('18', 'b8675ac5-4c28-4723-8e43-7ea2545bf437', '63', NULL, '0', 'viewed', 'duckdb', 'SELECT i, v FROM l."rows"', ''),
('19', '238ab24f-fcf8-4cac-804b-ec88575343d9', '64', NULL, '0', 'aliased', 'duckdb', 'SELECT i FROM l."rows"', '"c1"'),
('20', '08a944e3-db55-4a21-a853-5a9a87844cfd', '65', '79', '0', 'gone_view', 'duckdb', 'SELECT 1 AS one', '');
