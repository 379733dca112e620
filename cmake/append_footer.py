"""Appends the footer that makes a shared library a DuckDB extension.

Eight fields of 32 bytes, the last one first, and 256 bytes for a signature, zero for none.
Usage: append_footer.py FILE PLATFORM DUCKDB_VERSION OWN_VERSION
"""

import sys

path, platform, duckdb_version, version = sys.argv[1:]
fields = ["4", platform, duckdb_version, version, "CPP", "", "", ""]
if any(len(field.encode()) > 31 for field in fields):
    sys.exit(f"append_footer.py: a field of {fields} has more than 31 bytes")
with open(path, "ab") as file:
    for field in reversed(fields):
        file.write(field.encode().ljust(32, b"\0"))
    file.write(bytes(256))
