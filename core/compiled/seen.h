// What a function is that is seen from outside the library.

#pragma once

#ifdef _WIN32
#define SEEN __declspec(dllexport)
#else
#define SEEN __attribute__((visibility("default")))
#endif
