#include "core/plan/prediction_interval.h"

#include "core/base/object_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

/// Whether a layer of the model has a class whose name holds `part`.
bool hasLayer(const Json& value, std::string_view part) {
    if (value.is_object()) {
        const auto name = value.find("class_name");
        if (name != value.end() && name->is_string() &&
            name->get_ref<const std::string&>().find(part) != std::string::npos)
            return true;
    }
    return value.is_structured() &&
           std::ranges::any_of(value, [&](const Json& inner) { return hasLayer(inner, part); });
}

bool hasLayer(const ModelGraph& model, std::string_view part) {
    return std::ranges::any_of(model.layers, [&](const Layer& layer) {
        return layer.className.find(part) != std::string::npos || hasLayer(layer.config, part) ||
               (layer.model != nullptr && hasLayer(*layer.model, part));
    });
}

template <class Model>
ProgramFamily familyOfModel(const Model& model) {
    return hasLayer(model, "Attention") ? ProgramFamily::Transformer
           : hasLayer(model, "Conv")    ? ProgramFamily::Convolutional
                                        : ProgramFamily::Other;
}

/// Without what all rows are off by together.
PredictionInterval centred(const PredictionInterval& interval) {
    const double width = std::sqrt(interval.high / interval.low);
    return {1 / width, width, interval.rows, interval.ownRows};
}

std::string countedRows(std::int64_t rows, std::string_view kind) {
    return fmt::format("{} {}measurement{}", rows, kind, rows == 1 ? "" : "s");
}

} // namespace

std::string rowsText(const PredictionInterval& interval) {
    if (interval.isOwn())
        return countedRows(interval.rows, "") + " of your own";
    if (interval.ownRows == 0)
        return countedRows(interval.rows, "");
    const std::int64_t published = interval.rows - interval.ownRows;
    return fmt::format("{}, widened to hold {} of your own",
                       published > 0 ? countedRows(published, "published ") : "the widest published interval",
                       interval.ownRows);
}

ProgramFamily programFamily(const Json& model) {
    return familyOfModel(model);
}

ProgramFamily programFamily(const ModelGraph& model) {
    return familyOfModel(model);
}

std::string_view toString(FigureClass figure) {
    constexpr std::array<std::string_view, figureClassCount> names{"transformer training",
                                                                   "convolution training",
                                                                   "other training",
                                                                   "scaling",
                                                                   "memory: variables and totals",
                                                                   "AMP vertex",
                                                                   "planned product",
                                                                   "vendor model and program",
                                                                   "other operation"};
    return names[static_cast<std::size_t>(figure)];
}

FigureClass rateClass(ProgramFamily family) {
    return family == ProgramFamily::Transformer     ? FigureClass::TransformerRate
           : family == ProgramFamily::Convolutional ? FigureClass::ConvolutionalRate
                                                    : FigureClass::OtherRate;
}

void PredictionIntervals::setOwn(FigureClass figure, const PredictionInterval& interval) {
    ofClass[static_cast<std::size_t>(figure)] = interval;
    isOwn[static_cast<std::size_t>(figure)] = true;
}

bool PredictionIntervals::hasOwn() const {
    return std::ranges::find(isOwn, true) != isOwn.end();
}

const PredictionIntervals& publishedIntervals() {
    static constexpr PredictionInterval transformer{0.877, 1.130, 16};
    static constexpr PredictionIntervals intervals{{transformer,
                                                    {0.945, 1.112, 7},
                                                    {0.877, 1.130, 3},
                                                    {0.926, 1.080, 6},
                                                    {0.951, 1.066, 5},
                                                    {0.995, 1.004, 11},
                                                    {0.857, 1.130, 2},
                                                    {0.993, 1.006, 8},
                                                    {0.877, 1.130, 0}}};
    return intervals;
}

PredictionInterval quotientInterval(const PredictionInterval& of, const PredictionInterval& over) {
    // Distances on a logarithmic scale add up as squares do.
    return {std::exp(-std::hypot(std::log(of.low), std::log(over.high))),
            std::exp(std::hypot(std::log(of.high), std::log(over.low))), std::min(of.rows, over.rows),
            std::min(of.ownRows, over.ownRows)};
}

PredictionInterval inverseInterval(const PredictionInterval& rate) {
    return {1 / rate.high, 1 / rate.low, rate.rows, rate.ownRows};
}

PredictionInterval hullOf(const PredictionInterval& one, const PredictionInterval& other) {
    return {std::min(one.low, other.low), std::max(one.high, other.high), one.rows + other.rows,
            one.ownRows + other.ownRows};
}

PredictionInterval rateQuotientInterval(const PredictionIntervals& intervals, ProgramFamily program,
                                        const PredictionIntervals& baselineIntervals, ProgramFamily baseline,
                                        bool isOneModel) {
    const PredictionInterval& rate = intervals.rate(program);
    const PredictionInterval& baselineRate = baselineIntervals.rate(baseline);
    if (!isOneModel)
        return quotientInterval(rate, baselineRate);
    const PredictionInterval& scaling = intervals.of(FigureClass::Scaling);
    // What all programs of the target are off by together is the same for both.
    return !scaling.isOwn() && rate.isOwn() && baselineRate.isOwn()
               ? quotientInterval(centred(rate), centred(baselineRate))
               : scaling;
}

