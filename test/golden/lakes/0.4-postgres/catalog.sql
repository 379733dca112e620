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
    parent_column bigint,
    default_value_type character varying,
    default_value_dialect character varying
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
    mapping_id bigint,
    partial_max bigint
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
    encryption_key character varying,
    partial_max bigint
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
CREATE TABLE public.ducklake_file_variant_stats (
    data_file_id bigint,
    table_id bigint,
    column_id bigint,
    variant_path character varying,
    shredded_type character varying,
    column_size_bytes bigint,
    value_count bigint,
    null_count bigint,
    min_value character varying,
    max_value character varying,
    contains_nan boolean,
    extra_stats character varying
);
CREATE TABLE public.ducklake_files_scheduled_for_deletion (
    data_file_id bigint,
    path character varying,
    path_is_relative boolean,
    schedule_start timestamp with time zone
);
CREATE TABLE public.ducklake_inlined_data_12_23 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    id integer,
    nn character varying
);
CREATE TABLE public.ducklake_inlined_data_13_24 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer
);
CREATE TABLE public.ducklake_inlined_data_15_26 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer
);
CREATE TABLE public.ducklake_inlined_data_17_28 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    "sel ect" integer
);
CREATE TABLE public.ducklake_inlined_data_23_38 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer
);
CREATE TABLE public.ducklake_inlined_data_23_39 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer
);
CREATE TABLE public.ducklake_inlined_data_25_44 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    a integer
);
CREATE TABLE public.ducklake_inlined_data_26_44 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    a integer
);
CREATE TABLE public.ducklake_inlined_data_27_46 (
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
    f real,
    d double precision,
    "dec" numeric(10,2),
    dt character varying,
    t time without time zone,
    ts character varying,
    tz character varying,
    tss character varying,
    tms character varying,
    tns character varying,
    v bytea,
    bl bytea,
    u uuid,
    j bytea,
    l character varying,
    s character varying,
    m character varying
);
CREATE TABLE public.ducklake_inlined_data_3_3 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer,
    v bytea
);
CREATE TABLE public.ducklake_inlined_data_4_45 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i bigint,
    v bytea,
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
    y real,
    s character varying
);
CREATE TABLE public.ducklake_inlined_data_5_6 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    x integer,
    y real,
    s character varying,
    z integer
);
CREATE TABLE public.ducklake_inlined_data_5_7 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    xx integer,
    y real,
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
    d character varying,
    v bytea,
    n integer
);
CREATE TABLE public.ducklake_inlined_data_6_16 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer,
    d character varying,
    v bytea,
    n integer,
    w bytea
);
CREATE TABLE public.ducklake_inlined_data_7_18 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    i integer,
    n character varying
);
CREATE TABLE public.ducklake_inlined_data_8_19 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    k bytea,
    dt character varying,
    n integer
);
CREATE TABLE public.ducklake_inlined_data_8_20 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    k bytea,
    dt character varying,
    n integer
);
CREATE TABLE public.ducklake_inlined_data_8_21 (
    row_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint,
    k bytea,
    dt character varying,
    n integer
);
CREATE TABLE public.ducklake_inlined_data_tables (
    table_id bigint,
    table_name character varying,
    schema_version bigint
);
CREATE TABLE public.ducklake_inlined_delete_23 (
    file_id bigint,
    row_id bigint,
    begin_snapshot bigint
);
CREATE TABLE public.ducklake_macro (
    schema_id bigint,
    macro_id bigint,
    macro_name character varying,
    begin_snapshot bigint,
    end_snapshot bigint
);
CREATE TABLE public.ducklake_macro_impl (
    macro_id bigint,
    impl_id bigint,
    dialect character varying,
    sql character varying,
    type character varying
);
CREATE TABLE public.ducklake_macro_parameters (
    macro_id bigint,
    impl_id bigint,
    column_id bigint,
    parameter_name character varying,
    parameter_type character varying,
    default_value character varying,
    default_value_type character varying
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
    schema_version bigint,
    table_id bigint
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
CREATE TABLE public.ducklake_sort_expression (
    sort_id bigint,
    table_id bigint,
    sort_key_index bigint,
    expression character varying,
    dialect character varying,
    sort_direction character varying,
    null_order character varying
);
CREATE TABLE public.ducklake_sort_info (
    sort_id bigint,
    table_id bigint,
    begin_snapshot bigint,
    end_snapshot bigint
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
	(1, 1, NULL, 1, 1, 'i', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 8, NULL, 2, 1, 'b', 'boolean', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(2, 8, NULL, 2, 2, 'i1', 'int8', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(3, 8, NULL, 2, 3, 'i2', 'int16', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(4, 8, NULL, 2, 4, 'i4', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(5, 8, NULL, 2, 5, 'i8', 'int64', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(6, 8, NULL, 2, 6, 'u1', 'uint8', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(7, 8, NULL, 2, 7, 'u2', 'uint16', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(8, 8, NULL, 2, 8, 'u4', 'uint32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(9, 8, NULL, 2, 9, 'u8', 'uint64', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(10, 8, NULL, 2, 10, 'f', 'float32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(11, 8, NULL, 2, 11, 'd', 'float64', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(12, 8, NULL, 2, 12, 'dec', 'decimal(10,2)', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(13, 8, NULL, 2, 13, 'dt', 'date', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(14, 8, NULL, 2, 14, 't', 'time', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(15, 8, NULL, 2, 15, 'ts', 'timestamp', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(16, 8, NULL, 2, 16, 'tz', 'timestamptz', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(17, 8, NULL, 2, 17, 'tss', 'timestamp_s', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(18, 8, NULL, 2, 18, 'tms', 'timestamp_ms', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(19, 8, NULL, 2, 19, 'tns', 'timestamp_ns', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(20, 8, NULL, 2, 20, 'v', 'varchar', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(21, 8, NULL, 2, 21, 'bl', 'blob', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(22, 8, NULL, 2, 22, 'u', 'uuid', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(23, 8, NULL, 2, 23, 'j', 'json', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(24, 8, NULL, 2, 24, 'l', 'list', NULL, 'NULL', true, NULL, '', 'duckdb'),
	(25, 8, NULL, 2, 25, 'element', 'int32', NULL, 'NULL', true, 24, 'literal', 'duckdb'),
	(26, 8, NULL, 2, 26, 's', 'struct', NULL, 'NULL', true, NULL, '', 'duckdb'),
	(27, 8, NULL, 2, 27, 'x', 'int32', NULL, 'NULL', true, 26, 'literal', 'duckdb'),
	(28, 8, NULL, 2, 28, 'y', 'varchar', NULL, 'NULL', true, 26, 'literal', 'duckdb'),
	(29, 8, NULL, 2, 29, 'm', 'map', NULL, 'NULL', true, NULL, '', 'duckdb'),
	(30, 8, NULL, 2, 30, 'key', 'varchar', NULL, 'NULL', true, 29, 'literal', 'duckdb'),
	(31, 8, NULL, 2, 31, 'value', 'int32', NULL, 'NULL', true, 29, 'literal', 'duckdb'),
	(1, 16, NULL, 4, 1, 'i', 'int64', NULL, 'NULL', false, NULL, 'literal', 'duckdb'),
	(2, 16, NULL, 4, 2, 'v', 'varchar', 'x', 'x', true, NULL, 'literal', 'duckdb'),
	(3, 16, NULL, 4, 3, 'd', 'float64', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(3, 23, NULL, 5, 3, 's', 'struct', NULL, 'NULL', true, NULL, '', 'duckdb'),
	(4, 23, NULL, 5, 4, 'p', 'int32', NULL, 'NULL', true, 3, 'literal', 'duckdb'),
	(1, 23, 29, 5, 1, 'x', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(2, 23, 30, 5, 2, 'y', 'float32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(2, 30, NULL, 5, 2, 'y', 'float64', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(6, 32, NULL, 5, 6, 'r', 'varchar', NULL, 'NULL', false, 3, 'literal', 'duckdb'),
	(5, 26, 33, 5, 5, 'z', 'int32', '42', '42', true, NULL, 'literal', 'duckdb'),
	(1, 29, 36, 5, 1, 'xx', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 36, 37, 5, 1, 'xx', 'int32', NULL, '7', true, NULL, 'literal', 'duckdb'),
	(1, 37, 38, 5, 1, 'xx', 'int32', NULL, '7', false, NULL, 'literal', 'duckdb'),
	(1, 38, NULL, 5, 1, 'xx', 'int32', NULL, '7', true, NULL, 'literal', 'duckdb'),
	(1, 39, NULL, 6, 1, 'i', 'int32', '5', '5', true, NULL, 'literal', 'duckdb'),
	(2, 39, NULL, 6, 2, 'd', 'date', '2020-01-01', '2020-01-01', true, NULL, 'literal', 'duckdb'),
	(3, 39, NULL, 6, 3, 'v', 'varchar', 'it''s', 'it''s', true, NULL, 'literal', 'duckdb'),
	(5, 41, NULL, 6, 5, 'w', 'varchar', 'later', 'later', true, NULL, 'literal', 'duckdb'),
	(4, 39, 42, 6, 4, 'n', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(4, 42, NULL, 6, 4, 'n', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 43, NULL, 7, 1, 'i', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(2, 43, NULL, 7, 2, 'n', 'timestamp', NULL, 'now()', true, NULL, 'expression', 'duckdb'),
	(1, 44, NULL, 8, 1, 'k', 'varchar', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(2, 44, NULL, 8, 2, 'dt', 'date', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(3, 44, NULL, 8, 3, 'n', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 50, NULL, 12, 1, 'id', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(2, 50, NULL, 12, 2, 'nn', 'struct', NULL, 'NULL', true, NULL, '', 'duckdb'),
	(3, 50, NULL, 12, 3, 'a', 'int32', NULL, 'NULL', true, 2, 'literal', 'duckdb'),
	(1, 52, NULL, 13, 1, 'i', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 61, NULL, 17, 1, 'sel ect', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 72, 77, 23, 1, 'i', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 58, 78, 15, 1, 'i', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 80, NULL, 25, 1, 'a', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 80, 82, 26, 1, 'a', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 82, NULL, 27, 1, 'b', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(1, 10, 83, 3, 1, 'i', 'int32', NULL, 'NULL', true, NULL, 'literal', 'duckdb'),
	(2, 10, 83, 3, 2, 'v', 'varchar', NULL, 'NULL', true, NULL, 'literal', 'duckdb');
INSERT INTO public.ducklake_column_mapping VALUES
	(29, 12, 'map_by_name');
INSERT INTO public.ducklake_column_tag VALUES
	(4, 2, 69, NULL, 'comment', 'of a column'),
	(23, 1, 76, 77, 'comment', 'c');
INSERT INTO public.ducklake_data_file VALUES
	(3, 1, 2, NULL, NULL, 'ducklake-01a22d5e-6fb9-7335-9a38-ab9b282c9726.parquet', true, 'parquet', 9, 430, 304, 0, NULL, NULL, NULL, 4),
	(4, 1, 6, NULL, NULL, 'ducklake-01a22d5e-6fcb-7720-b8b9-42da49351346.parquet', true, 'parquet', 3, 202, 153, 9, NULL, NULL, NULL, NULL),
	(11, 2, 15, NULL, NULL, 'ducklake-01a22d5e-7100-7231-bbc9-d18e17a3ece3.parquet', true, 'parquet', 2, 3384, 2344, 1, NULL, NULL, NULL, NULL),
	(12, 4, 17, NULL, NULL, 'ducklake-01a22d5e-7149-7ffe-ad39-9fbf8b5734f0.parquet', true, 'parquet', 20, 725, 323, 0, NULL, NULL, NULL, NULL),
	(15, 4, 20, NULL, NULL, 'ducklake-01a22d5e-71af-7d08-a3e3-e4a5e4fffb6c.parquet', true, 'parquet', 2, 632, 458, 20, NULL, NULL, NULL, NULL),
	(17, 4, 21, 22, NULL, 'ducklake-01a22d5e-71c0-79cf-876b-182d4251ee04.parquet', true, 'parquet', 4, 380, 256, 22, NULL, NULL, NULL, NULL),
	(19, 5, 25, NULL, NULL, 'ducklake-01a22d5e-7258-71b5-81b7-0991fc84dcf2.parquet', true, 'parquet', 5, 449, 304, 1, NULL, NULL, NULL, NULL),
	(24, 8, 46, NULL, NULL, 'k=k0/year=2020/ducklake-01a22d5e-761d-7993-bb7a-f8ff6407055c.parquet', true, 'parquet', 1, 389, 288, 0, 9, NULL, NULL, NULL),
	(25, 8, 46, NULL, NULL, 'k=k1/year=2020/ducklake-01a22d5e-761d-7ee1-bb34-130325ab2901.parquet', true, 'parquet', 1, 389, 288, 1, 9, NULL, NULL, NULL),
	(26, 8, 46, NULL, NULL, 'k=k0/year=2021/ducklake-01a22d5e-761d-7c9b-8247-da32be3864fb.parquet', true, 'parquet', 1, 389, 288, 2, 9, NULL, NULL, NULL),
	(27, 8, 46, NULL, NULL, 'k=k1/year=2022/ducklake-01a22d5e-761d-760a-9b16-9efad5ca435d.parquet', true, 'parquet', 1, 389, 288, 3, 9, NULL, NULL, NULL),
	(28, 8, 48, NULL, NULL, 'ducklake-01a22d5e-7677-7095-a554-4e645561c4de.parquet', true, 'parquet', 4, 428, 288, 4, NULL, NULL, NULL, NULL),
	(30, 12, 51, NULL, NULL, '{LAKE}/data/main/outside.parquet', false, 'parquet', 4, 327, 234, 0, NULL, NULL, 29, NULL),
	(31, 13, 53, 55, NULL, 'ducklake-01a22d5e-773e-7919-b590-5a2ed287d2f7.parquet', true, 'parquet', 10, 227, 153, 0, NULL, NULL, NULL, NULL),
	(33, 13, 55, NULL, NULL, 'ducklake-01a22d5e-777d-7f72-9611-1382e5db832a.parquet', true, 'parquet', 4, 390, 292, NULL, NULL, NULL, NULL, NULL),
	(36, 17, 62, NULL, NULL, 'ducklake-01a22d5e-7858-7ff6-9aa6-168b0000baac.parquet', true, 'parquet', 4, 218, 165, 0, NULL, NULL, NULL, NULL),
	(37, 23, 73, 77, NULL, 'ducklake-01a22d5e-7a57-792e-82a8-7ddd9de9bc74.parquet', true, 'parquet', 5, 217, 153, 0, NULL, NULL, NULL, NULL),
	(9, 3, 11, 83, NULL, 'ducklake-01a22d5e-70e4-70a4-99a1-121cec303857.parquet', true, 'parquet', 4, 689, 498, 0, NULL, NULL, NULL, 12),
	(41, 4, 84, NULL, NULL, 'ducklake-01a22d5e-7cfe-7b4d-a1fc-8f1874d3f190.parquet', true, 'parquet', 5, 639, 346, 28, NULL, NULL, NULL, NULL);
INSERT INTO public.ducklake_delete_file VALUES
	(5, 1, 7, NULL, 3, 'ducklake-01a22d5e-6fe9-78ae-a448-cd5199b372cd-delete.parquet', true, 'parquet', 2, 808, 623, NULL, NULL),
	(16, 4, 18, NULL, 12, 'ducklake-01a22d5e-71b0-78bc-b90b-206568b4474a-delete.parquet', true, 'parquet', 6, 1071, 775, NULL, 20),
	(32, 13, 54, 55, 31, 'ducklake-01a22d5e-7765-7d78-bc0a-a8506075e998-delete.parquet', true, 'parquet', 6, 893, 634, NULL, NULL),
	(10, 3, 13, 83, 9, 'ducklake-01a22d5e-70e5-722b-be5f-10b3c19f0860-delete.parquet', true, 'parquet', 1, 977, 775, NULL, NULL);
INSERT INTO public.ducklake_file_column_stats VALUES
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
	(11, 2, 10, 32, 1, 1, '1.5', '1.5', false, NULL),
	(11, 2, 11, 32, 1, 1, NULL, NULL, true, NULL),
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
	(12, 4, 3, 113, 20, 0, '0.0', '9.5', false, NULL),
	(15, 4, 1, 41, 2, 0, '0', '1', NULL, NULL),
	(15, 4, 2, 39, 2, 0, 'new', 'new', NULL, NULL),
	(15, 4, 3, 41, 2, 0, '0.0', '0.5', false, NULL),
	(17, 4, 1, 51, 4, 0, '100', '103', NULL, NULL),
	(17, 4, 2, 25, 0, 4, NULL, NULL, NULL, NULL),
	(17, 4, 3, 36, 4, 0, NULL, NULL, true, NULL),
	(19, 5, 1, 44, 5, 0, '0', '4', NULL, NULL),
	(19, 5, 2, 45, 5, 0, '0.0', '1.3333334', false, NULL),
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
	(41, 4, 3, 65, 5, 0, '1.0', '1.0', false, NULL);
INSERT INTO public.ducklake_file_partition_value VALUES
	(24, 8, 0, 'k0'),
	(24, 8, 1, '2020'),
	(25, 8, 0, 'k1'),
	(25, 8, 1, '2020'),
	(26, 8, 0, 'k0'),
	(26, 8, 1, '2021'),
	(27, 8, 0, 'k1'),
	(27, 8, 1, '2022');
INSERT INTO public.ducklake_files_scheduled_for_deletion VALUES
	(0, 'main/merged/ducklake-01a22d5e-6f81-7773-b365-bb748049c174.parquet', true, '2026-11-30 16:51:33.407572+00'),
	(1, 'main/merged/ducklake-01a22d5e-6f8f-7636-b55b-3d31c4d2fd71.parquet', true, '2026-11-30 16:51:33.407572+00'),
	(2, 'main/merged/ducklake-01a22d5e-6f96-7817-b442-5e01541526d8.parquet', true, '2026-11-30 16:51:33.407572+00'),
	(13, 'main/rows/ducklake-01a22d5e-7173-7a69-a535-ca8952344e23-delete.parquet', true, '2026-11-30 16:51:33.876684+00'),
	(14, 'main/rows/ducklake-01a22d5e-718d-7f48-bbf5-d1829869480d-delete.parquet', true, '2026-11-30 16:51:33.903847+00');
INSERT INTO public.ducklake_inlined_data_15_26 VALUES
	(0, 59, NULL, 1);
INSERT INTO public.ducklake_inlined_data_27_46 VALUES
	(0, 82, NULL, 5);
INSERT INTO public.ducklake_inlined_data_2_2 VALUES
	(0, 9, NULL, true, 1, 2, 3, 4, 5, 6, 7, '8', 1.5, 'NaN', 3.25, '2020-01-01', '12:00:00', '2020-01-01 00:00:00.5', '2020-01-01 00:00:00+00', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '\x78', '\x6162', 'f79c3e09-677c-4bbd-a479-3f349cb785e7', '\x7b2261223a317d', '[1, NULL]', '{''x'': 1, ''y'': ''z''}', '{k=1}');
INSERT INTO public.ducklake_inlined_data_3_3 VALUES
	(4, 56, NULL, 9, '\x7a');
INSERT INTO public.ducklake_inlined_data_4_45 VALUES
	(26, 80, NULL, 5000, '\x7478', 1),
	(27, 81, NULL, 5001, '\x7478', 1);
INSERT INTO public.ducklake_inlined_data_5_10 VALUES
	(8, 34, NULL, 4, 0.4, '{''p'': 2, ''r'': ''k''}');
INSERT INTO public.ducklake_inlined_data_5_5 VALUES
	(0, 24, NULL, 1, 0.1, '{''p'': 1}');
INSERT INTO public.ducklake_inlined_data_5_6 VALUES
	(6, 27, 28, 2, 0.2, '{''p'': 2}', 3);
INSERT INTO public.ducklake_inlined_data_5_8 VALUES
	(7, 31, NULL, 3, 0.3, '{''p'': 2}', 3);
INSERT INTO public.ducklake_inlined_data_6_15 VALUES
	(0, 40, NULL, 5, '2020-01-01', '\x69742773', 1);
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
INSERT INTO public.ducklake_inlined_delete_23 VALUES
	(37, 3, 74);
INSERT INTO public.ducklake_macro VALUES
	(0, 21, 'plus', 66, NULL),
	(0, 22, 'listed', 67, NULL);
INSERT INTO public.ducklake_macro_impl VALUES
	(21, 0, 'duckdb', '(a + b)', 'scalar'),
	(22, 0, 'duckdb', 'SELECT a', 'table');
INSERT INTO public.ducklake_macro_parameters VALUES
	(21, 0, 0, 'a', 'unknown', 'NULL', 'unknown'),
	(21, 0, 1, 'b', 'unknown', '3', 'int32'),
	(22, 0, 0, 'a', 'unknown', 'NULL', 'unknown');
INSERT INTO public.ducklake_metadata VALUES
	('version', '0.4', NULL, NULL),
	('created_by', 'DuckDB 3a3967aa81', NULL, NULL),
	('data_path', '{LAKE}/data/', NULL, NULL),
	('encrypted', 'false', NULL, NULL),
	('data_inlining_row_limit', '3', NULL, NULL),
	('parquet_compression', 'zstd', NULL, NULL),
	('target_file_size', '5000000', 'table', 4),
	('parquet_row_group_size', '2000', 'schema', 14);
INSERT INTO public.ducklake_name_mapping VALUES
	(29, 0, 'id', 1, NULL, false),
	(29, 1, 'nn', 2, NULL, false),
	(29, 2, 'a', 3, 1, false);
INSERT INTO public.ducklake_partition_column VALUES
	(9, 8, 0, 1, 'identity'),
	(9, 8, 1, 2, 'year'),
	(24, 23, 0, 1, 'identity');
INSERT INTO public.ducklake_partition_info VALUES
	(9, 8, 45, 47),
	(10, 8, 47, NULL),
	(24, 23, 75, 77);
INSERT INTO public.ducklake_schema VALUES
	(0, '305bdfb0-e145-4a6c-bafb-ab4b97a1e83b', 0, NULL, 'main', 'main/', true),
	(16, '01a22d5e-77fc-7719-94e7-12439a0b64bd', 60, NULL, 'a schema', '01a22d5e-77fc-7719-94e7-12439a0b64bd/', true),
	(14, '01a22d5e-7796-79d4-a8d5-f3fe6bacdec9', 57, 78, 'second', 'second/', true);
INSERT INTO public.ducklake_schema_versions VALUES
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
INSERT INTO public.ducklake_snapshot VALUES
	(0, '2026-11-30 16:51:32.859102+00', 0, 1, 0),
	(1, '2026-11-30 16:51:33.339486+00', 1, 2, 0),
	(2, '2026-11-30 16:51:33.345597+00', 1, 2, 1),
	(3, '2026-11-30 16:51:33.390212+00', 1, 2, 2),
	(4, '2026-11-30 16:51:33.397609+00', 1, 2, 3),
	(7, '2026-11-30 16:51:33.456107+00', 1, 2, 6),
	(9, '2026-11-30 16:51:33.520386+00', 2, 3, 7),
	(10, '2026-11-30 16:51:33.580332+00', 3, 4, 7),
	(11, '2026-11-30 16:51:33.596549+00', 3, 4, 8),
	(12, '2026-11-30 16:51:33.651271+00', 3, 4, 9),
	(13, '2026-11-30 16:51:33.671436+00', 3, 4, 9),
	(14, '2026-11-30 16:51:33.713883+00', 3, 4, 11),
	(15, '2026-11-30 16:51:33.758782+00', 3, 4, 12),
	(16, '2026-11-30 16:51:33.776167+00', 4, 5, 12),
	(17, '2026-11-30 16:51:33.784444+00', 4, 5, 13),
	(18, '2026-11-30 16:51:33.840207+00', 4, 5, 14),
	(19, '2026-11-30 16:51:33.876684+00', 4, 5, 15),
	(20, '2026-11-30 16:51:33.903847+00', 4, 5, 17),
	(21, '2026-11-30 16:51:33.946096+00', 4, 5, 18),
	(22, '2026-11-30 16:51:33.960837+00', 4, 5, 18),
	(23, '2026-11-30 16:51:34.025712+00', 5, 6, 18),
	(24, '2026-11-30 16:51:34.044339+00', 5, 6, 19),
	(25, '2026-11-30 16:51:34.102717+00', 5, 6, 20),
	(26, '2026-11-30 16:51:34.116146+00', 6, 6, 20),
	(27, '2026-11-30 16:51:34.13634+00', 6, 6, 21),
	(28, '2026-11-30 16:51:34.177473+00', 6, 6, 21),
	(29, '2026-11-30 16:51:34.218633+00', 7, 6, 21),
	(30, '2026-11-30 16:51:34.231616+00', 8, 6, 21),
	(31, '2026-11-30 16:51:34.303598+00', 8, 6, 22),
	(32, '2026-11-30 16:51:34.352363+00', 9, 6, 22),
	(33, '2026-11-30 16:51:34.362148+00', 10, 6, 22),
	(34, '2026-11-30 16:51:34.395641+00', 10, 6, 23),
	(35, '2026-11-30 16:51:34.556481+00', 11, 6, 23),
	(36, '2026-11-30 16:51:34.65763+00', 12, 6, 23),
	(37, '2026-11-30 16:51:34.671576+00', 13, 6, 23),
	(38, '2026-11-30 16:51:34.715078+00', 14, 6, 23),
	(39, '2026-11-30 16:51:34.755254+00', 15, 7, 23),
	(40, '2026-11-30 16:51:34.808829+00', 15, 7, 24),
	(41, '2026-11-30 16:51:34.84013+00', 16, 7, 24),
	(42, '2026-11-30 16:51:34.848155+00', 17, 7, 24),
	(43, '2026-11-30 16:51:34.873938+00', 18, 8, 24),
	(44, '2026-11-30 16:51:34.909965+00', 19, 9, 24),
	(45, '2026-11-30 16:51:34.952649+00', 20, 10, 24),
	(46, '2026-11-30 16:51:35.028537+00', 20, 10, 28),
	(47, '2026-11-30 16:51:35.084301+00', 21, 11, 28),
	(48, '2026-11-30 16:51:35.126256+00', 21, 11, 29),
	(49, '2026-11-30 16:51:35.170173+00', 22, 12, 29),
	(50, '2026-11-30 16:51:35.210634+00', 23, 13, 29),
	(51, '2026-11-30 16:51:35.256718+00', 23, 13, 31),
	(52, '2026-11-30 16:51:35.320423+00', 24, 14, 31),
	(53, '2026-11-30 16:51:35.326213+00', 24, 14, 32),
	(54, '2026-11-30 16:51:35.370449+00', 24, 14, 33),
	(55, '2026-11-30 16:51:35.400361+00', 24, 14, 34),
	(56, '2026-11-30 16:51:35.431596+00', 24, 14, 35),
	(57, '2026-11-30 16:51:35.445799+00', 25, 15, 35),
	(58, '2026-11-30 16:51:35.447511+00', 26, 16, 35),
	(59, '2026-11-30 16:51:35.488412+00', 26, 16, 36),
	(60, '2026-11-30 16:51:35.547576+00', 27, 17, 36),
	(61, '2026-11-30 16:51:35.549638+00', 28, 18, 36),
	(62, '2026-11-30 16:51:35.596533+00', 28, 18, 37),
	(63, '2026-11-30 16:51:35.651192+00', 29, 19, 37),
	(64, '2026-11-30 16:51:35.656234+00', 30, 20, 37),
	(65, '2026-11-30 16:51:35.700578+00', 31, 21, 37),
	(66, '2026-11-30 16:51:35.732437+00', 32, 22, 37),
	(67, '2026-11-30 16:51:35.764504+00', 33, 23, 37),
	(68, '2026-11-30 16:51:35.808115+00', 34, 23, 37),
	(69, '2026-11-30 16:51:35.856379+00', 35, 23, 37),
	(70, '2026-11-30 16:51:35.916426+00', 36, 23, 37),
	(71, '2026-11-30 16:51:35.964617+00', 37, 23, 37),
	(72, '2026-11-30 16:51:36.091594+00', 38, 24, 37),
	(73, '2026-11-30 16:51:36.095171+00', 38, 24, 38),
	(74, '2026-11-30 16:51:36.16396+00', 38, 24, 38),
	(75, '2026-11-30 16:51:36.205003+00', 39, 25, 38),
	(76, '2026-11-30 16:51:36.264095+00', 40, 25, 38),
	(77, '2026-11-30 16:51:36.329907+00', 41, 25, 38),
	(78, '2026-11-30 16:51:36.395598+00', 42, 25, 38),
	(79, '2026-11-30 16:51:36.452454+00', 43, 25, 38),
	(80, '2026-11-30 16:51:36.516562+00', 45, 27, 39),
	(81, '2026-11-30 16:51:36.588608+00', 45, 27, 40),
	(82, '2026-11-30 16:51:36.646852+00', 46, 28, 41),
	(83, '2026-11-30 16:51:36.688205+00', 47, 28, 41),
	(84, '2026-11-30 16:51:36.772259+00', 47, 28, 42);
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
INSERT INTO public.ducklake_sort_expression VALUES
	(11, 8, 0, 'n', 'duckdb', 'DESC', 'NULLS_LAST');
INSERT INTO public.ducklake_sort_info VALUES
	(11, 8, 49, NULL);
INSERT INTO public.ducklake_table VALUES
	(1, '01a22d5e-6f60-7ab8-bcd6-b1ed0e09c47c', 1, NULL, 0, 'merged', 'merged/', true),
	(2, '01a22d5e-7000-7d63-9adf-9b898c521879', 8, NULL, 0, 'types', 'types/', true),
	(4, '01a22d5e-7116-77a4-9323-888d0ea49177', 16, NULL, 0, 'rows', 'rows/', true),
	(5, '01a22d5e-720c-74f7-a169-1a7fc149c829', 23, 35, 0, 'shapes', 'shapes/', true),
	(5, '01a22d5e-720c-74f7-a169-1a7fc149c829', 35, NULL, 0, 'shaped', 'shapes/', true),
	(6, '01a22d5e-7510-7c75-a62a-b1ff0edb4713', 39, NULL, 0, 'defaults', 'defaults/', true),
	(7, '01a22d5e-7574-73ee-9544-30fed24ec468', 43, NULL, 0, 'moments', 'moments/', true),
	(8, '01a22d5e-759c-723d-93ce-51c5966b611b', 44, NULL, 0, 'parts', 'parts/', true),
	(12, '01a22d5e-76cd-7006-a212-4b646f4e39f4', 50, NULL, 0, 'registered', 'registered/', true),
	(13, '01a22d5e-7719-779c-9432-34cc565ba5b4', 52, NULL, 0, 'upkeep', 'upkeep/', true),
	(17, '01a22d5e-7824-7cf3-8520-ff26791d5d37', 61, NULL, 16, 'od d"t', '01a22d5e-7824-7cf3-8520-ff26791d5d37/', true),
	(23, '01a22d5e-7a1c-7aa6-9830-bff72f5689d6', 72, 77, 0, 'gone', 'gone/', true),
	(15, '01a22d5e-77bd-7f4e-a61b-6099f57956b7', 58, 78, 14, 't', 't/', true),
	(25, '01a22d5e-7bfd-7b6e-8761-06d38c1f8756', 80, NULL, 0, 'other', 'other/', true),
	(26, '01a22d5e-7bfc-7302-8da2-0d291fa10d84', 80, 82, 0, 'first', 'first/', true),
	(27, '01a22d5e-7c4c-77c8-a555-85213ee91d57', 82, NULL, 0, 'first', 'first/', true),
	(3, '01a22d5e-704d-7d58-9b44-e8827704f008', 10, 83, 0, 'flushed', 'flushed/', true);
INSERT INTO public.ducklake_table_column_stats VALUES
	(1, 1, false, NULL, '100', '402', NULL),
	(2, 1, true, NULL, '1', 'true', NULL),
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
	(2, 25, true, NULL, '1', '1', NULL),
	(2, 27, true, NULL, '1', '1', NULL),
	(2, 28, true, NULL, 'z', 'z', NULL),
	(2, 30, true, NULL, 'k', 'k', NULL),
	(2, 31, true, NULL, '1', '1', NULL),
	(5, 1, false, NULL, '0', '4', NULL),
	(5, 2, false, NULL, '0.0', '1.3333334', NULL),
	(5, 4, false, NULL, '0', '4', NULL),
	(6, 1, false, NULL, '5', '5', NULL),
	(6, 2, false, NULL, '2020-01-01', '2020-01-01', NULL),
	(6, 3, false, NULL, 'it''s', 'it''s', NULL),
	(6, 4, false, NULL, '1', '1', NULL),
	(8, 1, false, NULL, 'k0', 'k1', NULL),
	(8, 2, false, NULL, '2020-01-01', '2022-06-19', NULL),
	(8, 3, false, NULL, '0', '3', NULL),
	(12, 1, false, NULL, '0', '3', NULL),
	(12, 3, false, NULL, '0', '3', NULL),
	(13, 1, false, NULL, '0', '9', NULL),
	(3, 1, false, NULL, '1', '9', NULL),
	(3, 2, false, NULL, 'a', 'z', NULL),
	(15, 1, false, NULL, '1', '1', NULL),
	(17, 1, false, NULL, '0', '3', NULL),
	(23, 1, false, NULL, '0', '4', NULL),
	(27, 1, false, NULL, '5', '5', NULL),
	(4, 1, false, NULL, '0', '5006', NULL),
	(4, 2, true, NULL, 'last', 'v9', NULL),
	(4, 3, false, NULL, NULL, NULL, NULL);
INSERT INTO public.ducklake_table_stats VALUES
	(1, 12, 12, 808),
	(2, 3, 3, 3384),
	(5, 9, 9, 449),
	(6, 1, 1, 0),
	(8, 8, 8, 1984),
	(12, 4, 4, 327),
	(13, 10, 10, 227),
	(3, 5, 5, 689),
	(15, 1, 1, 0),
	(17, 4, 4, 218),
	(23, 5, 5, 217),
	(27, 1, 1, 0),
	(4, 33, 33, 2376);
INSERT INTO public.ducklake_tag VALUES
	(4, 68, 70, 'comment', 'before'),
	(4, 70, NULL, 'comment', 'after'),
	(18, 71, NULL, 'comment', 'of a view');
INSERT INTO public.ducklake_view VALUES
	(18, '26bc5abc-ddd3-4e51-bb48-82a57435c111', 63, NULL, 0, 'viewed', 'duckdb', 'SELECT i, v FROM l."rows"', ''),
	(19, '42972738-1518-4c28-939f-0f7820696e32', 64, NULL, 0, 'aliased', 'duckdb', 'SELECT i FROM l."rows"', '"c1"'),
	(20, '77e7d744-a9bd-462e-9bf0-6a200f6b7190', 65, 79, 0, 'gone_view', 'duckdb', 'SELECT 1 AS one', '');
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
