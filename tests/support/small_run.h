#pragma once

#include "core/profile/records/profile_sink.h"
#include "core/profile/records/run_records.h"

namespace tests {

/// A made-up run of two stages that has a row in every table of a profile database, small enough to read as
/// SQL. The stored files in tests/core/profile/versions hold it as the programs of their time wrote it.
core::RunSummary recordSmallRun(core::ProfileSink& sink);

} // namespace tests
