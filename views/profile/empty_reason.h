#pragma once

#include "core/base/diagnostic.h"

#include <QString>

namespace views {

class EmptyView;
class ProfileSource;

/// Fills the empty view of a view of a run: why there is nothing (no project, no run, still reading, what the
/// database or the run says), and the next step. `promise` says what will be here.
void explainEmpty(EmptyView& view, const QString& iconName, const QString& promise,
                  const ProfileSource& source, bool hasRun, const core::Diagnostics& trouble);

} // namespace views
