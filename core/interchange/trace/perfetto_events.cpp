#include "core/interchange/trace/perfetto_events.h"

#include "core/interchange/archive/deflate.h"
#include "core/interchange/archive/wire_reader.h"
#include "core/interchange/trace/lane_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace core {

namespace {

/// Of all bundles of packets together; a small file unpacks to an eighth of it at most.
constexpr std::size_t mostUnpackedBytes = std::size_t{512} * 1024 * 1024;

/// Fields of TrackDescriptor and of the messages in it that name a track.
struct DescribedTrack {
    std::uint64_t parent = 0;
    std::string name;
};

/// Last values of what packets of one sequence may leave out.
struct SequenceState {
    std::map<std::uint64_t, std::string> names;
    std::map<std::uint64_t, std::string> categories;
    std::uint64_t track = 0;
    std::uint64_t clock = 0;
    /// Last time of the clocks that count from the packet before.
    std::map<std::uint64_t, std::int64_t> incremental;
    std::map<std::uint64_t, std::int64_t> multiplier;
};

class PerfettoEventReader {
public:
    PerfettoEventReader(std::string_view bytes, const std::string& file)
        : m_bytes(bytes)
        , m_file(file)
        , m_roomLeft(std::min(mostUnpackedBytes, mostUnpackedBytes / 8 + 64 * bytes.size())) {}

    Result<EventTrace> read() {
        readPackets(m_bytes, true);
        if (!m_problem)
            checkLanes();
        std::string tooDeep;
        EventTrace trace;
        if (!m_problem)
            trace = traceOfLanes(takeLanes(), tooDeep);
        if (!tooDeep.empty())
            refuse("trace/depth",
                   fmt::format("more than {} slices of {} lie in one another", mostNestedSlices, tooDeep),
                   "end what was begun");
        if (m_problem)
            return failure(std::move(*m_problem));
        return trace;
    }

private:
    using Fields = std::map<std::uint32_t, std::vector<WireField>>;

    void refuse(const char* code, std::string message, std::string hint) {
        if (!m_problem)
            m_problem = makeError(Trouble::Input, code, {m_file, fmt::format("packet {}", m_packet)},
                                  std::move(message), {std::move(hint)});
    }
    void damaged() {
        refuse("trace/damaged", "the bytes are no message of protocol buffers",
               "the file is damaged or cut off: record or export it again");
    }

    /// The fields of a message by number; those of a type that it does not have are left out.
    Fields fieldsOf(std::string_view message) {
        Fields fields;
        WireReader reader(message);
        while (const auto field = reader.next())
            fields[field->number].push_back(*field);
        if (reader.isDamaged())
            damaged();
        return fields;
    }

    static const WireField* last(const Fields& fields, std::uint32_t number, bool isText) {
        const auto found = fields.find(number);
        if (found == fields.end() || (found->second.back().type == WireField::Type::Bytes) != isText)
            return nullptr;
        return &found->second.back();
    }
    static std::optional<std::uint64_t> numberOf(const Fields& fields, std::uint32_t number) {
        const WireField* field = last(fields, number, false);
        return field != nullptr ? std::optional(field->bits) : std::nullopt;
    }
    static std::optional<std::string_view> bytesOf(const Fields& fields, std::uint32_t number) {
        const WireField* field = last(fields, number, true);
        return field != nullptr ? std::optional(field->bytes) : std::nullopt;
    }

    /// Those of a Trace message; bundles lie in the file alone.
    void readPackets(std::string_view trace, bool mayHoldBundles) {
        WireReader reader(trace);
        while (const auto field = m_problem ? std::nullopt : reader.next()) {
            if (field->number != 1 || field->type != WireField::Type::Bytes)
                continue;
            ++m_packet;
            const Fields packet = fieldsOf(field->bytes);
            constexpr std::uint32_t compressedPackets = 50;
            const auto bundle = bytesOf(packet, compressedPackets);
            if (!bundle)
                readPacket(packet);
            else if (mayHoldBundles)
                readBundle(*bundle);
            else
                damaged();
        }
        if (reader.isDamaged())
            damaged();
    }

    void readBundle(std::string_view packed) {
        const auto bytes = inflated(packed, m_roomLeft + 1, DeflateFormat::Zlib);
        if (!bytes)
            return damaged();
        if (bytes->size() > m_roomLeft)
            return refuse("trace/damaged", "the packets unpack to far more than a file of this size holds",
                          "is this the right file?");
        m_roomLeft -= bytes->size();
        readPackets(*bytes, false);
    }

