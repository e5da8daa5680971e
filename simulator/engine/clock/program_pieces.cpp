#include "simulator/engine/clock/program_pieces.h"

namespace simulator {

namespace {

using core::Cycles;
using core::SpanKind;

std::optional<core::IdleCause> waitOf(const CompiledPipeline& pipeline, const Step& step) {
    if (step.kind != core::StepKind::StreamCopy)
        return std::nullopt;
    return movementKind(pipeline, step) == SpanKind::RemoteMemory ? core::IdleCause::Offload
                                                                  : core::IdleCause::Host;
}

/// Joins steps that follow one another for the same reason.
class PieceWriter {
public:
    void add(Cycles duration, std::optional<core::IdleCause> wait) {
        if (duration.value() == 0)
            return;
        if (m_pieces.empty() || m_pieces.back().wait != wait)
            m_pieces.push_back({m_now, Cycles(), wait});
        m_pieces.back().duration += duration;
        m_now += duration;
    }
    [[nodiscard]] std::vector<ProgramPiece> finish() { return std::move(m_pieces); }

private:
    std::vector<ProgramPiece> m_pieces;
    Cycles m_now;
};

} // namespace

std::vector<ProgramPiece> programPieces(const CompiledPipeline& pipeline, const StageProgram& program) {
    PieceWriter writer;
    if (program.streamed.value() == 0) {
        writer.add(program.total(), std::nullopt);
        return writer.finish();
    }
    if (program.steps.empty()) { // where only sums are kept, so are those of the pieces
        writer.add(program.total() - program.streamed, std::nullopt);
        writer.add(program.remote, core::IdleCause::Offload);
        writer.add(program.streamed - program.remote, core::IdleCause::Host);
        return writer.finish();
    }
    const auto run = [&](std::size_t from, std::size_t to) {
        for (std::size_t index = from; index < to; ++index)
            writer.add(program.steps[index].duration, waitOf(pipeline, program.steps[index]));
    };
    run(0, program.loopBegin);
    for (std::int64_t turn = 0; turn < program.iterations; ++turn)
        run(program.loopBegin, program.loopEnd);
    run(program.loopEnd, program.steps.size());
    return writer.finish();
}

SpanKind movementKind(const CompiledPipeline& pipeline, const Step& step) {
    if (step.kind != core::StepKind::StreamCopy)
        return step.kind == core::StepKind::GlobalExchange ? SpanKind::AllReduce : SpanKind::Exchange;
    if (isOfRemoteMemory(pipeline.graph, step))
        return SpanKind::RemoteMemory;
    const OperationAttributes& attributes = pipeline.graph.operation(step.operation).attributes;
    const auto* visit = std::get_if<StreamCopy>(&attributes);
    const bool leaves = std::holds_alternative<HostUpdate>(attributes) ||
                        (visit != nullptr && visit->direction == StreamDirection::DeviceToHost);
    return leaves ? SpanKind::Outfeed : SpanKind::Infeed;
}

} // namespace simulator
