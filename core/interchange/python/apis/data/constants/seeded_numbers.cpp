#include "core/interchange/python/apis/data/constants/seeded_numbers.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace core {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr double perInteger = 1.0 / 9007199254740992.0; // 2⁻⁵³

Wide joined(const std::array<std::uint64_t, 2>& halves) {
    return (static_cast<Wide>(halves[1]) << 64U) | halves[0];
}
std::array<std::uint64_t, 2> halvesOf(Wide value) {
    return {static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64U)};
}

/// SeedSequence of NumPy: words that depend on all of a seed, by M. E. O'Neill's mixing of seeds.
class SeedWords {
public:
    explicit SeedWords(std::uint64_t seed) {
        const std::array<std::uint32_t, 4> entropy{static_cast<std::uint32_t>(seed),
                                                   static_cast<std::uint32_t>(seed >> 32U), 0, 0};
        std::uint32_t factor = 0x43b0d7e5U;
        for (std::size_t i = 0; i < m_pool.size(); ++i)
            m_pool.at(i) = hashed(entropy.at(i), factor);
        for (std::size_t from = 0; from < m_pool.size(); ++from)
            for (std::size_t to = 0; to < m_pool.size(); ++to)
                if (from != to)
                    m_pool.at(to) = mixed(m_pool.at(to), hashed(m_pool.at(from), factor));
    }

    /// The first four words of 64 bits.
    [[nodiscard]] std::array<std::uint64_t, 4> words() const {
        std::array<std::uint64_t, 4> result{};
        std::uint32_t factor = 0x8b51f9ddU;
        for (std::size_t i = 0; i < 2 * result.size(); ++i) {
            std::uint32_t word = m_pool.at(i % m_pool.size());
            word ^= factor;
            factor *= 0x58f38dedU;
            word *= factor;
            word ^= word >> 16U;
            result.at(i / 2) |= static_cast<std::uint64_t>(word) << (i % 2 == 0 ? 0U : 32U);
        }
        return result;
    }

private:
    static std::uint32_t hashed(std::uint32_t value, std::uint32_t& factor) {
        value ^= factor;
        factor *= 0x931e8875U;
        value *= factor;
        return value ^ (value >> 16U);
    }
    static std::uint32_t mixed(std::uint32_t x, std::uint32_t y) {
        const std::uint32_t result = 0xca01f9ddU * x - 0x4973f715U * y;
        return result ^ (result >> 16U);
    }

    std::array<std::uint32_t, 4> m_pool{};
};

/// The layers of the ziggurat of the normal distribution (G. Marsaglia, W. W. Tsang, 2000) with 256 of them,
/// for integers of 52 bits.
struct Ziggurat {
    static constexpr std::size_t layers = 256;
    static constexpr double tail = 3.6541528853610087963519472518;
    std::array<std::uint64_t, layers> bound{};
    std::array<double, layers> width{};
    std::array<double, layers> height{};

    Ziggurat() {
        constexpr double steps = 4503599627370496.0; // 2⁵²
        const auto density = [](double x) { return std::exp(-0.5 * x * x); };
        const double area =
            tail * density(tail) + std::sqrt(std::numbers::pi / 2) * std::erfc(tail / std::numbers::sqrt2);
        double x = tail;
        const double base = area / density(x);
        bound[0] = static_cast<std::uint64_t>(x / base * steps);
        bound[1] = 0;
        width[0] = base / steps;
        width[layers - 1] = x / steps;
        height[0] = 1;
        height[layers - 1] = density(x);
        for (std::size_t i = layers - 2; i >= 1; --i) {
            const double next = std::sqrt(-2 * std::log(area / x + density(x)));
            bound.at(i + 1) = static_cast<std::uint64_t>(next / x * steps);
            x = next;
            width.at(i) = x / steps;
            height.at(i) = density(x);
        }
    }
};

} // namespace

SeededNumbers::SeededNumbers(Kind kind, std::uint64_t seed)
    : m_kind(kind)
    , m_twister(static_cast<std::uint32_t>(seed)) {
    if (kind == Kind::Generator)
        seedGenerator(seed);
}

