"""One test file in one process: reads a job from stdin as JSON, answers with one line of JSON on stdout."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from harness import clients, duck, execute, sqllogic  # noqa: E402


def install(job):
    database = duck.Database(allow_unsigned_extensions="true", extension_directory=job["into"],
                             home_directory=job["folder"])
    connection = database.connect()
    connection.execute(f"INSTALL {clients.quoted(job['install'])}")
    database.close()
    return "passed", ""


def run(job):
    client = clients.Client(job["client"], job["catalog"], job["extension"], job["installed_in"], job["home"])
    lake = clients.Lake(**job["lake"])
    try:
        test = sqllogic.read(job["test"])
        runner = execute.Runner(client, lake, strict=client.name == "tarn")
        runner.run(test)
        runner.close()
    except execute.Failure as failure:
        return "failed", str(failure)
    except execute.Skipped as skipped:
        return "skipped", str(skipped)
    return "passed", ""


def main():
    job = json.load(sys.stdin)
    try:
        verdict, text = install(job) if "install" in job else run(job)
    except duck.SqlError as error:
        verdict, text = "failed", str(error)
    print(json.dumps({"verdict": verdict, "text": text}), flush=True)


if __name__ == "__main__":
    main()