    void readPacket(const Fields& packet) {
        SequenceState& sequence = m_sequences[numberOf(packet, 10).value_or(0)];
        constexpr std::uint64_t stateCleared = 1;
        if ((numberOf(packet, 13).value_or(0) & stateCleared) != 0)
            sequence = {};
        if (const auto defaults = bytesOf(packet, 59))
            readDefaults(*defaults, sequence);
        if (const auto interned = bytesOf(packet, 12))
            readInterned(*interned, sequence);
        if (const auto snapshot = bytesOf(packet, 6))
            return readClocks(*snapshot, sequence);
        if (const auto track = bytesOf(packet, 60))
            readTrack(*track);
        if (const auto event = bytesOf(packet, 11))
            readEvent(fieldsOf(*event), packet, sequence);
    }

    void readDefaults(std::string_view message, SequenceState& sequence) {
        const Fields defaults = fieldsOf(message);
        sequence.clock = numberOf(defaults, 58).value_or(0);
        if (const auto event = bytesOf(defaults, 11))
            sequence.track = numberOf(fieldsOf(*event), 11).value_or(0);
    }

    void readInterned(std::string_view message, SequenceState& sequence) {
        const Fields interned = fieldsOf(message);
        const auto read = [&](std::uint32_t number, std::map<std::uint64_t, std::string>& texts) {
            const auto found = interned.find(number);
            if (found == interned.end())
                return;
            for (const WireField& field : found->second) {
                const Fields entry = fieldsOf(field.bytes);
                texts[numberOf(entry, 1).value_or(0)] = std::string(bytesOf(entry, 2).value_or(""));
            }
        };
        read(1, sequence.categories);
        read(2, sequence.names);
    }

