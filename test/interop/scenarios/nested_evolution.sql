-- Fields added, dropped, renamed and widened in structs, also inside lists and maps.
-- attach: DATA_INLINING_ROW_LIMIT 0
CREATE TABLE lake.t (id INTEGER, s STRUCT(a TINYINT, b VARCHAR, n STRUCT(x INTEGER)), l STRUCT(i INTEGER, k VARCHAR)[], m MAP(VARCHAR, STRUCT(p INTEGER, q FLOAT)), w SMALLINT[]);
INSERT INTO lake.t VALUES (1, {'a': 1, 'b': 'x', 'n': {'x': 5}}, [{'i': 1, 'k': 'a'}, NULL], MAP {'x': {'p': 1, 'q': 0.5}}, [1, 2]), (2, NULL, [], MAP {}, []);
ALTER TABLE lake.t ADD COLUMN s.c DATE;
ALTER TABLE lake.t DROP COLUMN s.b;
ALTER TABLE lake.t RENAME COLUMN s.a TO aa;
ALTER TABLE lake.t ADD COLUMN s.n.y VARCHAR;
ALTER TABLE lake.t ADD COLUMN l.element.j BIGINT;
ALTER TABLE lake.t DROP COLUMN l.element.i;
ALTER TABLE lake.t RENAME COLUMN m.value.p TO pp;
INSERT INTO lake.t VALUES (3, {'aa': 3, 'n': {'x': 6, 'y': 'yy'}, 'c': DATE '2020-01-01'}, [{'k': 'b', 'j': 9}], MAP {'y': {'pp': 7, 'q': 1.5}}, [3]);
ALTER TABLE lake.t ALTER w SET DATA TYPE BIGINT[];
ALTER TABLE lake.t ALTER s SET DATA TYPE STRUCT(aa BIGINT, n STRUCT(x INTEGER, y VARCHAR), c DATE, fresh VARCHAR);
ALTER TABLE lake.t ADD COLUMN st STRUCT(p INTEGER, q VARCHAR[]);
INSERT INTO lake.t (id, w, st) VALUES (4, [9000000000], {'p': 1, 'q': ['a']});
ALTER TABLE lake.t DROP COLUMN s.fresh;
ALTER TABLE lake.t ADD COLUMN s.fresh INTEGER;
INSERT INTO lake.t (id, s) VALUES (5, {'aa': 5, 'n': NULL, 'c': NULL, 'fresh': 55})
