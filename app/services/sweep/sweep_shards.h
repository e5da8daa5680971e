#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// The files of a sweep that is done in parts, beside the database that they are merged into: for
/// "net.profiles.sqlite" in 8 parts "net.shard-1-of-8.sqlite" … and the job script "net.shards-of-8.sh".
struct SweepShards {
    std::filesystem::path database;
    std::int64_t count = 1;

    /// The database of a part, 1 … count.
    [[nodiscard]] std::filesystem::path shard(std::int64_t number) const;
    [[nodiscard]] std::filesystem::path script() const;
    /// What the names of all of them begin with.
    [[nodiscard]] std::filesystem::path stem() const;
};

/// Those whose job script lies beside the database, with fewest parts first.
[[nodiscard]] std::vector<SweepShards> findShards(const std::filesystem::path& database);

} // namespace app
