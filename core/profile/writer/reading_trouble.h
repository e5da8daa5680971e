#pragma once

#include "core/base/diagnostic.h"

#include <optional>

namespace core {

/// From now on it is noted, whoever deals with it, when the disk refuses to read or write a database, or a
/// page of one is damaged. Before the first database is opened.
void watchReading();
/// The first such trouble: a report that was made meanwhile may lack something.
[[nodiscard]] std::optional<Diagnostic> readingTrouble();

} // namespace core
