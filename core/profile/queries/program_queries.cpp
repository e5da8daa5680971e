#include "core/profile/queries/program_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/program_tables.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>
#include <tuple>

namespace core {

namespace {

/// Adds the leaves of a program tree up by stage program and layer.
class ShareSum {
public:
    explicit ShareSum(const std::vector<ProgramStepRecord>& steps)
        : m_times(steps.size(), 1) {
        // A parent comes before its children.
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i].parent.isValid()) {
                const ProgramStepRecord& parent = steps[steps[i].parent.index()];
                // Loops around a stage program are none of its own.
                const bool isProgram = steps[i].phase.has_value() && !isLeaf(steps[i].kind);
                const std::int64_t turns =
                    parent.kind == StepKind::Repeat ? std::max<std::int64_t>(1, parent.count) : 1;
                m_times[i] = isProgram ? 1 : m_times[steps[i].parent.index()] * turns;
            }
    }

    void add(const ProgramStepRecord& step, const OperationRecord* operation) {
        if (!step.phase || !isLeaf(step.kind))
            return;
        const std::int64_t times = m_times[step.id.index()];
        const Cycles cycles = step.duration * times;
        StageProgramShares& program = m_programs[{step.stage, *step.phase}];
        if (step.kind == StepKind::StreamCopy) {
            program.streamed += cycles;
            program.streamedBytes += step.bytes * times;
            program.streams += times;
            return;
        }
        LayerShare& layer = layerOf(program, {step.stage, *step.phase}, operation);
        partOf(layer, step.kind) += cycles;
        partOf(operationOf(program, {step.stage, *step.phase}, operation), step.kind) += cycles;
        if (operation != nullptr && m_counted.insert({step.stage, *step.phase, operation->id}).second) {
            layer.flops += operation->flops;
            ++layer.operations;
        }
    }

    [[nodiscard]] StageProgramMap finish() { return std::move(m_programs); }

private:
    static bool isLeaf(StepKind kind) {
        return kind == StepKind::OnTileExecute || kind == StepKind::DoExchange ||
               kind == StepKind::GlobalExchange || kind == StepKind::StreamCopy || kind == StepKind::Sync;
    }

    template <class Share>
    static Cycles& partOf(Share& share, StepKind kind) {
        return kind == StepKind::Sync            ? share.sync
               : kind == StepKind::OnTileExecute ? share.compute
                                                 : share.exchange;
    }

    OperationShare& operationOf(StageProgramShares& program, std::pair<StageId, ProgramPhase> key,
                                const OperationRecord* operation) {
        const OperationId id = operation == nullptr ? OperationId() : operation->id;
        const auto [place, isNew] = m_operationPlaces.try_emplace({key, id}, program.operations.size());
        if (isNew)
            program.operations.emplace_back().operation = id;
        return program.operations[place->second];
    }

    LayerShare& layerOf(StageProgramShares& program, std::pair<StageId, ProgramPhase> key,
                        const OperationRecord* operation) {
        const std::string name(operation == nullptr       ? localCopiesName
                               : operation->layer.empty() ? operation->name.str()
                                                          : operation->layer.str());
        const auto [place, isNew] = m_places.try_emplace({key, name}, program.layers.size());
        if (isNew)
            program.layers.emplace_back().layer = name;
        return program.layers[place->second];
    }

    std::vector<std::int64_t> m_times;
    StageProgramMap m_programs;
    std::map<std::pair<std::pair<StageId, ProgramPhase>, std::string>, std::size_t> m_places;
    std::map<std::pair<std::pair<StageId, ProgramPhase>, OperationId>, std::size_t> m_operationPlaces;
    std::set<std::tuple<StageId, ProgramPhase, OperationId>> m_counted;
};

} // namespace

Result<std::vector<OperationRecord>> loadOperations(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, operationTable, "run_id = ?1 ORDER BY operation", run);
}

Result<std::vector<ProgramStepRecord>> loadProgram(const ProfileDatabase& database, RunId run) {
    auto steps = loadRecords(database, programStepTable, "run_id = ?1 ORDER BY step", run);
    // Whoever walks the tree counts on parents that come before their children.
    for (std::size_t i = 0; steps && i < steps->size(); ++i) {
        const ProgramStepId parent = (*steps)[i].parent;
        if (parent.isValid() && parent.index() >= i)
            return failure(makeError(
                Trouble::World, "database/damaged", {database.path().string(), "program_step"},
                fmt::format("step {} of run {} belongs to a step that is not there", i, run.value()),
                {"restore a copy of the database, or run the project again"}));
    }
    return steps;
}

Cycles StageProgramShares::work() const {
    Cycles sum;
    for (const LayerShare& layer : layers)
        sum += layer.total();
    return sum;
}

Result<StageProgramMap> loadStagePrograms(const ProfileDatabase& database, RunId run) {
    const auto operations = loadOperations(database, run);
    if (!operations)
        return failure(operations.error());
    const auto steps = loadProgram(database, run);
    if (!steps)
        return failure(steps.error());
    std::map<OperationId, const OperationRecord*> byId;
    for (const OperationRecord& operation : *operations)
        byId[operation.id] = &operation;
    ShareSum sum(*steps);
    for (const ProgramStepRecord& step : *steps) {
        const auto operation = byId.find(step.operation);
        sum.add(step, operation == byId.end() ? nullptr : operation->second);
    }
    return sum.finish();
}

Result<std::vector<LayerRow>> loadLayers(const ProfileDatabase& database, RunId run) {
    return guardedPart(database, "layers", [&]() -> Result<std::vector<LayerRow>> {
        SQLite::Statement statement(database.connection(),
                                    "SELECT value, stage, max(phase = ?2) FROM operation JOIN text ON "
                                    "text.id = layer_id WHERE run_id = ?1 "
                                    "GROUP BY layer_id, stage ORDER BY min(operation)");
        statement.bind(1, sqlId(run));
        statement.bind(2, codeOf(ProgramPhase::Forward));
        std::vector<LayerRow> layers;
        while (statement.executeStep()) {
            LayerRow& l = layers.emplace_back();
            RowReader(statement).read(l.layer, l.stage, l.isPlaced);
        }
        return layers;
    });
}

} // namespace core
