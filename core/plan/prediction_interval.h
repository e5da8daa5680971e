#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/model/model_graph.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

class ObjectReader;

/// What a program is made of, as far as published measurements tell its kinds apart.
enum class ProgramFamily : std::uint8_t {
    Transformer,   ///< a layer of attention
    Convolutional, ///< a convolution, and no attention
    Other,
};

/// The family of a model in the form of `model.to_json()`; nested models count.
[[nodiscard]] ProgramFamily programFamily(const Json& model);
[[nodiscard]] ProgramFamily programFamily(const ModelGraph& model);

/// Where a measured figure lies for 80 % of programs: predicted × low … predicted × high.
struct PredictionInterval {
    double low = 1;
    double high = 1;
    /// Measurements that it was made of, published ones and those of the target's own file.
    std::int64_t rows = 0;
    /// Those of the target's own file. Fewer than `rows`: the published interval, widened to hold them.
    std::int64_t ownRows = 0;

    /// Made of the measurements of the target's own file alone.
    [[nodiscard]] bool isOwn() const { return ownRows == rows && rows >= fewestRows; }

    /// Fewer measurements bound nothing by themselves.
    static constexpr std::int64_t fewestRows = 5;

    bool operator==(const PredictionInterval&) const = default;
};

/// "16 measurements", "12 measurements of your own", "16 published measurements, widened to hold 1 of your
/// own", and where none is published "the widest published interval, widened to hold 1 of your own".
[[nodiscard]] std::string rowsText(const PredictionInterval& interval);

/// How well the figures of one program are known: its samples per second, and the memory of its fullest IPU.
struct ProgramIntervals {
    PredictionInterval rate;
    PredictionInterval peak;

    bool operator==(const ProgramIntervals&) const = default;
};

/// The share of programs whose figure lies inside.
inline constexpr double intervalCoverage = 0.8;

/// What kinds of figures are predicted, as far as measurements tell how well.
enum class FigureClass : std::uint8_t {
    TransformerRate,   ///< samples per second, by family of the program
    ConvolutionalRate, ///< the same
    OtherRate,         ///< the same
    Scaling,           ///< quotient of the samples per second of one model in two ways
    Peak,              ///< memory of the fullest IPU
    Vertex,            ///< cycles of a matrix product's vertex on one tile
    Product,           ///< cycles of a planned matrix product or convolution
    Program,           ///< cycles of another vertex or program step by itself
    Operation,         ///< cycles of any other operation, copy or collective
};
inline constexpr std::size_t figureClassCount = 9;
/// As `calibrate` calls its classes: "transformer training", "scaling", "planned product", …
[[nodiscard]] std::string_view toString(FigureClass figure);
[[nodiscard]] FigureClass rateClass(ProgramFamily family);

/// The interval of every kind of predicted figure: the only place that says how well one is known. A target
/// has its own where it was fitted to somebody's measurements; the others have those of published ones.
struct PredictionIntervals {
    std::array<PredictionInterval, figureClassCount> ofClass;
    /// The target's own file says how well figures of the class are known.
    std::array<bool, figureClassCount> isOwn = {};

    [[nodiscard]] const PredictionInterval& of(FigureClass figure) const {
        return ofClass[static_cast<std::size_t>(figure)];
    }
    /// Of samples per second.
    [[nodiscard]] const PredictionInterval& rate(ProgramFamily family) const { return of(rateClass(family)); }
    [[nodiscard]] const PredictionInterval& peak() const { return of(FigureClass::Peak); }
    [[nodiscard]] ProgramIntervals ofProgram(ProgramFamily family) const { return {rate(family), peak()}; }
    void setOwn(FigureClass figure, const PredictionInterval& interval);
    [[nodiscard]] bool hasOwn() const;

    bool operator==(const PredictionIntervals&) const = default;
};

/// Sources: the rows of `calibrate` of each class, each row's bounds from the others
/// (`simulator/calibration/calibration.h`). Of other programs too few are published, they get the widest; of
/// products two, both slower than predicted, whose interval holds both and is no narrower than the widest; no
/// other operation was published by itself, so that those have the widest, too. All rows of programs are of
/// training: nothing is published of whole programs that infer.
[[nodiscard]] const PredictionIntervals& publishedIntervals();

/// Of the quotient of two programs' samples per second over the predicted quotient. `isOneModel`: one model
/// on one kind of chip, whatever else differs. What a prediction is off by is then largely the same for both
/// and cancels; what is left is taken from pairs of one model in two sizes, the target's own where its file
/// has them. Where it has none but measurements enough of such programs, they differ by no more than those do
/// from one another. Otherwise the two are off independently of each other.
[[nodiscard]] PredictionInterval rateQuotientInterval(const PredictionIntervals& intervals,
                                                      ProgramFamily program,
                                                      const PredictionIntervals& baselineIntervals,
                                                      ProgramFamily baseline, bool isOneModel);
/// Of the quotient of two figures that are off independently of each other.
[[nodiscard]] PredictionInterval quotientInterval(const PredictionInterval& of,
                                                  const PredictionInterval& over);
/// Of what a rate is one over: a step's, of that of its samples per second.
[[nodiscard]] PredictionInterval inverseInterval(const PredictionInterval& rate);
/// The narrowest that holds both; of the rows of both.
[[nodiscard]] PredictionInterval hullOf(const PredictionInterval& one, const PredictionInterval& other);

/// As a target file has them under "intervals": the own ones by class, measured over predicted,
/// `{"planned product": {"low": 0.9, "high": 1.2, "rows": 12, "own_rows": 12}, …}`. Without "own_rows" all
/// rows are own.
[[nodiscard]] Json ownIntervalsJson(const PredictionIntervals& intervals);
/// Reads them; what is wrong is among the reader's findings, and such a class keeps the interval that it has.
void readOwnIntervals(ObjectReader& reader, PredictionIntervals& intervals);
/// The intervals of what was predicted on a target, by the text of its file; the published ones where the
/// file has none, or cannot be read.
[[nodiscard]] PredictionIntervals intervalsOfTarget(std::string_view targetFile);

/// Low, high and rows of the rate and of the peak, then the own rows of both, each `intervalDigits` wide, so
/// that SQL can take them apart.
[[nodiscard]] std::string toText(const ProgramIntervals& intervals);
inline constexpr std::size_t intervalDigits = 24;
/// Nothing where the text is no such text. Earlier programs wrote none of the own rows: there are none then.
[[nodiscard]] std::optional<ProgramIntervals> programIntervals(std::string_view text);

/// Where the measured figures of one program lie, for `intervalCoverage` of programs.
struct PredictedRanges {
    /// Of samples per second, as a factor: the step's is its inverse.
    PredictionInterval throughput;
    PredictionInterval peak;
    double leastSamplesPerSecond = 0;
    double mostSamplesPerSecond = 0;
    Cycles leastStep;
    Cycles mostStep;
    /// Of the fullest IPU.
    Bytes leastPeak;
    Bytes mostPeak;
};

/// Of a program's predicted samples per second, cycles of a step, and bytes of its fullest IPU.
[[nodiscard]] PredictedRanges predictedRanges(const ProgramIntervals& intervals, double samplesPerSecond,
                                              Cycles step, Bytes peak);

} // namespace core
