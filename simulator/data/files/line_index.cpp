#include "simulator/data/files/line_index.h"

#include <fmt/format.h>

namespace simulator {
namespace {

constexpr std::uint64_t blockBytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t longestLine = (std::uint64_t{1} << 24U) - 1;

} // namespace

core::Result<LineIndex> LineIndex::make(const ByteSource& bytes, const Visitor& visit) {
    LineIndex index;
    std::string pending;
    std::uint64_t start = 0;
    std::int64_t number = 0;
    const auto finish = [&](std::string_view line) -> core::Result<void> {
        const std::uint64_t stored = line.size();
        std::uint64_t offset = start;
        if (number == 0 && line.starts_with("\xEF\xBB\xBF")) {
            line.remove_prefix(3);
            offset += 3;
        }
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        ++number;
        if (line.size() > longestLine)
            return core::failure(datasetTrouble("dataset/line-length", bytes.path(),
                                                fmt::format("{}:1", number), "the line is longer than 16 MiB",
                                                "is this a text file? Break the line"));
        const auto isTaken = visit(line, number);
        if (!isTaken)
            return core::failure(isTaken.error());
        if (*isTaken) {
            Line& taken = index.m_lines.emplace_back();
            taken.offset = offset;
            taken.length = line.size();
        }
        start += stored + 1;
        return {};
    };
    for (std::uint64_t offset = 0; offset < bytes.size(); offset += blockBytes) {
        const auto block = bytes.text(offset, blockBytes);
        if (!block)
            return core::failure(block.error());
        std::string_view rest = *block;
        for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            pending += rest.substr(0, end);
            rest.remove_prefix(end + 1);
            if (auto result = finish(pending); !result)
                return core::failure(result.error());
            pending.clear();
        }
        pending += rest;
        // What has no line ends is not gathered to its end.
        if (pending.size() > longestLine)
            break;
    }
    if (!pending.empty())
        if (auto result = finish(pending); !result)
            return core::failure(result.error());
    return index;
}

core::Result<std::string> LineIndex::line(const ByteSource& bytes, std::int64_t index) const {
    const Line& line = m_lines[static_cast<std::size_t>(index)];
    return bytes.text(line.offset, line.length);
}

} // namespace simulator
