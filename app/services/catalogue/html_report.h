#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/profile/schema/profile_database.h"

#include <string>

namespace app {

/// A stored run as one page that needs nothing beside itself: figures, where time and memory go, timeline and
/// memory as drawings, stages, advice, options. Light and dark follow the reader's system; no script, no
/// request, under 3 MB: where the drawings are larger, the dark ones are left out. Needs an application (see
/// offscreen_painting.h). Errors: those of reading the run.
[[nodiscard]] core::Result<std::string> htmlReport(const core::ProfileDatabase& database, core::RunId run);

} // namespace app
