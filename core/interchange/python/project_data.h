#pragma once

#include "core/interchange/project/project_file.h"
#include "core/interchange/python/draft/program_draft.h"
#include "core/interchange/python/import_choice.h"

namespace core {

/// Gives a project the samples that the program gives its model: arrays whose numbers the program says (16
/// MiB at most), else made-up ones of their extents, with a warning at the line that says why. Neither where
/// it is not known how many they are, or where a run on made-up ones would take long.
void takeData(const PythonFacts& facts, std::int64_t index, ProjectFile& file, const ImportChoice& choice,
              Diagnostics& warnings);

} // namespace core
