#pragma once

#include "core/base/diagnostic.h"
#include "core/project/project.h"
#include "views/document/selection.h"

#include <QString>
#include <optional>
#include <set>

namespace views {

/// One edit that removes a finding.
struct QuickFix {
    /// A verb and what it does: "Use 16 micro-batches".
    QString text;
    core::Project project;
};

/// The nearest legal project with respect to one finding, for those findings that have one obvious fix. It
/// is tried before it is offered: the finding is gone afterwards. Nothing for all others.
///
/// `kept`: calls that a person has just put on their stages; the fix of a split leaves them there.
[[nodiscard]] std::optional<QuickFix> quickFix(const core::Project& project, const core::Diagnostic& finding,
                                               const std::set<InvocationKey>& kept = {});

} // namespace views
