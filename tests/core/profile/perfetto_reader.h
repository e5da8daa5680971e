#pragma once

#include <QString>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// A reader of Perfetto traces that has nothing of the writer: protoc decodes the bytes, with the fields of
// perfetto_fields.proto.

namespace tests {

/// Where protoc is; empty without it.
QString protoc();

struct ReadSlice {
    std::string name;
    std::string category;
    std::int64_t start = 0;
    std::int64_t end = -1;
    /// 0: inside no other.
    std::size_t depth = 0;
    /// Numbers as text.
    std::map<std::string, std::string> arguments;
    std::vector<std::uint64_t> flows;
    std::vector<std::uint64_t> endingFlows;
};

struct ReadTrack {
    /// From the top: "Replica 0/IPU 1/compute".
    std::string path;
    /// "size" or a unit's name; empty where it is no counter.
    std::string unit;
    std::vector<ReadSlice> slices;
    std::vector<std::pair<std::int64_t, std::int64_t>> points;
};

struct ReadTrace {
    /// In the order of a tree that is walked from the top, siblings by rank.
    std::vector<ReadTrack> tracks;
    /// What is against the format, or cannot be decoded.
    std::vector<std::string> problems;

    /// The one whose path ends so; null without it.
    [[nodiscard]] const ReadTrack* track(const std::string& end) const;
};

[[nodiscard]] ReadTrace readPerfettoTrace(const std::string& bytes);

} // namespace tests
