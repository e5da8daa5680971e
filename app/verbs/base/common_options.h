#pragma once

#include "app/reports/report.h"

namespace CLI {
class App;
}

namespace app {

/// Options that every verb has.
struct CommonOptions {
    OutputOptions output;
    bool quiet = false;
    bool verbose = false;
};

/// `hasCsv`: whether the verb's data is a table. `options` outlives the parsing.
void addCommonOptions(CLI::App& command, bool hasCsv, CommonOptions& options);

} // namespace app
