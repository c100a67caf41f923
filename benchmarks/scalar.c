/* The yardstick: the book's fish stepped by a plain scalar loop, one fish after another, in double precision.
 *
 * Tu 1999, eq. 4.1 (viscoelastic units), 4.3 (water on triangles), 4.6-4.14 (semi-implicit Euler, L D L^T in a band).
 * Written with care and left to the compiler: no intrinsics, no relaxed arithmetic, no threads.
 */

#include <math.h>

enum { NODES = 23, UNITS = 91, TRIANGLES = 42, BAND = 7 };

typedef struct {
    double x, y, z;
} Vec;

typedef struct {
    double mass[NODES];
    double elasticity[UNITS];
    double viscosity;
    double fluid_viscosity;
    int unit[UNITS][2]; /* the lower node first */
    int triangle[TRIANGLES][3];
} Model;

static inline Vec minus(Vec a, Vec b) { return (Vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Vec scaled(double s, Vec a) { return (Vec){s * a.x, s * a.y, s * a.z}; }
static inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline Vec cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline void add(Vec *to, Vec a)
{
    to->x += a.x;
    to->y += a.y;
    to->z += a.z;
}
static inline void subtract(Vec *from, double s, Vec a)
{
    from->x -= s * a.x;
    from->y -= s * a.y;
    from->z -= s * a.z;
}

/* The effective stiffness of each unit (4.1) into the upper band a[i][j - i] of A and into the load G (§4.5.1). */
static void add_units(const Model *model, const Vec *x, const Vec *v, const double *rest, double dt,
                      double (*a)[BAND + 1], Vec *g)
{
    for (int s = 0; s < UNITS; s++) {
        int i = model->unit[s][0], j = model->unit[s][1];
        Vec r = minus(x[j], x[i]), u = minus(v[j], v[i]);
        double square = dot(r, r), length = sqrt(square);
        double eta = (model->elasticity[s] * (length - rest[s]) * length + model->viscosity * dot(u, r)) / square;
        a[i][0] += eta * dt;
        a[j][0] += eta * dt;
        a[i][j - i] -= eta * dt;
        add(&g[i], scaled(eta, r));
        subtract(&g[j], eta, r);
    }
}

/* The water's push on each triangle that moves outwards, a third to each corner (4.3). */
static void add_water(const Model *model, const Vec *x, const Vec *v, Vec *g)
{
    for (int t = 0; t < TRIANGLES; t++) {
        int a = model->triangle[t][0], b = model->triangle[t][1], c = model->triangle[t][2];
        Vec n = cross(minus(x[b], x[a]), minus(x[c], x[a])); /* twice the area long */
        Vec u = v[a];
        add(&u, v[b]);
        add(&u, v[c]);
        double outwards = dot(n, u); /* u is three times the velocity of the middle */
        if (outwards <= 0.0)
            continue;
        Vec third = scaled(-model->fluid_viscosity * sqrt(dot(u, u) / dot(n, n)) * outwards / 54.0, n);
        add(&g[a], third);
        add(&g[b], third);
        add(&g[c], third);
    }
}

/* A v = G by L D L^T (4.12-4.14). Rows beyond the last node are padding, so that every row is as long. */
static void solve(double (*a)[BAND + 1], Vec *g, Vec *v)
{
    for (int i = 0; i < NODES; i++) {
        double inverse = 1.0 / a[i][0];
        for (int d = 1; d <= BAND; d++) {
            double l = a[i][d] * inverse;
            for (int e = d; e <= BAND; e++)
                a[i + d][e - d] -= l * a[i][e];
            subtract(&g[i + d], l, g[i]);
        }
        for (int d = 1; d <= BAND; d++)
            a[i][d] *= inverse;
        g[i] = scaled(inverse, g[i]);
    }
    for (int i = NODES - 1; i >= 0; i--) {
        for (int d = 1; d <= BAND; d++)
            subtract(&g[i], a[i][d], g[i + d]);
        v[i] = g[i];
    }
}

/* One step of dt for each fish: positions x and velocities v in place, the rest lengths of its units given. */
void step(const Model *model, int fishes, double dt, Vec (*x)[NODES], Vec (*v)[NODES], const double (*rest)[UNITS])
{
    for (int fish = 0; fish < fishes; fish++) {
        double a[NODES + BAND][BAND + 1] = {{0.0}};
        Vec g[NODES + BAND] = {{0.0}};
        for (int i = 0; i < NODES; i++) {
            a[i][0] = model->mass[i] / dt;
            g[i] = scaled(a[i][0], v[fish][i]);
        }
        add_units(model, x[fish], v[fish], rest[fish], dt, a, g);
        add_water(model, x[fish], v[fish], g);
        solve(a, g, v[fish]);
        for (int i = 0; i < NODES; i++)
            add(&x[fish][i], scaled(dt, v[fish][i]));
    }
}
