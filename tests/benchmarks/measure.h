#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <sys/resource.h>
#include <vector>

namespace benchmarks {

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

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

/// Processor milliseconds of `work`, all threads together: the median of `repetitions`. Others that share the
/// machine hardly disturb it, and who takes a second core pays for it.
template <class Work>
double processorMilliseconds(int repetitions, Work&& work) {
    std::vector<double> times;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        const std::clock_t start = std::clock();
        work();
        times.push_back(1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return median(std::move(times));
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
