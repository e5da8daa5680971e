#include "core/interchange/python/apis/data/enumerations.h"

#include "core/interchange/python/language/library_values.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace core {

namespace {

struct Enumeration {
    std::string_view name;
    std::vector<std::string_view> members;
};

const std::array<Enumeration, 6>& enumerations() {
    static const std::array<Enumeration, 6> list{
        {{"PipelineSchedule", {"Grouped", "Interleaved", "Sequential"}},
         {"RecomputationMode",
          {"Auto", "RecomputeThenBackpropagate", "RecomputeAndBackpropagateInterleaved"}},
         {"IPUOutfeedMode", {"ALL", "LAST"}},
         {"DeviceConnectionType", {"ALWAYS", "ON_DEMAND", "PRE_COMPILE", "NEVER"}},
         {"SchedulingAlgorithm", {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"}},
         {"SelectionOrder", {"AUTO", "ZIGZAG", "SNAKE", "HOOF"}}}};
    return list;
}

std::string_view lastOf(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

const Enumeration* enumerationOf(std::string_view path) {
    const auto found = std::ranges::find(enumerations(), lastOf(path), &Enumeration::name);
    return found == enumerations().end() || !path.starts_with("ipu.") ? nullptr : &*found;
}

} // namespace

std::optional<PythonValues> enumerationMembers(const std::string& path) {
    const Enumeration* known = enumerationOf(path);
    if (known == nullptr)
        return std::nullopt;
    PythonValues members;
    for (const std::string_view member : known->members)
        members.emplace_back(PythonLibraryName{path + "." + std::string(member)});
    return members;
}

std::optional<std::string> enumerationMemberName(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const Enumeration* known =
        dot == std::string::npos ? nullptr : enumerationOf(std::string_view(path).substr(0, dot));
    const std::string_view name = lastOf(path);
    if (known == nullptr || std::ranges::find(known->members, name) == known->members.end())
        return std::nullopt;
    return std::string(name);
}

} // namespace core
