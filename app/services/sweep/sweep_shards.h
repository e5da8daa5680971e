#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// The files of a sweep that is done in parts, beside the database that they are merged into: for
/// "net.profiles.sqlite" in 8 parts "net.0a1b2c3d.shard-1-of-8.sqlite" … and the job script
/// "net.0a1b2c3d.shards-of-8.sh". The digits are of the sweep's hash, so that several sweeps of a project
/// share no file but the database.
struct SweepShards {
    std::filesystem::path database;
    /// `core::SweepRecord::hash`.
    std::string hash;
    std::int64_t count = 1;

    /// The database of a part, 1 … count.
    [[nodiscard]] std::filesystem::path shard(std::int64_t number) const;
    [[nodiscard]] std::filesystem::path script() const;
    /// What the names of all of them begin with.
    [[nodiscard]] std::filesystem::path stem() const;
};

/// As much of a sweep's hash as stands in names.
[[nodiscard]] std::string shortHash(const std::string& hash);

/// Those of a sweep whose job script lies beside the database, with fewest parts first.
[[nodiscard]] std::vector<SweepShards> findShards(const std::filesystem::path& database,
                                                  const std::string& hash);

} // namespace app
