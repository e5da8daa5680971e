#pragma once

#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "simulator/planner/search/plan_freedom.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace app {

/// `plan --search`: its options, and the search over everything that they leave open.
class PlanSearchArgument {
public:
    void addOptions(CLI::App& command);
    [[nodiscard]] bool isGiven() const { return m_isGiven; }
    /// An option that only a search has, although there is none.
    [[nodiscard]] std::optional<core::Diagnostic> misplaced() const;

    /// `locks`: as `--lock` gives them. `alternatives`: how many plans to show beside the best one; nothing:
    /// all of the front.
    [[nodiscard]] core::Result<Report> run(ProjectArgument& argument, const std::vector<std::string>& locks,
                                           std::optional<std::int64_t> alternatives,
                                           const VerbContext& context) const;

private:
    bool m_isGiven = false;
    std::optional<std::int64_t> m_ipus;
    std::optional<std::int64_t> m_batch;
    std::optional<double> m_seconds;
    std::optional<std::int64_t> m_memory;
    std::optional<std::int64_t> m_simulations;
    std::optional<std::int64_t> m_pick;
    simulator::PlanFreedom m_freedom;
};

} // namespace app
