/* All that a Cortex-M needs before main, and QEMU's semihosting. */
#include <stdint.h>

extern uint32_t data_begin[], data_end[], data_load[], bss_begin[], bss_end[];
extern uint32_t stack_top[];
int main(void);
void start(void);
void put_text(const char *text);

static int semihost(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void put_text(const char *text) { semihost(4, text); }

void start(void) {
  for (uint32_t *to = data_begin, *from = data_load; to < data_end;)
    *to++ = *from++;
  for (uint32_t *to = bss_begin; to < bss_end;)
    *to++ = 0;
  const uint32_t reason[] = {0x20026, (uint32_t)main()};
  semihost(0x20, reason);
  for (;;) {
  }
}

/* The first stack pointer, and where to begin. */
__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    stack_top, (void *)start};
