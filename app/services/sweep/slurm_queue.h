#pragma once

#include "app/services/sweep/slurm_script.h"
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// The numbers that Slurm gave.
struct SlurmSubmission {
    std::string array;
    std::string merge;
};

/// Whether the job can be submitted. Errors (Trouble::World): "slurm/missing" without an `sbatch`,
/// "slurm/running" where tasks of the same array are waiting or running, which would do the same points
/// twice.
[[nodiscard]] core::Result<void> checkQueue(const SlurmJob& job);

/// Writes the script and submits the array and the job that merges when all tasks have ended, however they
/// ended (`sbatch --dependency=afterany`). Errors (Trouble::World): those of writing the script,
/// "slurm/refused" with what Slurm said.
[[nodiscard]] core::Result<SlurmSubmission> submitSweep(const SlurmJob& job);

/// A task of an array, or the job that merges, as Slurm last knew it.
struct SlurmTask {
    /// "12_3", or "13" for the job that merges.
    std::string job;
    /// Slurm's word in small letters: "pending", "running", "completed", "failed", "node_fail", …
    std::string state;
    /// Of the array, 1 …; 0 for the job that merges.
    std::int64_t shard = 0;
    /// Whether the queue still lists it; otherwise it is remembered by the accounting.
    bool isInQueue = false;
};

/// The latest task of each part of the array of that name, and the latest job that merges: what `squeue`
/// lists, and for those it has forgotten what `sacct` remembers of the last year. Nothing where neither is
/// there or answers.
[[nodiscard]] std::vector<SlurmTask> slurmTasks(const std::string& arrayName);

} // namespace app
