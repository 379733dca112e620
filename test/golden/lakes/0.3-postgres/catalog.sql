CREATE TABLE public.ducklake_column (
    column_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    table_id bigint,
    column_order bigint,
    column_name character varying,
    column_type character varying,
    initial_default character varying,
    default_value character varying,
    nulls_allowed boolean,
    parent_column bigint
);
CREATE TABLE public.ducklake_column_mapping (
    mapping_id bigint,
    table_id bigint,
    type character varying
);
CREATE TABLE public.ducklake_column_tag (
    table_id bigint,
    column_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    key character varying,
    value character varying
);
CREATE TABLE public.ducklake_data_file (
    data_file_id bigint NOT NULL,
    table_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    file_order bigint,
    path character varying,
    path_is_relative boolean,
    file_format character varying,
    record_count bigint,
    file_size_bytes bigint,
    footer_size bigint,
    row_id_start bigint,
    partition_id bigint,
    encryption_key character varying,
    partial_file_info character varying,
    mapping_id bigint
);
CREATE TABLE public.ducklake_delete_file (
    delete_file_id bigint NOT NULL,
    table_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    data_file_id bigint,
    path character varying,
    path_is_relative boolean,
    format character varying,
    delete_count bigint,
    file_size_bytes bigint,
    footer_size bigint,
    encryption_key character varying
);
CREATE TABLE public.ducklake_file_column_stats (
    data_file_id bigint,
    table_id bigint,
    column_id bigint,
    column_size_bytes bigint,
    value_count bigint,
    null_count bigint,
    min_value character varying,
    max_value character varying,
    contains_nan boolean,
    extra_stats character varying
);
CREATE TABLE public.ducklake_file_partition_value (
    data_file_id bigint,
    table_id bigint,
    partition_key_index bigint,
    partition_value character varying
);
CREATE TABLE public.ducklake_files_scheduled_for_deletion (
    data_file_id bigint,
    path character varying,
    path_is_relative boolean,
    schedule_start timestamp with time zone
);
CREATE TABLE public.ducklake_inlined_data_10_22 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    id integer,
    nn character varying
);
CREATE TABLE public.ducklake_inlined_data_11_23 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer
);
CREATE TABLE public.ducklake_inlined_data_13_25 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer
);
CREATE TABLE public.ducklake_inlined_data_15_27 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    "sel ect" integer
);
CREATE TABLE public.ducklake_inlined_data_19_35 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer
);
CREATE TABLE public.ducklake_inlined_data_19_36 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer
);
CREATE TABLE public.ducklake_inlined_data_21_41 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    a integer
);
CREATE TABLE public.ducklake_inlined_data_22_41 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    a integer
);
CREATE TABLE public.ducklake_inlined_data_23_43 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    b integer
);
CREATE TABLE public.ducklake_inlined_data_23_44 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    b integer
);
CREATE TABLE public.ducklake_inlined_data_2_2 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    b boolean,
    i1 smallint,
    i2 smallint,
    i4 integer,
    i8 bigint,
    u1 integer,
    u2 integer,
    u4 bigint,
    u8 character varying,
    f double precision,
    d double precision,
    "dec" numeric(10,2),
    dt date,
    t time without time zone,
    ts timestamp without time zone,
    tz timestamp with time zone,
    tss character varying,
    tms character varying,
    tns character varying,
    v character varying,
    bl bytea,
    u uuid,
    j json,
    l character varying,
    s character varying,
    m character varying
);
CREATE TABLE public.ducklake_inlined_data_3_3 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer,
    v character varying
);
CREATE TABLE public.ducklake_inlined_data_4_42 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i bigint,
    v character varying,
    d double precision
);
CREATE TABLE public.ducklake_inlined_data_5_10 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    xx integer,
    y double precision,
    s character varying
);
CREATE TABLE public.ducklake_inlined_data_5_5 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    x integer,
    y double precision,
    s character varying
);
CREATE TABLE public.ducklake_inlined_data_5_6 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    x integer,
    y double precision,
    s character varying,
    z integer
);
CREATE TABLE public.ducklake_inlined_data_5_7 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    xx integer,
    y double precision,
    s character varying,
    z integer
);
CREATE TABLE public.ducklake_inlined_data_5_8 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    xx integer,
    y double precision,
    s character varying,
    z integer
);
CREATE TABLE public.ducklake_inlined_data_5_9 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    xx integer,
    y double precision,
    s character varying,
    z integer
);
CREATE TABLE public.ducklake_inlined_data_6_15 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer,
    d date,
    v character varying,
    n integer
);
CREATE TABLE public.ducklake_inlined_data_6_16 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer,
    d date,
    v character varying,
    n integer,
    w character varying
);
CREATE TABLE public.ducklake_inlined_data_6_17 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer,
    d date,
    v character varying,
    n integer,
    w character varying,
    word character varying
);
CREATE TABLE public.ducklake_inlined_data_7_19 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    k character varying,
    dt date,
    n integer
);
CREATE TABLE public.ducklake_inlined_data_7_20 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    k character varying,
    dt date,
    n integer
);
CREATE TABLE public.ducklake_inlined_data_7_21 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    k character varying,
    dt date,
    n integer
);
CREATE TABLE public.ducklake_inlined_data_tables (
    table_id bigint,
    table_name character varying,
    schema_version bigint
);
CREATE TABLE public.ducklake_metadata (
    key character varying NOT NULL,
    value character varying NOT NULL,
    scope character varying,
    scope_id bigint
);
CREATE TABLE public.ducklake_name_mapping (
    mapping_id bigint,
    column_id bigint,
    source_name character varying,
    target_field_id bigint,
    parent_column bigint,
    is_partition boolean
);
CREATE TABLE public.ducklake_partition_column (
    partition_id bigint,
    table_id bigint,
    partition_key_index bigint,
    column_id bigint,
    transform character varying
);
CREATE TABLE public.ducklake_partition_info (
    partition_id bigint,
    table_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint
);
CREATE TABLE public.ducklake_schema (
    schema_id bigint NOT NULL,
    schema_uuid uuid,
    begin_snapshot bigint,
    end_snapshot bigint,
    schema_name character varying,
    path character varying,
    path_is_relative boolean
);
CREATE TABLE public.ducklake_schema_versions (
    begin_snapshot bigint,
    schema_version bigint
);
CREATE TABLE public.ducklake_snapshot (
    snapshot_id bigint NOT NULL,
    snapshot_time timestamp with time zone,
    schema_version bigint,
    next_catalog_id bigint,
    next_file_id bigint
);
CREATE TABLE public.ducklake_snapshot_changes (
    snapshot_id bigint NOT NULL,
    changes_made character varying,
    author character varying,
    commit_message character varying,
    commit_extra_info character varying
);
CREATE TABLE public.ducklake_table (
    table_id bigint,
    table_uuid uuid,
    begin_snapshot bigint,
    end_snapshot bigint,
    schema_id bigint,
    table_name character varying,
    path character varying,
    path_is_relative boolean
);
CREATE TABLE public.ducklake_table_column_stats (
    table_id bigint,
    column_id bigint,
    contains_null boolean,
    contains_nan boolean,
    min_value character varying,
    max_value character varying,
    extra_stats character varying
);
CREATE TABLE public.ducklake_table_stats (
    table_id bigint,
    record_count bigint,
    next_row_id bigint,
    file_size_bytes bigint
);
CREATE TABLE public.ducklake_tag (
    object_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    key character varying,
    value character varying
);
CREATE TABLE public.ducklake_view (
    view_id bigint,
    view_uuid uuid,
    begin_snapshot bigint,
    end_snapshot bigint,
    schema_id bigint,
    view_name character varying,
    dialect character varying,
    sql character varying,
    column_aliases character varying
);
INSERT INTO public.ducklake_column VALUES
	(1, 1, NULL, 1, 1, 'i', 'int32', NULL, NULL, true, NULL),
	(1, 8, NULL, 2, 1, 'b', 'boolean', NULL, NULL, true, NULL),
	(2, 8, NULL, 2, 2, 'i1', 'int8', NULL, NULL, true, NULL),
	(3, 8, NULL, 2, 3, 'i2', 'int16', NULL, NULL, true, NULL),
	(4, 8, NULL, 2, 4, 'i4', 'int32', NULL, NULL, true, NULL),
	(5, 8, NULL, 2, 5, 'i8', 'int64', NULL, NULL, true, NULL),
	(6, 8, NULL, 2, 6, 'u1', 'uint8', NULL, NULL, true, NULL),
	(7, 8, NULL, 2, 7, 'u2', 'uint16', NULL, NULL, true, NULL),
	(8, 8, NULL, 2, 8, 'u4', 'uint32', NULL, NULL, true, NULL),
	(9, 8, NULL, 2, 9, 'u8', 'uint64', NULL, NULL, true, NULL),
	(10, 8, NULL, 2, 10, 'f', 'float32', NULL, NULL, true, NULL),
	(11, 8, NULL, 2, 11, 'd', 'float64', NULL, NULL, true, NULL),
	(12, 8, NULL, 2, 12, 'dec', 'decimal(10,2)', NULL, NULL, true, NULL),
	(13, 8, NULL, 2, 13, 'dt', 'date', NULL, NULL, true, NULL),
	(14, 8, NULL, 2, 14, 't', 'time', NULL, NULL, true, NULL),
	(15, 8, NULL, 2, 15, 'ts', 'timestamp', NULL, NULL, true, NULL),
	(16, 8, NULL, 2, 16, 'tz', 'timestamptz', NULL, NULL, true, NULL),
	(17, 8, NULL, 2, 17, 'tss', 'timestamp_s', NULL, NULL, true, NULL),
	(18, 8, NULL, 2, 18, 'tms', 'timestamp_ms', NULL, NULL, true, NULL),
	(19, 8, NULL, 2, 19, 'tns', 'timestamp_ns', NULL, NULL, true, NULL),
	(20, 8, NULL, 2, 20, 'v', 'varchar', NULL, NULL, true, NULL),
	(21, 8, NULL, 2, 21, 'bl', 'blob', NULL, NULL, true, NULL),
	(22, 8, NULL, 2, 22, 'u', 'uuid', NULL, NULL, true, NULL),
	(23, 8, NULL, 2, 23, 'j', 'json', NULL, NULL, true, NULL),
	(24, 8, NULL, 2, 24, 'l', 'list', NULL, NULL, true, NULL),
	(25, 8, NULL, 2, 25, 'element', 'int32', NULL, NULL, true, 24),
	(26, 8, NULL, 2, 26, 's', 'struct', NULL, NULL, true, NULL),
	(27, 8, NULL, 2, 27, 'x', 'int32', NULL, NULL, true, 26),
	(28, 8, NULL, 2, 28, 'y', 'varchar', NULL, NULL, true, 26),
	(29, 8, NULL, 2, 29, 'm', 'map', NULL, NULL, true, NULL),
	(30, 8, NULL, 2, 30, 'key', 'varchar', NULL, NULL, true, 29),
	(31, 8, NULL, 2, 31, 'value', 'int32', NULL, NULL, true, 29),
	(1, 16, NULL, 4, 1, 'i', 'int64', NULL, NULL, false, NULL),
	(2, 16, NULL, 4, 2, 'v', 'varchar', 'x', 'x', true, NULL),
	(3, 16, NULL, 4, 3, 'd', 'float64', NULL, NULL, true, NULL),
	(3, 23, NULL, 5, 3, 's', 'struct', NULL, NULL, true, NULL),
	(4, 23, NULL, 5, 4, 'p', 'int32', NULL, NULL, true, 3),
	(1, 23, 29, 5, 1, 'x', 'int32', NULL, NULL, true, NULL),
	(2, 23, 30, 5, 2, 'y', 'float32', NULL, NULL, true, NULL),
	(2, 30, NULL, 5, 2, 'y', 'float64', NULL, NULL, true, NULL),
	(6, 32, NULL, 5, 6, 'r', 'varchar', NULL, NULL, false, 3),
	(5, 26, 33, 5, 5, 'z', 'int32', '42', '42', true, NULL),
	(1, 29, 36, 5, 1, 'xx', 'int32', NULL, NULL, true, NULL),
	(1, 36, 37, 5, 1, 'xx', 'int32', NULL, '7', true, NULL),
	(1, 37, 38, 5, 1, 'xx', 'int32', NULL, '7', false, NULL),
	(1, 38, NULL, 5, 1, 'xx', 'int32', NULL, '7', true, NULL),
	(1, 39, NULL, 6, 1, 'i', 'int32', '5', '5', true, NULL),
	(2, 39, NULL, 6, 2, 'd', 'date', '2020-01-01', '2020-01-01', true, NULL),
	(3, 39, NULL, 6, 3, 'v', 'varchar', 'it''s', 'it''s', true, NULL),
	(5, 41, NULL, 6, 5, 'w', 'varchar', 'later', 'later', true, NULL),
	(6, 42, NULL, 6, 6, 'word', 'varchar', 'NULL', 'NULL', true, NULL),
	(4, 39, 43, 6, 4, 'n', 'int32', NULL, NULL, true, NULL),
	(4, 43, NULL, 6, 4, 'n', 'int32', NULL, NULL, true, NULL),
	(1, 44, NULL, 7, 1, 'k', 'varchar', NULL, NULL, true, NULL),
	(2, 44, NULL, 7, 2, 'dt', 'date', NULL, NULL, true, NULL),
	(3, 44, NULL, 7, 3, 'n', 'int32', NULL, NULL, true, NULL),
	(1, 49, NULL, 10, 1, 'id', 'int32', NULL, NULL, true, NULL),
	(2, 49, NULL, 10, 2, 'nn', 'struct', NULL, NULL, true, NULL),
	(3, 49, NULL, 10, 3, 'a', 'int32', NULL, NULL, true, 2),
	(1, 51, NULL, 11, 1, 'i', 'int32', NULL, NULL, true, NULL),
	(1, 60, NULL, 15, 1, 'sel ect', 'int32', NULL, NULL, true, NULL),
	(1, 69, 74, 19, 1, 'i', 'int32', NULL, NULL, true, NULL),
	(1, 57, 75, 13, 1, 'i', 'int32', NULL, NULL, true, NULL),
	(1, 77, NULL, 21, 1, 'a', 'int32', NULL, NULL, true, NULL),
	(1, 77, 79, 22, 1, 'a', 'int32', NULL, NULL, true, NULL),
	(1, 79, NULL, 23, 1, 'b', 'int32', NULL, NULL, true, NULL),
	(1, 10, 80, 3, 1, 'i', 'int32', NULL, NULL, true, NULL),
	(2, 10, 80, 3, 2, 'v', 'varchar', NULL, NULL, true, NULL);
