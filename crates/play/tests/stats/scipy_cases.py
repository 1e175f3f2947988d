"""Writes scipy.json, the answers our rank tests are compared with: python scipy_cases.py > scipy.json (scipy 1.17).

Every test as scipy does it by default. Cases scipy has no answer for (nan: all values equal) are left to tests of their own.
"""

import json
import math
import warnings

import numpy as np
from scipy import stats

warnings.simplefilter("ignore")
rng = np.random.default_rng(1945)
cases = []


def add(name, test, samples, answer):
    p = float(answer.pvalue)
    assert not math.isnan(p), name
    samples = [[float(value) for value in sample] for sample in samples]
    cases.append({"name": name, "test": test, "samples": samples, "p": p})
    if test in ("friedman", "kruskal-wallis"):
        cases[-1]["statistic"] = float(answer.statistic)


def smooth(n, shift=0.0):
    return np.round(rng.gamma(2.0, 10.0, n) + shift, 6)


def whole(n, top, shift=0):
    return rng.integers(0, top, n) + shift


def wilcoxon(name, a, b):
    add(name, "wilcoxon", [a, b], stats.wilcoxon(a, b))


def mann_whitney(name, a, b):
    add(name, "mann-whitney", [a, b], stats.mannwhitneyu(a, b))


def friedman(name, *samples):
    add(name, "friedman", samples, stats.friedmanchisquare(*samples))


def kruskal(name, *samples):
    add(name, "kruskal-wallis", samples, stats.kruskal(*samples))


def fisher(first, second):
    add(f"{first} {second}", "fisher", [first, second], stats.fisher_exact([first, second]))


wilcoxon("one pair", [3], [1])
wilcoxon("five pairs on one side", [5, 7, 9, 11, 13], [1, 2, 3, 4, 5])
wilcoxon("8 without ties", smooth(8), smooth(8))
wilcoxon("13 without ties", smooth(13, 5), smooth(13))
wilcoxon("30 without ties", smooth(30, 8), smooth(30))
wilcoxon("50 without ties", smooth(50, 8), smooth(50))
wilcoxon("51 without ties", smooth(51, 3), smooth(51))
wilcoxon("200, far apart", smooth(200, 30), smooth(200))
wilcoxon("10 with ties and zeros", whole(10, 5), whole(10, 5))
wilcoxon("13 with ties and zeros", whole(13, 6, 1), whole(13, 6))
wilcoxon("14 with ties and zeros", whole(14, 6, 1), whole(14, 6))
wilcoxon("40 with ties and zeros", whole(40, 8, 1), whole(40, 8))
wilcoxon("60 with ties and zeros", whole(60, 8, 1), whole(60, 8))
wilcoxon("constant differences", np.arange(10) + 2, np.arange(10))
wilcoxon("20 constant differences", np.arange(20) + 2, np.arange(20))
wilcoxon("no differences", np.arange(6), np.arange(6))

mann_whitney("one each", [3], [1])
mann_whitney("3 and 3, apart", [1, 2, 3], [4, 5, 6])
mann_whitney("8 and 8", smooth(8), smooth(8, 6))
mann_whitney("5 and 40", smooth(5), smooth(40, 6))
mann_whitney("8 and 200, apart", smooth(8, 1000), smooth(200))
mann_whitney("U in the middle", [1, 4], [2, 3])
mann_whitney("9 and 9", smooth(9), smooth(9, 6))
mann_whitney("30 and 50", smooth(30), smooth(50, 6))
mann_whitney("100 and 100, far apart", smooth(100), smooth(100, 40))
mann_whitney("6 and 7 with ties", whole(6, 5), whole(7, 5, 1))
mann_whitney("40 and 40 with ties", whole(40, 5), whole(40, 5, 1))
mann_whitney("all equal", [1] * 4, [1] * 5)

friedman("3 of 10", smooth(10), smooth(10, 4), smooth(10, 8))
friedman("4 of 1", [1], [3], [2], [4])
friedman("5 of 30", *(smooth(30, 2 * n) for n in range(5)))
friedman("4 of 12 with ties", *(whole(12, 4) for _ in range(4)))
friedman("6 of 50, far apart", *(smooth(50, 30 * n) for n in range(6)))
friedman("24 of 30 with ties", *(whole(30, 9) for n in range(24)))

kruskal("2 of 6", smooth(6), smooth(6, 9))
kruskal("3 of 10", smooth(10), smooth(10, 4), smooth(10, 8))
kruskal("3 of 1", [1], [3], [2])
kruskal("4 of 5 to 40", smooth(5), smooth(9, 4), smooth(20, 8), smooth(40))
kruskal("5 of 12 with ties", *(whole(12, 4) for _ in range(5)))
kruskal("7 of 40, far apart", *(smooth(40, 20 * n) for n in range(7)))

for table in (
    ([8, 2], [1, 5]),
    ([0, 10], [10, 0]),
    ([3, 3], [3, 3]),
    ([0, 0], [4, 6]),
    ([0, 4], [0, 6]),
    ([1, 24], [5, 20]),
    ([17, 83], [33, 67]),
    ([480, 520], [530, 470]),
    ([9000, 1000], [8000, 2000]),
):
    fisher(*table)

print("[")
print(",\n".join(json.dumps(case) for case in cases))
print("]")
