#pragma once

#include "core/profile/records/memory_records.h"
#include "core/profile/schema/table.h"

namespace core {

// clang-format off
inline constexpr auto livenessStepTable = table<LivenessStepRecord>(
    "liveness_step", "run_id, ipu, step",
    runColumn(),
    column("ipu", "INTEGER NOT NULL", &LivenessStepRecord::ipu),
    column("step", "INTEGER NOT NULL", &LivenessStepRecord::step),
    column("stage", "INTEGER", &LivenessStepRecord::stage),
    column("phase", "INTEGER NOT NULL REFERENCES program_phase", &LivenessStepRecord::phase),
    column("operation", "INTEGER", &LivenessStepRecord::operation),
    column("live_bytes", "INTEGER NOT NULL", &LivenessStepRecord::live));

/// A field of a block's run of tiles.
template <auto Field>
struct TilesOf {
    template <class Range>
    constexpr auto& operator()(Range& range) const {
        return range.tiles.*Field;
    }
};

inline constexpr auto liveRangeTable = table<LiveRangeRecord>(
    "live_range", "run_id, ipu, position",
    runColumn(),
    column("ipu", "INTEGER NOT NULL", &LiveRangeRecord::ipu),
    given("position", "INTEGER NOT NULL"),
    column<InternedOrNull>("name_id", "INTEGER REFERENCES text", &LiveRangeRecord::name),
    column("category", "INTEGER NOT NULL REFERENCES memory_category", &LiveRangeRecord::category),
    column("is_always_live", "INTEGER NOT NULL", &LiveRangeRecord::alwaysLive),
    column("bytes", "INTEGER NOT NULL", &LiveRangeRecord::bytes),
    column("address_bytes", "INTEGER NOT NULL", &LiveRangeRecord::address),
    column("first_step", "INTEGER NOT NULL", &LiveRangeRecord::firstStep),
    column("last_step", "INTEGER NOT NULL", &LiveRangeRecord::lastStep),
    column<InternedOrNull>("layer_id", "INTEGER REFERENCES text", &LiveRangeRecord::layer),
    column("stage", "INTEGER", &LiveRangeRecord::stage),
    column<InternedOrNull>("shape_id", "INTEGER REFERENCES text", &LiveRangeRecord::shape),
    column<IndexOrNull>("first_tile", "INTEGER", TilesOf<&TileRun::first>(), 8),
    column("tile_count", "INTEGER NOT NULL DEFAULT 0", TilesOf<&TileRun::count>(), 8),
    column("tile_bytes", "INTEGER NOT NULL DEFAULT 0", TilesOf<&TileRun::bytesPerTile>(), 8),
    column("last_tile_bytes", "INTEGER NOT NULL DEFAULT 0", TilesOf<&TileRun::lastTileBytes>(), 8));

/// One tile of an IPU at the peak of the worst tile.
struct TileBytes {
    IpuId ipu;
    std::int64_t tile = 0;
    std::array<std::int64_t, memoryCategoryCount> byCategory{};
};

template <MemoryCategory Category>
struct BytesOf {
    template <class Tile>
    constexpr auto& operator()(Tile& tile) const {
        return tile.byCategory[static_cast<std::size_t>(Category)];
    }
};

template <MemoryCategory Category>
constexpr auto bytesColumn(std::string_view name, std::int32_t since = firstSchemaVersion) {
    return column(name, since == firstSchemaVersion ? "INTEGER NOT NULL" : "INTEGER NOT NULL DEFAULT 0",
                  BytesOf<Category>(), since);
}

/// One row per tile, one column per category: readable, and 14 times fewer rows.
inline constexpr auto tileMemoryTable =
    table<TileBytes>("tile_memory", "run_id, ipu, tile",
                     runColumn(),
                     column("ipu", "INTEGER NOT NULL", &TileBytes::ipu),
                     column("tile", "INTEGER NOT NULL", &TileBytes::tile),
                     bytesColumn<MemoryCategory::VertexCode>("vertex_code"),
                     bytesColumn<MemoryCategory::VertexState>("vertex_state"),
                     bytesColumn<MemoryCategory::ExchangeCode>("exchange_code"),
                     bytesColumn<MemoryCategory::ControlCode>("control_code"),
                     bytesColumn<MemoryCategory::Constants>("constants"),
                     bytesColumn<MemoryCategory::Stack>("stack"),
                     bytesColumn<MemoryCategory::Weights>("weights"),
                     bytesColumn<MemoryCategory::OptimizerState>("optimizer_state"),
                     bytesColumn<MemoryCategory::Accumulators>("accumulators"),
                     bytesColumn<MemoryCategory::Stash>("stash"),
                     bytesColumn<MemoryCategory::HostIo>("host_io"),
                     bytesColumn<MemoryCategory::MessageBuffers>("message_buffers"),
                     bytesColumn<MemoryCategory::Activations>("activations"),
                     bytesColumn<MemoryCategory::Temporary>("temporary"));

inline constexpr auto ipuMemoryTable = table<IpuMemorySummary>(
    "ipu_memory", "run_id, position",
    runColumn(),
    given("position", "INTEGER NOT NULL"),
    column("ipu", "INTEGER", &IpuMemorySummary::ipu),
    column("limit_bytes", "INTEGER NOT NULL", &IpuMemorySummary::limit),
    column("peak_bytes", "INTEGER NOT NULL", &IpuMemorySummary::peak),
    column("always_live_bytes", "INTEGER NOT NULL", &IpuMemorySummary::alwaysLive),
    column("not_always_live_peak_bytes", "INTEGER NOT NULL", &IpuMemorySummary::notAlwaysLivePeak),
    column("worst_tile", "INTEGER NOT NULL", &IpuMemorySummary::worstTile),
    column("worst_tile_bytes", "INTEGER NOT NULL", &IpuMemorySummary::worstTileBytes));

/// One value of `IpuMemorySummary::byCategory`.
struct CategoryBytes {
    std::int64_t position = 0;
    MemoryCategory category = MemoryCategory::VertexCode;
    Bytes bytes;
};

inline constexpr auto ipuMemoryCategoryTable = table<CategoryBytes>(
    "ipu_memory_category", "run_id, position, category",
    runColumn(),
    column("position", "INTEGER NOT NULL", &CategoryBytes::position),
    column("category", "INTEGER NOT NULL REFERENCES memory_category", &CategoryBytes::category),
    column("bytes", "INTEGER NOT NULL", &CategoryBytes::bytes));
// clang-format on

inline constexpr std::array memoryViews{
    ViewText{"v_peak", R"sql(
SELECT run_id AS run, ipu, limit_bytes, peak_bytes, limit_bytes - peak_bytes AS headroom_bytes,
       1.0 * peak_bytes / max(1, limit_bytes) AS share_of_limit, always_live_bytes,
       not_always_live_peak_bytes, worst_tile, worst_tile_bytes, memory_per_tile_bytes,
       worst_tile_bytes <= memory_per_tile_bytes AS fits
FROM ipu_memory JOIN run ON run.id = ipu_memory.run_id)sql"},
    ViewText{"v_memory_category", R"sql(
SELECT run_id AS run, ipu, memory_category.name AS category, is_always_live, bytes
FROM ipu_memory_category
JOIN ipu_memory USING (run_id, position)
JOIN memory_category ON memory_category.id = ipu_memory_category.category)sql"},
    ViewText{"v_liveness", R"sql(
SELECT liveness_step.run_id AS run, liveness_step.ipu AS ipu, step, liveness_step.stage AS stage,
       program_phase.name AS phase, liveness_step.operation AS operation, layer.value AS layer, live_bytes,
       ipu_memory.always_live_bytes AS always_live_bytes,
       live_bytes + ipu_memory.always_live_bytes AS total_bytes
FROM liveness_step
JOIN program_phase ON program_phase.id = liveness_step.phase
LEFT JOIN operation
    ON operation.run_id = liveness_step.run_id AND operation.operation = liveness_step.operation
LEFT JOIN text AS layer ON layer.id = operation.layer_id
LEFT JOIN ipu_memory ON ipu_memory.run_id = liveness_step.run_id AND ipu_memory.ipu = liveness_step.ipu)sql"},
    ViewText{"v_tensor", R"sql(
SELECT run_id AS run, ipu, name.value AS tensor, memory_category.name AS category,
       live_range.is_always_live AS is_always_live, bytes, address_bytes, first_step, last_step,
       layer.value AS layer, stage, shape.value AS shape, first_tile, tile_count, tile_bytes, last_tile_bytes
FROM live_range
JOIN memory_category ON memory_category.id = live_range.category
LEFT JOIN text AS name ON name.id = live_range.name_id
LEFT JOIN text AS layer ON layer.id = live_range.layer_id
LEFT JOIN text AS shape ON shape.id = live_range.shape_id)sql"},
    ViewText{"v_tile", R"sql(
SELECT run_id AS run, ipu, tile,
       vertex_code + vertex_state + exchange_code + control_code + constants + stack + weights
           + optimizer_state + accumulators + stash + host_io + message_buffers + activations + temporary
           AS total_bytes,
       vertex_code, vertex_state, exchange_code, control_code, constants, stack, weights, optimizer_state,
       accumulators, stash, host_io, message_buffers, activations, temporary
FROM tile_memory)sql"},
};

} // namespace core
