#include "core/profile/exports/perfetto_packets.h"

#include "core/interchange/archive/deflate.h"
#include "core/profile/exports/perfetto_fields.h"

#include <algorithm>

namespace core {

namespace {

void writeArgumentValue(WireWriter& writer, std::int64_t value) {
    writer.signedNumber(perfetto::annotation::number, value);
}

void writeArgumentValue(WireWriter& writer, double value) {
    writer.real(perfetto::annotation::real, value);
}

} // namespace

std::string trackPacket(const PerfettoTrackDescription& track) {
    namespace fields = perfetto::track;
    WireWriter trace;
    trace.message(perfetto::trace::packet, [&](WireWriter& packet) {
        packet.message(perfetto::packet::trackDescriptor, [&](WireWriter& descriptor) {
            descriptor.number(fields::uuid, track.id);
            if (track.parent)
                descriptor.number(fields::parent, *track.parent);
            // That of a process has its name.
            if (!track.process)
                descriptor.text(fields::name, track.name);
            else
                descriptor.message(fields::process, [&](WireWriter& process) {
                    process.number(perfetto::process::id, *track.process);
                    process.text(perfetto::process::name, track.name);
                });
            if (!track.counterUnit.empty())
                descriptor.message(fields::counter, [&](WireWriter& counter) {
                    if (track.counterUnit == "B")
                        counter.number(perfetto::counter::unit, perfetto::counter::sizeInBytes);
                    else
                        counter.text(perfetto::counter::unitName, track.counterUnit);
                });
            if (track.ordersChildren)
                descriptor.number(fields::childOrdering, fields::explicitOrder);
            if (track.rank > 0)
                descriptor.number(fields::siblingRank, track.rank);
        });
    });
    return trace.bytes();
}

void PerfettoSequence::Texts::write(WireWriter& message, const std::string& text, std::uint32_t numberField,
                                    std::uint32_t textField, bool isInterned) {
    if (!isInterned || m_uses[text] < 2)
        return message.text(textField, text);
    const auto [place, isNew] = m_ids.try_emplace(text, m_texts.size() + 1);
    if (isNew)
        m_texts.push_back(text);
    message.number(numberField, place->second);
}

void PerfettoSequence::Texts::writeTable(WireWriter& internedData, std::uint32_t field) const {
    for (std::size_t i = 0; i < m_texts.size(); ++i)
        internedData.message(field, [&](WireWriter& entry) {
            entry.number(perfetto::interned::id, i + 1);
            entry.text(perfetto::interned::value, m_texts[i]);
        });
}

template <class Fill>
void PerfettoSequence::add(std::int64_t time, std::uint64_t type, const Fill& fill) {
    if (!m_isWriting) {
        ++m_packetCount;
        return;
    }
    const bool isPlain = hasFewPackets();
    // Distances are unsigned: what would go back in time happens at the same time.
    const std::int64_t at = std::max(time, m_last);
    m_packets.message(perfetto::trace::packet, [&](WireWriter& packet) {
        packet.number(perfetto::packet::timestamp, static_cast<std::uint64_t>(isPlain ? at : at - m_last));
        packet.number(perfetto::packet::sequenceId, id());
        if (!isPlain)
            packet.number(perfetto::packet::sequenceFlags, perfetto::packet::needsIncrementalState);
        packet.message(perfetto::packet::trackEvent, [&](WireWriter& event) {
            event.number(perfetto::event::type, type);
            if (isPlain)
                event.number(perfetto::event::track, m_track);
            fill(event);
        });
    });
    m_last = at;
}

void PerfettoSequence::begin(std::int64_t time, const std::string& name, const std::string& category,
                             const std::vector<PerfettoArgument>& arguments,
                             const std::optional<PerfettoFlow>& flow) {
    namespace fields = perfetto::event;
    if (!m_isWriting) {
        ++m_packetCount;
        m_names.count(name);
        m_categories.count(category);
        for (const PerfettoArgument& argument : arguments) {
            m_argumentNames.count(std::string(argument.name));
            if (const auto* text = std::get_if<std::string_view>(&argument.value))
                m_argumentTexts.count(std::string(*text));
        }
        return;
    }
    add(time, static_cast<std::uint64_t>(fields::Type::SliceBegin), [&](WireWriter& event) {
        m_names.write(event, name, fields::name, fields::nameText, !hasFewPackets());
        m_categories.write(event, category, fields::category, fields::categoryText, !hasFewPackets());
        for (const PerfettoArgument& argument : arguments)
            event.message(fields::annotation, [&](WireWriter& annotation) {
                m_argumentNames.write(annotation, std::string(argument.name), perfetto::annotation::name,
                                      perfetto::annotation::nameText, !hasFewPackets());
                if (const auto* text = std::get_if<std::string_view>(&argument.value))
                    m_argumentTexts.write(annotation, std::string(*text), perfetto::annotation::text,
                                          perfetto::annotation::textValue, !hasFewPackets());
                else if (const auto* number = std::get_if<std::int64_t>(&argument.value))
                    writeArgumentValue(annotation, *number);
                else
                    writeArgumentValue(annotation, std::get<double>(argument.value));
            });
        if (flow)
            event.fixed64(flow->isLast ? fields::terminatingFlow : fields::flow, flow->id);
    });
}

void PerfettoSequence::end(std::int64_t time) {
    add(time, static_cast<std::uint64_t>(perfetto::event::Type::SliceEnd), [](WireWriter&) {});
}

void PerfettoSequence::count(std::int64_t time, std::int64_t value) {
    add(time, static_cast<std::uint64_t>(perfetto::event::Type::Counter),
        [&](WireWriter& event) { event.signedNumber(perfetto::event::counterValue, value); });
}

std::string PerfettoSequence::head() const {
    namespace fields = perfetto::packet;
    if (hasFewPackets())
        return {};
    WireWriter trace;
    trace.message(perfetto::trace::packet, [&](WireWriter& packet) {
        packet.number(fields::sequenceId, id());
        packet.number(fields::sequenceFlags, fields::incrementalStateCleared);
        packet.message(fields::defaults, [&](WireWriter& defaults) {
            defaults.message(perfetto::defaults::trackEvent,
                             [&](WireWriter& event) { event.number(perfetto::event::track, m_track); });
            defaults.number(perfetto::defaults::timestampClock, perfetto::clock::ofSequence);
        });
        if (!m_categories.isEmpty() || !m_names.isEmpty() || !m_argumentNames.isEmpty() ||
            !m_argumentTexts.isEmpty())
            packet.message(fields::internedData, [&](WireWriter& interned) {
                m_categories.writeTable(interned, perfetto::interned::eventCategory);
                m_names.writeTable(interned, perfetto::interned::eventName);
                m_argumentNames.writeTable(interned, perfetto::interned::annotationName);
                m_argumentTexts.writeTable(interned, perfetto::interned::annotationText);
            });
        packet.message(fields::clockSnapshot, [](WireWriter& snapshot) {
            snapshot.message(perfetto::snapshot::clock, [](WireWriter& clock) {
                clock.number(perfetto::clock::id, perfetto::clock::bootTime);
                clock.number(perfetto::clock::timestamp, 0);
            });
            snapshot.message(perfetto::snapshot::clock, [](WireWriter& clock) {
                clock.number(perfetto::clock::id, perfetto::clock::ofSequence);
                clock.number(perfetto::clock::timestamp, 0);
                clock.number(perfetto::clock::isIncremental, 1);
            });
        });
    });
    return trace.bytes();
}

std::string packedTrace(const std::vector<std::string>& packets) {
    constexpr std::size_t mostInBundle = std::size_t{1} << 20U;
    WireWriter trace;
    std::string bundle;
    const auto pack = [&] {
        if (!bundle.empty())
            trace.message(perfetto::trace::packet, [&](WireWriter& packet) {
                packet.text(perfetto::packet::compressedPackets, deflated(bundle));
            });
        bundle.clear();
    };
    for (const std::string& some : packets) {
        bundle += some;
        if (bundle.size() >= mostInBundle)
            pack();
    }
    pack();
    return trace.bytes();
}

} // namespace core
