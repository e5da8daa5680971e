#include "core/profile/analysis/idle_reason.h"

#include "core/plan/schedule/schedule_catalogue.h"

#include <fmt/format.h>

namespace core {

namespace {

/// What the programs of an IPU's stages take, once each.
struct IpuPrograms {
    Cycles work;
    Cycles streamed;
    Bytes streamedBytes;
    std::int64_t streams = 0;

    [[nodiscard]] Cycles total() const { return work + streamed; }
};

class ReasonWriter {
public:
    ReasonWriter(const IdleContext& context, const SpanRecord& gap, IpuId ipu)
        : m_context(context)
        , m_gap(gap)
        , m_ipu(ipu)
        , m_isUpdate(gap.slot < 0) {
        const ScheduleDefinition* schedule = findSchedule(context.provenance.schedule);
        m_isAsynchronous = schedule != nullptr && schedule->isAsynchronous;
    }

    [[nodiscard]] std::string write() const {
        switch (m_gap.cause) {
        case IdleCause::WarmUp:
            return fmt::format(
                "The pipeline fills: part of what this IPU does for a micro-batch has not come "
                "to it yet; it waits for {}. More micro-batches per update make this a "
                "smaller share.",
                blamed());
        case IdleCause::Drain:
            return fmt::format(
                "The pipeline empties: part of what this IPU does for a micro-batch it has done "
                "for the last one; it waits for {}. More micro-batches per update make this "
                "a smaller share.",
                blamed());
        case IdleCause::Imbalance:
            return imbalance();
        case IdleCause::Transfer:
            return transfer();
        case IdleCause::Offload:
            return m_gap.stage.isValid() ? ownOffload() : otherOffload();
        case IdleCause::Host:
            return host();
        case IdleCause::AllReduce:
            return fmt::format("Gradients are summed over {} replicas before the weight update.",
                               m_context.provenance.replicas);
        case IdleCause::Serial:
            return fmt::format("One stage works at a time in this schedule; now it is {}'s turn.", blamed());
        }
        return {};
    }

private:
    [[nodiscard]] std::string blamed() const {
        return m_gap.blame.isValid() ? fmt::format("stage {}", m_gap.blame.value())
                                     : std::string("another stage");
    }
    [[nodiscard]] IpuId ipuOf(StageId stage) const {
        const auto found = m_context.ipus.find(stage);
        return found == m_context.ipus.end() ? IpuId() : found->second;
    }
    [[nodiscard]] IpuId blamedIpu() const { return ipuOf(m_gap.blame); }

    /// The programs of a full slot, or of the update, on an IPU.
    [[nodiscard]] IpuPrograms programsOf(IpuId ipu) const {
        IpuPrograms sum;
        for (const auto& [program, shares] : m_context.programs) {
            if (!ipu.isValid() || ipuOf(program.first) != ipu ||
                (program.second == ProgramPhase::WeightUpdate) != m_isUpdate)
                continue;
            sum.work += shares.work();
            sum.streamed += shares.streamed;
            sum.streamedBytes += shares.streamedBytes;
            sum.streams += shares.streams;
        }
        return sum;
    }

    [[nodiscard]] std::string time(Cycles cycles) const { return m_context.words.time(cycles); }

    [[nodiscard]] std::string imbalance() const {
        const IpuPrograms theirs = programsOf(blamedIpu());
        const IpuPrograms ours = programsOf(m_ipu);
        if (ours.total().value() == 0 && theirs.total().value() > 0)
            return fmt::format("This IPU has nothing to do here; {} works for {}.", blamed(),
                               time(theirs.total()));
        if (m_isUpdate && theirs.total() > ours.total())
            return fmt::format("Waits for the weight update of {}: it takes {}, the one of this IPU {}. It "
                               "runs once per step, after the last slot.",
                               blamed(), time(theirs.total()), time(ours.total()));
        if (m_isAsynchronous && !m_isUpdate)
            return fmt::format(
                "Waits {} until {} has made what this IPU needs next. A split that gives every "
                "stage the same work makes it shorter.",
                time(m_gap.duration), blamed());
        if (!isOfFullSlots(theirs, ours))
            return fmt::format("{} works {} longer at this time. A split that gives every slot the same work "
                               "makes it shorter.",
                               capital(blamed()), time(m_gap.duration));
        return fmt::format("Waits for {}: the programs of a full slot take {} on its IPU, {} on this one. "
                           "Moving layers from there to here shortens every slot.",
                           blamed(), time(theirs.total()), time(ours.total()));
    }

