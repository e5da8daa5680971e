// Random numbers of NumPy whose seed the program says. One row per function.
#include "core/interchange/python/apis/data/constants/seeded_draws.h"

#include "core/interchange/python/apis/data/constants/constant_functions.h"
#include "core/interchange/python/draft/constant_array.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

namespace core {

namespace {

/// Numbers that are drawn in one call at most, kept or not.
constexpr std::int64_t mostDrawn = std::int64_t{1} << 26;

using Extents = std::vector<std::int64_t>;

/// One call: extents (nothing: a single number) and how each of its numbers is drawn.
struct Draw {
    std::optional<Extents> extents;
    std::function<double(SeededNumbers&)> number;
    PythonArray::Kind kind = PythonArray::Kind::Real;
};

std::optional<double> numberOr(const PythonApiCall& call, const char* name, std::size_t position,
                               double byDefault) {
    const PythonValue* given = call.arguments.given(name, position);
    if (given == nullptr)
        return byDefault;
    return given->isNumber() ? std::optional(given->constant().get<double>()) : std::nullopt;
}

/// size=None: a single number. False: the size is not in the program.
bool takeSize(const PythonApiCall& call, std::size_t position, Draw& draw) {
    const PythonValue* size = call.arguments.given("size", position);
    if (size == nullptr || size->isNone())
        return true;
    draw.extents = writtenExtents(size);
    return draw.extents.has_value();
}

/// rand(3, 4): extents as arguments.
bool takeExtents(const PythonApiCall& call, Draw& draw) {
    if (call.arguments.list.empty())
        return true;
    const PythonValue all = pythonList(call.arguments.list, true);
    draw.extents = writtenExtents(&all);
    return draw.extents.has_value();
}

std::optional<Draw> withSize(const PythonApiCall& call, std::size_t position,
                             std::function<double(SeededNumbers&)> number) {
    Draw draw{{}, std::move(number)};
    return takeSize(call, position, draw) ? std::optional(draw) : std::nullopt;
}

double drawUniform(SeededNumbers& numbers) {
    return numbers.uniform();
}
double drawNormal(SeededNumbers& numbers) {
    return numbers.normal();
}

std::optional<Draw> ofExtents(const PythonApiCall& call) {
    Draw draw{{}, call.name() == "rand" ? drawUniform : drawNormal};
    return takeExtents(call, draw) ? std::optional(draw) : std::nullopt;
}
std::optional<Draw> standard(const PythonApiCall& call) {
    return withSize(call, 0, call.name() == "standard_normal" ? drawNormal : drawUniform);
}
std::optional<Draw> uniform(const PythonApiCall& call) {
    const auto low = numberOr(call, "low", 0, 0);
    const auto high = numberOr(call, "high", 1, 1);
    if (!low || !high)
        return std::nullopt;
    return withSize(call, 2, [low = *low, span = *high - *low](SeededNumbers& numbers) {
        return low + span * numbers.uniform();
    });
}
std::optional<Draw> normal(const PythonApiCall& call) {
    const auto mean = numberOr(call, "loc", 0, 0);
    const auto deviation = numberOr(call, "scale", 1, 1);
    if (!mean || !deviation)
        return std::nullopt;
    return withSize(call, 2, [mean = *mean, deviation = *deviation](SeededNumbers& numbers) {
        return mean + deviation * numbers.normal();
    });
}
/// randint(high), randint(low, high, size), and integers(), which may have its end among them.
std::optional<Draw> integers(const PythonApiCall& call) {
    const auto first = numberOr(call, "low", 0, 0);
    const PythonValue* end = call.arguments.given("high", 1);
    const bool hasEnd = end != nullptr && !end->isNone();
    if (!first || (hasEnd && !end->isNumber()))
        return std::nullopt;
    const double low = hasEnd ? *first : 0;
    const double high = hasEnd ? end->constant().get<double>() : *first;
    const PythonValue* within = call.arguments.keyword("endpoint");
    const double highest = high - low - (within != nullptr && within->constant() == true ? 0 : 1);
    constexpr double most = 4294967294.0;
    if (highest < 0 || highest > most)
        return std::nullopt;
    auto draw = withSize(call, 2, [low, highest](SeededNumbers& numbers) {
        return low + static_cast<double>(numbers.integer(static_cast<std::uint32_t>(highest)));
    });
    if (draw)
        draw->kind = PythonArray::Kind::Whole;
    return draw;
}

struct DrawFunction {
    std::string_view name;
    std::optional<Draw> (*meaning)(const PythonApiCall& call);
};
constexpr std::array drawFunctions{DrawFunction{"rand", ofExtents},
                                   DrawFunction{"randn", ofExtents},
                                   DrawFunction{"random", standard},
                                   DrawFunction{"random_sample", standard},
                                   DrawFunction{"ranf", standard},
                                   DrawFunction{"sample", standard},
                                   DrawFunction{"standard_normal", standard},
                                   DrawFunction{"uniform", uniform},
                                   DrawFunction{"normal", normal},
                                   DrawFunction{"randint", integers},
                                   DrawFunction{"integers", integers}};

/// Functions of generators that draw nothing.
constexpr std::array<std::string_view, 3> idle{"get_state", "bit_generator", "__getstate__"};

/// Types whose numbers are drawn as those of the default one are.
bool isDrawnAlike(const PythonApiCall& call, const SeededNumbers& numbers) {
    const std::string type = typeNamed(call.arguments.keyword("dtype"));
    const bool isInteger = type == "int32" || type == "int64" || type == "int" || type == "uint32";
    return type.empty() || isInteger ||
           (type == "float64" && numbers.kind() == SeededNumbers::Kind::Generator);
}

std::int64_t countOf(const std::optional<Extents>& extents) {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents.value_or(Extents())) {
        if (extent < 0 || (extent > 0 && count > mostDrawn / extent))
            return -1;
        count *= extent;
    }
    return count;
}

std::optional<PythonValue> drawn(SeededNumbers& numbers, const Draw& draw) {
    const std::int64_t count = countOf(draw.extents);
    if (count < 0) {
        numbers.lose();
        return std::nullopt;
    }
    if (count > mostArrayNumbers) { // those behind them are known all the same
        for (std::int64_t i = 0; i < count; ++i)
            static_cast<void>(draw.number(numbers));
        return std::nullopt;
    }
    PythonArray array;
    array.kind = draw.kind;
    array.extents = draw.extents.value_or(Extents());
    for (std::int64_t i = 0; i < count; ++i)
        array.numbers.push_back(draw.number(numbers));
    return draw.extents ? pythonArray(std::move(array)) : numberOfArray(array, 0);
}

/// The rows of an array, or the numbers from 0, in the order that shuffling leaves them in.
std::optional<PythonValue> permuted(const PythonApiCall& call, SeededNumbers& numbers, bool isInPlace) {
    const PythonValue* given = call.arguments.find("x", 0);
    const auto* data = given == nullptr ? nullptr : given->as<PythonData>();
    const std::shared_ptr<PythonArray> array = data == nullptr ? nullptr : data->array;
    const bool isCount = given != nullptr && given->isWhole() && !isInPlace;
    const bool isKnown = array != nullptr && !array->isOpen && !array->extents.empty();
    const std::int64_t rows = isCount   ? given->constant().get<std::int64_t>()
                              : isKnown ? array->extents.front()
                                        : -1;
    if (numbers.kind() != SeededNumbers::Kind::RandomState || rows < 0 || rows > mostArrayNumbers) {
        numbers.lose();
        return std::nullopt;
    }
    std::vector<std::size_t> order;
    for (std::int64_t i = 0; i < rows; ++i)
        order.push_back(static_cast<std::size_t>(i));
    for (std::size_t i = order.size(); i-- > 1;)
        std::swap(order[i], order[numbers.place(static_cast<std::uint32_t>(i))]);
    PythonArray made;
    made.kind = PythonArray::Kind::Whole;
    made.extents = {rows};
    made.numbers.assign(order.begin(), order.end());
    if (isCount)
        return pythonArray(std::move(made));
    const std::size_t width = rows == 0 ? 0 : array->numbers.size() / order.size();
    PythonArray moved = *array;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = 0; j < width; ++j)
            moved.numbers[i * width + j] = array->numbers[order[i] * width + j];
    if (!isInPlace)
        return pythonArray(std::move(moved));
    *array = std::move(moved);
    return PythonValue();
}

