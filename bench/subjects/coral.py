"""84 predicates in the manner of the coral programs: trigonometric functions, logarithms, powers and polynomials.

Three are known by their mathematics (p05, p70, p84); the others are our own of the same kinds: identities, equalities
that must hold to the last bit, systems of inequalities, minima of well-known test functions of optimisation, geometry,
and conditions that mix integers and floats. The ones called ``never`` have no solution.
"""

from __future__ import annotations

from math import acos, asin, atan, atan2, cos, cosh, exp, fabs, hypot, log, log10, pi, sin, sinh, sqrt, tan, tanh


def p01(x: float) -> bool:
    if sin(x) > 0.5 and cos(x) < -0.5:
        return True
    return False


def p02(x: float, y: float) -> bool:
    if sin(x) * cos(y) > 0.95 and x > 10 and y < -10:
        return True
    return False


def p03(x: float, y: float) -> bool:
    if sin(x) == cos(y) and x > y + 1:
        return True
    return False


def p04(x: float, y: float) -> bool:
    if tan(x) * tan(y) == 1.0 and x != y:
        return True
    return False


def p05(x: float, y: float, z: float) -> bool:
    if sin(x) + sin(y) + sin(z) == 4 * cos(x) * cos(y) * cos(z):
        return True
    return False


def p06(x: float, y: float) -> bool:
    if x * x + y * y == 25.0 and x > 3.5 and y > 0:
        return True
    return False


def p07(x: float, y: float) -> bool:
    if log(x) + log(y) == log(10.0) and x > 2 * y > 0:
        return True
    return False


def p08(x: float) -> bool:
    if exp(x) == 6.0:
        return True
    return False


def p09(x: float, y: float) -> bool:
    if sqrt(x) + sqrt(y) < 1.0 and x > y > 0.1:
        return True
    return False


def p10(x: float, y: float, z: float) -> bool:
    if sin(x * cos(y * sin(z))) > cos(x * sin(y * cos(z))) and x > 1 and y > 1 and z > 1:
        return True
    return False


def p11(x: float, y: float, z: float) -> bool:
    if asin(x) < cos(y) * cos(z) - atan(y) and x > 0.2:
        return True
    return False


def p12(x: float, y: float, z: float, w: float) -> bool:
    if asin(x) * asin(y) - 1 < atan(z) * atan(w) and x * y > 0.5:
        return True
    return False


def p13(x: float, y: float) -> bool:
    if (x + y) * (x - y) == 7.5 and x < 0:
        return True
    return False


def p14(x: float, y: float) -> bool:
    if fabs(x**3 - 3 * x * y * y - 1) < 1e-9 and fabs(3 * x * x * y - y**3) < 1e-9 and y > 0.5:
        return True
    return False


def p15(x: float, y: float) -> bool:
    if atan2(y, x) > 3.0 and hypot(x, y) < 0.01:
        return True
    return False


def p16(x: float, y: float) -> bool:
    """Beale's function at its minimum, at (3, 0.5)."""
    if 1.5 - x * (1 - y) == 0 and 2.25 - x * (1 - y * y) == 0 and 2.625 - x * (1 - y * y * y) == 0:
        return True
    return False


def p17(x: float, y: float) -> bool:
    """Freudenstein and Roth's function at its minimum, at (5, 4)."""
    if x - 13 + ((5 - y) * y - 2) * y == 0 and x - 29 + ((y + 1) * y - 14) * y == 0:
        return True
    return False


def p18(x: float, y: float) -> bool:
    """Rosenbrock's valley: its floor and its minimum."""
    if 10 * (y - x * x) == 0 and 1 - x == 0:
        return True
    return False


def p19(a: float, b: float, c: float, d: float) -> bool:
    """Powell's singular function, whose minimum at zero has no slope."""
    if a + 10 * b == 0 and c - d == 0 and (b - 2 * c) ** 2 == 0 and (a - d) ** 2 == 0:
        return True
    return False


def p20(x: float, y: float, z: float) -> bool:
    """A helical valley, with its minimum at (1, 0, 0)."""
    if 10 * (z - 10 * atan2(y, x) / (2 * pi)) == 0 and 10 * (hypot(x, y) - 1) == 0 and z == 0 and x > 0:
        return True
    return False


