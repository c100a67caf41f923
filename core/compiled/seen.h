// How a function is seen from outside the library, and how a name is not used by every function.

#pragma once

#ifdef _WIN32
#define SEEN __declspec(dllexport)
#else
#define SEEN __attribute__((visibility("default")))
#endif

#define MAYBE_UNUSED __attribute__((unused))
