"""Peak memory of a large load under a memory limit."""

from contender import Contender


def run(build, folder, rows, limit_mib):
    print(f"\nLoading {rows:,} rows with memory_limit {limit_mib} MiB: peak memory of the whole process")
    fine = True
    for kind in ("plain", "reference", "tarn"):
        contender = Contender(kind, build, folder / f"memory-{kind}", memory_limit=f"{limit_mib}MiB")
        source = (f"SELECT range AS id, hash(range) AS h, range % 1000 AS k, "
                  f"'customer ' || (range % 100000) AS name, (range * 0.01)::DECIMAL(18,2) AS price, "
                  f"TIMESTAMP '2020-01-01' + to_seconds(range) AS at FROM range({rows})")
        if kind == "plain":
            idle = contender.run("SELECT 1")["peak_kib"]
            answer = contender.run(f"COPY ({source}) TO '{contender.folder}/out.parquet' (FORMAT parquet)")
        else:
            contender.attach()
            idle = contender.run("SELECT 1")["peak_kib"]
            answer = contender.run(f"CREATE TABLE lake.t AS {source}")
        contender.close()
        peak, idle = answer["peak_kib"] / 1024, idle / 1024
        within = peak - idle <= limit_mib
        fine = fine and (within or kind != "tarn")
        print(f"{kind:>10}: {answer['seconds']:.1f} s, peak {peak:.0f} MiB of which {idle:.0f} MiB before the load "
              f"({'within' if within else 'ABOVE'} the limit)")
    return fine
