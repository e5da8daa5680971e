#include "simulator/compiler/compile_graph.h"

#include "core/plan/schedule/schedule_facts.h"
#include "simulator/compiler/memory/plan_memory.h"
#include "simulator/compiler/ordering/order_operations.h"
#include "simulator/compiler/planning/deploy.h"
#include "simulator/compiler/planning/host_traffic.h"
#include "simulator/compiler/planning/lower_to_program.h"
#include "simulator/compiler/planning/plan_operations.h"
#include "simulator/compiler/planning/schedule_pipeline.h"
#include "simulator/compiler/staging/insert_transfers.h"
#include "simulator/compiler/staging/plan_activations.h"
#include "simulator/compiler/staging/plan_all_reduce.h"

#include <utility>

namespace simulator {

namespace {

/// One compilation. Each pass takes what the pass before gives and moves it on, so nothing can be read before
/// it exists and no graph is copied.
class Compilation {
public:
    Compilation(const TrainingGraph& graph, const CompileOptions& options, const IpuSystem& system,
                const core::JobContext& job, const PassObserver& observer)
        : m_options(options)
        , m_uses(graph)
        , m_deployment(deploy(graph, options, system))
        , m_job(job)
        , m_observer(observer) {}

    /// The quick passes before plans and orders.
    [[nodiscard]] core::Result<KeptGraph> prepare(TrainingGraph graph) const {
        m_job.report(0.1, "assigning stages");
        StagedGraph staged = observed(stage(std::move(graph)));
        // The slots come before the activations, because the FIFOs are as deep as the schedule makes them,
        // and before the transfers, because shortcuts follow it.
        auto scheduled = schedulePipeline(std::move(staged), m_uses, m_options, m_deployment);
        if (!scheduled)
            return core::failure(std::move(scheduled.error()));
        RoutedGraph routed = observed(route(observed(std::move(*scheduled))));
        // What arrives at a stage can be kept there.
        return observed(keep(std::move(routed)));
    }

    [[nodiscard]] core::Result<OrderedGraph> planAndOrder(KeptGraph kept, PlanCache& cache) const {
        m_job.report(0.2, "planning operations");
        PlannedGraph planned = observed(plan(std::move(kept), cache));
        if (m_job.isCancelled())
            return core::failure(interrupted());
        m_job.report(0.7, "ordering operations");
        return observed(order(std::move(planned)));
    }

    /// Programs and memory.
    [[nodiscard]] core::Result<CompiledPipeline> finish(OrderedGraph ordered) const {
        // What a program moves on the IPU depends on the stashes and placements found before.
        LoweredPipeline lowered = observed(lower(std::move(ordered)));
        m_job.report(0.9, "laying out memory");
        CompiledPipeline pipeline = observed(layOut(std::move(lowered)));
        if (m_job.isCancelled())
            return core::failure(interrupted());
        return pipeline;
    }

private:
    template <class Product>
    Product observed(Product product) const {
        if (m_observer)
            m_observer(&std::as_const(product));
        return product;
    }

    [[nodiscard]] StagedGraph stage(TrainingGraph graph) const {
        StagedGraph staged = choosePartials(assignStages(std::move(graph), m_options.stages), m_options);
        staged.outfeeds = chooseOutfeeds(staged.graph, m_options.outfeed);
        return staged;
    }

    [[nodiscard]] RoutedGraph route(ScheduledGraph scheduled) const {
        std::vector<StageTransfer> transfers =
            insertTransfers(scheduled, m_uses, scheduled.schedule, !m_deployment.isPipelined);
        return {std::move(scheduled), std::move(transfers)};
    }

    [[nodiscard]] KeptGraph keep(RoutedGraph routed) const {
        const ActivationOptions options{.recompute = m_options.allowRecompute && m_options.training,
                                        .mode = routed.recomputationMode,
                                        .fifoDepths = routed.schedule.fifoDepths,
                                        .gradientDepths = core::weightGradientDepths(routed.schedule),
                                        .offload = m_options.offload.activations.value_or(false),
                                        .recomputedStages = m_options.recomputedStages,
                                        .offloadedStages = m_options.offloadedStages};
        ActivationPlan activations = planActivations(routed, m_uses, options);
        std::vector<Placement> placements = placeVariables(routed, m_options.offload);
        return {std::move(routed),
                std::move(activations.stashes),
                std::move(activations.gradientStashes),
                std::move(activations.recomputed),
                options.recomputesInsideBackward(),
                std::move(placements)};
    }

