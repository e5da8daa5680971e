#include "simulator/numerics/kernels/random.h"

#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

struct Four {
    std::uint32_t word[4];
};

[[gnu::always_inline]] inline Four philox(std::uint64_t key, Four counter) {
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * counter.word[0];
        const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * counter.word[2];
        counter = {
            {static_cast<std::uint32_t>(p1 >> 32) ^ counter.word[1] ^ k0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ counter.word[3] ^ k1, static_cast<std::uint32_t>(p0)}};
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    return counter;
}

/// Spreads close seeds and streams over the whole key space (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

[[gnu::always_inline]] inline Four block(const RandomPlace& place, std::uint64_t key, std::int64_t index) {
    return philox(key,
                  {{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                    static_cast<std::uint32_t>(place.draw), static_cast<std::uint32_t>(place.draw >> 32)}});
}

std::uint64_t keyOf(const RandomPlace& place) {
    return mixed(place.seed + 0x9E3779B97F4A7C15ULL * (mixed(place.stream) | 1U));
}

/// 24 random bits, so that every value is exact and below 1.
[[gnu::always_inline]] inline float unit(std::uint32_t word) {
    return static_cast<float>(word >> 8) * (1.0F / 16777216.0F);
}

template <class Function>
[[gnu::always_inline]] inline void eachBlock(const RandomPlace& place, std::int64_t begin, std::int64_t end,
                                             Function function) {
    const std::uint64_t key = keyOf(place);
    for (std::int64_t i = begin; i < end; i += 4) {
        const Four four = block(place, key, i / 4);
        float values[4];
        function(four, values);
        function.store(i, values, smaller<std::int64_t>(end - i, 4));
    }
}

struct UniformTo {
    float* out;
    void operator()(const Four& four, float* values) const {
        for (int lane = 0; lane < 4; ++lane)
            values[lane] = unit(four.word[lane]);
    }
    void store(std::int64_t i, const float* values, std::int64_t count) const {
        for (std::int64_t lane = 0; lane < count; ++lane)
            out[i + lane] = values[lane];
    }
};

struct NormalTo : UniformTo {
    /// Box–Muller: two normal numbers from two uniform ones.
    void operator()(const Four& four, float* values) const {
        for (int pair = 0; pair < 4; pair += 2) {
            const float radius = __builtin_sqrtf(-2.0F * logarithm(1.0F - unit(four.word[pair])));
            const float angle = 6.28318531F * unit(four.word[pair + 1]);
            values[pair] = radius * __builtin_cosf(angle);
            values[pair + 1] = radius * __builtin_sinf(angle);
        }
    }
};

struct MaskTo : UniformTo {
    float rate;
    float keep;
    void operator()(const Four& four, float* values) const {
        for (int lane = 0; lane < 4; ++lane)
            values[lane] = unit(four.word[lane]) >= rate ? keep : 0.0F;
    }
};

void uniform(const RandomPlace& place, float* out, std::int64_t begin, std::int64_t end) {
    eachBlock(place, begin, end, UniformTo{out});
}
void normal(const RandomPlace& place, float* out, std::int64_t begin, std::int64_t end) {
    eachBlock(place, begin, end, NormalTo{{out}});
}
void dropoutMask(const RandomPlace& place, float rate, float keep, float* out, std::int64_t begin,
                 std::int64_t end) {
    eachBlock(place, begin, end, MaskTo{{out}, rate, keep});
}

} // namespace

const RandomKernels& randomKernels() {
    static constexpr RandomKernels kernels{uniform, normal, dropoutMask};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
