#pragma once

#include <string>

namespace app {

/// The versions of the program, the engine, the cost model and the database schema.
[[nodiscard]] std::string versionText(bool asJson);

} // namespace app