void SeededNumbers::seedGenerator(std::uint64_t seed) {
    const std::array<std::uint64_t, 4> words = SeedWords(seed).words();
    m_increment = halvesOf((joined({words[3], words[2]}) << 1U) | 1U);
    m_state = {};
    static_cast<void>(next64());
    m_state = halvesOf(joined(m_state) + joined({words[1], words[0]}));
    static_cast<void>(next64());
}

std::uint64_t SeededNumbers::next64() {
    if (m_kind == Kind::RandomState) {
        const auto high = static_cast<std::uint64_t>(m_twister());
        return (high << 32U) | m_twister();
    }
    constexpr std::array<std::uint64_t, 2> factor{4865540595714422341ULL, 2549297995355413924ULL};
    m_state = halvesOf(joined(m_state) * joined(factor) + joined(m_increment));
    return std::rotr(m_state[0] ^ m_state[1], static_cast<int>(m_state[1] >> 58U));
}

std::uint32_t SeededNumbers::next32() {
    if (m_kind == Kind::RandomState)
        return static_cast<std::uint32_t>(m_twister());
    m_hasHalf = !m_hasHalf;
    if (!m_hasHalf)
        return m_half;
    const std::uint64_t whole = next64();
    m_half = static_cast<std::uint32_t>(whole >> 32U);
    return static_cast<std::uint32_t>(whole);
}

double SeededNumbers::uniform() {
    if (m_kind == Kind::Generator)
        return static_cast<double>(next64() >> 11U) * perInteger;
    const auto high = static_cast<double>(next32() >> 5U);
    const auto low = static_cast<double>(next32() >> 6U);
    return (high * 67108864.0 + low) * perInteger;
}

double SeededNumbers::normal() {
    if (m_kind == Kind::RandomState) { // Marsaglia's polar method, which makes two of them
        m_hasWaiting = !m_hasWaiting;
        if (!m_hasWaiting)
            return m_waiting;
        double x = 0;
        double y = 0;
        double square = 0;
        do {
            x = 2 * uniform() - 1;
            y = 2 * uniform() - 1;
            square = x * x + y * y;
        } while (square >= 1 || square == 0);
        const double factor = std::sqrt(-2 * std::log(square) / square);
        m_waiting = factor * x;
        return factor * y;
    }
    static const Ziggurat ziggurat;
    for (;;) {
        std::uint64_t bits = next64();
        const std::size_t layer = bits & 0xffU;
        bits >>= 8U;
        const bool isNegative = (bits & 1U) != 0;
        const std::uint64_t size = (bits >> 1U) & 0x000fffffffffffffULL;
        const double x = static_cast<double>(size) * ziggurat.width.at(layer) * (isNegative ? -1 : 1);
        if (size < ziggurat.bound.at(layer))
            return x;
        if (layer == 0) {
            for (;;) {
                const double beyond = -std::log1p(-uniform()) / Ziggurat::tail;
                const double height = -std::log1p(-uniform());
                if (height + height > beyond * beyond)
                    return ((size >> 8U) & 1U) != 0 ? -(Ziggurat::tail + beyond) : Ziggurat::tail + beyond;
            }
        }
        const double lower = ziggurat.height.at(layer);
        if ((ziggurat.height.at(layer - 1) - lower) * uniform() + lower < std::exp(-0.5 * x * x))
            return x;
    }
}

std::uint32_t SeededNumbers::masked(std::uint32_t highest) {
    if (highest == 0)
        return 0;
    const std::uint32_t mask = ~0U >> static_cast<unsigned>(std::countl_zero(highest));
    std::uint32_t value = 0;
    do
        value = next32() & mask;
    while (value > highest);
    return value;
}

std::uint32_t SeededNumbers::integer(std::uint32_t highest) {
    if (m_kind == Kind::RandomState)
        return masked(highest);
    if (highest == 0)
        return 0;
    // D. Lemire's multiplication without bias.
    const std::uint64_t count = static_cast<std::uint64_t>(highest) + 1;
    std::uint64_t product = next32() * count;
    if (static_cast<std::uint32_t>(product) < count) {
        const std::uint64_t least = (0xffffffffULL - highest) % count;
        while (static_cast<std::uint32_t>(product) < least)
            product = next32() * count;
    }
    return static_cast<std::uint32_t>(product >> 32U);
}

} // namespace core
