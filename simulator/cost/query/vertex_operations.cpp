#include "simulator/cost/communication.h"

#include "core/base/quantity.h"
#include "simulator/cost/query/cost_arguments.h"
#include "simulator/cost/vertex/access_vertex.h"
#include "simulator/cost/vertex/convolution_vertex.h"
#include "simulator/cost/vertex/reduction_vertex.h"

#include <algorithm>
#include <cmath>

namespace simulator {

namespace {

using core::real;

using core::ceilDivide;
using Kind = CostKeyKind;

core::Cycles rounded(double cycles) {
    return core::Cycles(static_cast<std::int64_t>(std::llround(std::min(cycles, 1e17))));
}

const CostKey tilesOfVertex{"tiles", Kind::Text, "every tile the same", "how many tiles run the same vertex"};

/// An answer of compute cycles alone, the same on every tile.
CostAnswer vertexAnswer(const CostArguments& arguments, double cycles, double flopsPerTile,
                        core::DataType type) {
    CostAnswer answer;
    answer.tilesUsed = arguments.tiles();
    answer.compute = answer.cycles = rounded(cycles);
    answer.flops = core::Flops(rounded(flopsPerTile * real(answer.tilesUsed)).value());
    addRates(answer, arguments.target(), type);
    return answer;
}

core::Result<CostAnswer> priceAmp(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const bool half = core::elementBytes(type) <= 2;
    MatrixUnit unit;
    unit.operandBytes = half ? 2 : 4;
    unit.partialBytes = core::elementBytes(arguments.type("partials"));
    unit.units = arguments.integer("conv_units");
    unit.workers = arguments.target().workersPerTile;
    unit.coefficientLoadBytes =
        arguments.target().loadBytesPerCycle * (arguments.isOn("use_128bit_conv_unit_load") ? 2 : 1);
    unit.halfPartialsAtDoubleRate =
        half && unit.units == 8 && unit.partialBytes == 2 && arguments.target().convUnitsHalfHalf > 8;
    // Output channels come in groups of 16, each computed in passes of as many as there are units.
    constexpr std::int64_t channelsPerGroup = 16;
    ConvPartial1x1 work;
    work.fieldElements = arguments.integer("field_elements");
    work.convGroups = arguments.integer("conv_groups");
    work.inGroups = ceilDivide(arguments.integer("in_channels"), unit.inputChannels());
    work.outGroups = ceilDivide(arguments.integer("out_channels"), channelsPerGroup);
    work.passesPerGroup = ceilDivide(channelsPerGroup, unit.units);
    work.firstPass = arguments.isOn("first_pass");
    const double flops = 2 * real(work.fieldElements) * real(work.convGroups) *
                         real(arguments.integer("in_channels")) * real(arguments.integer("out_channels"));
    CostAnswer answer = vertexAnswer(arguments, conv1x1Cycles(unit, work), flops, type);
    answer.plan = {{"inputPasses", real(work.inGroups)},
                   {"outputGroups", real(work.outGroups)},
                   {"passesPerGroup", real(work.passesPerGroup)},
                   {"coefficientLoadCycles", real(unit.coefficientLoad())}};
    return answer;
}

core::Result<CostAnswer> priceReduceVertex(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const TileReduction work{arguments.integer("outputs"), arguments.integer("depth"),
                             core::elementBytes(type), arguments.target().workersPerTile};
    const std::int64_t cycles =
        arguments.text("path") == "single" ? singleInputReduceCycles(work) : genericReduceCycles(work);
    return vertexAnswer(arguments, real(cycles), real(work.outputs) * real(work.depth), type);
}

core::Result<CostAnswer> priceMultiSlice(const CostArguments& arguments, const CostOperation&) {
    const TileLookup work{arguments.integer("in_range"), arguments.integer("out_of_range"),
                          arguments.integer("row_elements"), arguments.integer("vector"),
                          arguments.target().workersPerTile};
    const double cycles = arguments.isOn("update") ? multiUpdateAddCycles(work) : multiSliceCycles(work);
    return vertexAnswer(arguments, cycles, 0, core::DataType::Float16);
}

core::Result<CostAnswer> priceTileCopy(const CostArguments& arguments, const CostOperation&) {
    return vertexAnswer(arguments, tileCopyCycles(real(arguments.integer("bytes"))), 0,
                        core::DataType::Float16);
}

core::Result<CostAnswer> priceExchange(const CostArguments& arguments, const CostOperation&) {
    const IpuTarget& target = arguments.target();
    const double words = std::max(real(arguments.integer("bytes")), real(arguments.integer("sent_bytes"))) /
                         target.exchangeBytesPerCycle;
    const double shared = arguments.isOn("shared_by_pair") && target.pairBus ? 0.5 : 1;
    CostAnswer answer;
    answer.tilesUsed = arguments.tiles();
    answer.exchange =
        rounded(words * shared + real(arguments.integer("fragments") * target.exchangeFragmentCycles));
    answer.sync = core::Cycles(target.internalSyncCycles);
    answer.cycles = answer.exchange + answer.sync;
    addRates(answer, target, core::DataType::Float16);
    return answer;
}

/// Matrix times vector, the columns cut into segments: partial products, then their sums (Poplar tutorial 6).
core::Result<CostAnswer> priceMatvec(const CostArguments& arguments, const CostOperation&) {
    const IpuTarget& target = arguments.target();
    const core::DataType type = arguments.type("type");
    const std::int64_t bytes = core::elementBytes(type);
    const std::int64_t rows = arguments.integer("rows");
    const std::int64_t columns = arguments.integer("columns");
    const std::int64_t segments = std::min(arguments.integer("column_segments"), columns);
    const std::int64_t tiles = arguments.tiles();
    const std::int64_t workers = target.workersPerTile;
    const std::int64_t segment = ceilDivide(columns, segments);
    // A partial product runs 5 instructions and one per vector, a sum 2 and one per partial.
    const double product = real(5 + ceilDivide(segment, 8 / bytes));
    const double sum = real(2 + segments);
    const auto slowest = [&](std::int64_t vertices, double cycles) {
        return real(workers * ceilDivide(ceilDivide(vertices, tiles), workers)) * cycles;
    };
    const double perTile = real(rows * segments) / real(tiles);
    const double rowsPerTile = real(rows) / real(tiles);
    const double busy = perTile * product + rowsPerTile * sum;
    const double withIdle = slowest(rows * segments, product) + slowest(rows, sum);
    const double word = target.exchangeBytesPerCycle;
    const double vectorWords = real(segment * bytes) / word;
    const double partialWords = std::ceil(rowsPerTile) * real(segments * bytes) / word;
    // Matrix rows arrive as one fragment per segment.
    const double streamed = arguments.isOn("weights_from_host")
                                ? real(rows * columns * bytes) / real(tiles) / word +
                                      perTile * real(target.exchangeFragmentCycles)
                                : 0;
    const double internal = streamed + vectorWords + rowsPerTile * real(segments * bytes) / word;
    const double hostBytes =
        (arguments.isOn("weights_from_host") ? real(rows * columns) : 0) + real(rows + columns);
    const double host = hostBytes * real(bytes) / arguments.number("host_bytes_per_cycle");
    constexpr std::int64_t exchanges = 4;
    CostAnswer answer;
    answer.tilesUsed = std::min(tiles, rows * segments);
    answer.compute = rounded(busy);
    answer.exchange = rounded(internal + host);
    answer.sync = core::Cycles(exchanges * target.internalSyncCycles);
    answer.cycles = rounded(withIdle) + answer.exchange + answer.sync;
    answer.flops = core::Flops(2 * rows * columns);
    answer.details = {{"compute_cycles_incl_idle", withIdle},
                      {"internal_exchange_cycles", internal},
                      {"host_exchange_cycles", host},
                      {"worst_tile_cycles", withIdle + vectorWords + partialWords}};
    addRates(answer, target, type);
    return answer;
}

/// One vertex alone in a program: what the launch costs around it, and a block around that. In a measured
/// sub-sequence every run has both, as each is measured by itself too.
core::Result<CostAnswer> priceProgramStep(const CostArguments& arguments, const CostOperation&) {
    // Measured on a 3,600-cycle vertex: 3,623 for the step, 3,688 with the block around it.
    constexpr std::int64_t launch = 23;
    constexpr std::int64_t block = 65;
    const std::int64_t repeat = arguments.integer("repeat");
    CostAnswer answer;
    answer.tilesUsed = arguments.integer("tiles");
    answer.compute = core::Cycles(arguments.integer("vertex_cycles") * repeat);
    const std::string measured = arguments.text("measured");
    const std::int64_t blocks = measured == "outer block" ? 1 : measured == "sub-sequence" ? repeat : 0;
    answer.sync = core::Cycles(launch * repeat + block * blocks);
    answer.cycles = answer.compute + answer.sync;
    addRates(answer, arguments.target(), core::DataType::Float32);
    return answer;
}

core::Result<CostAnswer> priceHostStream(const CostArguments& arguments, const CostOperation&) {
    const HostTransfer transfer = hostTransfer(arguments.target(), arguments.integer("bytes"));
    const std::string phase = arguments.text("phase");
    CostAnswer answer;
    answer.tilesUsed = 1;
    const bool isWhole = phase == "total";
    if (isWhole || phase == "begin")
        answer.exchange += transfer.begin;
    if (isWhole || phase == "data")
        answer.exchange += transfer.data;
    if (isWhole || phase == "end")
        answer.sync = transfer.end;
    answer.cycles = answer.exchange + answer.sync;
    answer.details = {{"begin_cycles", real(transfer.begin.value())},
                      {"data_cycles", real(transfer.data.value())},
                      {"end_cycles", real(transfer.end.value())}};
    addRates(answer, arguments.target(), core::DataType::Float16);
    return answer;
}

constexpr std::string_view vertexGroup = "vertex and program";

} // namespace

std::vector<PricedOperation> vertexAndProgramOperations() {
    const CostKey type{"type", Kind::Type, "float16", "element type"};
    return {
        {{"amp_conv1x1",
          vertexGroup,
          "one ConvPartial1x1 vertex of the matrix unit on one tile",
          {{"field_elements", Kind::Integer, "", "positions of the output field", 0, 1e9},
           {"in_channels", Kind::Integer, "16", "input channels", 1, 1e6},
           {"out_channels", Kind::Integer, "16", "output channels", 1, 1e6},
           {"conv_groups", Kind::Integer, "1", "convolution groups", 1, 1e6},
           type,
           {"partials", Kind::Type, "float16", "type of the partial sums"},
           {"conv_units", Kind::Integer, "16", "convolution units used", 1, 1024},
           {"first_pass", Kind::Switch, "true", "partial sums are written, not added to"},
           {"use_128bit_conv_unit_load", Kind::Switch, "false", "coefficients load 16 bytes per cycle"},
           tilesOfVertex}},
         priceAmp},
        {{"reduce_vertex",
          vertexGroup,
          "one reduction vertex on one tile",
          {{"outputs", Kind::Integer, "", "values that come out", 0, 1e9},
           {"depth", Kind::Integer, "", "partials of each value", 1, 1e9},
           {"type", Kind::Type, "float32", "type of the partials"},
           {"path",
            Kind::Choice,
            "single",
            "partials in one region, or in pieces",
            0,
            0,
            {"single", "generic"}},
           tilesOfVertex}},
         priceReduceVertex},
        {{"multi_slice",
          vertexGroup,
          "rows looked up in (or added to) one tile's part of a table, by one worker",
          {{"in_range", Kind::Integer, "", "indices that hit the tile's rows", 0, 1e9},
           {"out_of_range", Kind::Integer, "0", "other indices it searches through", 0, 1e9},
           {"row_elements", Kind::Integer, "", "elements of a row", 1, 1e9},
           {"vector", Kind::Integer, "2", "elements moved at once", 1, 16},
           {"update", Kind::Switch, "false", "add to the rows instead of reading them"},
           tilesOfVertex}},
         priceMultiSlice},
        {{"tile_copy",
          vertexGroup,
          "a copy on one tile",
          {{"bytes", Kind::Integer, "", "bytes copied", 0, 1e12}, tilesOfVertex}},
         priceTileCopy},
        {{"exchange",
          vertexGroup,
          "one internal exchange: what the fullest tile receives and sends",
          {{"bytes", Kind::Integer, "", "bytes the fullest tile receives", 0, 1e15},
           {"sent_bytes", Kind::Integer, "0", "bytes the fullest tile sends", 0, 1e15},
           {"fragments", Kind::Integer, "0", "separate pieces it receives", 0, 1e9},
           {"shared_by_pair", Kind::Switch, "false", "a pair of tiles receives the same data"},
           {"tiles", Kind::Integer, "0", "tiles that take part; 0: all", 0, 1e7}}},
         priceExchange},
        {{"matvec_partials",
          vertexGroup,
          "matrix times vector in column segments, then the sum of each row's partials",
          {{"rows", Kind::Integer, "", "rows of the matrix", 1, 1e7},
           {"columns", Kind::Integer, "", "columns of the matrix", 1, 1e7},
           {"column_segments", Kind::Integer, "1", "partial products per row", 1, 1e6},
           {"type", Kind::Type, "float32", "element type"},
           {"stage2", Kind::Text, "sum of the partials per row", "what follows the partial products"},
           {"weights_from_host", Kind::Switch, "true", "the matrix is streamed in each time"},
           {"host_bytes_per_cycle", Kind::Number, "15.2", "6.0 in the vendor's model, 15.2 on hardware",
            0.001, 1e6},
           {"tiles", Kind::Integer, "0", "tiles used; 0: all", 0, 1e7}}},
         priceMatvec},
        {{"program_step",
          vertexGroup,
          "one vertex alone in a compute set",
          {{"vertex_cycles", Kind::Integer, "", "cycles of the vertex", 0, 1e12},
           {"repeat", Kind::Integer, "1", "times it runs", 1, 1e3},
           {"measured",
            Kind::Choice,
            "nested block",
            "what the measurement includes",
            0,
            0,
            {"nested block", "outer block", "sub-sequence"}},
           {"tiles", Kind::Integer, "1", "tiles that run it", 1, 1e7}}},
         priceProgramStep},
        {{"host_stream_copy",
          vertexGroup,
          "one transfer between host and IPU",
          {{"bytes", Kind::Integer, "", "bytes", 0, 1e15},
           {"phase",
            Kind::Choice,
            "total",
            "the rendezvous, the data, the sync after it, or all",
            0,
            0,
            {"begin", "data", "end", "total"}}}},
         priceHostStream},
        stencilOperation(),
    };
}

} // namespace simulator
