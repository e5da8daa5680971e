#pragma once

#include "core/profile/profile_database.h"
#include "core/profile/records.h"

#include <vector>

namespace core {

/// Every value that arrived from the host queues, series after series in the order of the run's summary, each
/// in order of arrival.
[[nodiscard]] Result<std::vector<MetricRecord>> loadMetrics(const ProfileDatabase& database, RunId run);

} // namespace core