INSERT INTO public.ducklake_column_mapping VALUES
	(28, 10, 'map_by_name');
INSERT INTO public.ducklake_column_tag VALUES
	(4, 2, 66, NULL, 'comment', 'of a column'),
	(19, 1, 73, 74, 'comment', 'c');
INSERT INTO public.ducklake_data_file VALUES
	(3, 1, 2, NULL, NULL, 'ducklake-01a22d5d-b0d1-78c0-9a35-27b073105de4.parquet', true, 'parquet', 9, 422, 296, 0, NULL, NULL, '2:3|3:6|4:9', NULL),
	(4, 1, 6, NULL, NULL, 'ducklake-01a22d5d-b0db-7f79-b42f-0756a859f4ab.parquet', true, 'parquet', 3, 197, 148, 9, NULL, NULL, NULL, NULL),
	(10, 2, 15, NULL, NULL, 'ducklake-01a22d5d-b1c5-7ecd-8679-d3adf64c872f.parquet', true, 'parquet', 2, 3291, 2251, 1, NULL, NULL, NULL, NULL),
	(11, 4, 17, NULL, NULL, 'ducklake-01a22d5d-b1e6-788c-b7ca-0c4de10aa811.parquet', true, 'parquet', 20, 714, 312, 0, NULL, NULL, NULL, NULL),
	(14, 4, 20, NULL, NULL, 'ducklake-01a22d5d-b20a-7189-b527-86ad1fe992aa.parquet', true, 'parquet', 2, 618, 444, 20, NULL, NULL, NULL, NULL),
	(16, 4, 21, 22, NULL, 'ducklake-01a22d5d-b20d-7c37-8483-e49b1a960378.parquet', true, 'parquet', 4, 369, 245, 22, NULL, NULL, NULL, NULL),
	(18, 5, 25, NULL, NULL, 'ducklake-01a22d5d-b22b-75c0-aabe-d1cdc2cfef57.parquet', true, 'parquet', 5, 438, 293, 1, NULL, NULL, NULL, NULL),
	(23, 7, 46, NULL, NULL, 'k=k0/year=2020/ducklake-01a22d5d-b3df-7e72-85fe-44c7555cf247.parquet', true, 'parquet', 1, 378, 277, 0, 8, NULL, NULL, NULL),
	(24, 7, 46, NULL, NULL, 'k=k1/year=2020/ducklake-01a22d5d-b3df-7dbd-b2f8-c00f4a93a018.parquet', true, 'parquet', 1, 378, 277, 1, 8, NULL, NULL, NULL),
	(25, 7, 46, NULL, NULL, 'k=k0/year=2021/ducklake-01a22d5d-b3df-7a4c-b8b4-e27a9609fa93.parquet', true, 'parquet', 1, 378, 277, 2, 8, NULL, NULL, NULL),
	(26, 7, 46, NULL, NULL, 'k=k1/year=2022/ducklake-01a22d5d-b3e7-7a1f-94c6-190ac407738b.parquet', true, 'parquet', 1, 378, 277, 3, 8, NULL, NULL, NULL),
	(27, 7, 48, NULL, NULL, 'ducklake-01a22d5d-b421-7c99-879c-e3a76a10c634.parquet', true, 'parquet', 4, 417, 277, 4, NULL, NULL, NULL, NULL),
	(29, 10, 50, NULL, NULL, '{LAKE}/data/main/outside.parquet', false, 'parquet', 4, 319, 226, 0, NULL, NULL, NULL, 28),
	(30, 11, 52, 53, NULL, 'ducklake-01a22d5d-b479-72c0-a06b-56db16ea1174.parquet', true, 'parquet', 10, 222, 148, 0, NULL, NULL, NULL, NULL),
	(32, 11, 53, NULL, NULL, 'ducklake-01a22d5d-b4a8-7c19-b3a8-a48a7306dc5b.parquet', true, 'parquet', 4, 559, 429, NULL, NULL, NULL, NULL, NULL),
	(35, 15, 61, NULL, NULL, 'ducklake-01a22d5d-b50a-7000-ba0e-ac7155ec389c.parquet', true, 'parquet', 4, 213, 160, 0, NULL, NULL, NULL, NULL),
	(36, 19, 70, 74, NULL, 'ducklake-01a22d5d-b5d7-77c6-af69-5aaffefb1421.parquet', true, 'parquet', 5, 212, 148, 0, NULL, NULL, NULL, NULL),
	(9, 3, 11, 80, NULL, 'ducklake-01a22d5d-b1b3-78f2-88ac-13c41457e023.parquet', true, 'parquet', 3, 663, 484, 4, NULL, NULL, 'partial_max:12', NULL),
	(41, 4, 81, NULL, NULL, 'ducklake-01a22d5d-b6a1-7872-9386-68ccdb1aac45.parquet', true, 'parquet', 5, 628, 335, 28, NULL, NULL, NULL, NULL);