def p21(x: float, y: float) -> bool:
    """Himmelblau's function at its minimum in the second quadrant, up to a thousandth."""
    if fabs(x * x + y - 11) < 0.001 and fabs(x + y * y - 7) < 0.001 and x < 0 < y:
        return True
    return False


def p22(x: float, y: float) -> bool:
    """Booth's function at (1, 3)."""
    if x + 2 * y - 7 == 0 and 2 * x + y - 5 == 0:
        return True
    return False


def p23(x: float, y: float) -> bool:
    if exp(x) * sin(y) > 100 and x < 5 and y > 20:
        return True
    return False


def p24(x: float, y: float, z: float) -> bool:
    if x * y * z == 1000.0 and x + y + z == 30.0:
        return True
    return False


def p25(x: float) -> bool:
    if cos(x) == x:
        return True
    return False


def p26(x: float, y: float) -> bool:
    if x**y > 100 and y**x < 10 and x > 1 and y > 1:
        return True
    return False


def p27(x: float, y: float) -> bool:
    if x == tan(y) and x * x < 4 and y > 30:
        return True
    return False


def p28(x: float, y: float) -> bool:
    if log10(x) > 1.9 and sqrt(y) > log(x) and y < 25:
        return True
    return False


def p29(x: float, y: float, z: float) -> bool:
    if sin(x) + cos(y) + tan(z) == x - y and z > 0:
        return True
    return False


def p30(x: float, y: float, z: float) -> bool:
    if x * x + y * y + z * z < 1 and x + y + z > 1.7:
        return True
    return False


def p31(x: float, y: float) -> bool:
    if sinh(x) == 10.0 and cosh(y) > 10 and fabs(x + y) < 0.01:
        return True
    return False


def p32(x: float) -> bool:
    if tanh(x) > 0.999 and x < 4:
        return True
    return False


def p33(x: float, y: float) -> bool:
    if x * sin(y) == 3.75 and y * sin(x) > 2:
        return True
    return False


def p34(x: float, y: float) -> bool:
    if sin(x) ** 2 + cos(y) ** 2 == 1.0 and x != y and x > 5:
        return True
    return False


def p35(a: float, b: float, c: float) -> bool:
    """A right-angled triangle by its sides."""
    if a > 1 and b > a and a * a + b * b == c * c and c > 0:
        return True
    return False


def p36(a: float, b: float, c: float) -> bool:
    """An angle of sixty degrees by the law of cosines."""
    if a > 0 and b > 0 and c > 0 and acos((a * a + b * b - c * c) / (2 * a * b)) == pi / 3 and a != b:
        return True
    return False


def p37(a: float, b: float, c: float) -> bool:
    """Two different real roots of a quadratic equation, one twice the other."""
    if a > 1 and b * b - 4 * a * c > 0 and (-b + sqrt(b * b - 4 * a * c)) / (2 * a) == 2.0 and c > 3:
        return True
    return False


def p38(v: float, angle: float) -> bool:
    """A throw that lands within a centimetre of a hundred metres, at less than forty degrees."""
    if fabs(v * v * sin(2 * angle) / 9.81 - 100) < 0.01 and 0 < angle < 0.7 and v > 0:
        return True
    return False


def p39(x: float, y: float, u: float, v: float) -> bool:
    """Two aircraft nearer than one mile after a turn."""
    dx = x + 5 * cos(u) - (y + 5 * cos(v))
    dy = 5 * sin(u) - 3 * sin(v)
    if sqrt(dx * dx + dy * dy) < 1 and x - y > 7 and fabs(u - v) < 2:
        return True
    return False


def p40(x: float, y: float) -> bool:
    if exp(-x * x) * cos(y) > 0.9 and x > 0.3 and y > 50:
        return True
    return False


def p41(x: float, y: float) -> bool:
    if x - y == 0.25 and x + y == 0.7:
        return True
    return False


def p42(x: float) -> bool:
    if x * x == 2.25:
        return True
    return False


def p43(x: float) -> bool:
    if x * x * x - 6 * x * x + 11 * x - 6 == 0 and x > 1.5:
        return True
    return False


def p44(x: float, y: float) -> bool:
    if x / y == 0.3 and y > 5 and x != 3.0:
        return True
    return False


def p45(x: float, y: float) -> bool:
    if x * y > 9990 and x + y < 200:
        return True
    return False