    /// Whether both IPUs run all their programs in this slot: of what one has more to do the gap is as long
    /// as it should be, what it streams more being a gap of its own. Some schedules have slots in which one
    /// goes forward and the other back.
    [[nodiscard]] bool isOfFullSlots(const IpuPrograms& theirs, const IpuPrograms& ours) const {
        const Cycles moreWork = theirs.work - ours.work;
        return !m_isUpdate && moreWork.value() > 0 &&
               (m_gap.duration == moreWork || m_gap.duration == theirs.total() - ours.total());
    }

    [[nodiscard]] std::string transfer() const {
        if (m_isUpdate)
            return "The IPUs sync before the weight update, and values cross that one stage's update needs "
                   "of another.";
        if (m_isAsynchronous)
            return fmt::format("Waits until a copy between {} and this IPU has arrived. Copies run beside "
                               "compute in this schedule; a narrower cut shortens them.",
                               blamed());
        return fmt::format("Tensors cross between the IPUs, and compute waits for the exchange that ends the "
                           "slot; the longest copy is that of {}. A narrower cut shortens it.",
                           blamed());
    }

    [[nodiscard]] std::string ownOffload() const {
        const IpuPrograms ours = programsOf(m_ipu);
        return fmt::format(
            "{} of stage {} streams {} of remote memory in {} copies, {} in all, and computes nothing "
            "meanwhile. {}",
            m_isUpdate ? "The weight update" : "A program", m_gap.stage.value(),
            m_context.words.bytes(ours.streamedBytes), ours.streams, time(ours.streamed), remedy());
    }

    [[nodiscard]] std::string otherOffload() const {
        const IpuPrograms theirs = programsOf(blamedIpu());
        const IpuPrograms ours = programsOf(m_ipu);
        return fmt::format(
            "Waits for {} of {}, which streams {} of remote memory for {}; this IPU streams for "
            "{}. {}",
            m_isUpdate ? "the weight update" : "the programs", blamed(),
            m_context.words.bytes(theirs.streamedBytes), time(theirs.streamed), time(ours.streamed),
            remedy());
    }

    [[nodiscard]] std::string remedy() const {
        return m_isUpdate
                   ? "Keeping the optimizer state on the IPU avoids it where it fits "
                     "(offload_weight_update_variables)."
                   : "Keeping activations, weights and accumulators on the IPU avoids it where they fit.";
    }

    [[nodiscard]] std::string host() const {
        if (m_gap.stage.isValid())
            return fmt::format("A program of stage {} moves rows of a table from the host or to it.",
                               m_gap.stage.value());
        if (m_isUpdate)
            return "The results that were accumulated leave for the host after the update.";
        return fmt::format("Waits until {} has its data from the host, or has handed its results to it.",
                           blamed());
    }

    static std::string capital(std::string text) {
        if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
            text[0] = static_cast<char>(text[0] - 'a' + 'A');
        return text;
    }

    const IdleContext& m_context;
    const SpanRecord& m_gap;
    IpuId m_ipu;
    bool m_isUpdate;
    bool m_isAsynchronous = false;
};

} // namespace

std::string idleReason(const IdleContext& context, const SpanRecord& gap, IpuId ipu) {
    return ReasonWriter(context, gap, ipu).write();
}

} // namespace core
