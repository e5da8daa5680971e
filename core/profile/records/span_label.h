#pragma once

#include "core/profile/records/time_records.h"

#include <string>
#include <string_view>

namespace core {

/// "F3", "B12", "R0", "update", "IPU copy", "drain", …: the short name of a span in pictures and traces.
[[nodiscard]] std::string spanLabel(const SpanRecord& span);
/// For people: "Weight update", "IPU copy".
[[nodiscard]] std::string_view spanKindLabel(SpanKind kind);
/// "warm-up", "all-reduce", ….
[[nodiscard]] std::string idleCauseLabel(IdleCause cause);

} // namespace core