def p46(x: float, y: float, z: float) -> bool:
    if x < y < z and sin(x) > sin(y) > sin(z) and z - x < 0.1:
        return True
    return False


def p47(x: float, y: float) -> bool:
    if atan(x) + atan(y) == pi / 4 and x > 0 and y > 0:
        return True
    return False


def p48(x: float, y: float) -> bool:
    if 2 * atan(x) == y and tan(y) < -10:
        return True
    return False


def p49(x: float, y: float) -> bool:
    """The six-hump camel-back function below -1.03."""
    if (4 - 2.1 * x * x + x**4 / 3) * x * x + x * y + (4 * y * y - 4) * y * y < -1.03:
        return True
    return False


def p50(x: float, y: float) -> bool:
    """The Goldstein-Price function near its minimum of 3, at (0, -1)."""
    if (1 + (x + y + 1) ** 2 * (19 - 14 * x + 3 * x * x - 14 * y + 6 * x * y + 3 * y * y)) * (
        30 + (2 * x - 3 * y) ** 2 * (18 - 32 * x + 12 * x * x + 48 * y - 36 * x * y + 27 * y * y)
    ) < 3.01:
        return True
    return False


def p51(x: float, y: float) -> bool:
    """Ackley's function below 0.1."""
    if -20 * exp(-0.2 * sqrt(0.5 * (x * x + y * y))) - exp(0.5 * (cos(2 * pi * x) + cos(2 * pi * y))) < -22.6:
        return True
    return False


def p52(a: float, b: float, c: float, d: float) -> bool:
    """Rastrigin's function of four variables below 1."""
    if (
        a * a + b * b + c * c + d * d - 10 * (cos(2 * pi * a) + cos(2 * pi * b) + cos(2 * pi * c) + cos(2 * pi * d))
        < -39
    ):
        return True
    return False


def p53(x: float, y: float) -> bool:
    """Easom's function, flat but for one narrow well at (pi, pi)."""
    if -cos(x) * cos(y) * exp(-((x - pi) ** 2) - (y - pi) ** 2) < -0.99:
        return True
    return False


def p54(x: float, y: float) -> bool:
    """Levy's condition on the thirteenth function, at (1, 1)."""
    if sin(3 * pi * x) ** 2 + (x - 1) ** 2 * (1 + sin(3 * pi * y) ** 2) + (y - 1) ** 2 < 0.001:
        return True
    return False


def p55(a: float, b: float, c: float) -> bool:
    """Three planes and a sphere."""
    if a + b + c > 5 and a - b > 1 and b - c > 1 and a * a + b * b + c * c < 14:
        return True
    return False


def p56(x: float, y: float) -> bool:
    if sin(x + y) == sin(x) * cos(y) + cos(x) * sin(y) and x > 1 and y > 20:
        return True
    return False


def p57(x: float, y: float) -> bool:
    if exp(x + y) == exp(x) * exp(y) and x > 2 and y > x:
        return True
    return False


def p58(x: float) -> bool:
    if sqrt(x) * sqrt(x) != x and x > 50:
        return True
    return False


def p59(x: float, y: float) -> bool:
    if (x + y) - x != y and fabs(x) < 2 and fabs(y) < 2:
        return True
    return False


def p60(x: float, y: float, z: float) -> bool:
    if (x + y) + z != x + (y + z) and x > 0 and y > 0 and z > 0:
        return True
    return False


def p61(n: int, m: int) -> bool:
    if n * n - 61 * m * m == 5 and n > 10:
        return True
    return False


def p62(n: int, m: int, k: int) -> bool:
    if n * n + m * m == k * k and n > 20 and m > n and k > 0:
        return True
    return False


def p63(n: int) -> bool:
    if n**3 - 100 * n * n + 99 * n == 360144:
        return True
    return False


def p64(n: int, x: float) -> bool:
    if sin(n * x) > 0.99 and cos(n * x * 2) < -0.98 and n > 100:
        return True
    return False


def p65(n: int, x: float) -> bool:
    if x * n == 12.5 and sin(x) * x > 0.3 and n > 3:
        return True
    return False


def p66(n: int, x: float) -> bool:
    if x**2 + n**2 == 1000.25 and x > n > 10:
        return True
    return False


def p67(n: int, m: int) -> bool:
    if n % 17 == 5 and m % 13 == 7 and n * m > 5000 and n + m < 150:
        return True
    return False


