#pragma once

#include "app/services/sweep/sweep_shards.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// A sweep as an array of Slurm jobs: what its job script says.
struct SlurmJob {
    /// Absolute, on a folder that every node sees.
    SweepShards shards;
    std::filesystem::path program;
    std::filesystem::path sweep;
    /// `slurmJobName` of the sweep.
    std::string name;
    std::int64_t points = 0;
    /// Cores of a task, and threads that it runs.
    std::int64_t cores = 1;
    /// As `sbatch` takes them; empty: the cluster's own.
    std::string time;
    std::string partition;
};

/// What Slurm calls the array of a sweep: the same for the same points in as many parts, so that a later call
/// finds it again. `title` is for people, `hash` tells sweeps apart.
[[nodiscard]] std::string slurmJobName(const std::string& title, const std::string& hash,
                                       std::int64_t shards);
/// What the job is called that merges the parts.
[[nodiscard]] std::string slurmMergeName(const std::string& arrayName);

/// What `sbatch` is given to submit the array, and after it the job that merges when every task of the job
/// `array` has ended, however it ended.
[[nodiscard]] std::vector<std::string> slurmArrayArguments(const SlurmJob& job);
[[nodiscard]] std::vector<std::string> slurmMergeArguments(const SlurmJob& job, const std::string& array);

/// The job script, for `sh`: run by a task of the array it simulates its part, with the word `merge`
/// behind it merges the parts. Tasks go on where an earlier one of the same part stopped, so Slurm
/// may requeue them as it likes.
[[nodiscard]] std::string slurmScript(const SlurmJob& job);
/// Whether a text is such a script, of any sweep.
[[nodiscard]] bool isSlurmScript(std::string_view text);

} // namespace app
