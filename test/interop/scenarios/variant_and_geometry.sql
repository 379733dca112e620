-- Columns of the types VARIANT and GEOMETRY.
-- attach: DATA_INLINING_ROW_LIMIT 0
CREATE TABLE lake.v (id INTEGER, v VARIANT);
INSERT INTO lake.v VALUES (1, 5::VARIANT), (2, 'text'::VARIANT), (3, {'a': 1, 'b': [1, 2]}::VARIANT), (4, NULL);
INSERT INTO lake.v SELECT range, {'a': range, 'b': 'x' || range}::VARIANT FROM range(10, 20);
CREATE TABLE lake.g (id INTEGER, g GEOMETRY);
INSERT INTO lake.g VALUES (1, 'POINT (1 2)'::GEOMETRY), (2, 'LINESTRING (0 0, 5 5)'::GEOMETRY), (3, NULL);
DELETE FROM lake.v WHERE id = 2