Json ownIntervalsJson(const PredictionIntervals& intervals) {
    Json json = Json::object();
    for (std::size_t i = 0; i < figureClassCount; ++i) {
        const PredictionInterval& interval = intervals.ofClass[i];
        if (intervals.isOwn[i])
            json[std::string(toString(static_cast<FigureClass>(i)))] = {{"low", interval.low},
                                                                        {"high", interval.high},
                                                                        {"rows", interval.rows},
                                                                        {"own_rows", interval.ownRows}};
    }
    return json;
}

void readOwnIntervals(ObjectReader& reader, PredictionIntervals& intervals) {
    const Json* object = reader.readObject("intervals");
    if (object == nullptr)
        return;
    constexpr double widest = 1000;
    constexpr std::int64_t mostRows = 1'000'000'000;
    ObjectReader classes(*object, reader.file(), reader.pointerTo("intervals"), reader.findings());
    for (std::size_t i = 0; i < figureClassCount; ++i) {
        const auto figure = static_cast<FigureClass>(i);
        const Json* found = classes.readObject(toString(figure));
        if (found == nullptr)
            continue;
        ObjectReader one(*found, reader.file(), classes.pointerTo(toString(figure)), reader.findings());
        one.require("low");
        one.require("high");
        const auto low = one.readNumber("low", 1 / widest, widest);
        const auto high = one.readNumber("high", 1 / widest, widest);
        const std::int64_t rows = one.readInteger("rows", 0, mostRows).value_or(0);
        const auto ownRows = one.readInteger("own_rows", 0, rows);
        one.finish();
        if (low && high && *low > *high)
            one.refuse("low", "out-of-range", fmt::format("{} is above \"high\", {}", *low, *high),
                       {"write the bounds of measured over predicted, the lower one as \"low\""});
        else if (low && high)
            intervals.setOwn(figure, {*low, *high, rows, ownRows.value_or(rows)});
    }
    classes.finish();
}

PredictionIntervals intervalsOfTarget(std::string_view targetFile) {
    PredictionIntervals intervals = publishedIntervals();
    const Json file = Json::parse(targetFile, nullptr, false);
    if (!file.is_object())
        return intervals;
    Diagnostics ignored;
    ObjectReader reader(file, "", "", ignored);
    readOwnIntervals(reader, intervals);
    return intervals;
}

std::string toText(const ProgramIntervals& intervals) {
    std::string text;
    for (const PredictionInterval& interval : {intervals.rate, intervals.peak})
        text += fmt::format("{:<{}.17g}{:<{}.17g}{:<{}}", interval.low, intervalDigits, interval.high,
                            intervalDigits, interval.rows, intervalDigits);
    for (const PredictionInterval& interval : {intervals.rate, intervals.peak})
        text += fmt::format("{:<{}}", interval.ownRows, intervalDigits);
    return text;
}

std::optional<ProgramIntervals> programIntervals(std::string_view text) {
    constexpr std::size_t earlierNumbers = 6;
    std::array<double, 8> values{};
    const std::size_t numbers = text.size() / intervalDigits;
    if (text.size() % intervalDigits != 0 || (numbers != earlierNumbers && numbers != values.size()))
        return std::nullopt;
    for (std::size_t i = 0; i < numbers; ++i) {
        const std::string_view digits = text.substr(i * intervalDigits, intervalDigits);
        const auto [end, error] = std::from_chars(digits.begin(), digits.end(), values[i]);
        if (error != std::errc() || !(values[i] >= 0) ||
            std::string_view(end, digits.end()).find_first_not_of(' ') != std::string_view::npos)
            return std::nullopt;
    }
    return ProgramIntervals{{values[0], values[1], std::llround(values[2]), std::llround(values[6])},
                            {values[3], values[4], std::llround(values[5]), std::llround(values[7])}};
}

PredictedRanges predictedRanges(const ProgramIntervals& intervals, double samplesPerSecond, Cycles step,
                                Bytes peak) {
    const auto times = [](auto quantity, double factor) {
        return decltype(quantity)(std::llround(static_cast<double>(quantity.value()) * factor));
    };
    const auto over = [](Cycles cycles, double factor) {
        return Cycles(std::llround(static_cast<double>(cycles.value()) / factor));
    };
    PredictedRanges ranges;
    ranges.throughput = intervals.rate;
    ranges.peak = intervals.peak;
    ranges.leastSamplesPerSecond = samplesPerSecond * intervals.rate.low;
    ranges.mostSamplesPerSecond = samplesPerSecond * intervals.rate.high;
    ranges.leastStep = over(step, intervals.rate.high);
    ranges.mostStep = over(step, intervals.rate.low);
    ranges.leastPeak = times(peak, intervals.peak.low);
    ranges.mostPeak = times(peak, intervals.peak.high);
    return ranges;
}

} // namespace core
