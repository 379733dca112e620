-- An encrypted lake, with deletes, updates and a flush.
-- attach: ENCRYPTED true, DATA_INLINING_ROW_LIMIT 5
SET force_mbedtls_unsafe = 'true';
CREATE TABLE lake.t AS SELECT range::INTEGER AS id, 'secret ' || range AS s FROM range(100);
DELETE FROM lake.t WHERE id BETWEEN 10 AND 30;
INSERT INTO lake.t VALUES (500, 'inlined');
DELETE FROM lake.t WHERE id BETWEEN 60 AND 70;
UPDATE lake.t SET s = 'updated' WHERE id IN (1, 500);
CALL ducklake_flush_inlined_data('lake');
CALL ducklake_merge_adjacent_files('lake')
