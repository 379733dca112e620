"""Writes readings.parquet, the file that the example appends: python make_readings.py, with the duckdb package. Any writer of Parquet
will do, as long as its columns carry the table's column ids as field ids."""
import pathlib

import duckdb

target = pathlib.Path(__file__).with_name("readings.parquet")
duckdb.execute(f"""
    COPY (SELECT * FROM (VALUES
            (1::BIGINT, 'Oslo', -3.5::DOUBLE), (2, 'Oslo', -1.0), (3, 'Cairo', 24.5), (4, 'Cairo', 26.0), (5, 'Lima', 19.0), (6, NULL, 7.5)
          ) AS readings(id, city, degrees))
    TO '{target}' (FIELD_IDS {{id: 1, city: 2, degrees: 3}})""")
