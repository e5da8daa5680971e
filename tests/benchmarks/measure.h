#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <sys/resource.h>

namespace benchmarks {

/// Milliseconds of `work`: the best of `repetitions`, which a busy machine disturbs least.
template <class Work>
double milliseconds(int repetitions, Work&& work) {
    double best = std::numeric_limits<double>::infinity();
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(
            best,
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

/// Makes sure that a result is really worked out.
template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "m"(value) : "memory");
}

/// Most memory the process has held so far.
inline double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1000.0;
}

/// One line: what, how much, of what it should stay below, and the share of that it takes.
inline void print(std::string_view what, double value, double limit, std::string_view unit) {
    fmt::print("{:<66} {:>10.3f} {:<9} of {:>7g}  {:>6.1f} %\n", what, value, unit, limit,
               100 * value / limit);
    std::fflush(stdout);
}

} // namespace benchmarks
