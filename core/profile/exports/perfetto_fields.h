#pragma once

#include <cstdint>

// Private to the folder: the fields of a Perfetto trace that are written, by message. Numbers and values from
// the messages of the same names in https://github.com/google/perfetto, protos/perfetto/trace/: trace.proto,
// trace_packet.proto, trace_packet_defaults.proto, clock_snapshot.proto,
// interned_data/interned_data.proto, track_event/track_event.proto, track_event/track_descriptor.proto,
// track_event/counter_descriptor.proto, track_event/process_descriptor.proto and
// track_event/debug_annotation.proto. The format keeps them: traces of any age are read.

namespace core::perfetto {

using Field = std::uint32_t;

namespace trace {
inline constexpr Field packet = 1;
}

namespace packet {
inline constexpr Field clockSnapshot = 6;
inline constexpr Field timestamp = 8;
inline constexpr Field sequenceId = 10; ///< trusted_packet_sequence_id
inline constexpr Field trackEvent = 11;
inline constexpr Field internedData = 12;
inline constexpr Field sequenceFlags = 13;
/// A Trace message, packed by zlib.
inline constexpr Field compressedPackets = 50;
inline constexpr Field defaults = 59; ///< trace_packet_defaults
inline constexpr Field trackDescriptor = 60;

/// Values of sequence_flags.
inline constexpr std::uint64_t incrementalStateCleared = 1;
inline constexpr std::uint64_t needsIncrementalState = 2;
} // namespace packet

namespace defaults {
inline constexpr Field trackEvent = 11; ///< TrackEventDefaults, whose track_uuid is TrackEvent's
inline constexpr Field timestampClock = 58;
} // namespace defaults

namespace snapshot {
inline constexpr Field clock = 1;
}

namespace clock {
inline constexpr Field id = 1;
inline constexpr Field timestamp = 2;
inline constexpr Field isIncremental = 3;

/// The clock that a trace's time is told in, in nanoseconds.
inline constexpr std::uint64_t bootTime = 6;
/// The first of the numbers for clocks of one sequence alone.
inline constexpr std::uint64_t ofSequence = 64;
} // namespace clock

namespace interned {
inline constexpr Field eventCategory = 1;
inline constexpr Field eventName = 2;
inline constexpr Field annotationName = 3;
inline constexpr Field annotationText = 29; ///< debug_annotation_string_values

// The same in each of these messages.
inline constexpr Field id = 1;
inline constexpr Field value = 2;
} // namespace interned

namespace track {
inline constexpr Field uuid = 1;
inline constexpr Field name = 2;
inline constexpr Field process = 3;
inline constexpr Field parent = 5;
inline constexpr Field counter = 8;
inline constexpr Field childOrdering = 11;
inline constexpr Field siblingRank = 12; ///< sibling_order_rank

/// Value of child_ordering: by the children's sibling_order_rank.
inline constexpr std::uint64_t explicitOrder = 3;
} // namespace track

namespace process {
inline constexpr Field id = 1;
inline constexpr Field name = 6;
} // namespace process

namespace counter {
inline constexpr Field unit = 3;
inline constexpr Field unitName = 6;

/// Value of unit.
inline constexpr std::uint64_t sizeInBytes = 3;
} // namespace counter

namespace event {
inline constexpr Field category = 3; ///< category_iids
inline constexpr Field annotation = 4;
inline constexpr Field type = 9;
inline constexpr Field name = 10; ///< name_iid
inline constexpr Field track = 11;
inline constexpr Field categoryText = 22; ///< categories
inline constexpr Field nameText = 23;     ///< name
inline constexpr Field counterValue = 30;
inline constexpr Field flow = 47;
inline constexpr Field terminatingFlow = 48;

enum class Type : std::uint8_t { SliceBegin = 1, SliceEnd = 2, Counter = 4 };
} // namespace event

namespace annotation {
inline constexpr Field name = 1; ///< name_iid
inline constexpr Field number = 4;
inline constexpr Field real = 5;
inline constexpr Field textValue = 6; ///< string_value
inline constexpr Field nameText = 10; ///< name
inline constexpr Field text = 17;     ///< string_value_iid
} // namespace annotation

} // namespace core::perfetto
