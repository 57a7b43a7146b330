# A thin front of CMake: `make demo` and `make check` do everything on a fresh
# Debian 12 machine; the other targets are for developers.

BUILD ?= build
TYPE ?= Release
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: all help packages configure demo check check-all install bench fuzz \
  fuzz-graphs fuzz-onnx fuzz-tflite format check-format docs clean

all: configure
	ninja -C $(BUILD) -j$(JOBS)

help:
	@echo 'make demo       build, compile a small network, run it on 360 images'
	@echo 'make check      build, and run all tests'
	@echo 'make install    build, and install into PREFIX ($(PREFIX)) below DESTDIR'
	@echo
	@echo 'make            build into BUILD ($(BUILD))'
	@echo 'make check-all  the long tests too: real models, mutants, random graphs'
	@echo 'make bench      ratios against named peers, measured in the same run'
	@echo 'make fuzz       random graphs, then SECONDS of fuzzing for each reader'
	@echo 'make fuzz-onnx  COUNT random models beside ONNX Runtime; also fuzz-tflite'
	@echo 'make format     clang-format on all sources; check-format only checks'
	@echo 'make docs       bring the generated references in docs/ up to date'
	@echo 'make clean      remove the build directories'
	@echo
	@echo 'Missing Debian packages are installed first (scripts/debian-packages.txt).'
	@echo 'TYPE=Debug, JOBS=4 and CMAKE_FLAGS=... go to CMake and Ninja.'

packages:
	sh scripts/install-packages.sh

# What is given for a build that is there changes it; the rest of it stays.
given = $(if $(filter file,$(origin TYPE)),,-DCMAKE_BUILD_TYPE=$(TYPE)) \
  $(CMAKE_FLAGS)
configure: packages
	@if ! test -f $(BUILD)/build.ninja; then \
	  cmake -G Ninja -B $(BUILD) -DCMAKE_BUILD_TYPE=$(TYPE) $(CMAKE_FLAGS) .; \
	elif test -n "$(strip $(given))"; then \
	  cmake -B $(BUILD) $(given) .; \
	fi

# The main job on an input of the project's own, step by step.
demo: all
	sh scripts/demo.sh $(BUILD)

check: all
	ninja -C $(BUILD) xc-test-depends
	sh scripts/check.sh $(BUILD)

# With the long tests: all real models, mutation and random-graph tests.
check-all: all
	ninja -C $(BUILD) xc-test-depends
	LIT_OPTS="--param all=1" sh scripts/check.sh $(BUILD)

install: all
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

# Ratios against named peers measured in the same run.
bench: all
	ninja -C $(BUILD) bench

# Random graphs for the CPU and for random targets (scripts/fuzz-graphs.sh).
# GRAPH_SECONDS bounds the time of each; 0: until all are done.
GRAPH_SECONDS ?= 0
fuzz-graphs: all
	ninja -C $(BUILD) GraphFuzz
	sh scripts/fuzz-graphs.sh $(BUILD) $(JOBS) $(GRAPH_SECONDS)

# COUNT random models from SEED on, compared with ONNX Runtime and TensorFlow
# Lite, which npm gets.
COUNT ?= 5000
SEED ?= 1
fuzz-onnx fuzz-tflite: fuzz-%: all
	ninja -C $(BUILD) ModelBatch TfliteBatch
	sh bench/fetch-peers.sh $(BUILD)/bench/peers
	python3 test/fuzz/models/fuzz_models.py $* --build=$(BUILD) \
	  --peers=$(BUILD)/bench/peers --count=$(COUNT) --seed=$(SEED) --jobs=$(JOBS)

# The random graphs, then SECONDS of fuzzing for each target, with clang's
# libFuzzer.
SECONDS ?= 60
fuzz: fuzz-graphs
	cmake -G Ninja -B $(BUILD)-fuzz -DCMAKE_C_COMPILER=clang-22 \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DXC_ENABLE_FUZZ=ON .
	ninja -C $(BUILD)-fuzz
	sh scripts/fuzz.sh $(BUILD)-fuzz $(SECONDS)

format:
	git ls-files '*.c' '*.h' | xargs clang-format-22 -i

check-format:
	@command -v clang-format-22 > /dev/null || \
	  { echo 'clang-format-22 is missing: apt-get install clang-format-22'; exit 1; }
	git ls-files '*.c' '*.h' | xargs clang-format-22 --dry-run --Werror

# Brings the generated references in docs/ up to date.
docs: all
	sh scripts/update-docs.sh $(BUILD)

# What .ci/run and CMakePresets.json build, too.
clean:
	rm -rf $(BUILD) $(BUILD)-fuzz build build-asan build-clang build-debug
