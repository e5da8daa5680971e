#pragma once

#include "app/reports/report.h"
#include "app/services/sweep/slurm_script.h"
#include "app/services/sweep/sweep_runner.h"
#include "core/profile/records/sweep_records.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace app {

/// A sweep as the verb knows it when it is handed to a cluster.
struct ClusterSweep {
    const SweepSubject& subject;
    const core::SweepRecord& record;
    std::filesystem::path file;
    /// What the parts are merged into.
    std::filesystem::path database;
    SweepOptions options;
};

/// The `--slurm` of `sweep`, with what a job may be given.
class SlurmArgument {
public:
    /// Answers the option `--slurm` itself.
    CLI::Option* addOptions(CLI::App& command);
    [[nodiscard]] bool isGiven() const { return m_isGiven; }

    /// Errors (Trouble::Usage): "usage/slurm" for what no other machine can read.
    [[nodiscard]] core::Result<SlurmJob> jobOf(const ClusterSweep& sweep) const;

private:
    bool m_isGiven = false;
    std::int64_t m_tasks = 0;
    std::string m_time;
    std::string m_partition;
};

/// The job script, for `--dry-run`.
[[nodiscard]] Report slurmScriptReport(const SlurmJob& job);

/// Submits the job and tells its numbers. Errors: those of `submitSweep`.
[[nodiscard]] core::Result<Report> submitReport(const SlurmJob& job);

} // namespace app
