#include "app/reports/exit_code.h"

#include <algorithm>
#include <array>
#include <utility>

namespace app {

namespace {

/// Gravest first: an interruption or a fault of the program explains whatever else went wrong.
constexpr std::array<std::pair<core::Trouble, ExitCode>, 6> gravity{{
    {core::Trouble::Interrupted, ExitCode::Interrupted},
    {core::Trouble::Internal, ExitCode::Internal},
    {core::Trouble::World, ExitCode::World},
    {core::Trouble::Usage, ExitCode::Usage},
    {core::Trouble::Input, ExitCode::Input},
    {core::Trouble::Negative, ExitCode::Negative},
}};

} // namespace

ExitCode exitCodeOf(const core::Diagnostics& diagnostics) {
    for (const auto& [trouble, code] : gravity) {
        const bool isFound = std::ranges::any_of(diagnostics, [wanted = trouble](const auto& diagnostic) {
            return diagnostic.severity == core::Severity::Error && diagnostic.trouble == wanted;
        });
        if (isFound)
            return code;
    }
    return diagnostics.empty() ? ExitCode::Internal : ExitCode::Done;
}

} // namespace app
