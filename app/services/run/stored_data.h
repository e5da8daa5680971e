#pragma once

#include "core/interchange/python/import_choice.h"
#include "core/project/project.h"

#include <string>
#include <vector>

namespace app {

/// The bytes of an archive of arrays; empty: there are none.
[[nodiscard]] std::string dataArchive(const std::vector<core::DataArray>& arrays);

/// Names the archive in which the arrays of a project are stored.
void nameDataArchive(core::Project& project, const std::string& name);

/// The folder of the MNIST digits that come with this program; empty: it is not there.
[[nodiscard]] std::string digitsFolder();

} // namespace app
