-- Which airlines flew least from New York, and how late did they leave?
SELECT a.name AS airline, count(*) AS flights, round(avg(f.dep_delay), 1) AS minutes_late
FROM flights f JOIN airlines a USING (carrier)
GROUP BY a.name ORDER BY flights LIMIT 5;
