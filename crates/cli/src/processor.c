/* An older processor gets a sentence instead of an illegal instruction.
 *
 * Rust code here is compiled for x86-64-v3 (.cargo/config.toml), main and all, so the check must run before it and be compiled
 * for any x86-64: a constructor in C is both. build.rs leaves it out of programs that are built for older processors. */

#include <unistd.h>

static const char message[] =
    "error: this gamete was built for processors with AVX2, BMI2 and FMA (x86-64-v3: most since 2013), and this one lacks "
    "them. Build it for this machine:\n"
    "  RUSTFLAGS='-C target-cpu=native' cargo build --release\n"
    "It will be slower, with the same numbers.\n";

__attribute__((constructor)) static void check_processor(void) {
    __builtin_cpu_init();
    int fits = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    if (fits) {
        return;
    }
    /* Nothing can be done if standard error is closed. */
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(1);
}