    void readClocks(std::string_view message, SequenceState& sequence) {
        const Fields snapshot = fieldsOf(message);
        const auto found = snapshot.find(1);
        if (found == snapshot.end())
            return;
        for (const WireField& field : found->second) {
            const Fields clock = fieldsOf(field.bytes);
            const std::uint64_t id = numberOf(clock, 1).value_or(0);
            const std::uint64_t unit = numberOf(clock, 4).value_or(1);
            const std::uint64_t now = numberOf(clock, 2).value_or(0);
            if (unit > 1'000'000'000 || now > mostTraceNanoseconds / std::max<std::uint64_t>(unit, 1))
                return refuse("trace/time", "a clock is beyond 73 years", "record the trace again");
            sequence.multiplier[id] = static_cast<std::int64_t>(unit);
            if (numberOf(clock, 3).value_or(0) != 0)
                sequence.incremental[id] = static_cast<std::int64_t>(now * unit);
        }
    }

    void readTrack(std::string_view message) {
        const Fields track = fieldsOf(message);
        DescribedTrack& described = m_tracks[numberOf(track, 1).value_or(0)];
        described.parent = numberOf(track, 5).value_or(0);
        const auto nameIn = [&](std::uint32_t number, std::uint32_t nameField) {
            const auto part = bytesOf(track, number);
            return part ? std::string(bytesOf(fieldsOf(*part), nameField).value_or("")) : std::string();
        };
        // The track's own name (also the static one), else its process' or its thread's.
        for (const std::string& name :
             {std::string(bytesOf(track, 2).value_or("")), std::string(bytesOf(track, 10).value_or("")),
              nameIn(3, 6), nameIn(4, 5)})
            if (described.name.empty())
                described.name = name;
    }

    /// Nanoseconds of a packet.
    std::optional<std::int64_t> timeOf(const Fields& packet, SequenceState& sequence) {
        const std::uint64_t clock = numberOf(packet, 58).value_or(sequence.clock);
        const auto unit = sequence.multiplier.find(clock);
        const std::uint64_t told = numberOf(packet, 8).value_or(0);
        const std::int64_t multiplier = unit == sequence.multiplier.end() ? 1 : unit->second;
        const auto last = sequence.incremental.find(clock);
        const std::int64_t before = last == sequence.incremental.end() ? 0 : last->second;
        const auto most = static_cast<std::uint64_t>(mostTraceNanoseconds - before) /
                          static_cast<std::uint64_t>(std::max<std::int64_t>(multiplier, 1));
        if (told > most) {
            refuse("trace/time", "a time is beyond 73 years", "record the trace again");
            return std::nullopt;
        }
        const std::int64_t time = before + static_cast<std::int64_t>(told) * multiplier;
        if (last != sequence.incremental.end())
            last->second = time;
        return time;
    }

    void readEvent(const Fields& fields, const Fields& packet, SequenceState& sequence) {
        const auto time = timeOf(packet, sequence);
        constexpr std::uint64_t sliceBegin = 1;
        constexpr std::uint64_t sliceEnd = 2;
        const std::uint64_t type = numberOf(fields, 9).value_or(0);
        if (!time || (type != sliceBegin && type != sliceEnd))
            return;
        if (type == sliceBegin && ++m_sliceCount > mostSlices)
            return refuse("trace/size", fmt::format("the trace has more than {} slices", mostSlices),
                          "record a shorter time");
        LaneBuilder& lane = m_lanes[numberOf(fields, 11).value_or(sequence.track)];
        const auto textOf = [&](std::uint32_t own, std::uint32_t id,
                                const std::map<std::uint64_t, std::string>& texts) {
            if (const auto text = bytesOf(fields, own))
                return std::string(*text);
            const auto found = texts.find(firstNumber(fields, id));
            return found == texts.end() ? std::string() : found->second;
        };
        const auto trouble =
            type == sliceBegin
                ? lane.begin({textOf(23, 10, sequence.names), textOf(22, 3, sequence.categories), *time, 0})
                : lane.end(*time);
        if (trouble == LaneBuilder::Trouble::TooDeep)
            refuse("trace/depth", fmt::format("more than {} slices lie in one another", mostNestedSlices),
                   "end what was begun");
        else if (trouble == LaneBuilder::Trouble::NothingBegun)
            refuse("trace/unbalanced", "a slice ends on a track where none was begun",
                   "record the trace from before the slice begins");
        else if (trouble == LaneBuilder::Trouble::EndsBeforeItBegins)
            refuse("trace/time", fmt::format("\"{}\" ends before it begins", *lane.open()),
                   "record the trace again");
    }

    /// A repeated number may be packed.
    static std::uint64_t firstNumber(const Fields& fields, std::uint32_t number) {
        const auto found = fields.find(number);
        if (found == fields.end())
            return 0;
        const WireField& field = found->second.front();
        return field.type == WireField::Type::Bytes ? WireReader(field.bytes).varint().value_or(0)
                                                    : field.bits;
    }

    void checkLanes() {
        for (const auto& [track, lane] : m_lanes)
            if (const std::string* open = lane.open())
                refuse(
                    "trace/unbalanced",
                    fmt::format("\"{}\" of {} is begun and does not end", open->substr(0, 80), pathOf(track)),
                    "record the trace until the slice ends");
    }

    [[nodiscard]] std::string pathOf(std::uint64_t id) const {
        std::string path;
        std::set<std::uint64_t> seen;
        for (auto found = m_tracks.find(id); found != m_tracks.end() && seen.insert(found->first).second;
             found = m_tracks.find(found->second.parent)) {
            const DescribedTrack& track = found->second;
            const std::string name = track.name.empty() ? fmt::format("track {}", found->first) : track.name;
            path = path.empty() ? name : name + "/" + path;
            if (track.parent == 0 || path.size() > longestPath)
                break;
        }
        return path.empty() ? fmt::format("track {}", id) : path;
    }

    std::vector<LaneBuilder> takeLanes() {
        std::vector<LaneBuilder> lanes;
        for (auto& [track, lane] : m_lanes) {
            lane.name = pathOf(track);
            // Tracks of a recorder are numbered in the order in which it told of them.
            lane.rank = static_cast<std::int64_t>(lanes.size());
            lanes.push_back(std::move(lane));
        }
        return lanes;
    }

    static constexpr std::size_t longestPath = 4096;

    std::string_view m_bytes;
    const std::string& m_file;
    /// Bytes that may still be unpacked.
    std::size_t m_roomLeft;
    std::size_t m_packet = 0;
    std::size_t m_sliceCount = 0;
    std::map<std::uint64_t, SequenceState> m_sequences;
    std::map<std::uint64_t, DescribedTrack> m_tracks;
    std::map<std::uint64_t, LaneBuilder> m_lanes;
    std::optional<Diagnostic> m_problem;
};

} // namespace

Result<EventTrace> readPerfettoEvents(std::string_view bytes, const std::string& file) {
    return PerfettoEventReader(bytes, file).read();
}

} // namespace core
