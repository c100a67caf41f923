// What the sources of the library share: operations on single numbers, each fixed by IEEE 754.
//
// Sines and angles are those of core/base/elementary.py, the greater and the lesser of two numbers those of NumPy's
// maximum and minimum, which are NaN where either number is.

#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "compiled/seen.h"

static const double ROUNDER = 6755399441055744.0;   // 1.5 * 2^52
static const double FARTHEST_ANGLE = 1572864.0;     // 1.5 * 2^20
static const double FARTHEST_LEG = 1e300, FARTHEST_SCALE = 0x1p-600;
static const double LEAST_NORMAL = 2.2250738585072014e-308;
static const double LEAST_LENGTH = 1e-150;          // that of base/vectors.py
static const double LN2 = 0.6931471805599453, LN2_HIGH = 6.93147180369123816490e-01;
static const double LN2_LOW = 1.90821492927058770002e-10;

static inline int64_t bits_of(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double of_bits(int64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double greatest(double a, double b) { return (a > b) | (a != a) ? a : b; }

static inline double least(double a, double b) { return (a < b) | (a != a) ? a : b; }

static inline double within(double value, double low, double high) { return least(greatest(value, low), high); }

static inline double sign(double value) { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : value == 0.0 ? 0.0 : value; }

static inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// vectors.unit, of a vector of so many dimensions; its length before.
static inline double shorten(double *vector, int size) {
    double square = vector[0] * vector[0];
    for (int axis = 1; axis < size; axis++) square += vector[axis] * vector[axis];
    const double length = sqrt(square), by = greatest(length, LEAST_LENGTH);
    for (int axis = 0; axis < size; axis++) vector[axis] /= by;
    return length;
}

// vectors.local, of frames whose columns point ahead, left and up.
static inline void local(const double *frame, const double *vector, double *own) {
    for (int axis = 0; axis < 3; axis++)
        own[axis] = vector[0] * frame[axis] + vector[1] * frame[3 + axis] + vector[2] * frame[6 + axis];
}

// Of an angle below FARTHEST_ANGLE in size, without a branch.
static inline void near_sin_and_cos(double x, double *sine, double *cosine) {
    const double shifted = x * 0.6366197723675814 + ROUNDER, quarters = shifted - ROUNDER;
    const double r = ((x - quarters * 1.57079632673412561417) - quarters * 6.07710050630396597660e-11)
        - quarters * 2.02226624871116645580e-21;
    const double z = r * r;
    double one = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10;
    one = 2.75573137070700676789e-06 + z * one;
    one = -1.98412698298579493134e-04 + z * one;
    one = 8.33333333332248946124e-03 + z * one;
    one = -1.66666666666666324348e-01 + z * one;
    one = r + r * (z * one);
    double other = 2.08757232129817482790e-09 + z * -1.13596475577881948265e-11;
    other = -2.75573143513906633035e-07 + z * other;
    other = 2.48015872894767294178e-05 + z * other;
    other = -1.38888888888741095749e-03 + z * other;
    other = 4.16666666666666019037e-02 + z * other;
    const double half = 0.5 * z, near_one = 1.0 - half;
    other = near_one + (((1.0 - near_one) - half) + z * (z * other));
    const int64_t quarter = bits_of(shifted), odd = -(quarter & 1), a = bits_of(one), b = bits_of(other);
    const uint64_t over = (uint64_t)(quarter >> 1) << 63, over_next = (uint64_t)((quarter + 1) >> 1) << 63;
    *sine = of_bits(((b & odd) | (a & ~odd)) ^ (int64_t)over);
    *cosine = of_bits(((a & odd) | (b & ~odd)) ^ (int64_t)over_next);
}

// Whole turns are taken off what is far, each wrong by 2.4e-16; what is not finite is no angle.
static inline double near_angle(double x) {
    return fabs(x) < FARTHEST_ANGLE ? x : fabs(x) < INFINITY ? fmod(x, 6.283185307179586) : NAN;
}

static inline void sin_and_cos(double x, double *sine, double *cosine) { near_sin_and_cos(near_angle(x), sine, cosine); }

// Of numbers below FARTHEST_LEG in size, without a branch.
static inline double near_arctan2(double y, double x) {
    const double up = fabs(y), along = fabs(x);
    const double steep = up > along ? 1.0 : 0.0, low = up < along ? up : along;
    const double most = up > along ? up : along, nothing = most == 0.0 ? 1.0 : 0.0, high = most + nothing;
    const double wide = low > 0.41421356237309503 * high ? 1.0 : 0.0;
    const double t = (low - wide * high) / (high + wide * low), z = t * t;
    double angle = -3.65315727442169155270e-02 + z * 1.62858201153657823623e-02;
    angle = 4.97687799461593236017e-02 + z * angle;
    angle = -5.83357013379057348645e-02 + z * angle;
    angle = 6.66107313738753120669e-02 + z * angle;
    angle = -7.69187620504482999495e-02 + z * angle;
    angle = 9.09088713343650656196e-02 + z * angle;
    angle = -1.11111104054623557880e-01 + z * angle;
    angle = 1.42857142725034663711e-01 + z * angle;
    angle = -1.99999999998764832476e-01 + z * angle;
    angle = 3.33333333333329318027e-01 + z * angle;
    angle = t - t * (z * angle);
    const double behind = of_bits((bits_of(x) & INT64_MIN) | bits_of(1.0)) < 0.0 ? 1.0 : 0.0;
    const double side = 1.0 - 2.0 * (steep + behind - 2.0 * steep * behind);
    const double eighths = (2.0 * steep + 4.0 * (1.0 - steep) * behind) + side * wide;
    angle = eighths * 0.7853981633974483 + (eighths * 3.061616997868383e-17 + side * angle);
    return of_bits((bits_of(angle) & INT64_MAX) | (bits_of(y) & INT64_MIN));
}

static inline double arctan2(double y, double x) {
    const double up = fabs(y), along = fabs(x);
    if ((up < FARTHEST_LEG) & (along < FARTHEST_LEG)) return near_arctan2(y, x);
    if ((y != y) | (x != x)) return NAN;
    if ((up < INFINITY) & (along < INFINITY)) return near_arctan2(y * FARTHEST_SCALE, x * FARTHEST_SCALE);
    return near_arctan2(copysign(up < INFINITY ? 0.0 : 1.0, y), copysign(along < INFINITY ? 0.0 : 1.0, x));
}

// Of a normal number above nothing that has been doubled so many times before, without a branch.
static inline double normal_logarithm(double value, double before) {
    const int64_t bits = bits_of(value);
    const double share = of_bits((bits & 0x000fffffffffffff) | 0x3fe0000000000000);
    const double small = share < 0.7071067811865476 ? 1.0 : 0.0;
    const double f = (share + small * share) - 1.0;
    const double exponent = of_bits((bits >> 52) | 0x4330000000000000) - (4503599627370496.0 + 1022.0);
    const double doublings = (exponent - before) - small;
    const double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double rest = 1.531383769920937332e-01 + z * 1.479819860511658591e-01;
    rest = 1.818357216161805012e-01 + z * rest;
    rest = 2.222219843214978396e-01 + z * rest;
    rest = 2.857142874366239149e-01 + z * rest;
    rest = 3.999999999940941908e-01 + z * rest;
    rest = 6.666666666666735130e-01 + z * rest;
    const double low = s * (half + z * rest) + doublings * LN2_LOW;
    return doublings * LN2_HIGH - ((half - low) - f);
}

static inline double logarithm(double value) {
    if ((value >= LEAST_NORMAL) & (value < INFINITY)) return normal_logarithm(value, 0.0);
    if (value > 0.0 && value < INFINITY) return normal_logarithm(value * 0x1p54, 54.0);
    return value < 0.0 ? NAN : value == 0.0 ? -INFINITY : value;
}

// 2 to a whole number between -1022 and 1023.
static inline double power_of_two(double exponent) {
    return of_bits((int64_t)((uint64_t)bits_of(exponent + (ROUNDER + 1023.0)) << 52));
}

static inline double exponential(double x) {
    x = x < -746.0 ? -746.0 : x;
    x = x > 710.0 ? 710.0 : x;
    const double doublings = (x * 1.4426950408889634 + ROUNDER) - ROUNDER;
    const double high = x - doublings * LN2_HIGH, low = doublings * LN2_LOW, r = high - low, z = r * r;
    double c = -1.65339022054652515390e-06 + z * 4.13813679705723846039e-08;
    c = 6.61375632143793436117e-05 + z * c;
    c = -2.77777777770155933842e-03 + z * c;
    c = 1.66666666666666019037e-01 + z * c;
    c = r - z * c;
    const double near_one = 1.0 - ((low - (r * c) / (2.0 - c)) - high);
    const double first = (0.5 * doublings + ROUNDER) - ROUNDER;
    return near_one * power_of_two(first) * power_of_two(doublings - first);
}

// What is left of a number, 0 or more: exact, and so is the difference of two of which one is less than twice the other.
static inline double remainder_of(double value, double by) {
    if (value >= 0.0 && value < 2.0 * by) return value < by ? value : value - by;
    const double left = fmod(value, by);
    return left == 0.0 ? 0.0 : left < 0.0 ? left + by : left;
}

// The same angle within [-pi, pi).
static inline double wrap(double angle) {
    return remainder_of(angle + 3.141592653589793, 6.283185307179586) - 3.141592653589793;
}

// Of a number from -1 to 1, else NaN.
static inline double other_leg(double x) {
    const double leg = fabs(x) <= 1.0 ? x : NAN;
    return sqrt((1.0 - leg) * (1.0 + leg));
}

// Sums in the order of core/base/sums.py of so many rows, (many, inner), which are used up; the first becomes the sums.
static inline void fold(double *rows, int64_t many, int64_t inner) {
    for (; many > 1; many = (many + 1) / 2) {
        const int64_t folded = many / 2 * inner, kept = (many + 1) / 2 * inner;
        for (int64_t i = 0; i < folded; i++) rows[i] += rows[kept + i];
    }
}
