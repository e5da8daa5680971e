#include "tests/core/profile/perfetto_reader.h"

#include "tests/support/shared_data.h"

#include <QProcess>
#include <QStandardPaths>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <zlib.h>

namespace tests {

namespace {

/// A message as protoc's text form tells it.
struct TextMessage {
    std::map<std::string, std::vector<std::string>> values;
    std::map<std::string, std::vector<TextMessage>> messages;

    [[nodiscard]] std::int64_t number(const std::string& name, std::int64_t otherwise = 0) const {
        const auto found = values.find(name);
        return found == values.end() ? otherwise : std::atoll(found->second.front().c_str());
    }
    [[nodiscard]] std::string text(const std::string& name) const {
        const auto found = values.find(name);
        return found == values.end() ? std::string() : found->second.front();
    }
    [[nodiscard]] const TextMessage* message(const std::string& name) const {
        const auto found = messages.find(name);
        return found == messages.end() ? nullptr : &found->second.front();
    }
};

/// Without its quotes and escapes.
std::string plainText(const std::string& quoted) {
    if (quoted.empty() || quoted.front() != '"')
        return quoted;
    std::string text;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        if (quoted[i] != '\\') {
            text += quoted[i];
            continue;
        }
        const char c = quoted[++i];
        if (c >= '0' && c <= '7') {
            text += static_cast<char>(std::stoi(quoted.substr(i, 3), nullptr, 8));
            i += 2;
        } else {
            text += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
        }
    }
    return text;
}

/// Reads lines `name: value`, `name {` and `}` up to the end of the message.
TextMessage messageOf(const QList<QByteArray>& lines, qsizetype& line) {
    TextMessage message;
    for (; line < lines.size(); ++line) {
        const QByteArray text = lines[line].trimmed();
        if (text == "}")
            break;
        if (text.endsWith(" {")) {
            const std::string name = text.chopped(2).toStdString();
            message.messages[name].push_back(messageOf(lines, ++line));
        } else if (const qsizetype colon = text.indexOf(": "); colon > 0) {
            message.values[text.left(colon).toStdString()].push_back(
                plainText(text.mid(colon + 2).toStdString()));
        }
    }
    return message;
}

class PerfettoReader {
public:
    ReadTrace read(const std::string& bytes) {
        const std::vector<TextMessage> packets = decode(bytes).messages["packet"];
        for (const TextMessage& packet : packets) {
            if (!packet.values.contains("packed")) {
                readPacket(packet);
                continue;
            }
            const std::vector<TextMessage> bundle =
                decode(unpacked(packet.text("packed"))).messages["packet"];
            for (const TextMessage& inner : bundle)
                readPacket(inner);
        }
        addTracks(0, "");
        if (m_trace.tracks.size() != m_tracks.size())
            problem("a track without its parent");
        return std::move(m_trace);
    }

private:
    struct Sequence {
        bool isReady = false;
        std::int64_t time = 0;
        std::int64_t track = 0;
        std::map<std::string, std::map<std::int64_t, std::string>> texts;
    };
    struct Track {
        ReadTrack content;
        std::int64_t parent = 0;
        std::int64_t rank = 0;
        bool ordersChildren = false;
        /// Indices of the slices that have not ended.
        std::vector<std::size_t> open;
    };

    void problem(const std::string& text) { m_trace.problems.push_back(text); }

    TextMessage decode(const std::string& bytes) {
        QProcess process;
        const QString folder = QString::fromStdString((projectRoot() / "tests/core/profile").string());
        process.start(protoc(), {"--decode=fields.Trace", "--proto_path=" + folder, "perfetto_fields.proto"});
        process.write(bytes.data(), static_cast<qint64>(bytes.size()));
        process.closeWriteChannel();
        if (!process.waitForFinished(60000) || process.exitCode() != 0)
            problem(process.readAllStandardError().toStdString());
        const QByteArray text = process.readAllStandardOutput();
        // A field that the tests do not know would be told by its number.
        qsizetype line = 0;
        return messageOf(text.split('\n'), line);
    }

    std::string unpacked(const std::string& packed) {
        z_stream stream{};
        inflateInit(&stream);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream.avail_in = static_cast<uInt>(packed.size());
        std::string bytes;
        int outcome = Z_OK;
        while (outcome == Z_OK) {
            std::string part(1 << 16, '\0');
            stream.next_out = reinterpret_cast<Bytef*>(part.data());
            stream.avail_out = static_cast<uInt>(part.size());
            outcome = inflate(&stream, Z_NO_FLUSH);
            bytes.append(part, 0, part.size() - stream.avail_out);
        }
        inflateEnd(&stream);
        if (outcome != Z_STREAM_END)
            problem("packets that cannot be unpacked");
        return bytes;
    }

    void readPacket(const TextMessage& packet) {
        if (std::ranges::any_of(packet.values, [](const auto& v) { return std::isdigit(v.first[0]); }))
            problem("a field that is not in perfetto_fields.proto");
        if (const TextMessage* track = packet.message("track"))
            return readTrack(*track);
        Sequence& sequence = m_sequences[packet.number("sequence")];
        if (packet.number("flags") == 1)
            return readHead(packet, sequence);
        const TextMessage* event = packet.message("event");
        // A packet that says all needs no sequence.
        if (packet.number("sequence") > 0 && packet.number("flags") == 0 && event != nullptr &&
            event->values.contains("track") && !sequence.isReady) {
            Sequence own;
            own.time = packet.number("timestamp");
            own.track = event->number("track");
            return readEvent(*event, own);
        }
        if (packet.number("sequence") == 0 || packet.number("flags") != 2 || !sequence.isReady ||
            event == nullptr)
            return problem("a packet before its sequence is begun");
        sequence.time += packet.number("timestamp");
        readEvent(*event, sequence);
    }

