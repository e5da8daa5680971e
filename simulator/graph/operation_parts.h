#pragma once

#include "simulator/graph/operation_attributes.h"

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace simulator {

/// How many kinds of operations there are.
constexpr std::size_t kindCount = std::variant_size_v<OperationAttributes>;

/// The place of a kind among them: what `OperationAttributes::index()` answers.
template <class Kind>
[[nodiscard]] consteval std::size_t kindIndex() {
    constexpr auto isIt = []<class... Kinds>(const std::variant<Kinds...>*) {
        return std::array<bool, sizeof...(Kinds)>{std::is_same_v<Kinds, Kind>...};
    }(static_cast<const OperationAttributes*>(nullptr));
    constexpr std::size_t place = [&] {
        for (std::size_t i = 0; i < isIt.size(); ++i)
            if (isIt[i])
                return i;
        return isIt.size();
    }();
    static_assert(place < isIt.size(), "no kind of operation");
    return place;
}

/// One part of one kind of operation (how its outputs follow, its gradient, its price, its kernel), or the
/// reason why it does without.
template <class Part>
struct PartRow {
    std::size_t kind = 0;
    Part part{};
    /// "" where there is a part.
    std::string_view whyNone{};
};

/// The rows of all families for one part. Each kind has one row in each table: `operation_parts_test` demands
/// it.
template <class Part>
class PartTable {
public:
    PartTable(std::initializer_list<std::span<const PartRow<Part>>> families) {
        for (const auto& family : families) {
            for (const PartRow<Part>& row : family) {
                m_rows.push_back(row);
                m_byKind[row.kind] = row.part;
            }
        }
    }

    /// Every row, as the families have them.
    [[nodiscard]] std::span<const PartRow<Part>> rows() const { return m_rows; }
    /// The part of a kind; the empty one where there is none.
    [[nodiscard]] const Part& of(const OperationAttributes& attributes) const {
        return m_byKind[attributes.index()];
    }

private:
    std::vector<PartRow<Part>> m_rows;
    std::array<Part, kindCount> m_byKind{};
};

} // namespace simulator
