#pragma once

#include "tests/app/profile/figure_twins.h"

namespace tests {

/// The program of the last run by the rows of `v_program_step`.
class StoredProgram {
public:
    /// Above the steps that have no parent.
    static constexpr std::int64_t root = -1;

    /// `show`: what the verb says of the run.
    StoredProgram(const BatchTwin& twin, const core::Json& show) {
        for (const core::Json& stage : show["stages"])
            m_ipus[std::int64_t(number(stage["stage"]))] = std::int64_t(number(stage["ipu"]));
        const core::Json rows =
            twin.rows("SELECT step, parent, step_kind, count, stage, duration_cycles, bytes "
                      "FROM (SELECT *, kind AS step_kind FROM v_program_step) WHERE run = "
                      "(SELECT max(run) FROM v_run) ORDER BY step");
        for (const core::Json& row : rows) {
            const auto step = row[0].get<std::int64_t>();
            m_steps[step] = {row[1].is_null() ? root : row[1].get<std::int64_t>(),
                             BatchTwin::text(row[2]) == "Repeat",
                             number(row[3]),
                             row[4].is_null() ? root : row[4].get<std::int64_t>(),
                             number(row[5]),
                             number(row[6])};
            m_children[m_steps[step].parent].push_back(step);
        }
    }

    [[nodiscard]] const std::vector<std::int64_t>& childrenOf(std::int64_t step) const {
        static const std::vector<std::int64_t> none;
        const auto children = m_children.find(step);
        return children == m_children.end() ? none : children->second;
    }
    /// 0 for what is no loop.
    [[nodiscard]] double repeats(std::int64_t step) const {
        return m_steps.at(step).isLoop ? m_steps.at(step).count : 0;
    }
    [[nodiscard]] double bytes(std::int64_t step) const { return m_steps.at(step).bytes; }
    /// What the IPU that does most of a step spends on it, and on what all take part in.
    [[nodiscard]] double busiest(std::int64_t step) const {
        double most = 0;
        for (const auto& [ipu, cycles] : times(step))
            most = std::max(most, ipu == root ? 0 : cycles);
        const auto shared = times(step).find(root);
        return most + (shared == times(step).end() ? 0 : shared->second);
    }
    /// All runs of a step within its parent.
    [[nodiscard]] double shareOfParent(std::int64_t step) const {
        const std::int64_t above = m_steps.at(step).parent;
        return above == root || busiest(above) == 0
                   ? 0
                   : std::max(1.0, m_steps.at(above).count) * busiest(step) / busiest(above);
    }

private:
    struct Step {
        std::int64_t parent = root;
        bool isLoop = false;
        double count = 0;
        std::int64_t stage = root;
        double duration = 0;
        double bytes = 0;
    };

    /// By IPU; under `root` what belongs to no stage.
    [[nodiscard]] const std::map<std::int64_t, double>& times(std::int64_t of) const {
        if (const auto known = m_times.find(of); known != m_times.end())
            return known->second;
        const Step& step = m_steps.at(of);
        std::map<std::int64_t, double> sum;
        if (step.duration > 0) {
            const auto ipu = m_ipus.find(step.stage);
            sum[ipu == m_ipus.end() ? root : ipu->second] = step.duration;
        } else {
            for (const std::int64_t child : childrenOf(of))
                for (const auto& [ipu, cycles] : times(child))
                    sum[ipu] += std::max(1.0, step.count) * cycles;
        }
        return m_times[of] = std::move(sum);
    }

    std::map<std::int64_t, std::int64_t> m_ipus;
    std::map<std::int64_t, Step> m_steps;
    std::map<std::int64_t, std::vector<std::int64_t>> m_children;
    mutable std::map<std::int64_t, std::map<std::int64_t, double>> m_times;
};

} // namespace tests
