/* The functions of the QTIP paper, written anew from its description: their numbers of branches are those of its Table
   2. The paper gives no sources; of its training function it names the operators, of Remainder its origin (IGUANA). */

/* 10 branches: basic relational operators, nothing nested. */
int training(int a, int b) {
    int n = 0;
    if (a == b) n += 1;
    if (!(a != b)) n += 2;
    if (a < b) n += 4;
    if (a <= b) n += 8;
    if (a > b) n += 16;
    return n;
}

/* 8 branches. */
int gcd(int a, int b) {
    int t;
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    if (a < b) {
        t = a;
        a = b;
        b = t;
    }
    while (b != 0) {
        t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* 10 branches: exponentiation by squaring. */
unsigned exponentiation(int x, int n) {
    unsigned base = (unsigned)x, rest = 1;
    if (n < 0) n = -n;
    if (n == 0) return 1;
    if (n == 1) return base;
    while (n > 1) {
        if (n % 2 == 0) {
            n /= 2;
        } else {
            rest *= base;
            n = (n - 1) / 2;
        }
        base *= base;
    }
    return base * rest;
}

/* 26 branches: division by repeated subtraction for each combination of signs. */
int remainder_of(int a, int b) {
    int r = -1, quotient = 0, done = 0;
    if (a == 0) {
        r = 0;
    } else if (b == 0) {
        r = -2;
    } else if (a > 0) {
        if (b > 0) {
            while (a - done >= b) {
                done += b;
                quotient++;
            }
            r = a - done;
        } else {
            while (a + done >= -b) {
                done += b;
                quotient--;
            }
            r = a + done;
        }
    } else if (b > 0) {
        while (-(a + done) >= b) {
            done += b;
            quotient--;
        }
        r = a + done;
        if (r < 0) r = -r;
    } else {
        while (b >= a - done) {
            done += b;
            quotient++;
        }
        r = a - done;
        if (r < 0) r = -r;
    }
    if (quotient < 0) quotient = -quotient;
    if (quotient > r) r++;
    return r;
}
