/* Which kind of triangle three lengths make. */
enum kind { NOT_A_TRIANGLE, EQUILATERAL, ISOSCELES, SCALENE };

enum kind classify(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return NOT_A_TRIANGLE;
    if (a > c - b && a > b - c && b > a - c) {
        if (a == b && b == c)
            return EQUILATERAL;
        return a == b || b == c || a == c ? ISOSCELES : SCALENE;
    }
    return NOT_A_TRIANGLE;
}
