"""What the SQL corpus and the interoperability tests share: DuckDB in this process, the two clients, the catalogs."""
