#include "app/reports/diagnostic_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

core::Json toJson(const core::Diagnostics& diagnostics) {
    core::Json list = core::Json::array();
    for (const core::Diagnostic& diagnostic : diagnostics)
        list.push_back({{"severity", core::toString(diagnostic.severity)},
                        {"code", diagnostic.code},
                        {"file", diagnostic.location.file},
                        {"place", diagnostic.location.place},
                        {"message", diagnostic.message},
                        {"hint", fmt::format("{}", fmt::join(diagnostic.hints, "; "))}});
    return list;
}

core::Json errorJson(const core::Diagnostics& diagnostics) {
    return {{"schema", "ipu-workbench/error"}, {"version", 1}, {"diagnostics", toJson(diagnostics)}};
}

} // namespace app
