#pragma once

#include "simulator/data/files/byte_source.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

/// Where the lines of a text file are, so that any of them can be read without the others: 8 bytes of
/// memory per line. Lines end with "\n" or "\r\n"; a byte order mark belongs to none of them.
class LineIndex {
public:
    /// Reads the file once. Each line goes to `visit` with its number, from 1: false leaves it out of the
    /// index, a failure ends the reading.
    using Visitor = std::function<core::Result<bool>(std::string_view line, std::int64_t number)>;
    [[nodiscard]] static core::Result<LineIndex> make(const ByteSource& bytes, const Visitor& visit);

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(m_lines.size()); }
    /// Without its end.
    [[nodiscard]] core::Result<std::string> line(const ByteSource& bytes, std::int64_t index) const;

private:
    struct Line {
        std::uint64_t offset : 40;
        std::uint64_t length : 24;
    };
    std::vector<Line> m_lines;
};

} // namespace simulator
