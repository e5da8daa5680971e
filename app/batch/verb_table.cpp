#include "app/batch/verb_table.h"

#include <algorithm>
#include <vector>

namespace app {

// One file each.
VerbDefinition configVerb();
VerbDefinition devicesVerb();
VerbDefinition scheduleVerb();

std::span<const VerbDefinition> verbTable() {
    static const std::vector<VerbDefinition> verbs{
        scheduleVerb(),
        devicesVerb(),
        configVerb(),
    };
    return verbs;
}

const VerbDefinition* findVerb(std::string_view name) {
    const auto verbs = verbTable();
    const auto found = std::ranges::find(verbs, name, &VerbDefinition::name);
    return found == verbs.end() ? nullptr : &*found;
}

} // namespace app
