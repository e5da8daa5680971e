#pragma once

#include "core/interchange/archive/wire_writer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Private to the folder: packets of a Perfetto trace (see `perfetto_fields.h`). All times are nanoseconds.

namespace core {

/// Number of a track in a trace, from 1.
using PerfettoTrack = std::uint64_t;

/// The place of a track in the tree and what it is.
struct PerfettoTrackDescription {
    PerfettoTrack id = 0;
    /// Nothing: at the top.
    std::optional<PerfettoTrack> parent;
    std::string name;
    /// Place among the tracks of the same parent.
    std::uint64_t rank = 0;
    /// Its children stand in the order of their ranks.
    bool ordersChildren = false;
    /// Makes it the track of a process of that number.
    std::optional<std::uint64_t> process;
    /// Makes it one of a counter: "B" (a size in bytes) or another unit.
    std::string_view counterUnit;
};
/// The packet that says so.
[[nodiscard]] std::string trackPacket(const PerfettoTrackDescription& track);

/// What a slice says beside its name and times.
struct PerfettoArgument {
    std::string_view name;
    std::variant<std::int64_t, double, std::string_view> value;
};

/// The part that a slice has in a flow.
struct PerfettoFlow {
    std::uint64_t id = 0;
    bool isLast = false;
};

/// The packets of one track, in time. They are told twice: first what their texts are, then for good.
///
/// A sequence of many packets has a head that says texts which come more than once, and tells each time as
/// its distance from the one before, so that what repeats has the same bytes: packed, it takes almost none.
/// In one of few packets each says all, which is less than a head.
class PerfettoSequence {
public:
    /// `leastPackets`: with fewer it is one of few.
    PerfettoSequence(PerfettoTrack track, std::size_t leastPackets)
        : m_track(track)
        , m_leastPackets(leastPackets) {}

    /// From here on packets are written; before it they and their texts are counted.
    void write() { m_isWriting = true; }

    /// A slice inside those that were begun and have not ended.
    void begin(std::int64_t time, const std::string& name, const std::string& category,
               const std::vector<PerfettoArgument>& arguments, const std::optional<PerfettoFlow>& flow = {});
    /// Ends the slice that was begun last.
    void end(std::int64_t time);
    void count(std::int64_t time, std::int64_t value);

    /// What the packets of `events` need before them: clock, track, what the interned numbers mean. Nothing
    /// in the plain layout.
    [[nodiscard]] std::string head() const;
    [[nodiscard]] const std::string& events() const { return m_packets.bytes(); }

private:
    /// Texts of one kind; those that come more than once by numbers, from 1.
    class Texts {
    public:
        void count(const std::string& text) { ++m_uses[text]; }
        /// Into a message: the number in the field of numbers, else the text in the field of texts.
        void write(WireWriter& message, const std::string& text, std::uint32_t numberField,
                   std::uint32_t textField, bool isInterned);
        [[nodiscard]] bool isEmpty() const { return m_texts.empty(); }
        void writeTable(WireWriter& internedData, std::uint32_t field) const;

    private:
        std::map<std::string, std::size_t> m_uses;
        std::map<std::string, std::uint64_t> m_ids;
        std::vector<std::string> m_texts;
    };

    template <class Fill>
    void add(std::int64_t time, std::uint64_t type, const Fill& fill);

    [[nodiscard]] bool hasFewPackets() const { return m_packetCount < m_leastPackets; }
    /// Sequences of few packets share one, for nothing is said of it.
    [[nodiscard]] std::uint64_t id() const { return hasFewPackets() ? 1 : m_track + 1; }

    PerfettoTrack m_track;
    std::size_t m_leastPackets;
    std::size_t m_packetCount = 0;
    bool m_isWriting = false;
    Texts m_names;
    Texts m_categories;
    Texts m_argumentNames;
    Texts m_argumentTexts;
    std::int64_t m_last = 0;
    WireWriter m_packets;
};

/// Packets as the bytes of a trace: packed by zlib, in bundles of a megabyte or one track, for who reads one
/// unpacks it whole.
[[nodiscard]] std::string packedTrace(const std::vector<std::string>& packets);

} // namespace core
