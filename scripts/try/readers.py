"""Reads an export of page views (docs/operate/event-files.mdx) with each program for Parquet that is installed here, and compares what they
count with one another: views and visitors by page.

    docent analytics export --project acme-docs --to acme-docs.events
    pip install duckdb pyarrow polars chdb pyspark     # those that you want to try; Spark takes a Java
    python3 scripts/try/readers.py acme-docs.events

Ends with 1 where one of them fails, or counts something else.
"""

import importlib
import json
import os
import sys

COUNTED = "class = 'human' AND NOT not_found"

# Spark knows no UUID in Parquet: it has to be told what the columns are. `id` can be left out.
SPARK_SCHEMA = (
    "id binary, time timestamp_ntz, path string, visitor decimal(20,0), class string, class_given boolean, user_agent string, "
    "agent string, format string, referrer string, not_found boolean, classifier int"
)


def by_duckdb(duckdb, files):
    rows = duckdb.execute(
        f"SELECT path, count(*), count(DISTINCT visitor) FROM read_parquet(?) WHERE {COUNTED} GROUP BY path", [files]
    )
    return {path: (views, visitors) for path, views, visitors in rows.fetchall()}


def by_pyarrow(pyarrow, files):
    dataset = importlib.import_module("pyarrow.dataset")
    field = dataset.field
    table = dataset.dataset(files).to_table(filter=(field("class") == "human") & ~field("not_found"))
    counted = table.group_by("path").aggregate([([], "count_all"), ("visitor", "count_distinct")])
    return {row["path"]: (row["count_all"], row["visitor_count_distinct"]) for row in counted.to_pylist()}


def by_polars(polars, files):
    rows = (
        polars.scan_parquet(files)
        .filter((polars.col("class") == "human") & ~polars.col("not_found"))
        .group_by("path")
        .agg(polars.len().alias("views"), polars.col("visitor").n_unique().alias("visitors"))
        .collect()
    )
    return {path: (views, visitors) for path, views, visitors in rows.select("path", "views", "visitors").iter_rows()}


def by_chdb(chdb, files):
    folder = os.path.dirname(os.path.commonprefix(files))
    names = os.path.join(folder, "{" + ",".join(os.path.relpath(file, folder) for file in files) + "}")
    answer = chdb.query(
        f"SELECT path, count(), uniqExact(visitor) FROM file('{names}', Parquet) WHERE {COUNTED} GROUP BY path", "JSONCompact"
    )
    return {path: (int(views), int(visitors)) for path, views, visitors in json.loads(answer.bytes())["data"]}


def by_pyspark(_, files):
    sql = importlib.import_module("pyspark.sql")
    spark = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    for host in ("spark.driver.host", "spark.driver.bindAddress"):
        spark = spark.config(host, "127.0.0.1")
    session = spark.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.read.schema(SPARK_SCHEMA).parquet(*files).createOrReplaceTempView("events")
    rows = session.sql(f"SELECT path, count(*), count(DISTINCT visitor) FROM events WHERE {COUNTED} GROUP BY path").collect()
    session.stop()
    return {path: (views, visitors) for path, views, visitors in rows}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = os.path.abspath(sys.argv[1])
    with open(os.path.join(folder, "manifest.json"), encoding="utf8") as manifest:
        files = [os.path.join(folder, file["path"]) for file in json.load(manifest)["files"]]
    if not files:
        sys.exit("There are no page views in it.")
    counts = {}
    failed = False
    for name, read in list(globals().items()):
        if not name.startswith("by_"):
            continue
        package = name.removeprefix("by_")
        try:
            module = importlib.import_module(package)
        except ImportError:
            print(f"{package}: not installed")
            continue
        version = getattr(module, "__version__", "")
        try:
            counts[package] = read(module, files)
        except Exception as err:  # Whatever it is, the next one is to be tried.
            failed = True
            print(f"{package} {version}: {str(err).splitlines()[0]}")
            continue
        pages = counts[package]
        print(f"{package} {version}: {len(pages)} pages, {sum(views for views, _ in pages.values())} views by people")
    agree = all(pages == first for first in list(counts.values())[:1] for pages in counts.values())
    print("All that read it count the same." if agree else "They count differently.")
    sys.exit(1 if failed or not agree or not counts else 0)


main()
