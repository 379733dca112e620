-- Does rain delay departures? Hourly weather joined by airport and hour.
SELECT f.origin, CASE WHEN w.precip > 0.1 THEN 'heavy rain' WHEN w.precip > 0 THEN 'rain' ELSE 'dry' END AS sky,
       count(*) AS flights, round(avg(f.dep_delay), 1) AS minutes_late
FROM flights f JOIN weather w USING (origin, time_hour)
GROUP BY ALL ORDER BY f.origin, minutes_late;