def p68(n: int, x: float) -> bool:
    if int(x * 10) == n and n * n == 1521 and x < 0:
        return True
    return False


def p69(x: float, y: float) -> bool:
    if round(x, 2) == 3.14 and x > pi + 0.001 and sin(x * y) > 0.9:
        return True
    return False


def p70(
    a: float,
    b: float,
    c: float,
    d: float,
    e: float,
    f: float,
    g: float,
    h: float,
    i: float,
    j: float,
    k: float,
    l: float,
    m: float,
    n: float,
    o: float,
    p: float,
    q: float,
    r: float,
    s: float,
    t: float,
) -> bool:
    """Twenty sines, each larger than the next."""
    if (
        sin(a)
        > sin(b)
        > sin(c)
        > sin(d)
        > sin(e)
        > sin(f)
        > sin(g)
        > sin(h)
        > sin(i)
        > sin(j)
        > sin(k)
        > sin(l)
        > sin(m)
        > sin(n)
        > sin(o)
        > sin(p)
        > sin(q)
        > sin(r)
        > sin(s)
        > sin(t)
    ):
        return True
    return False


def p71(a: float, b: float, c: float, d: float, e: float) -> bool:
    """Five numbers on a sphere with a fixed product of two."""
    if a * a + b * b + c * c + d * d + e * e == 100.0 and a * b > 20 and c > d > e > 0:
        return True
    return False


def p72(a: float, b: float, c: float, d: float, e: float, f: float) -> bool:
    if a > b > c > d > e > f and a + b + c == d * e * f and a < 10:
        return True
    return False


def p73(a: float, b: float, c: float, d: float) -> bool:
    if sin(a) + cos(b) + tan(c) < log10(d) and a > b > c > d > 1:
        return True
    return False


def p74(a: float, b: float, c: float, d: float) -> bool:
    """A rotation: two equations in four variables."""
    if a * cos(b) - c * sin(b) == 2.0 and a * sin(b) + c * cos(b) == d and d > 5:
        return True
    return False


def p75(a: float, b: float, c: float) -> bool:
    if exp(a * b) == c and log(c) > 2 and a < 1:
        return True
    return False


def p76(a: float, b: float, c: float) -> bool:
    """An ellipsoid touched from outside."""
    if a * a / 4 + b * b / 9 + c * c / 16 == 1.0 and a > 1 and b > 1 and c > 1:
        return True
    return False


def p77(x: float, y: float) -> bool:
    """A narrow channel: the logistic map after three steps at its start."""
    if 3.83 * (3.83 * x * (1 - x)) * (1 - 3.83 * x * (1 - x)) == y and fabs(x - y) < 0.0001 and 0.1 < x < 0.9:
        return True
    return False


def p78(n: int, x: float, y: float) -> bool:
    """Integers and floats together: a bound on the terms of a series."""
    if x**n / (n * n + 1) > 50 and x < 2 and n < 40 and y == x * n and y > 20:
        return True
    return False


def p79(n: int, m: int, x: float, y: float) -> bool:
    if n * sin(x) + m * cos(y) == 10.5 and n + m == 17 and x < y and n > 3:
        return True
    return False


def p80(x: float) -> bool:
    """never: a square that is negative."""
    if (x - 1) * (x - 1) < -0.001:
        return True
    return False


def p81(x: float, y: float) -> bool:
    """never: sine and cosine of one angle on more than the unit circle."""
    if sin(x) ** 2 + cos(x) ** 2 > 1.001 and y > x:
        return True
    return False


def p82(n: int, m: int) -> bool:
    """never: no square is three more than a multiple of four."""
    if n * n - 4 * m == 3:
        return True
    return False


def p83(x: float, y: float) -> bool:
    """never: the means are the wrong way round."""
    if x > 1 and y > 1 and sqrt(x * y) > (x + y) / 2 + 0.01:
        return True
    return False


def p84(a: float, b: float, c: float, d: float) -> bool:
    """Wood's function at its minimum, where all variables are one: six equations."""
    if (
        10 * (b - a * a) == 0
        and 1 - a == 0
        and sqrt(90) * (d - c * c) == 0
        and 1 - c == 0
        and sqrt(10) * (b + d - 2) == 0
        and (b - d) / sqrt(10) == 0
    ):
        return True
    return False