INSERT INTO public.ducklake_delete_file VALUES
	(5, 1, 7, NULL, 3, 'ducklake-01a22d5d-b0ed-7b95-b150-2d57ceab7e13-delete.parquet', true, 'parquet', 2, 800, 615, NULL),
	(12, 4, 18, 19, 11, 'ducklake-01a22d5d-b1f4-7e60-9d0f-3f8160166672-delete.parquet', true, 'parquet', 2, 796, 607, NULL),
	(13, 4, 19, 20, 11, 'ducklake-01a22d5d-b1fe-7fd4-b680-fc9af2195b37-delete.parquet', true, 'parquet', 4, 808, 607, NULL),
	(15, 4, 20, NULL, 11, 'ducklake-01a22d5d-b20a-739f-aa97-6438f0df0d23-delete.parquet', true, 'parquet', 6, 871, 618, NULL),
	(37, 19, 71, 74, 36, 'ducklake-01a22d5d-b5e7-726e-956d-2b66232a6d53-delete.parquet', true, 'parquet', 1, 773, 607, NULL);
INSERT INTO public.ducklake_file_column_stats VALUES
	(3, 1, 1, 61, 9, 0, '100', '302', NULL, NULL),
	(4, 1, 1, 37, 3, 0, '400', '402', NULL, NULL),
	(9, 3, 1, 37, 3, 0, '2', '4', NULL, NULL),
	(9, 3, 2, 40, 3, 0, 'a', 'b', NULL, NULL),
	(10, 2, 1, 31, 1, 1, NULL, NULL, NULL, NULL),
	(10, 2, 2, 34, 1, 1, '1', '1', NULL, NULL),
	(10, 2, 3, 34, 1, 1, '2', '2', NULL, NULL),
	(10, 2, 4, 34, 1, 1, '3', '3', NULL, NULL),
	(10, 2, 5, 38, 1, 1, '4', '4', NULL, NULL),
	(10, 2, 6, 34, 1, 1, '5', '5', NULL, NULL),
	(10, 2, 7, 34, 1, 1, '6', '6', NULL, NULL),
	(10, 2, 8, 34, 1, 1, '7', '7', NULL, NULL),
	(10, 2, 9, 38, 1, 1, '8', '8', NULL, NULL),
	(10, 2, 10, 32, 1, 1, '1.5', '1.5', false, NULL),
	(10, 2, 11, 32, 1, 1, NULL, NULL, true, NULL),
	(10, 2, 12, 38, 1, 1, '3.25', '3.25', NULL, NULL),
	(10, 2, 13, 34, 1, 1, '2020-01-01', '2020-01-01', NULL, NULL),
	(10, 2, 14, 37, 1, 1, '12:00:00', '12:00:00', NULL, NULL),
	(10, 2, 15, 38, 1, 1, '2020-01-01 00:00:00.5', '2020-01-01 00:00:00.5', NULL, NULL),
	(10, 2, 16, 37, 1, 1, '2020-01-01 00:00:00+00', '2020-01-01 00:00:00+00', NULL, NULL),
	(10, 2, 17, 37, 1, 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
	(10, 2, 18, 37, 1, 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
	(10, 2, 19, 36, 1, 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL, NULL),
	(10, 2, 20, 35, 1, 1, 'x', 'x', NULL, NULL),
	(10, 2, 21, 36, 1, 1, '6162', '6162', NULL, NULL),
	(10, 2, 22, 46, 1, 1, 'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', NULL, NULL),
	(10, 2, 23, 41, 1, 1, '{"a":1}', '{"a":1}', NULL, NULL),
	(10, 2, 25, 47, NULL, NULL, '1', '1', NULL, NULL),
	(10, 2, 27, 35, 1, 1, '1', '1', NULL, NULL),
	(10, 2, 28, 36, 1, 1, 'z', 'z', NULL, NULL),
	(10, 2, 30, 42, NULL, NULL, 'k', 'k', NULL, NULL),
	(10, 2, 31, 41, NULL, NULL, '1', '1', NULL, NULL),
	(11, 4, 1, 159, 20, 0, '0', '19', NULL, NULL),
	(11, 4, 2, 118, 20, 0, 'v0', 'v9', NULL, NULL),
	(11, 4, 3, 113, 20, 0, '0.0', '9.5', false, NULL),
	(14, 4, 1, 41, 2, 0, '0', '1', NULL, NULL),
	(14, 4, 2, 39, 2, 0, 'new', 'new', NULL, NULL),
	(14, 4, 3, 41, 2, 0, '0.0', '0.5', false, NULL),
	(16, 4, 1, 51, 4, 0, '100', '103', NULL, NULL),
	(16, 4, 2, 25, 0, 4, NULL, NULL, NULL, NULL),
	(16, 4, 3, 36, 4, 0, NULL, NULL, true, NULL),
	(18, 5, 1, 44, 5, 0, '0', '4', NULL, NULL),
	(18, 5, 2, 45, 5, 0, '0.0', '1.3333334', false, NULL),
	(18, 5, 4, 44, 5, 0, '0', '4', NULL, NULL),
	(23, 7, 1, 31, 1, 0, 'k0', 'k0', NULL, NULL),
	(23, 7, 2, 29, 1, 0, '2020-01-01', '2020-01-01', NULL, NULL),
	(23, 7, 3, 29, 1, 0, '0', '0', NULL, NULL),
	(24, 7, 1, 31, 1, 0, 'k1', 'k1', NULL, NULL),
	(24, 7, 2, 29, 1, 0, '2020-10-27', '2020-10-27', NULL, NULL),
	(24, 7, 3, 29, 1, 0, '1', '1', NULL, NULL),
	(25, 7, 1, 31, 1, 0, 'k0', 'k0', NULL, NULL),
	(25, 7, 2, 29, 1, 0, '2021-08-23', '2021-08-23', NULL, NULL),
	(25, 7, 3, 29, 1, 0, '2', '2', NULL, NULL),
	(26, 7, 1, 31, 1, 0, 'k1', 'k1', NULL, NULL),
	(26, 7, 2, 29, 1, 0, '2022-06-19', '2022-06-19', NULL, NULL),
	(26, 7, 3, 29, 1, 0, '3', '3', NULL, NULL),
	(27, 7, 1, 46, 4, 0, 'k0', 'k1', NULL, NULL),
	(27, 7, 2, 41, 4, 0, '2020-01-01', '2022-06-19', NULL, NULL),
	(27, 7, 3, 41, 4, 0, '0', '3', NULL, NULL),
	(29, 10, 1, 41, 4, 0, '0', '3', NULL, NULL),
	(29, 10, 3, 40, 4, 0, '0', '3', NULL, NULL),
	(30, 11, 1, 62, 10, 0, '0', '9', NULL, NULL),
	(32, 11, 1, 41, 4, 0, '0', '3', NULL, NULL),
	(35, 15, 1, 41, 4, 0, '0', '3', NULL, NULL),
	(36, 19, 1, 52, 5, 0, '0', '4', NULL, NULL),
	(41, 4, 1, 57, 5, 0, '5002', '5006', NULL, NULL),
	(41, 4, 2, 65, 5, 0, 'last', 'last', NULL, NULL),
	(41, 4, 3, 65, 5, 0, '1.0', '1.0', false, NULL);
INSERT INTO public.ducklake_file_partition_value VALUES
	(23, 7, 0, 'k0'),
	(23, 7, 1, '2020'),
	(24, 7, 0, 'k1'),
	(24, 7, 1, '2020'),
	(25, 7, 0, 'k0'),
	(25, 7, 1, '2021'),
	(26, 7, 0, 'k1'),
	(26, 7, 1, '2022');
INSERT INTO public.ducklake_files_scheduled_for_deletion VALUES
	(0, 'main/merged/ducklake-01a22d5d-b0bd-70ce-8f3d-92a5dde5ec53.parquet', true, '2026-11-30 16:50:44.550455+00'),
	(1, 'main/merged/ducklake-01a22d5d-b0c1-77f3-ada0-5daf6acbcc6e.parquet', true, '2026-11-30 16:50:44.550455+00'),
	(2, 'main/merged/ducklake-01a22d5d-b0c4-7d83-9339-fe00b3031084.parquet', true, '2026-11-30 16:50:44.550455+00'),
	(31, 'main/upkeep/ducklake-01a22d5d-b497-77b3-8aee-920514ffa961-delete.parquet', true, '2026-11-30 16:50:45.530514+00');
INSERT INTO public.ducklake_inlined_data_13_25 VALUES
	(0, 58, NULL, 1);
INSERT INTO public.ducklake_inlined_data_23_44 VALUES
	(0, 79, NULL, 5);
INSERT INTO public.ducklake_inlined_data_2_2 VALUES
	(0, 9, NULL, true, 1, 2, 3, 4, 5, 6, 7, '8', 1.5, 'NaN', 3.25, '2020-01-01', '12:00:00', '2020-01-01 00:00:00.5', '2020-01-01 00:00:00+00', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '2020-01-01 00:00:00', 'x', '\x6162', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', '{"a":1}', '[1, NULL]', '{''x'': 1, ''y'': ''z''}', '{k=1}');
INSERT INTO public.ducklake_inlined_data_3_3 VALUES
	(7, 55, NULL, 9, 'z');
INSERT INTO public.ducklake_inlined_data_4_42 VALUES
	(26, 77, NULL, 5000, 'tx', 1),
	(27, 78, NULL, 5001, 'tx', 1);
INSERT INTO public.ducklake_inlined_data_5_10 VALUES
	(8, 34, NULL, 4, 0.4, '{''p'': 2, ''r'': ''k''}');
INSERT INTO public.ducklake_inlined_data_5_5 VALUES
	(0, 24, NULL, 1, 0.1, '{''p'': 1}');
INSERT INTO public.ducklake_inlined_data_5_6 VALUES
	(6, 27, 28, 2, 0.2, '{''p'': 2}', 3);
INSERT INTO public.ducklake_inlined_data_5_8 VALUES
	(7, 31, NULL, 3, 0.3, '{''p'': 2}', 3);
INSERT INTO public.ducklake_inlined_data_6_15 VALUES
	(0, 40, NULL, 5, '2020-01-01', 'it''s', 1);
INSERT INTO public.ducklake_inlined_data_tables VALUES
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
	(6, 'ducklake_inlined_data_6_17', 17),
	(7, 'ducklake_inlined_data_7_19', 19),
	(7, 'ducklake_inlined_data_7_20', 20),
	(7, 'ducklake_inlined_data_7_21', 21),
	(10, 'ducklake_inlined_data_10_22', 22),
	(11, 'ducklake_inlined_data_11_23', 23),
	(13, 'ducklake_inlined_data_13_25', 25),
	(15, 'ducklake_inlined_data_15_27', 27),
	(19, 'ducklake_inlined_data_19_35', 35),
	(19, 'ducklake_inlined_data_19_36', 36),
	(21, 'ducklake_inlined_data_21_41', 41),
	(22, 'ducklake_inlined_data_22_41', 41),
	(4, 'ducklake_inlined_data_4_42', 42),
	(23, 'ducklake_inlined_data_23_43', 43),
	(23, 'ducklake_inlined_data_23_44', 44);
INSERT INTO public.ducklake_metadata VALUES
	('version', '0.3', NULL, NULL),
	('created_by', 'DuckDB 6ddac802ff', NULL, NULL),
	('data_path', '{LAKE}/data/', NULL, NULL),
	('encrypted', 'false', NULL, NULL),
	('data_inlining_row_limit', '3', NULL, NULL),
	('parquet_compression', 'zstd', NULL, NULL),
	('target_file_size', '5000000', 'table', 4),
	('parquet_row_group_size', '2000', 'schema', 12);
INSERT INTO public.ducklake_name_mapping VALUES
	(28, 0, 'id', 1, NULL, false),
	(28, 1, 'nn', 2, NULL, false),
	(28, 2, 'a', 3, 1, false);
INSERT INTO public.ducklake_partition_column VALUES
	(8, 7, 0, 1, 'identity'),
	(8, 7, 1, 2, 'year'),
	(20, 19, 0, 1, 'identity');
INSERT INTO public.ducklake_partition_info VALUES
	(8, 7, 45, 47),
	(9, 7, 47, NULL),
	(20, 19, 72, 74);
INSERT INTO public.ducklake_schema VALUES
	(0, '634e56c8-d5a4-483d-a818-f29171007b95', 0, NULL, 'main', 'main/', true),
	(14, '01a22d5d-b4e1-779f-a17d-6a7ae46550b0', 59, NULL, 'a schema', '01a22d5d-b4e1-779f-a17d-6a7ae46550b0/', true),
	(12, '01a22d5d-b4c0-7154-8547-b40464f893c6', 56, 75, 'second', 'second/', true);
INSERT INTO public.ducklake_schema_versions VALUES
	(0, 0),
	(1, 1),
	(8, 2),
	(10, 3),
	(16, 4),
	(23, 5),
	(26, 6),
	(29, 7),
	(30, 8),
	(32, 9),
	(33, 10),
	(35, 11),
	(36, 12),
	(37, 13),
	(38, 14),
	(39, 15),
	(41, 16),
	(42, 17),
	(43, 18),
	(44, 19),
	(45, 20),
	(47, 21),
	(49, 22),
	(51, 23),
	(56, 24),
	(57, 25),
	(59, 26),
	(60, 27),
	(62, 28),
	(63, 29),
	(64, 30),
	(65, 31),
	(66, 32),
	(67, 33),
	(68, 34),
	(69, 35),
	(72, 36),
	(73, 37),
	(74, 38),
	(75, 39),
	(76, 40),
	(77, 42),
	(79, 44),
	(80, 45);
INSERT INTO public.ducklake_snapshot VALUES
	(0, '2026-11-30 16:50:44.304059+00', 0, 1, 0),
	(1, '2026-11-30 16:50:44.513464+00', 1, 2, 0),
	(2, '2026-11-30 16:50:44.519117+00', 1, 2, 1),
	(3, '2026-11-30 16:50:44.544413+00', 1, 2, 2),
	(4, '2026-11-30 16:50:44.547708+00', 1, 2, 3),
	(7, '2026-11-30 16:50:44.575974+00', 1, 2, 6),
	(9, '2026-11-30 16:50:44.697758+00', 2, 3, 7),
	(10, '2026-11-30 16:50:44.744463+00', 3, 4, 7),
	(11, '2026-11-30 16:50:44.752998+00', 3, 4, 8),
	(12, '2026-11-30 16:50:44.773807+00', 3, 4, 9),
	(13, '2026-11-30 16:50:44.777572+00', 3, 4, 9),
	(14, '2026-11-30 16:50:44.785215+00', 3, 4, 10),
	(15, '2026-11-30 16:50:44.801007+00', 3, 4, 11),
	(16, '2026-11-30 16:50:44.817192+00', 4, 5, 11),
	(17, '2026-11-30 16:50:44.821003+00', 4, 5, 12),
	(18, '2026-11-30 16:50:44.845665+00', 4, 5, 13),
	(19, '2026-11-30 16:50:44.856364+00', 4, 5, 14),
	(20, '2026-11-30 16:50:44.867503+00', 4, 5, 16),
	(21, '2026-11-30 16:50:44.87679+00', 4, 5, 17),
	(22, '2026-11-30 16:50:44.880041+00', 4, 5, 17),
	(23, '2026-11-30 16:50:44.890731+00', 5, 6, 17),
	(24, '2026-11-30 16:50:44.894106+00', 5, 6, 18),
	(25, '2026-11-30 16:50:44.906312+00', 5, 6, 19),
	(26, '2026-11-30 16:50:44.913099+00', 6, 6, 19),
	(27, '2026-11-30 16:50:44.917389+00', 6, 6, 20),
	(28, '2026-11-30 16:50:44.941333+00', 6, 6, 20),
	(29, '2026-11-30 16:50:44.97404+00', 7, 6, 20),
	(30, '2026-11-30 16:50:44.991982+00', 8, 6, 20),
	(31, '2026-11-30 16:50:45.006413+00', 8, 6, 21),
	(32, '2026-11-30 16:50:45.030706+00', 9, 6, 21),
	(33, '2026-11-30 16:50:45.040128+00', 10, 6, 21),
	(34, '2026-11-30 16:50:45.053271+00', 10, 6, 22),
	(35, '2026-11-30 16:50:45.072475+00', 11, 6, 22),
	(36, '2026-11-30 16:50:45.095132+00', 12, 6, 22),
	(37, '2026-11-30 16:50:45.096942+00', 13, 6, 22),
	(38, '2026-11-30 16:50:45.124248+00', 14, 6, 22),
	(39, '2026-11-30 16:50:45.14865+00', 15, 7, 22),
	(40, '2026-11-30 16:50:45.166623+00', 15, 7, 23),
	(41, '2026-11-30 16:50:45.192808+00', 16, 7, 23),
	(42, '2026-11-30 16:50:45.197521+00', 17, 7, 23),
	(43, '2026-11-30 16:50:45.228811+00', 18, 7, 23),
	(44, '2026-11-30 16:50:45.245169+00', 19, 8, 23),
	(45, '2026-11-30 16:50:45.273608+00', 20, 9, 23),
	(46, '2026-11-30 16:50:45.322247+00', 20, 9, 27),
	(47, '2026-11-30 16:50:45.363345+00', 21, 10, 27),
	(48, '2026-11-30 16:50:45.385788+00', 21, 10, 28),
	(49, '2026-11-30 16:50:45.414648+00', 22, 11, 28),
	(50, '2026-11-30 16:50:45.424688+00', 22, 11, 30),
	(51, '2026-11-30 16:50:45.46219+00', 23, 12, 30),
	(52, '2026-11-30 16:50:45.468696+00', 23, 12, 31),
	(53, '2026-11-30 16:50:45.508998+00', 23, 12, 32),
	(54, '2026-11-30 16:50:45.530514+00', 23, 12, 33),
	(55, '2026-11-30 16:50:45.557353+00', 23, 12, 34),
	(56, '2026-11-30 16:50:45.567407+00', 24, 13, 34),
	(57, '2026-11-30 16:50:45.569269+00', 25, 14, 34),
	(58, '2026-11-30 16:50:45.58319+00', 25, 14, 35),
	(59, '2026-11-30 16:50:45.600387+00', 26, 15, 35),
	(60, '2026-11-30 16:50:45.601944+00', 27, 16, 35),
	(61, '2026-11-30 16:50:45.61456+00', 27, 16, 36),
	(62, '2026-11-30 16:50:45.659471+00', 28, 17, 36),
	(63, '2026-11-30 16:50:45.664395+00', 29, 18, 36),
	(64, '2026-11-30 16:50:45.679117+00', 30, 19, 36),
	(65, '2026-11-30 16:50:45.69224+00', 31, 19, 36),
	(66, '2026-11-30 16:50:45.71588+00', 32, 19, 36),
	(67, '2026-11-30 16:50:45.739026+00', 33, 19, 36),
	(68, '2026-11-30 16:50:45.757708+00', 34, 19, 36),
	(69, '2026-11-30 16:50:45.827223+00', 35, 20, 36),
	(70, '2026-11-30 16:50:45.831125+00', 35, 20, 37),
	(71, '2026-11-30 16:50:45.851441+00', 35, 20, 38),
	(72, '2026-11-30 16:50:45.864757+00', 36, 21, 38),
	(73, '2026-11-30 16:50:45.888806+00', 37, 21, 38),
	(74, '2026-11-30 16:50:45.906087+00', 38, 21, 38),
	(75, '2026-11-30 16:50:45.916208+00', 39, 21, 38),
	(76, '2026-11-30 16:50:45.931562+00', 40, 21, 38),
	(77, '2026-11-30 16:50:45.944336+00', 42, 23, 39),
	(78, '2026-11-30 16:50:45.964211+00', 42, 23, 40),
	(79, '2026-11-30 16:50:45.986821+00', 44, 24, 41),
	(80, '2026-11-30 16:50:46.010382+00', 45, 24, 41),
	(81, '2026-11-30 16:50:46.034434+00', 45, 24, 42);
INSERT INTO public.ducklake_snapshot_changes VALUES
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
	(14, 'flushed_inlined:3', NULL, NULL, NULL),
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
	(43, 'altered_table:6', NULL, NULL, NULL),
	(44, 'created_table:"main"."parts"', NULL, NULL, NULL),
	(45, 'altered_table:7', NULL, NULL, NULL),
	(46, 'inserted_into_table:7', NULL, NULL, NULL),
	(47, 'altered_table:7', NULL, NULL, NULL),
	(48, 'inserted_into_table:7', NULL, NULL, NULL),
	(49, 'created_table:"main"."registered"', NULL, NULL, NULL),
	(50, 'inserted_into_table:10', NULL, NULL, NULL),
	(51, 'created_table:"main"."upkeep"', NULL, NULL, NULL),
	(52, 'inserted_into_table:11', NULL, NULL, NULL),
	(53, 'deleted_from_table:11', NULL, NULL, NULL),
	(54, 'compacted_table:11', NULL, NULL, NULL),
	(55, 'inlined_insert:3', NULL, NULL, NULL),
	(56, 'created_schema:"second"', NULL, NULL, NULL),
	(57, 'created_table:"second"."t"', NULL, NULL, NULL),
	(58, 'inlined_insert:13', NULL, NULL, NULL),
	(59, 'created_schema:"a schema"', NULL, NULL, NULL),
	(60, 'created_table:"a schema"."od d""t"', NULL, NULL, NULL),
	(61, 'inserted_into_table:15', NULL, NULL, NULL),
	(62, 'created_view:"main"."viewed"', NULL, NULL, NULL),
	(63, 'created_view:"main"."aliased"', NULL, NULL, NULL),
	(64, 'created_view:"main"."gone_view"', NULL, NULL, NULL),
	(65, 'altered_table:4', NULL, NULL, NULL),
	(66, 'altered_table:4', NULL, NULL, NULL),
	(67, 'altered_table:4', NULL, NULL, NULL),
	(68, 'altered_view:16', NULL, NULL, NULL),
	(69, 'created_table:"main"."gone"', NULL, NULL, NULL),
	(70, 'inserted_into_table:19', NULL, NULL, NULL),
	(71, 'deleted_from_table:19', NULL, NULL, NULL),
	(72, 'altered_table:19', NULL, NULL, NULL),
	(73, 'altered_table:19', NULL, NULL, NULL),
	(74, 'dropped_table:19', NULL, NULL, NULL),
	(75, 'dropped_schema:12,dropped_table:13', NULL, NULL, NULL),
	(76, 'dropped_view:18', NULL, NULL, NULL),
	(77, 'created_table:"main"."first",created_table:"main"."other",inlined_insert:4', NULL, NULL, NULL),
	(78, 'inlined_insert:4', 'someone', 'why', '{}'),
	(79, 'dropped_table:22,created_table:"main"."first",inlined_insert:23', NULL, NULL, NULL),
	(80, 'dropped_table:3', NULL, NULL, NULL),
	(81, 'inserted_into_table:4', NULL, NULL, NULL);
INSERT INTO public.ducklake_table VALUES
	(1, '01a22d5d-b0a2-7066-ae2b-c3e71f023304', 1, NULL, 0, 'merged', 'merged/', true),
	(2, '01a22d5d-b129-7dd2-a819-f452fc2e1d73', 8, NULL, 0, 'types', 'types/', true),
	(4, '01a22d5d-b1d3-7113-951d-5a78107e6f7a', 16, NULL, 0, 'rows', 'rows/', true),
	(5, '01a22d5d-b21b-7c28-a0a5-8ae81e2ec537', 23, 35, 0, 'shapes', 'shapes/', true),
	(5, '01a22d5d-b21b-7c28-a0a5-8ae81e2ec537', 35, NULL, 0, 'shaped', 'shapes/', true),
	(6, '01a22d5d-b32c-77ce-b00e-71c7ea32462d', 39, NULL, 0, 'defaults', 'defaults/', true),
	(7, '01a22d5d-b392-7b9b-8e76-70ab6869a2c1', 44, NULL, 0, 'parts', 'parts/', true),
	(10, '01a22d5d-b428-7b77-a658-b94ccba9d804', 49, NULL, 0, 'registered', 'registered/', true),
	(11, '01a22d5d-b456-7681-9b71-ae88dc254302', 51, NULL, 0, 'upkeep', 'upkeep/', true),
	(15, '01a22d5d-b4ec-71f7-be56-d0bc2f50cac1', 60, NULL, 14, 'od d"t', '01a22d5d-b4ec-71f7-be56-d0bc2f50cac1/', true),
	(19, '01a22d5d-b5c4-78ae-9fb5-a5843f6f4fc5', 69, 74, 0, 'gone', 'gone/', true),
	(13, '01a22d5d-b4cc-71e2-984e-854dbb940c95', 57, 75, 12, 't', 't/', true),
	(21, '01a22d5d-b644-7808-bd44-285c0b9e8f79', 77, NULL, 0, 'other', 'other/', true),
	(22, '01a22d5d-b643-7b78-9060-3dfb28e38ddd', 77, 79, 0, 'first', 'first/', true),
	(23, '01a22d5d-b663-7a46-999e-202d678b34ed', 79, NULL, 0, 'first', 'first/', true),
	(3, '01a22d5d-b18a-71a8-a726-06426e3d3d3d', 10, 80, 0, 'flushed', 'flushed/', true);
INSERT INTO public.ducklake_table_column_stats VALUES
	(1, 1, false, NULL, '100', '402', NULL),
	(2, 1, true, NULL, NULL, NULL, NULL),
	(2, 2, true, NULL, '1', '1', NULL),
	(2, 3, true, NULL, '2', '2', NULL),
	(2, 4, true, NULL, '3', '3', NULL),
	(2, 5, true, NULL, '4', '4', NULL),
	(2, 6, true, NULL, '5', '5', NULL),
	(2, 7, true, NULL, '6', '6', NULL),
	(2, 8, true, NULL, '7', '7', NULL),
	(2, 9, true, NULL, '8', '8', NULL),
	(2, 10, true, NULL, '1.5', '1.5', NULL),
	(2, 11, true, NULL, NULL, NULL, NULL),
	(2, 12, true, NULL, '3.25', '3.25', NULL),
	(2, 13, true, NULL, '2020-01-01', '2020-01-01', NULL),
	(2, 14, true, NULL, '12:00:00', '12:00:00', NULL),
	(2, 15, true, NULL, '2020-01-01 00:00:00.5', '2020-01-01 00:00:00.5', NULL),
	(2, 16, true, NULL, '2020-01-01 00:00:00+00', '2020-01-01 00:00:00+00', NULL),
	(2, 17, true, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
	(2, 18, true, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
	(2, 19, true, NULL, '2020-01-01 00:00:00', '2020-01-01 00:00:00', NULL),
	(2, 20, true, NULL, 'x', 'x', NULL),
	(2, 21, true, NULL, '6162', 'ab', NULL),
	(2, 22, true, NULL, 'f79c3e09-677c-4bbd-a479-3f349cb785e7', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', NULL),
	(2, 23, true, NULL, '{"a":1}', '{"a":1}', NULL),
	(2, 25, NULL, NULL, '1', '1', NULL),
	(2, 27, true, NULL, '1', '1', NULL),
	(2, 28, true, NULL, 'z', 'z', NULL),
	(2, 30, NULL, NULL, 'k', 'k', NULL),
	(2, 31, NULL, NULL, '1', '1', NULL),
	(5, 1, false, NULL, '0', '4', NULL),
	(5, 2, false, NULL, '0.0', '1.3333334', NULL),
	(5, 4, false, NULL, '0', '4', NULL),
	(6, 1, false, NULL, '5', '5', NULL),
	(6, 2, false, NULL, '2020-01-01', '2020-01-01', NULL),
	(6, 3, false, NULL, 'it''s', 'it''s', NULL),
	(6, 4, false, NULL, '1', '1', NULL),
	(7, 1, false, NULL, 'k0', 'k1', NULL),
	(7, 2, false, NULL, '2020-01-01', '2022-06-19', NULL),
	(7, 3, false, NULL, '0', '3', NULL),
	(10, 1, false, NULL, '0', '3', NULL),
	(10, 3, false, NULL, '0', '3', NULL),
	(11, 1, false, NULL, '0', '9', NULL),
	(3, 1, false, NULL, '1', '9', NULL),
	(3, 2, false, NULL, 'a', 'z', NULL),
	(13, 1, false, NULL, '1', '1', NULL),
	(15, 1, false, NULL, '0', '3', NULL),
	(19, 1, false, NULL, '0', '4', NULL),
	(23, 1, false, NULL, '5', '5', NULL),
	(4, 1, false, NULL, '0', '5006', NULL),
	(4, 2, true, NULL, 'last', 'v9', NULL),
	(4, 3, false, NULL, NULL, NULL, NULL);
INSERT INTO public.ducklake_table_stats VALUES
	(1, 12, 12, 788),
	(2, 3, 3, 3291),
	(5, 9, 9, 438),
	(6, 1, 1, 0),
	(7, 8, 8, 1929),
	(10, 4, 4, 319),
	(11, 10, 10, 222),
	(3, 8, 8, 663),
	(13, 1, 1, 0),
	(15, 4, 4, 213),
	(19, 5, 5, 212),
	(23, 1, 1, 0),
	(4, 33, 33, 2329);
INSERT INTO public.ducklake_tag VALUES
	(4, 65, 67, 'comment', 'before'),
	(4, 67, NULL, 'comment', 'after'),
	(16, 68, NULL, 'comment', 'of a view');
INSERT INTO public.ducklake_view VALUES
	(16, 'd9d6380c-95d2-4fa6-b5cf-4049471090a9', 62, NULL, 0, 'viewed', 'duckdb', 'SELECT i, v FROM l."rows"', ''),
	(17, 'f6e24267-9053-4a94-bcb9-eee23331ac42', 63, NULL, 0, 'aliased', 'duckdb', 'SELECT i FROM l."rows"', '"c1"'),
	(18, 'ba7dfa87-1f84-4ad8-9306-36707cb94e4d', 64, 76, 0, 'gone_view', 'duckdb', 'SELECT 1 AS one', '');
ALTER TABLE ONLY public.ducklake_data_file
    ADD CONSTRAINT ducklake_data_file_pkey PRIMARY KEY (data_file_id);
ALTER TABLE ONLY public.ducklake_delete_file
    ADD CONSTRAINT ducklake_delete_file_pkey PRIMARY KEY (delete_file_id);
ALTER TABLE ONLY public.ducklake_schema
    ADD CONSTRAINT ducklake_schema_pkey PRIMARY KEY (schema_id);
ALTER TABLE ONLY public.ducklake_snapshot_changes
    ADD CONSTRAINT ducklake_snapshot_changes_pkey PRIMARY KEY (snapshot_id);
ALTER TABLE ONLY public.ducklake_snapshot
    ADD CONSTRAINT ducklake_snapshot_pkey PRIMARY KEY (snapshot_id);
