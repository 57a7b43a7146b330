// What object files of compilers may ask of a linker: functions and data of
// their own and of the C library, near and by way of a table.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int32_t part_code(const void *const *inputs, void *const *outputs, void *arena,
                  const void *params);

static const float table[] = {0.5f, -1.25f, 3, 7};
const double shared_table[] = {1, 2, 4, 8};
extern char **environ;

__attribute__((noinline)) static float pick(int kind, float x) {
  switch (kind) {
  case 0:
    return sinf(x);
  case 1:
    return table[(int)fabsf(x) & 3];
  case 2:
    return (float)shared_table[(int)fabsf(x) & 3];
  case 3:
    return expf(-fabsf(x));
  case 4:
    return environ ? 5 : 6;
  case 5:
    return powf(fabsf(x), 1.5f);
  default:
    return x;
  }
}

__attribute__((noinline)) float twice(float x) { return 2 * x; }

static float (*const functions[])(float) = {twice, fabsf, sqrtf, floorf};

int32_t part_code(const void *const *inputs, void *const *outputs, void *arena,
                  const void *params) {
  const float *in = inputs[0];
  float *out = outputs[0], *copy = arena;
  memcpy(copy, in, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i)
    out[i] = pick(i % 7, copy[i]) + functions[i % 4](fabsf(copy[i])) +
             ((const float *)params)[0];
  return 0;
}
