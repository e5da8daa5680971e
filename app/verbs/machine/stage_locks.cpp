#include "app/verbs/machine/stage_locks.h"

#include "app/verbs/base/parse_failure.h"
#include "core/project/project_edit.h"
#include "core/text/nearest_name.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

core::Diagnostic unknownLayer(const std::string& layer, const std::vector<core::AssignmentEntry>& calls) {
    std::vector<std::string> names;
    for (const core::AssignmentEntry& call : calls)
        names.push_back(call.path);
    const auto near = core::nearestName(layer, names);
    return usageError("usage/lock", "--lock", fmt::format("no layer is called \"{}\"", layer.substr(0, 80)),
                      near ? fmt::format("did you mean \"{}\"?", *near) : "`summary` lists the layers");
}

} // namespace

core::Result<std::vector<std::optional<std::size_t>>>
readLocks(const std::vector<std::string>& texts, const core::Project& project,
          const std::vector<core::AssignmentEntry>& calls, std::optional<std::size_t> stages) {
    std::vector<std::optional<std::size_t>> locks = core::lockedStages(project);
    if (texts.empty())
        return locks;
    locks.resize(calls.size());
    for (const std::string& text : texts) {
        const std::size_t at = text.rfind('=');
        std::size_t stage = 0;
        if (at == std::string::npos || !CLI::detail::lexical_cast(text.substr(at + 1), stage))
            return core::failure(usageError("usage/lock", "--lock", "expected LAYER=STAGE",
                                            "write for example --lock conv1=0"));
        if (stages && stage >= *stages)
            return core::failure(usageError("usage/lock", "--lock",
                                            fmt::format("there is no stage {}", stage),
                                            fmt::format("the stages are 0 to {}", *stages - 1)));
        const std::string layer = text.substr(0, at);
        bool isFound = false;
        for (const core::AssignmentEntry& call : calls) {
            if (call.path == layer) {
                locks[call.index] = stage;
                isFound = true;
            }
        }
        if (!isFound)
            return core::failure(unknownLayer(layer, calls));
    }
    return locks;
}

} // namespace app
