-- Three flights of SkyWest that were reported late.
BEGIN;
INSERT INTO flights BY NAME
SELECT 2013 AS year, 12 AS month, 31 AS day, 'OO' AS carrier, unnest([6101, 6102, 6103]) AS flight,
       'LGA' AS origin, 'ORD' AS dest, unnest([95, 40, 210]) AS dep_delay, 733 AS distance;
CALL lake.set_commit_message('quickstart', 'Three late reports');
COMMIT;
