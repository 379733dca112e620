-- Whose planes cover the most miles, and to how many places?
SELECT p.manufacturer, count(DISTINCT p.tailnum) AS planes, sum(f.distance) AS miles,
       count(DISTINCT d.name) AS destinations
FROM flights f JOIN planes p USING (tailnum) JOIN airports d ON d.faa = f.dest
GROUP BY p.manufacturer ORDER BY miles DESC LIMIT 5;
