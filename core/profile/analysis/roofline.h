#pragma once

#include "core/profile/queries/program_queries.h"
#include "core/profile/records/run_records.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// What the matrix units of one IPU do at most in a cycle at a precision.
struct ComputeRoof {
    /// "float16", "float32".
    std::string precision;
    Flops perCycle;
};

/// What holds work back that neither waits nor is badly spread: the roof above its intensity.
enum class RoofKind : std::uint8_t { Compute, Exchange };
inline constexpr std::size_t roofKindCount = 2;

/// An operation, or the sum of several, against the roofs. All figures are of one weight update of one
/// replica: every run of it counts.
struct RooflinePoint {
    /// The operation's; a layer's path (the operation's name where it belongs to no layer); "Stage 1".
    std::string name;
    /// Of an operation alone.
    OperationId operation;
    /// Whether other programs than its own run an operation again.
    bool isRecomputed = false;
    std::string kind;
    std::optional<ProgramPhase> phase;
    /// Empty for a stage, and for what belongs to no layer.
    std::string layer;
    StageId stage;
    /// "float16"; "mixed" for a sum over several.
    std::string precision;
    std::int64_t operations = 1;
    std::int64_t runs = 0;
    Cycles compute;
    Cycles exchange;
    Cycles sync;
    Flops flops;
    /// What all tiles could receive over the exchange while it lasts.
    Bytes bytes;
    /// Cycles that the same would take at the compute roof, and under both roofs.
    double atPeak = 0;
    double atRoof = 0;
    /// `atPeak` without what is only recomputed.
    double usefulAtPeak = 0;

    [[nodiscard]] Cycles cycles() const { return compute + exchange + sync; }
    /// FLOP per byte; nothing where nothing is exchanged.
    [[nodiscard]] std::optional<double> intensity() const;
    [[nodiscard]] double flopsPerCycle() const;
    /// 0 … 1 of the time it takes.
    [[nodiscard]] double shareOfPeak() const;
    [[nodiscard]] double shareOfRoof() const;
    [[nodiscard]] RoofKind bound() const;
};

/// Where the operations of a run stand against what its target can do at most (Williams, Waterman and
/// Patterson, "Roofline", 2009). The memory of an IPU lies beside its tiles and is never what one waits for;
/// the exchange between tiles is. So intensity is FLOP per byte of exchange: cycles of exchange × bytes that
/// a tile receives in a cycle × tiles. As the slowest tile's cycles count for all of them, work that is
/// spread badly has the intensity that its time has, and no point lies above the slope.
struct Roofline {
    RunId run;
    double clockHz = 0;
    Cycles step;
    std::int64_t ipusPerReplica = 1;
    /// The highest first.
    std::vector<ComputeRoof> roofs;
    /// Bytes that all tiles of an IPU receive in a cycle.
    double bytesPerCycle = 0;
    std::vector<RooflinePoint> operations;
    /// A layer on two stages has two.
    std::vector<RooflinePoint> layers;
    std::vector<RooflinePoint> stages;

    /// Operations per byte where the roof of exchange meets that of compute.
    [[nodiscard]] double ridge(const ComputeRoof& roof) const;
    /// Share of what all IPUs of a replica could compute in a step that the model needs (MFU).
    [[nodiscard]] double shareOfStep() const;
    [[nodiscard]] double shareOfStep(const RooflinePoint& stage) const;
};

/// How often an operation runs for a micro-batch.
struct OperationTimes {
    /// In one run of the stage program that needs it.
    std::int64_t needed = 1;
    /// In the programs that run it again, because its result was not kept.
    std::int64_t again = 0;
};

/// `times`: of each operation, by their order.
[[nodiscard]] Roofline roofline(const RunSummary& summary, const std::vector<OperationRecord>& operations,
                                const std::vector<OperationTimes>& times, double exchangeBytesPerTileCycle);

/// Of a stored run. Errors: those of `loadRun`; "roofline/none" (Trouble::Input) for a run of a version that
/// did not store what it takes, "run/no-program" for one that was recorded without its operations.
[[nodiscard]] Result<Roofline> loadRoofline(const ProfileDatabase& database, RunId run);

/// "compute", "exchange".
[[nodiscard]] std::string_view toString(RoofKind roof);

} // namespace core
