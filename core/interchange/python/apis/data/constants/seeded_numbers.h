#pragma once

#include <array>
#include <cstdint>
#include <random>

namespace core {

/// The numbers that NumPy draws after a program gave it a seed, one by one and in the same order: RandomState
/// and np.random.seed() (Mersenne twister), default_rng() (PCG64). Sources: NumPy's own documentation of the
/// algorithms and the papers it names.
class SeededNumbers {
public:
    enum class Kind : std::uint8_t { RandomState, Generator };
    SeededNumbers(Kind kind, std::uint64_t seed);

    [[nodiscard]] Kind kind() const { return m_kind; }
    /// False from the first number on that was drawn in a way that is not followed.
    [[nodiscard]] bool isKnown() const { return m_isKnown; }
    void lose() { m_isKnown = false; }

    /// From 0, below 1.
    [[nodiscard]] double uniform();
    /// Of the standard normal distribution.
    [[nodiscard]] double normal();
    /// 0 … highest, which is below 2³² − 1.
    [[nodiscard]] std::uint32_t integer(std::uint32_t highest);
    /// 0 … highest, as shuffling draws the places that it swaps; of a RandomState alone.
    [[nodiscard]] std::uint32_t place(std::uint32_t highest) { return masked(highest); }

private:
    [[nodiscard]] std::uint64_t next64();
    [[nodiscard]] std::uint32_t next32();
    [[nodiscard]] std::uint32_t masked(std::uint32_t highest);
    void seedGenerator(std::uint64_t seed);

    Kind m_kind;
    bool m_isKnown = true;
    std::mt19937 m_twister;
    double m_waiting = 0;
    bool m_hasWaiting = false;
    /// State and increment of PCG64, the lower halves first.
    std::array<std::uint64_t, 2> m_state{};
    std::array<std::uint64_t, 2> m_increment{};
    std::uint32_t m_half = 0;
    bool m_hasHalf = false;
};

} // namespace core
