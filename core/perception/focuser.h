// Sides and skills: what core/perception/focuser.py defines and explains.

#pragma once

#include "compiled/exact.h"

enum { NOTHING = -1 };
enum { LEFT, RIGHT, FORWARD, BACKWARD, ASCEND, DESCEND, SKILLS };
enum { AVOID, ESCAPE, SCHOOL, EAT, MATE };

// focuser.relative, of an offset in the fish's own frame.
static inline int side_of(double front, const double *own) {
    return fabs(arctan2(own[1], own[0])) <= front ? FORWARD : own[1] > 0.0 ? LEFT : RIGHT;
}
