#pragma once

#include "core/base/result.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/schema/profile_database.h"

#include <map>
#include <string>

namespace core {

/// Explains the figures of a stored run down to what is counted, set or given by the machine. `explainer`
/// and the database outlive it.
class StoredExplainer {
public:
    StoredExplainer(const ProfileDatabase& database, RunId run, const MetricExplainer& explainer)
        : m_database(database)
        , m_run(run)
        , m_explainer(explainer) {}

    /// A figure that `MetricExplainer::has`. What the simulation summed up has its parts as inputs, the
    /// largest first, and the rest together: layers of a program, tensors that cross, blocks of memory, IPUs
    /// that wait; where the run was stored without them, the whole as "not recorded" with what to do. Every
    /// input is explained in the same way; with `isListed` those that are figures of the summary are not, as
    /// a list of all figures explains them.
    [[nodiscard]] Result<MetricExplanation> explain(const std::string& metric, bool isListed = false);

private:
    [[nodiscard]] MetricExplanation withoutParts(MetricExplanation explanation) const;
    [[nodiscard]] Result<MetricExplanation> withParts(MetricExplanation explanation) const;

    const ProfileDatabase& m_database;
    RunId m_run;
    const MetricExplainer& m_explainer;
    /// With all inputs explained, of those that were asked for.
    std::map<std::string, MetricExplanation, std::less<>> m_known;
};

} // namespace core
