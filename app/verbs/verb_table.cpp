#include "app/verbs/verb_table.h"

#include <algorithm>
#include <vector>

namespace app {

// One file each.
VerbDefinition adviseVerb();
VerbDefinition benchmarkDatasetVerb();
VerbDefinition calibrateVerb();
VerbDefinition checkVerb();
VerbDefinition compareVerb();
VerbDefinition compileVerb();
VerbDefinition completionVerb();
VerbDefinition configVerb();
VerbDefinition costVerb();
VerbDefinition deleteVerb();
VerbDefinition devicesVerb();
VerbDefinition explainVerb();
VerbDefinition timelineVerb();
VerbDefinition exportVerb();
VerbDefinition featuresVerb();
VerbDefinition flameVerb();
VerbDefinition importVerb();
VerbDefinition manVerb();
VerbDefinition mergeVerb();
VerbDefinition newVerb();
VerbDefinition planVerb();
VerbDefinition renderVerb();
VerbDefinition rooflineVerb();
VerbDefinition runVerb();
VerbDefinition runsVerb();
VerbDefinition scheduleVerb();
VerbDefinition showVerb();
VerbDefinition sqlVerb();
VerbDefinition summaryVerb();
VerbDefinition sweepVerb();
VerbDefinition tilesVerb();
VerbDefinition validateVerb();
VerbDefinition verifyVerb();

std::span<const VerbDefinition> verbTable() {
    // One row each.
    // clang-format off
    static const std::vector<VerbDefinition> verbs{
        newVerb(),
        validateVerb(),
        summaryVerb(),
        importVerb(),
        devicesVerb(),
        scheduleVerb(),
        planVerb(),
        adviseVerb(),
        compileVerb(),
        runVerb(),
        checkVerb(),
        sweepVerb(),
        mergeVerb(),
        runsVerb(),
        showVerb(),
        tilesVerb(),
        deleteVerb(),
        verifyVerb(),
        explainVerb(),
        timelineVerb(),
        flameVerb(),
        rooflineVerb(),
        compareVerb(),
        exportVerb(),
        renderVerb(),
        sqlVerb(),
        costVerb(),
        calibrateVerb(),
        benchmarkDatasetVerb(),
        configVerb(),
        featuresVerb(),
        completionVerb(),
        manVerb(),
    };
    // clang-format on
    return verbs;
}

const VerbDefinition* findVerb(std::string_view name) {
    const auto verbs = verbTable();
    const auto found = std::ranges::find(verbs, name, &VerbDefinition::name);
    return found == verbs.end() ? nullptr : &*found;
}

} // namespace app
