-- The first question, asked of the lake as it was before the correction.
SELECT a.name AS airline, count(*) AS flights, round(avg(f.dep_delay), 1) AS minutes_late
FROM flights f AT (VERSION => 1) JOIN airlines a AT (VERSION => 1) USING (carrier)
GROUP BY a.name ORDER BY flights LIMIT 5;
