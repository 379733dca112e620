-- Nested values that live in the catalog, with quotes, braces, commas, NULLs and emptiness at every level.
-- attach: DATA_INLINING_ROW_LIMIT 100
CREATE TABLE lake.t (id INTEGER, s STRUCT(a INTEGER, "odd ""name""" VARCHAR, n STRUCT(x BIGINT, y BOOLEAN)), l VARCHAR[], ll INTEGER[][], m MAP(VARCHAR, DOUBLE), ms MAP(INTEGER, STRUCT(p VARCHAR[], q BOOLEAN)), ls STRUCT(k VARCHAR, b BLOB)[], ts TIMESTAMP[], tz TIMESTAMPTZ[], de DECIMAL(9,3)[]);
INSERT INTO lake.t VALUES (1, {'a': 1, 'odd "name"': 'its, {x}', 'n': {'x': 9000000000, 'y': true}}, ['a,b', '', NULL, 'NULL', '[x]', ' sp ', '"q"', '\'], [[1, NULL], [], NULL], MAP {'k''1': 'inf'::DOUBLE, '': NULL, 'a=b, c': 1.5}, MAP {1: {'p': ['x', NULL], 'q': true}, 2: NULL}, [{'k': 'v', 'b': '\x00\xFF'::BLOB}, NULL], ['2020-01-01 12:00:00.123456'::TIMESTAMP, 'infinity'], ['2020-01-01 12:00:00+02'::TIMESTAMPTZ], [1.5, -2.25]);
INSERT INTO lake.t VALUES (2, {'a': NULL, 'odd "name"': NULL, 'n': NULL}, [], [], MAP {}, MAP {}, [], [], [], []), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (4, {'a': 4, 'odd "name"': E'two\nlines', 'n': {'x': NULL, 'y': NULL}}, [E'\t', 'мир'], [[2147483647]], MAP {'x': 5e-324}, MAP {7: {'p': [], 'q': NULL}}, [{'k': NULL, 'b': NULL}], [NULL], [NULL], [NULL]);
UPDATE lake.t SET l = ['new'] WHERE id = 4;
DELETE FROM lake.t WHERE id = 2