    [[nodiscard]] PlannedGraph plan(KeptGraph kept, PlanCache& cache) const {
        std::vector<OperationPlan> plans = planOperations(kept, m_deployment.system, m_options, cache);
        return {std::move(kept), std::move(plans)};
    }

    [[nodiscard]] OrderedGraph order(PlannedGraph planned) const {
        std::vector<StageOrders> orders = orderOperations(planned, m_uses, m_options.ordering);
        return {std::move(planned), std::move(orders)};
    }

    [[nodiscard]] LoweredPipeline lower(OrderedGraph ordered) const {
        std::vector<StagePrograms> stages = lowerToProgram(ordered, m_deployment);
        GradientReduction reduction =
            planAllReduce(ordered, m_deployment.system, m_options.crossReplicaSumBytes);
        const HostTraffic traffic = hostTraffic(ordered, m_deployment, m_options.mergesInfeedCopies);
        return {std::move(ordered), m_deployment, std::move(reduction), traffic, std::move(stages)};
    }

    [[nodiscard]] CompiledPipeline layOut(LoweredPipeline lowered) const {
        MemoryPlan memory = planMemory(lowered, m_uses, m_options);
        return {std::move(lowered), std::move(memory)};
    }

    const CompileOptions& m_options;
    const TensorUses m_uses;
    const Deployment m_deployment;
    const core::JobContext& m_job;
    const PassObserver& m_observer;
};

/// Every operation is planned, and every order names operations of its stage.
bool fit(const CompiledParts& parts, const StagedGraph& staged) {
    if (parts.plans.size() != staged.graph.operations.size() || parts.orders.size() != staged.stageCount)
        return false;
    for (std::size_t stage = 0; stage < parts.orders.size(); ++stage)
        for (const auto* program : {&parts.orders[stage].forward, &parts.orders[stage].backward,
                                    &parts.orders[stage].weightGradient, &parts.orders[stage].recompute,
                                    &parts.orders[stage].weightUpdate})
            for (const core::OperationId id : *program)
                if (id.index() >= parts.plans.size() || staged.stageOf(id).index() != stage)
                    return false;
    return true;
}

} // namespace

core::Diagnostic interrupted() {
    return core::makeError(core::Trouble::Interrupted, "interrupted", {}, "stopped on request",
                           {"start it again to have the whole answer"});
}

core::Result<CompiledPipeline> compileGraph(TrainingGraph graph, const CompileOptions& options,
                                            const IpuSystem& system, PlanCache& plans,
                                            const core::JobContext& job, const PassObserver& observer) {
    const Compilation compilation(graph, options, system, job, observer);
    auto kept = compilation.prepare(std::move(graph));
    if (!kept)
        return core::failure(std::move(kept.error()));
    auto ordered = compilation.planAndOrder(std::move(*kept), plans);
    if (!ordered)
        return core::failure(std::move(ordered.error()));
    return compilation.finish(std::move(*ordered));
}

core::Result<CompiledPipeline> compileGraph(TrainingGraph graph, const CompileOptions& options,
                                            const IpuSystem& system, const CompiledParts& known,
                                            const core::JobContext& job) {
    const PassObserver nobody;
    const Compilation compilation(graph, options, system, job, nobody);
    auto kept = compilation.prepare(std::move(graph));
    if (!kept)
        return core::failure(std::move(kept.error()));
    if (!fit(known, *kept))
        return core::failure(core::makeError(core::Trouble::Input, "executable/format", {},
                                             "the executable was compiled from another graph",
                                             {"compile the project again"}));
    return compilation.finish({{std::move(*kept), known.plans}, known.orders});
}

} // namespace simulator
