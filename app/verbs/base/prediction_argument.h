#pragma once

#include "app/reports/report.h"
#include "app/services/run/prediction_file.h"
#include "app/services/run/prepare_run.h"

namespace CLI {
class App;
}

namespace app {

/// `--predictions FILE`: where a run writes what its model gave.
class PredictionArgument {
public:
    void addOption(CLI::App& command);

    /// Refuses before the run what could only fail after it, and asks the run for its outputs. The argument
    /// must outlive the run. Errors: "usage/predictions" for a run that has none, another ending, or the file
    /// of `-o`; those of `checkOutput`.
    [[nodiscard]] core::Result<void> prepare(simulator::RunRequest& request, const OutputOptions& output);
    /// Refuses one of these files, which the run reads or records into: "usage/predictions".
    [[nodiscard]] core::Result<void> checkKept(std::span<const std::filesystem::path> kept) const;
    /// Writes the file of a run that is over, if one is wanted.
    [[nodiscard]] core::Result<void> write() const;

    /// Empty: none is wanted.
    [[nodiscard]] const std::string& file() const { return m_file; }

private:
    std::string m_file;
    bool m_isReplacing = false;
    std::string m_content;
};

} // namespace app
