#include "simulator/target/target_catalogue.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace simulator {

namespace {

/// A figure as a source states it.
struct Statement {
    std::string_view key;
    double value;
    std::string_view source;
};

constexpr double kibi = 1024;

constexpr std::array ipu2{
    Statement{"tiles", 1472, "Graphcore TensorFlow documentation; MLPerf system descriptions"},
    Statement{"memory_per_tile_bytes", 624 * kibi, "popliner tests; 897 MiB over 1472 tiles"},
    Statement{"executable_bytes_per_tile", 208 * kibi, "IPU21 toolchain memory map, region 0"},
    Statement{"workers_per_tile", 6, "Jia et al. 2019, arXiv 1912.03413"},
    Statement{"clock_hz", 1.33e9, "MLPerf Training v1.1 system descriptions"},
    Statement{"load_bytes_per_cycle", 8, "UoB-HPC ipu-hpc-cookbook, alignment"},
    Statement{"conv_units_half_half", 16, "poplibs: fp16 vertex of 16 units; 250 TFLOP/s marketed"},
    Statement{"conv_units_half_float", 8, "poplibs: 8 units with float partials; not decided by measurement"},
    Statement{"conv_units_float", 8, "62.5 TFLOP/s marketed = 8 units of 2 elements per cycle"},
    Statement{"exchange_bytes_per_cycle", 4, "IPU21 toolchain; poplibs exchange estimator"},
    Statement{"pair_bus", 1, "poplibs exchange estimator"},
    Statement{"exchange_fragment_cycles", 36, "chosen between 3 and 160 on Poplar tutorial 6 (34 to 36)"},
    Statement{"tile_copy_cycles_per_byte", 0.25, "chosen on application rows; 0.44 published as regression"},
    Statement{"internal_sync_cycles", 126, "IPU21 toolchain, largest internal sync delay"},
    Statement{"global_sync_cycles", 600, "IPU21 toolchain"},
    Statement{"sync_seconds_per_hop", 15e-9, "poplibs test support"},
    Statement{"superstep_overhead_cycles", 700, "fitted once on the application rows, good range 600-800"},
    Statement{"layout_imbalance", 1.4, "fitted once on the application rows"},
    Statement{"ipu_links", 10, "320 GB/s in both directions together"},
    Statement{"link_bytes_per_second", 16e9, "320 GB/s over 10 links and 2 directions"},
    Statement{"link_efficiency", 0.85, "poplibs test support"},
    Statement{"links_within_pair", 4, "poplibs test support"},
    Statement{"links_between_pairs", 2, "poplibs test support"},
    Statement{"further_hop_share", 0.25,
              "assumed; the Python API says of selection_order only that a hop costs"},
    Statement{"link_domain_ipus", 16, "M2000 rack of 4 machines; not settled beyond 16"},
    Statement{"ipus_per_machine", 4, "M2000 data sheet"},
    Statement{"gateway_bytes_per_second", 12.5e9, "M2000 data sheet, 100 Gbit/s per GW-Link; effective rate"},
    Statement{"collective_latency_seconds", 1e-6, "assumed: two global syncs per ring step"},
    Statement{"host_bytes_per_second", 15.2 * 1.33e9, "Poplar tutorial 6 on hardware, 15.2 B/cycle"},
    Statement{"host_machine_bytes_per_second", 32e9, "PCIe Gen4 x16, 64 GB/s nominal in both directions"},
    Statement{"host_latency_seconds", 80000 / 1.33e9, "4-byte stream copy profile, 80,000 cycles of begin"},
    Statement{"host_data_set_up_seconds", 1500 / 1.33e9, "4-byte stream copy profile, 1,500 cycles of data"},
    Statement{"host_synchronous_bytes_per_second", 2e9, "Poplar tutorial 6: 40 MB in 19 ms end to end"},
    Statement{"streaming_memory_bytes_per_second", 20e9, "unpublished; as the host link"},
    Statement{"streaming_memory_bytes_per_machine", 256e9, "M2000 data sheet, up to 256 GB"},
    Statement{"stack_bytes_per_tile", 3168, "Graphcore TensorFlow documentation, report page"},
    Statement{"control_code_bytes_per_tile", 700, "Graphcore TensorFlow documentation, report page"},
    Statement{"host_exchange_code_bytes_per_tile", 300, "Graphcore TensorFlow documentation, report page"},
};

/// The wafer-on-wafer IPU is the same logic at a higher clock; what is not listed is as in ipu2.
constexpr std::array bow{
    Statement{"clock_hz", 1.85e9, "MLPerf Training v2.0 system descriptions; tessellate-ipu notebook"},
};

constexpr std::array ipu1{
    Statement{"tiles", 1216, "Graphcore TensorFlow documentation, report page"},
    Statement{"memory_per_tile_bytes", 256 * kibi, "Graphcore TensorFlow documentation, report page"},
    Statement{"executable_bytes_per_tile", 120 * kibi, "report page, non-interleaved region"},
    Statement{"clock_hz", 1.6e9, "Graphcore TensorFlow documentation, report page"},
    Statement{"conv_units_half_half", 8, "124.5 TFLOP/s = 32 multiply-adds per cycle and tile"},
    Statement{"conv_units_half_float", 8, "124.5 TFLOP/s = 32 multiply-adds per cycle and tile"},
    Statement{"conv_units_float", 4, "31.1 TFLOP/s = 8 multiply-adds per cycle and tile"},
    Statement{"pair_bus", 0, "not documented for the first generation"},
    Statement{"internal_sync_cycles", 90, "64-117 cycles measured in a blur program"},
    Statement{"ipus_per_machine", 2, "C2 card, two chips"},
    Statement{"streaming_memory_bytes_per_machine", 0, "none on the card; host memory"},
    Statement{"host_bytes_per_second", 8e9, "PCIe Gen4 x8 per chip, assumed half of its rate"},
    Statement{"host_latency_seconds", 80000 / 1.33e9, "as ipu2"},
};

/// The statements applied over `base`, whose sources stand for the figures they leave out.
CatalogueTarget describe(std::string name, std::string description, std::span<const Statement> statements,
                         const CatalogueTarget* base) {
    CatalogueTarget entry;
    entry.description = std::move(description);
    if (base != nullptr)
        entry.target = base->target;
    entry.target.name = std::move(name);
    for (std::size_t i = 0; i < targetFigures().size(); ++i) {
        const TargetFigure& figure = targetFigures()[i];
        const auto statement = std::ranges::find(statements, figure.key, &Statement::key);
        if (statement == statements.end()) {
            assert(base != nullptr);
            entry.sources.push_back(base->sources[i]);
            continue;
        }
        setFigure(entry.target, figure, statement->value);
        entry.sources.push_back({figure.key, statement->source});
    }
    return entry;
}

} // namespace

std::span<const CatalogueTarget> targetCatalogue() {
    static const std::vector<CatalogueTarget> catalogue = [] {
        std::vector<CatalogueTarget> entries;
        const CatalogueTarget second = describe("ipu2", "second generation (GC200)", ipu2, nullptr);
        entries.push_back(describe("ipu1", "first generation (GC2)", ipu1, &second));
        entries.push_back(second);
        entries.push_back(describe("bow", "second generation, wafer on wafer (Bow)", bow, &second));
        return entries;
    }();
    return catalogue;
}

const CatalogueTarget* findTarget(std::string_view name) {
    const auto found = std::ranges::find_if(
        targetCatalogue(), [&](const CatalogueTarget& entry) { return entry.target.name == name; });
    return found == targetCatalogue().end() ? nullptr : &*found;
}

std::optional<std::string_view> versionOfTarget(std::string_view name) {
    if (findTarget(name) == nullptr)
        return std::nullopt;
    return name == "ipu1" ? "ipu1" : "ipu2";
}

} // namespace simulator
