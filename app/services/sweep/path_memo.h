#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace app {

/// What points come to that agree in some of their paths (`core::SweepAxes`). Used by one thread.
template <class Value>
class PathMemo {
public:
    /// Of the points that have the same numbers at `paths`; remembers so many values and then begins anew.
    PathMemo(std::vector<std::size_t> paths, std::size_t most)
        : m_paths(std::move(paths))
        , m_most(most) {}

    /// The value of a point; null where none is known. Valid until the next is remembered.
    [[nodiscard]] Value* find(std::span<const std::uint64_t> numbers) {
        const auto found = m_known.find(keyOf(numbers));
        return found == m_known.end() ? nullptr : &found->second;
    }
    /// Keeps the value of the point that `find` was asked for last.
    Value& remember(Value value) {
        if (m_known.size() >= m_most)
            m_known.clear();
        return m_known.emplace(m_key, std::move(value)).first->second;
    }

private:
    using Key = std::vector<std::uint64_t>;
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t hash = key.size();
            for (const std::uint64_t number : key) {
                hash = (hash ^ number) * 0x9e3779b97f4a7c15ULL;
                hash ^= hash >> 29U;
            }
            return static_cast<std::size_t>(hash);
        }
    };

    const Key& keyOf(std::span<const std::uint64_t> numbers) {
        m_key.clear();
        for (const std::size_t path : m_paths)
            m_key.push_back(numbers[path]);
        return m_key;
    }

    std::vector<std::size_t> m_paths;
    std::size_t m_most;
    Key m_key;
    std::unordered_map<Key, Value, KeyHash> m_known;
};

} // namespace app
