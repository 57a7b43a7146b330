/* All that a RISC-V core needs before main; the program ends in a loop. */
int main(void);
void start(void);
void put_text(const char *text);

void put_text(const char *text) { (void)text; }

__attribute__((naked, section(".text.first"))) void start(void) {
  __asm__ volatile("la sp, stack_top\n"
                   "call main\n"
                   "1: j 1b\n");
}
