/* What the agent of --strategy agent was trained on: small functions whose branches are of many kinds.

   pessimal train --agent moves --model agent.json examples/predicates.c */

int basic(int a, int b) {
    int n = 0;
    if (a == b) n += 1;
    if (a != b) n += 2;
    if (a < b) n += 4;
    if (a <= b) n += 8;
    if (a > b) n += 16;
    if (a >= b) n += 32;
    if (!a) n += 64;
    return n;
}

int signs(short a, short b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    if (a > b) return 1;
    if (a * 2 < b) return 2;
    return 0;
}

int quadrant(signed char x, signed char y) {
    if (x == 0 || y == 0) return 0;
    if (x > 0) {
        if (y > 0) return 1;
        return 4;
    }
    if (y > 0) return 2;
    if (x < y) return 5;
    return 3;
}

int corner(int x, int y) {
    if (x < 0) x = -x - 1;
    if (y < 0) y = -y - 1;
    if (x < y) return 1;
    return 0;
}

int halves(signed char a, signed char b) {
    int n = 0;
    if (a > 0) n++;
    if (b > 0) n++;
    if (a + b < 0) n++;
    if (b <= a) n++;
    return n;
}

int distance(short a, short b) {
    int d = a - b;
    if (d < 0) d = -d;
    if (a < 0) return 1;
    if (b > 0) return 2;
    if (d > 1000) return 3;
    return 0;
}

int order(int a, int b, int c) {
    if (a < b) {
        if (b < c) return 1;
        if (a < c) return 2;
        return 3;
    }
    if (c < 0) return 4;
    if (a > 10 && b < -10) return 5;
    return 0;
}

int steps(short from, short to) {
    int n = 0;
    if (from == to) return 0;
    if (to < 0) to = -to;
    while (from > 0 && to > from) {
        to -= from;
        n++;
    }
    if (n > 0) {
        if (to == from) return 1;
        if (n > 10) return 2;
        return 3;
    }
    if (from < 0 && to > 5) return 4;
    return 5;
}

int nested(short a, short b, short c) {
    if (a > 100) {
        if (b < a - 50) {
            if (c == a + b) return 3;
            return 2;
        }
        if (b == c) return 4;
        return 1;
    }
    if (a == -77) return 5;
    if (b + c > 3000)
        if (b - c == 12) return 6;
    return 0;
}

int linear(int a, int b, int c) {
    if (3 * a + 2 * b == 777) return 1;
    if (a - 5 * c > 100 && a + c < 20) return 2;
    if (7 * b == 4 * c + 1) return 3;
    return 0;
}

int date(short year, signed char month, signed char day) {
    int days = 31;
    if (month < 1 || month > 12) return -1;
    if (month == 4 || month == 6 || month == 9 || month == 11) days = 30;
    if (month == 2) {
        days = 28;
        if (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) days = 29;
    }
    if (day < 1 || day > days) return -2;
    return days;
}

int triangle(short a, short b, short c) {
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if (a + b <= c || a + c <= b || b + c <= a) return 1;
    if (a == b && b == c) return 2;
    if (a == b || b == c || a == c) return 3;
    return 4;
}

int divide(short a, short b) {
    int n = 0;
    if (b == 0) return -1;
    while (a >= b && b > 0) {
        a -= b;
        n++;
    }
    if (a == 0 && n > 3) return n;
    if (n % 5 == 2) return 1;
    return 0;
}

int curve(double x, double y) {
    if (x * x + y * y < 2.0) return 1;
    if (x > 100.0 && y < x / 3.0) return 2;
    if (2.0 * x - y == 10.5) return 3;
    return 0;
}

int word(char a, char b, char c, char d) {
    if (a == 'c')
        if (b == 'o')
            if (c == 'd')
                if (d == 'e') return 1;
    if (a >= '0' && a <= '9') return 2;
    if (b == d && c == a) return 3;
    return 0;
}

int array(const short values[6], unsigned char at) {
    int sum = 0;
    for (int i = 0; i < 6; i++) sum += values[i];
    if (sum == 1000) return 1;
    if (at < 6 && values[at] == 4321) return 2;
    if (values[0] < values[1] && values[1] < values[2]) return 3;
    return 0;
}

int mode(unsigned char kind, int size, int limit) {
    switch (kind) {
    case 1:
        if (size > limit) return 1;
        break;
    case 7:
        if (size == limit + 128) return 2;
        break;
    case 200:
        return 3;
    }
    if (size < 0) return -1;
    return 0;
}
