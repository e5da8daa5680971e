#pragma once

#include "core/base/diagnostic.h"
#include "core/project/project.h"

#include <QString>
#include <optional>

namespace views {

/// One edit that removes a finding.
struct QuickFix {
    /// A verb and what it does: "Use 16 micro-batches".
    QString text;
    core::Project project;
};

/// The nearest legal project with respect to one finding, for those findings that have one obvious fix. It
/// is tried before it is offered: the finding is gone afterwards. Nothing for all others.
[[nodiscard]] std::optional<QuickFix> quickFix(const core::Project& project, const core::Diagnostic& finding);

} // namespace views
