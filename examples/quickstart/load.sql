-- All five tables in one transaction: they appear together, or not at all.
BEGIN;
CREATE TABLE airlines AS FROM read_csv(getvariable('data') || '/airlines.csv');
CREATE TABLE airports AS FROM read_csv(getvariable('data') || '/airports.csv', nullstr = 'NA');
CREATE TABLE planes   AS FROM read_csv(getvariable('data') || '/planes.csv', nullstr = 'NA');
CREATE TABLE weather  AS FROM read_csv(getvariable('data') || '/weather.csv', nullstr = 'NA');
CREATE TABLE flights  AS FROM read_csv(getvariable('data') || '/flights.csv', nullstr = 'NA');
CALL lake.set_commit_message('quickstart', 'Flights from New York City in 2013');
COMMIT;
