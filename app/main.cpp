#include "app/platform/exhausted_memory.h"
#include "app/reports/exit_code.h"
#include "app/verbs/batch.h"
#include "app/window/run_window.h"
#include "core/platform/helper_process.h"
#include "core/platform/signals.h"
#include "core/platform/terminal.h"

#include <string>
#include <vector>

/// Without a verb, or with a project file, the window; with a verb, no display at all.
int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (const auto code = core::serveHelper(arguments))
        return *code;
    // The error of writing says so and leaves nothing behind.
    core::refuseOversizedFiles();
    app::endWhereMemoryIsExhausted("error: there is not enough memory for this [memory/exhausted]\n"
                                   "hint: use a smaller model, fewer micro-batches or a machine with more\n",
                                   static_cast<int>(app::ExitCode::World));
    if (app::isBatch(arguments))
        return app::runBatch(arguments);
    // Qt would stop the program.
    if (!core::hasDisplay())
        return app::reportFailure(arguments, "display/missing", "", "there is no display to open a window on",
                                  "run a verb instead: ipu-workbench --help lists them");
    return app::runWindow(argc, argv);
}
