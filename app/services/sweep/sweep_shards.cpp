#include "app/services/sweep/sweep_shards.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string_view>

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view scriptInfix = ".shards-of-";
constexpr std::string_view scriptSuffix = ".sh";
constexpr std::size_t digitsOfHash = 8;

} // namespace

std::string shortHash(const std::string& hash) {
    return hash.substr(0, digitsOfHash);
}

fs::path SweepShards::stem() const {
    std::string name = database.filename().string();
    for (const std::string_view suffix : {".sqlite", ".profiles"}) {
        if (name.size() > suffix.size() && name.ends_with(suffix))
            name.resize(name.size() - suffix.size());
    }
    return database.parent_path() / (name + "." + shortHash(hash));
}

fs::path SweepShards::shard(std::int64_t number) const {
    return stem() += fmt::format(".shard-{}-of-{}.sqlite", number, count);
}

fs::path SweepShards::script() const {
    return stem() += fmt::format("{}{}{}", scriptInfix, count, scriptSuffix);
}

std::vector<SweepShards> findShards(const fs::path& database, const std::string& hash) {
    const std::string start =
        SweepShards{database, hash, 1}.stem().filename().string() + std::string(scriptInfix);
    const fs::path folder = database.has_parent_path() ? database.parent_path() : fs::path(".");
    std::vector<SweepShards> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.size() <= start.size() + scriptSuffix.size() || !name.starts_with(start) ||
            !name.ends_with(scriptSuffix))
            continue;
        const std::string digits =
            name.substr(start.size(), name.size() - start.size() - scriptSuffix.size());
        std::int64_t count = 0;
        const char* const end = digits.data() + digits.size();
        const auto [rest, failure] = std::from_chars(digits.data(), end, count);
        if (failure == std::errc() && rest == end && count > 0)
            found.push_back({database, hash, count});
    }
    std::ranges::sort(found, {}, &SweepShards::count);
    return found;
}

} // namespace app
