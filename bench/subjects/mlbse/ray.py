"""Rays and what they hit: spheres, planes, triangles, a light; reflection and refraction."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Real, Unit

Vector = tuple[float, float, float]
TINY = 1e-6


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _scaled(a: Vector, factor: float) -> Vector:
    return a[0] * factor, a[1] * factor, a[2] * factor


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _unit(a: Vector) -> Vector | None:
    length = math.sqrt(_dot(a, a))
    return None if length < TINY else _scaled(a, 1 / length)


def _sphere(start: Vector, direction: Vector, centre: Vector, radius: float) -> float | None:
    """How far along a ray the first point of a sphere is."""
    to_start = _minus(start, centre)
    half = _dot(to_start, direction)
    rest = half * half - _dot(to_start, to_start) + radius * radius
    if rest < 0:
        return None
    root = math.sqrt(rest)
    if -half - root > TINY:
        return -half - root
    return -half + root if -half + root > TINY else None


def hits_sphere(x: Real, y: Real, z: Real, dx: Real, dy: Real, dz: Real, radius: Real) -> str:
    direction = _unit((dx, dy, dz))
    if direction is None:
        return "no direction"
    if radius <= 0:
        return "no sphere"
    inside = x * x + y * y + z * z < radius * radius
    distance = _sphere((x, y, z), direction, (0.0, 0.0, 0.0), radius)
    if distance is None:
        return "behind" if inside else "missed"
    if inside:
        return "from inside"
    return "touched" if distance < 1 else "hit"


def hits_plane(height: Real, dx: Real, dy: Real, dz: Real, far: Real) -> str:
    direction = _unit((dx, dy, dz))
    if direction is None:
        return "no direction"
    if abs(direction[2]) < TINY:
        return "in the plane" if abs(height) < TINY else "parallel"
    distance = -height / direction[2]
    if distance < 0:
        return "behind"
    if distance > far:
        return "too far"
    column = math.floor(distance * direction[0]) + math.floor(distance * direction[1])
    return "white" if column % 2 == 0 else "black"


def hits_triangle(x: Real, y: Real, dx: Real, dy: Real) -> str:
    """A ray from (x, y, 1) downwards on the triangle (0, 0, 0), (1, 0, 0), (0, 1, 0)."""
    direction: Vector = (dx, dy, -1.0)
    edge: Vector = (1.0, 0.0, 0.0)
    other: Vector = (0.0, 1.0, 0.0)
    normal = _cross(direction, other)
    determinant = _dot(edge, normal)
    if abs(determinant) < TINY:
        return "parallel"
    start: Vector = (x, y, 1.0)
    u = _dot(start, normal) / determinant
    if u < 0 or u > 1:
        return "outside u"
    q = _cross(start, edge)
    v = _dot(direction, q) / determinant
    if v < 0 or u + v > 1:
        return "outside v"
    return "edge" if u + v > 0.999 else "hit"


def refracts(angle: Real, inner: Real, outer: Real, depth: Real) -> str:
    if inner < 1 or outer < 1:
        return "no medium"
    sine = math.sin(angle) * outer / inner
    if abs(sine) > 1:
        return "total reflection"
    bent = math.asin(sine)
    if depth <= 0:
        return "at the surface"
    shift = depth * math.tan(bent)
    if abs(shift) > 10:
        return "far away"
    return "straight" if abs(bent - angle) < TINY else "bent"


def shades(x: Real, y: Real, light: Real, rough: Unit, depth: Real) -> str:
    """The colour of a floor point with a ball of radius 1 above the origin at height 2."""
    to_light = _unit((light - x, -y, 10.0))
    if to_light is None:
        return "at the light"
    if _sphere((x, y, 0.0), to_light, (0.0, 0.0, 2.0), 1.0) is not None:
        return "umbra" if x * x + y * y < 0.25 else "shadow"
    diffuse = to_light[2] * rough
    gleam = math.pow(to_light[2], 20) * (1 - rough)
    if diffuse + gleam > 0.9:
        return "bright"
    if gleam > diffuse:
        return "glossy"
    fog = math.exp(-abs(depth) / 100)
    return "foggy" if fog < 0.1 else "matt"