    void readTrack(const TextMessage& message) {
        const std::int64_t id = message.number("id");
        if (id <= 0 || m_tracks.contains(id))
            problem("a track twice");
        Track& track = m_tracks[id];
        const TextMessage* process = message.message("process");
        track.content.path = process != nullptr ? process->text("name") : message.text("name");
        track.parent = message.number("parent");
        track.rank = message.number("rank");
        track.ordersChildren = message.number("ordering") == 3;
        if (const TextMessage* counter = message.message("counter"))
            track.content.unit = counter->number("unit") == 3 ? "size" : counter->text("unit_name");
    }

    void readHead(const TextMessage& packet, Sequence& sequence) {
        const TextMessage* defaults = packet.message("defaults");
        const TextMessage* snapshot = packet.message("snapshot");
        if (sequence.isReady || defaults == nullptr || defaults->number("clock") != 64 ||
            snapshot == nullptr || snapshot->messages.at("clock").size() != 2 ||
            snapshot->messages.at("clock")[0].number("id") != 6 ||
            snapshot->messages.at("clock")[1].number("id") != 64 ||
            snapshot->messages.at("clock")[1].text("incremental") != "true")
            return problem("a sequence without its clock");
        sequence.isReady = true;
        sequence.track = defaults->message("event")->number("track");
        if (const TextMessage* interned = packet.message("interned"))
            for (const auto& [kind, texts] : interned->messages)
                for (const TextMessage& text : texts)
                    sequence.texts[kind][text.number("id")] = text.text("value");
    }

    /// In the message itself, or by its number there.
    std::string textOf(Sequence& sequence, const TextMessage& message, const std::string& field,
                       const std::string& kind, const std::string& plain) {
        if (message.values.contains(plain) && !message.values.contains(field))
            return message.text(plain);
        const std::int64_t id = message.number(field);
        const auto found = sequence.texts[kind].find(id);
        if (found != sequence.texts[kind].end())
            return found->second;
        problem("a number of " + kind + " without its text");
        return {};
    }

    void readEvent(const TextMessage& event, Sequence& sequence) {
        const auto found = m_tracks.find(sequence.track);
        if (found == m_tracks.end())
            return problem("an event on no track");
        Track& track = found->second;
        const std::int64_t type = event.number("type");
        if ((type == 4) == track.content.unit.empty())
            return problem("an event on a track of another kind");
        if (type == 4)
            track.content.points.emplace_back(sequence.time, event.number("count"));
        else if (type == 1)
            begin(event, sequence, track);
        else if (type == 2 && !track.open.empty()) {
            track.content.slices[track.open.back()].end = sequence.time;
            track.open.pop_back();
        } else
            problem("an end without its begin");
    }

    void begin(const TextMessage& event, Sequence& sequence, Track& track) {
        ReadSlice slice;
        slice.name = textOf(sequence, event, "name", "name", "name_text");
        slice.category = textOf(sequence, event, "category", "category", "category_text");
        slice.start = sequence.time;
        slice.depth = track.open.size();
        if (const auto annotations = event.messages.find("annotation"); annotations != event.messages.end())
            for (const TextMessage& annotation : annotations->second) {
                const std::string name = textOf(sequence, annotation, "name", "annotation", "name_text");
                const bool isText =
                    annotation.values.contains("text") || annotation.values.contains("plain_text");
                slice.arguments[name] = isText ? textOf(sequence, annotation, "text", "text", "plain_text")
                                               : annotation.text("number") + annotation.text("real");
            }
        const auto flows = [&](const char* name) {
            std::vector<std::uint64_t> ids;
            if (const auto values = event.values.find(name); values != event.values.end())
                for (const std::string& value : values->second)
                    ids.push_back(std::stoull(value));
            return ids;
        };
        slice.flows = flows("flow");
        slice.endingFlows = flows("last_flow");
        track.open.push_back(track.content.slices.size());
        track.content.slices.push_back(std::move(slice));
    }

    void addTracks(std::int64_t parent, const std::string& path) {
        std::vector<std::pair<std::int64_t, std::int64_t>> children;
        for (const auto& [id, track] : m_tracks)
            if (track.parent == parent)
                children.emplace_back(track.rank, id);
        std::ranges::sort(children);
        if (parent != 0 && !children.empty() && !m_tracks[parent].ordersChildren)
            problem("ranks that nobody looks at");
        for (const auto& [rank, id] : children) {
            Track& track = m_tracks[id];
            if (!track.open.empty())
                problem("a slice that does not end");
            track.content.path = path + track.content.path;
            m_trace.tracks.push_back(track.content);
            addTracks(id, track.content.path + "/");
        }
    }

    ReadTrace m_trace;
    std::map<std::int64_t, Sequence> m_sequences;
    std::map<std::int64_t, Track> m_tracks;
};

} // namespace

QString protoc() {
    return QStandardPaths::findExecutable("protoc");
}

const ReadTrack* ReadTrace::track(const std::string& end) const {
    const auto found =
        std::ranges::find_if(tracks, [&](const ReadTrack& track) { return track.path.ends_with(end); });
    return found == tracks.end() ? nullptr : &*found;
}

ReadTrace readPerfettoTrace(const std::string& bytes) {
    return PerfettoReader().read(bytes);
}

} // namespace tests
