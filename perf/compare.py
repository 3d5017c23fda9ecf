#!/usr/bin/env python3
"""Compares the times of two built programs in interleaved runs; compare.sh builds them and calls this.

Both first run every case once: where a digest differs, nothing is timed. Then each case is run by the two
programs in turn, the one that begins changing from round to round, and medians over all rounds are compared.
"""

import argparse
import json
import statistics
import subprocess
import sys

REPETITIONS = 3  # of a case in one call of the program


def say(text):
    print(text, file=sys.stderr, flush=True)


def call(program, arguments):
    """The JSON that the program writes; None where it refuses."""
    done = subprocess.run([program, *arguments, "--quiet", "--report", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        say(f"compare: {' '.join(arguments)}: {done.stderr.strip()}")
        return None
    return json.loads(done.stdout)


class ThroughBench:
    """What `bench` measures: every step of every case."""

    def __init__(self, options):
        self.options = options

    def run(self, program, case, repetitions):
        report = call(program, ["bench", *self.options, "--cases", case["name"], "--repetitions", str(repetitions)])
        if report is None or "steps" not in report["cases"][0]:
            return None
        item = report["cases"][0]
        return item["digest"], {step["step"]: step["us"] for step in item["steps"]}


class ThroughOptimize:
    """What every version reports of a run of `optimize`."""

    STEPS = ("load", "build", "solve")

    def run(self, program, case, repetitions):
        if case["operation"] != "optimize":
            return None
        options = ["--threads", str(case["threads"]), "--backend", case["backend"]]
        for name in ("fabric", "jobs", "down"):
            if case["input"][name]:
                options += [f"--{name}", case["input"][name]]
        digest, times = None, {step: [] for step in self.STEPS}
        for _ in range(repetitions):
            report = call(program, ["optimize", *options])
            if report is None:
                return None
            digest = report["digest"]
            for step in self.STEPS:
                times[step].append(report["time"][f"{step}_us"])
        return digest, times


def has_bench(program):
    return subprocess.run([program, "bench", "--help"], capture_output=True).returncode == 0


def without_cases(options):
    """The options of bench but for --cases, which is given for each case apart."""
    rest, skip = [], False
    for option in options:
        if not skip and not option.startswith("--cases"):
            rest.append(option)
        skip = option == "--cases"
    return rest


def comparable_cases(base, head, cases, way):
    """The cases that both can run, and those of them whose results differ."""
    common, different = [], []
    for case in cases:
        say(f"compare: {case['name']}: do the results agree?")
        results = [way.run(program, case, 1) if "skipped" not in case else None for program in (base, head)]
        if None in results:
            say(f"compare: {case['name']}: left out, one of the two does not run it")
            continue
        common.append(case)
        if results[0][0] != results[1][0]:
            different.append(f"{case['name']}: {results[0][0]} and {results[1][0]}")
    return common, different


def interleaved_times(programs, case, way, rounds):
    """For each step, the times of each program."""
    times = {}
    for number in range(rounds):
        say(f"compare: {case['name']}: round {number + 1} of {rounds}")
        order = list(enumerate(programs))
        for side, program in order if number % 2 == 0 else reversed(order):
            for step, us in way.run(program, case, REPETITIONS)[1].items():
                times.setdefault(step, ([], []))[side].extend(us)
    return times


def shown(us):
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if us >= size:
            return f"{us / size:.3g} {unit}"
    return f"{us:.3g} us"


def main():
    own, bench_options = sys.argv[1:], []
    if "--" in own:
        own, bench_options = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="After --: options of `bench`.")
    parser.add_argument("base")
    parser.add_argument("head")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--allow-different-results", action="store_true")
    parser.add_argument("--json", metavar="FILE", help="write every time")
    given = parser.parse_args(own)

    if not has_bench(given.head):
        sys.exit("compare: the newer commit has no verb bench, which names the cases")
    table = call(given.head, ["bench", *bench_options, "--repetitions", "1"])
    if table is None:
        return 2
    way = ThroughBench(without_cases(bench_options)) if has_bench(given.base) else ThroughOptimize()
    cases, different = comparable_cases(given.base, given.head, table["cases"], way)
    for line in different:
        print(f"results differ: {line}")
    if different and not given.allow_different_results:
        return 1

    print(f"{'case':<16}{'step':<10}{'base':>10}{'head':>10}{'head/base':>12}")
    record = []
    for case in cases:
        times = interleaved_times((given.base, given.head), case, way, given.rounds)
        for step, (base_us, head_us) in times.items():
            base, head = statistics.median(base_us), statistics.median(head_us)
            print(f"{case['name']:<16}{step:<10}{shown(base):>10}{shown(head):>10}{head / base:>12.2f}", flush=True)
            record.append({"case": case["name"], "step": step, "base_us": base_us, "head_us": head_us,
                           "ratio_of_medians": head / base})
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump({"schema": "spineweave.comparison/1", "machine": table["machine"], "rows": record}, file, indent=2)
            file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
