#include "app/verbs/base/common_options.h"

#include <CLI/CLI.hpp>

namespace app {

void addCommonOptions(CLI::App& command, bool hasCsv, CommonOptions& options) {
    command.add_flag("--json", options.output.json, "Print one JSON object");
    if (hasCsv)
        command.add_flag("--csv", options.output.csv, "Print the table as CSV");
    command
        .add_option("-o,--output", options.output.file, "Write to this file instead of stdout (- is stdout)")
        ->type_name("FILE");
    command.add_flag("--force", options.output.force, "Replace an existing file");
    command.add_flag("-q,--quiet", options.quiet, "Only errors on stderr");
    command.add_flag("-v,--verbose", options.verbose, "Tell more on stderr");
}

} // namespace app
