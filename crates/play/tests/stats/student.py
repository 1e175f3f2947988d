"""Writes student.txt, the quantiles ours are compared with: python student.py > student.txt (mpmath 1.4, seven minutes).

Newton's method with 40 digits on areas of the textbook density, with its gamma functions: nothing here is done as in student.rs.
Probabilities are those of the nearest f64; quantiles are rounded to 17 digits.
"""

from mpmath import exp, inf, log, log1p, loggamma, mp, mpf, nstr, pi, quad, sqrt

mp.dps = 40

PROBABILITIES = "0.5 0.5000001 0.51 0.6 0.7 0.7499999 0.75 0.8 0.9 0.95 0.975 0.99 0.995 0.999 0.9999 0.99999 0.9999995".split()
FREEDOMS = [*range(1, 11), 13, 19, 29, 30, 49, 99, 100, 101, 199, 499, 997, 999, 1000, 1023, 4999, 7919, 9999, 10**4, 65535, 99991, 10**5]
FREEDOMS += [10**6 - 1, 10**6, 1048575, 9999991, 10**7, 15485863, 15999999, 16 * 10**6, 16777215, 10**8, 123456789, 999999937, 10**9]


def density(freedom):
    n = mpf(freedom)
    scale = exp(loggamma((n + 1) / 2) - loggamma(n / 2)) / sqrt(n * pi)
    return lambda t: scale * exp(-(n + 1) / 2 * log1p(t * t / n))


def quantile(probability, freedom):
    """Newton's method on the smaller of the areas between 0 and t and beyond t."""
    f, p = density(freedom), mpf(float(probability))
    if p == mpf(1) / 2:
        return mpf(0)
    t = mpf(1)
    for _ in range(200):
        if p < 0.75:
            step = (p - mpf(1) / 2 - quad(f, [0, t])) / f(t)
        else:
            ends = [t] + [t + k for k in (1, 3, 8, 20)] + [t * 10 + 100, inf]
            tail = quad(f, ends)
            step = log(tail / (1 - p)) * tail / f(t)
        t += step
        if abs(step) < mpf(10) ** -25 * t:
            return t
    raise ArithmeticError((probability, freedom))


print("# Quantiles of Student's t by probability (columns) and degrees of freedom (rows): see student.py.")
print("freedom", *PROBABILITIES)
for freedom in FREEDOMS:
    row = [nstr(quantile(p, freedom), 17, strip_zeros=False) for p in PROBABILITIES]
    print(freedom, *row, flush=True)
