#include "simulator/compiler/passes/compiler_passes.h"

#include "simulator/compiler/passes/product_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {

namespace {

template <class Product, std::string (*text)(const Product&)>
std::string printWith(const PassProduct& product) {
    return text(*std::get<const Product*>(product));
}

constexpr std::array<CompilerPass, std::variant_size_v<PassProduct>> passTable{{
    {"staged", "each operation is on one stage, the values for the host are chosen",
     printWith<StagedGraph, stagesText>},
    {"scheduled", "each stage has its slots, and how activations are recomputed is settled",
     printWith<ScheduledGraph, scheduleText>},
    {"routed", "no edge crosses an IPU or replica without a transfer or collective",
     printWith<RoutedGraph, transfersText>},
    {"kept", "each backward finds its activations kept or recomputed, each variable has its place",
     printWith<KeptGraph, activationsText>},
    {"planned", "each operation is split over tiles and priced", printWith<PlannedGraph, plansText>},
    {"ordered", "each operation is in a program, after what it reads", printWith<OrderedGraph, ordersText>},
    {"lowered", "each stage has its programs with their steps, the update its collectives",
     printWith<LoweredPipeline, programsText>},
    {"laid-out", "every byte lies on tiles and has its time; what does not fit is a finding",
     printWith<CompiledPipeline, memoryText>},
}};

} // namespace

std::span<const CompilerPass> compilerPasses() {
    return passTable;
}

std::string compilerPassNames() {
    std::string names;
    for (const CompilerPass& pass : passTable)
        names += (names.empty() ? "" : ", ") + std::string(pass.name);
    return names;
}

const CompilerPass* findCompilerPass(std::string_view name) {
    const auto found = std::ranges::find(passTable, name, &CompilerPass::name);
    return found == passTable.end() ? nullptr : &*found;
}

const CompilerPass& passOf(const PassProduct& product) {
    return passTable[product.index()];
}

std::string productText(const PassProduct& product) {
    const CompilerPass& pass = passOf(product);
    return fmt::format("# {}: {}\n{}", pass.name, pass.promise, pass.print(product));
}

} // namespace simulator
