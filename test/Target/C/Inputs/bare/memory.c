/* What compilers call on their own. */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);

void *memcpy(void *to, const void *from, size_t size) {
  volatile unsigned char *a = to;
  const unsigned char *b = from;
  while (size--)
    *a++ = *b++;
  return to;
}

void *memset(void *to, int value, size_t size) {
  volatile unsigned char *a = to;
  while (size--)
    *a++ = (unsigned char)value;
  return to;
}
