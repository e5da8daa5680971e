#pragma once

#include "core/plan/plan_estimate.h"
#include "core/project/validated_project.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/memory/fifo_memory.h"
#include "simulator/program/executable.h"

#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace simulator {

/// What the passes between the schedule and the engine read of a slot table. Tables that agree in it (most do
/// that differ in the number of micro-batches only) run the same programs in the same memory.
struct ScheduleTraits {
    core::RecomputationMode recomputationMode = core::RecomputationMode::RecomputeThenBackpropagate;
    bool lastForwardMerged = false;
    bool shortensPassThrough = false;
    bool splitsBackward = false;
    bool hasRamps = false;
    std::vector<std::int64_t> fifoDepths;
    std::vector<std::int64_t> gradientDepths;
    /// Of every pair of stages in the direction of travel, forward and then backward: what waits between
    /// them, and whether programs of both run in one slot.
    std::vector<std::int64_t> queueDepths;
    std::vector<bool> shareSlot;

    bool operator==(const ScheduleTraits&) const = default;
};

/// A slot table by its traits.
struct TracedSchedule {
    /// Without its slots and their items, which are many where micro-batches are.
    core::PipelineSchedule head;
    ScheduleTraits traits;
};

/// Compiled pipelines by what their stage programs and memory depend on, so that a project which differs in
/// its schedule, its number of micro-batches or how often what runs is only timed again. What is kept of a
/// pipeline has no graph, plans, steps or blocks: it is for timing and for sums. Used by one thread.
class ProgramCache {
public:
    struct Entry {
        /// Perhaps without its slots: `withSlots` has them.
        CompiledPipeline pipeline;
        /// Prices of the layer calls.
        std::vector<core::InvocationEstimate> invocations;
        /// Of the model.
        core::ProgramFamily family = core::ProgramFamily::Other;
        /// Of the programs; no others of this cache ever have it. Their memory is the same wherever the
        /// schedule is.
        std::uint64_t number = 0;
        /// The slots that the pipeline has; null where no other project can have them.
        std::shared_ptr<const TracedSchedule> schedule;
    };

    /// The pipeline of a project with its own slots, counts and places on the links, or null where its
    /// programs are not known. The next call may change it. Errors: those of `schedulePipeline`, for a
    /// project whose model has been compiled.
    [[nodiscard]] core::Result<const Entry*> find(const core::ValidatedProject& project,
                                                  const CompileOptions& options, const IpuSystem& system);
    /// Keeps what is needed of a compiled project, which `options` are of; valid until the next call.
    const Entry* remember(CompiledPipeline pipeline, const core::ValidatedProject& project,
                          const CompileOptions& options, const IpuSystem& system,
                          std::vector<core::InvocationEstimate> invocations);

    /// The pipeline of the entry that was found or remembered last, with all its slots; valid until the next
    /// call.
    const CompiledPipeline& withSlots(const Entry& entry);

    /// How often programs were found.
    [[nodiscard]] std::size_t found() const { return m_found; }

private:
    /// What programs and memory depend on beside the traits of the schedule.
    struct Key {
        core::ValidatedProject project;
        core::PipelineOptions pipeline;
        core::TrainingOptions training;
        CompileOptions options;
        /// No pass reads where on the links an IPU is. Their figures decide on the prices of collectives
        /// alone (`Stored::pricesLinks`).
        IpuSystem system;
        bool accumulates = false;
        /// Averaging takes an operation of its own, which one replica does without.
        bool averages = false;
    };
    struct Stored {
        /// One of `m_keys`; those that differ in traits alone have the same.
        std::shared_ptr<const Key> key;
        ScheduleTraits traits;
        Entry entry;
        /// The memory of every IPU at other depths of the FIFOs than these traits have; empty where no number
        /// of micro-batches makes them deeper.
        std::vector<FifoMemory> fifos;
        ScheduleTraits fifoTraits;
        /// Collectives are inside the programs, and their prices with them. Those of the gradients are apart.
        bool pricesLinks = false;
    };
    /// What a slot table is laid out from.
    struct ScheduleRequest {
        /// Empty without stages.
        std::string name;
        core::RecomputationMode mode = core::RecomputationMode::Auto;
        core::PipelineShape shape;

        bool operator==(const ScheduleRequest&) const = default;
    };
    struct RequestHash {
        std::size_t operator()(const ScheduleRequest& request) const;
    };
    struct KnownSchedule {
        ScheduleRequest request;
        std::shared_ptr<const TracedSchedule> traced;
    };
    struct LaidOut {
        std::shared_ptr<const TracedSchedule> traced;
        core::PipelineSchedule schedule;
    };

    static Key keyOf(const core::ValidatedProject& project, const CompileOptions& options,
                     const IpuSystem& system);
    /// The one of `m_keys` that is the same; null where none is.
    std::shared_ptr<const Key> known(const Key& wanted);
    /// `calls`: of the model that was kept last.
    void forgetOldest(std::size_t calls);
    static bool isSame(const Key& known, const Key& wanted);
    core::Result<std::shared_ptr<const TracedSchedule>> traced(const CompileOptions& options);
    /// Keeps slots while there is room.
    void keepSlots(std::shared_ptr<const TracedSchedule> traced, core::PipelineSchedule schedule);
    /// Whether the FIFOs are deeper with more micro-batches.
    bool deepens(const CompileOptions& options, const ScheduleTraits& traits);
    /// Gives stored programs the memory that they have with these traits; false: that is not known.
    static bool adapt(Stored& stored, const ScheduleTraits& traits);

    /// The latest first, as in every list here.
    std::list<std::shared_ptr<const Key>> m_keys;
    std::list<Stored> m_stored;
    std::list<KnownSchedule> m_schedules;
    std::unordered_map<ScheduleRequest, std::list<KnownSchedule>::iterator, RequestHash> m_places;
    std::list<LaidOut> m_laidOut;
    /// Of all that are laid out.
    std::size_t m_items = 0;
    std::uint64_t m_remembered = 0;
    std::size_t m_found = 0;
};

} // namespace simulator