std::shared_ptr<SeededNumbers> seeded(const PythonApiCall& call, SeededNumbers::Kind kind) {
    const PythonValue* seed = call.arguments.given("seed", 0);
    if (seed == nullptr || !seed->isWhole() || call.arguments.list.size() > 1)
        return nullptr;
    const Json number = seed->constant();
    constexpr std::int64_t mostOfState = 0xffffffffLL;
    if (number.get<std::int64_t>() < 0 ||
        (kind == SeededNumbers::Kind::RandomState && number.get<std::int64_t>() > mostOfState))
        return nullptr;
    return std::make_shared<SeededNumbers>(kind, number.get<std::uint64_t>());
}

PythonValue giveSeed(const PythonApiCall& call) {
    call.builder.sharedNumbers = seeded(call, SeededNumbers::Kind::RandomState);
    return {};
}

PythonValue makeGenerator(const PythonApiCall& call) {
    PythonData generator;
    generator.numbers = seeded(call, call.name() == "RandomState" ? SeededNumbers::Kind::RandomState
                                                                  : SeededNumbers::Kind::Generator);
    return generator;
}

} // namespace

std::optional<PythonValue> seededDraw(const PythonApiCall& call, SeededNumbers& numbers) {
    const std::string name = call.name();
    if (std::ranges::find(idle, name) != idle.end())
        return std::nullopt;
    // Rounds that are followed once stand for others, which draw other numbers.
    const bool isOnce = call.builder.loopsAround.empty() && call.builder.unknownWays == 0;
    if (!isOnce || !isDrawnAlike(call, numbers))
        numbers.lose();
    if (!numbers.isKnown())
        return std::nullopt;
    if (name == "permutation" || name == "shuffle")
        return permuted(call, numbers, name == "shuffle");
    const auto row = std::ranges::find(drawFunctions, name, &DrawFunction::name);
    const bool isOther = row == drawFunctions.end() ||
                         (name == "integers") !=
                             (numbers.kind() == SeededNumbers::Kind::Generator && row->meaning == integers);
    auto draw = isOther ? std::nullopt : row->meaning(call);
    if (!draw) {
        numbers.lose();
        return std::nullopt;
    }
    return drawn(numbers, *draw);
}

std::optional<PythonValue> sharedDraw(const PythonApiCall& call) {
    if (call.builder.sharedNumbers == nullptr || !call.path.starts_with("np.random."))
        return std::nullopt;
    return seededDraw(call, *call.builder.sharedNumbers);
}

std::vector<PythonApiName> seedNames(const std::string& prefix) {
    return {readName(prefix + "random.seed", giveSeed),
            readName(prefix + "random.RandomState", makeGenerator),
            readName(prefix + "random.default_rng", makeGenerator)};
}

} // namespace core
