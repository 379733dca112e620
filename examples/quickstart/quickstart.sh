#!/usr/bin/env bash
# Makes a lake of real data with the tarn command, asks it three questions, corrects it, and asks as of before.
# Usage: quickstart.sh FOLDER_WITH_TARN FOLDER_WITH_CSV [LAKE_FOLDER]
set -euo pipefail

tarn=$1/tarn
data=$(cd "$2" && pwd)
folder=${3:-$1/quickstart}
here=$(cd "$(dirname "$0")" && pwd)
lake=$folder/nyc.sqlite

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }

rm -rf "$folder"
mkdir -p "$folder"

say "1. Loading 336,776 flights and four more tables from CSV, in one transaction"
"$tarn" "$lake" -c "SET VARIABLE data = '${data//\'/\'\'}'" -f "$here/load.sql"
"$tarn" tables "$lake"

say "2. Three questions"
for n in 1 2 3; do
  head -n 1 "$here/question$n.sql" | cut -c 4-
  "$tarn" "$lake" -f "$here/question$n.sql"
done

say "3. A correction, in a second transaction"
"$tarn" "$lake" -f "$here/correction.sql"
head -n 1 "$here/question1.sql" | cut -c 4-
"$tarn" "$lake" -f "$here/question1.sql"

say "4. The history of the lake"
"$tarn" snapshots "$lake"

say "5. The first question again, as of before the correction"
"$tarn" "$lake" -f "$here/as_before.sql"

say "6. Is the lake whole?"
"$tarn" check "$lake"

say "The lake is $lake (its catalog) and $lake.files/ (its Parquet files). Go on with:"
cat <<TEXT
  $tarn $lake                      a shell on the lake: try .tables, .schema flights, .help
  $tarn $lake -c 'FROM flights LIMIT 5'
  python: duckdb.connect(config={'allow_unsigned_extensions': 'true'})
          LOAD '$1/tarn.duckdb_extension'; ATTACH 'ducklake:sqlite:$lake' AS lake;
  The same ATTACH works in any DuckDB that has the reference extension.
TEXT
