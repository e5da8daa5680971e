#include "simulator/cost/query/planned_operation.h"

#include <algorithm>

namespace simulator {

namespace {

using Kind = CostKeyKind;
constexpr std::string_view layerGroup = plannedGroup;

core::Result<CostAnswer> pricePool(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const Extents field{arguments.integer("height"), arguments.integer("width")};
    const WindowGeometry window = windowOf(arguments, field.size());
    const Extents outField = windowField(window, field);
    const TensorForm input{imageExtents(arguments, field, "channels"), type};
    const TensorForm output{imageExtents(arguments, outField, "channels"), type};
    const PoolFunction function =
        arguments.text("function") == "max" ? PoolFunction::Maximum : PoolFunction::Average;
    if (arguments.isOn("gradient"))
        return priced(arguments, PoolGradient{{function, window, false}}, {input, output, output}, {input});
    return priced(arguments, Pool{function, window, false}, {input}, {output});
}

core::Result<CostAnswer> priceGather(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const TensorForm table{{arguments.integer("table_rows"), arguments.integer("row_elements")}, type};
    const TensorForm indices{{arguments.integer("lookups")}, core::DataType::Int32};
    const TensorForm rows{{arguments.integer("lookups"), arguments.integer("row_elements")}, type};
    if (arguments.isOn("gradient"))
        return priced(arguments, GatherGradient{{}, table.extents.front()}, {indices, rows}, {table});
    return priced(arguments, Gather{0, 1}, {table, indices}, {rows});
}

core::Result<CostAnswer> priceRecurrent(const CostArguments& arguments, const CostOperation& operation) {
    Recurrent cell;
    cell.cell = operation.name == "lstm"  ? RecurrentCell::Lstm
                : operation.name == "gru" ? RecurrentCell::Gru
                                          : RecurrentCell::Simple;
    const core::DataType type = arguments.type("type");
    const std::int64_t batch = arguments.integer("batch");
    const std::int64_t units = arguments.integer("units");
    const std::int64_t width = gateCount(cell.cell) * units;
    const TensorForm x{{batch, arguments.integer("steps"), arguments.integer("inputs")}, type};
    const TensorForm kernel{{arguments.integer("inputs"), width}, type};
    const TensorForm recurrentKernel{{units, width}, type};
    const TensorForm y{{batch, arguments.integer("steps"), units}, type};
    if (arguments.isOn("gradient"))
        return priced(arguments, RecurrentGradient{cell}, {x, kernel, recurrentKernel, y},
                      {x, kernel, recurrentKernel});
    return priced(arguments, cell, {x, kernel, recurrentKernel}, {y});
}

core::Result<CostAnswer> priceTranspose(const CostArguments& arguments, const CostOperation&) {
    const Extents extents = arguments.integers("extents");
    const std::vector<std::int64_t> permutation = arguments.integers("permutation");
    std::vector<std::int64_t> sorted = permutation;
    std::ranges::sort(sorted);
    Extents result;
    for (std::size_t axis = 0; axis < sorted.size(); ++axis)
        if (sorted.size() != extents.size() || sorted[axis] != static_cast<std::int64_t>(axis))
            return core::failure(costFinding("cost/wrong-value", "permutation",
                                             "the permutation does not name each axis of the extents once",
                                             {"for extents=8x128x1024 write for example permutation=1x0x2"}));
    for (const std::int64_t axis : permutation)
        result.push_back(extents[static_cast<std::size_t>(axis)]);
    const core::DataType type = arguments.type("type");
    return priced(arguments, Transpose{permutation}, {{extents, type}}, {{result, type}});
}

std::vector<CostKey> recurrentKeys() {
    return {required("batch", "sequences", 1, 1e6),
            required("steps", "time steps", 0, 1e6),
            required("inputs", "features of a step", 1, 1e6),
            required("units", "units", 1, 1e6),
            typeKey,
            partialsKey,
            memoryKey,
            loadKey,
            gradientKey,
            tilesKey};
}

} // namespace

std::vector<PricedOperation> layerOperations() {
    return {
        {{"pool",
          layerGroup,
          "pooling over a field",
          {optional("batch", "1", "images"),
           required("height", "field extent", 0, 1e6),
           required("width", "field extent", 0, 1e6),
           required("channels", "channels", 1, 1e7),
           {"kernel", Kind::WindowSize, "2", "window", 1, 1e4},
           {"stride", Kind::WindowSize, "2", "stride", 1, 1e4},
           {"dilation", Kind::WindowSize, "1", "dilation", 1, 1e4},
           {"padding", Kind::WindowSize, "0", "padding on either side", 0, 1e4},
           {"function", Kind::Choice, "max", "what is taken", 0, 0, {"max", "average"}},
           typeKey,
           gradientKey,
           tilesKey}},
         pricePool},
        {{"gather",
          layerGroup,
          "embedding lookup (or its gradient)",
          {required("table_rows", "rows of the table", 1, 1e10),
           required("row_elements", "elements of a row", 1, 1e7), required("lookups", "indices", 0, 1e9),
           typeKey, gradientKey, tilesKey}},
         priceGather},
        {{"lstm", layerGroup, "LSTM over a sequence", recurrentKeys()}, priceRecurrent},
        {{"gru", layerGroup, "GRU over a sequence", recurrentKeys()}, priceRecurrent},
        {{"simple_rnn", layerGroup, "simple recurrent layer over a sequence", recurrentKeys()},
         priceRecurrent},
        {{"transpose",
          layerGroup,
          "axes of a tensor permuted",
          {{"extents", Kind::IntegerList, "", "extents, outermost first", 0, 1e9},
           {"permutation", Kind::IntegerList, "", "where each axis comes from", 0, 7},
           typeKey,
           tilesKey}},
         priceTranspose},
    };
}

} // namespace simulator
