#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "simulator/target/ipu_target.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simulator {

/// What a key of a cost operation takes.
enum class CostKeyKind : std::uint8_t {
    Integer,
    Number,
    Switch,
    Choice,
    Type,        ///< an element type by Keras' name
    WindowSize,  ///< a whole number for every field axis, or a list of them
    IntegerList, ///< a list, or whole numbers joined by x: 128x1024
    Text,
};

struct CostKey {
    std::string_view name;
    CostKeyKind kind = CostKeyKind::Integer;
    /// As on the command line; empty: the key has to be given.
    std::string_view defaultValue;
    std::string_view meaning;
    /// Whole numbers and numbers lie in here; a window's and a list's entries too.
    double low = 0;
    double high = 1e15;
    /// The texts a choice takes.
    std::vector<std::string_view> choices = {};
};

/// One operation that can be priced: what `cost --list` shows.
struct CostOperation {
    std::string name;
    /// "vertex and program" (priced as measured on one tile or program), "planned", "communication".
    std::string_view group;
    std::string summary;
    std::vector<CostKey> keys;
};

/// Every operation, in the order of display.
[[nodiscard]] std::span<const CostOperation> costOperations();

struct CostQuery {
    std::string operation;
    /// Key to value; values as JSON or, where they are not, as text.
    core::Json arguments = core::Json::object();
    IpuTarget target;
    /// 0: all of the target's.
    std::int64_t tiles = 0;
};

/// The price of one operation.
struct CostAnswer {
    std::string operation;
    std::string target;
    std::int64_t tilesUsed = 0;
    core::Cycles cycles;
    core::Cycles compute;
    core::Cycles exchange;
    /// Syncs and the overhead of supersteps.
    core::Cycles sync;
    double timeNs = 0;
    core::Flops flops;
    double flopsPerSecond = 0;
    /// Of the matrix unit's peak for the operand type; 0 where nothing is computed.
    double fractionOfPeak = 0;
    core::Bytes temporaryPerTile;
    core::Bytes vertexCodePerTile;
    core::Bytes vertexStatePerTile;
    core::Bytes exchangeCodePerTile;
    core::Bytes controlCodePerTile;
    /// Where the cycles lie once they are measured.
    core::PredictionInterval interval;
    /// The split chosen in PopLibs' words, or how a price is put together.
    std::vector<std::pair<std::string, double>> plan;
    /// Further figures of operations that have them, by the metric names of the calibration cases
    /// ("host_exchange_cycles", "worst_tile_cycles", …).
    std::vector<std::pair<std::string, double>> details;

    /// The figure of that metric name: a detail, or one of the fields; nothing when there is none.
    [[nodiscard]] std::optional<double> metric(std::string_view name) const;
};

/// "KEY=VALUE" texts as the arguments of a query. Errors (Trouble::Usage): "cost/not-a-pair",
/// "cost/repeated-key".
[[nodiscard]] core::Result<core::Json> readCostArguments(std::span<const std::string> texts);

/// How well the figures of an operation are known. Measurements of operations are classed by it.
[[nodiscard]] core::FigureClass figureClass(std::string_view operation);

/// Prices a query. Errors (Trouble::Usage), all that are found: "cost/unknown-operation", "cost/unknown-key"
/// (with the nearest names), "cost/missing-key", "cost/wrong-value".
[[nodiscard]] core::Result<CostAnswer> queryCost(const CostQuery& query);

/// The "JSON of cost": schema and version first, then the fields.
[[nodiscard]] core::Json toJson(const CostAnswer& answer);

} // namespace simulator
