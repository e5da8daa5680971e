#include "core/interchange/trace/event_trace.h"

#include "core/interchange/archive/wire_writer.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <fmt/format.h>
#include <random>
#include <zlib.h>

using core::EventLane;
using core::EventSlice;
using core::WireWriter;

namespace {

constexpr const char* chromeSample = R"({"traceEvents": [
 {"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "IPU 0"}},
 {"ph": "M", "name": "process_sort_index", "pid": 7, "args": {"sort_index": 2}},
 {"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "compute"}},
 {"ph": "X", "name": "F0", "cat": "forward", "pid": 7, "tid": 1, "ts": 1000.5, "dur": 2.25},
 {"ph": "C", "name": "live", "pid": 7, "ts": 1, "args": {"bytes": 3}},
 {"ph": "B", "name": "outer", "pid": "host", "tid": "main", "ts": 999},
 {"ph": "B", "name": "inner", "pid": "host", "tid": "main", "ts": 1000},
 {"ph": "E", "pid": "host", "tid": "main", "ts": 1001},
 {"ph": "s", "id": 3, "pid": 7, "tid": 1, "ts": 1000.5},
 {"ph": "E", "pid": "host", "tid": "main", "ts": 1002}
]})";

/// "LANE: NAME (CATEGORY) START+DURATION, …; " for every lane.
std::string textOf(const core::EventTrace& trace) {
    std::string text;
    for (const EventLane& lane : trace.lanes) {
        text += lane.name + ": ";
        for (std::size_t i = 0; i < lane.slices.size(); ++i) {
            const EventSlice& slice = lane.slices[i];
            text += fmt::format("{}{}{} {}+{}", i == 0 ? "" : ", ", slice.name,
                                slice.category.empty() ? "" : " (" + slice.category + ")", slice.start,
                                slice.duration);
        }
        text += "; ";
    }
    return text;
}

std::string errorOf(const std::string& bytes) {
    const auto trace = core::readEventTrace(bytes, "t.json");
    return trace ? "read" : trace.error().front().location.place + " " + trace.error().front().code;
}

std::string eventList(const std::string& events) {
    return "[" + events + "]";
}

std::string complete(const std::string& times) {
    return R"({"ph": "X", "name": "a", "pid": 1, "tid": 1, )" + times + "}";
}

/// A packet with an event of a track of its own numbering.
void addEvent(WireWriter& trace, std::uint64_t time, std::uint64_t type, std::uint64_t track,
              const std::string& name = {}) {
    trace.message(1, [&](WireWriter& packet) {
        packet.number(8, time);
        packet.message(11, [&](WireWriter& event) {
            event.number(9, type);
            event.number(11, track);
            if (!name.empty())
                event.text(23, name);
        });
    });
}

void addTrack(WireWriter& trace, std::uint64_t id, std::uint64_t parent, const std::string& name) {
    trace.message(1, [&](WireWriter& packet) {
        packet.message(60, [&](WireWriter& track) {
            track.number(1, id);
            track.number(5, parent);
            track.text(2, name);
        });
    });
}

std::string perfettoSample() {
    WireWriter trace;
    addTrack(trace, 9, 4, "compute");
    addTrack(trace, 4, 0, "IPU 0");
    addEvent(trace, 100, 1, 9, "outer");
    addEvent(trace, 100, 1, 9, "inner");
    addEvent(trace, 150, 2, 9);
    addEvent(trace, 400, 2, 9);
    return trace.bytes();
}

std::string bundleOf(const std::string& packets) {
    uLongf size = compressBound(packets.size());
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(packets.data()),
              packets.size(), 9);
    packed.resize(size);
    WireWriter trace;
    trace.message(1, [&](WireWriter& packet) { packet.text(50, packed); });
    return trace.bytes();
}

} // namespace

class EventTraceTest : public QObject {
    Q_OBJECT

private slots:
    void readsCompleteAndHalvedEventsOfAChromeTrace() {
        const auto trace = core::readEventTrace(chromeSample, "t.json");
        QVERIFY2(trace.has_value(), trace ? "" : trace.error().front().message.c_str());
        QVERIFY(trace->warnings.empty());
        QCOMPARE(trace->lanes.size(), std::size_t(2));
        QCOMPARE(textOf(*trace), std::string("process host/thread main: outer 0+3000, inner 1000+1000; "
                                             "IPU 0/compute: F0 (forward) 1500+2250; "));
    }

    void readsAListOfEventsToo() {
        const auto trace = core::readEventTrace(eventList(complete(R"("ts": 5, "dur": 0)")), "t.json");
        QVERIFY(trace.has_value());
        QCOMPARE(textOf(*trace), std::string("process 1/thread 1: a 0+0; "));
    }

    /// Programs that write events one by one may end before the list does.
    void readsAListThatIsNotClosed() {
        const std::string event = complete(R"("ts": 5, "dur": 0)");
        for (const std::string& text :
             {"[" + event, "[" + event + ",\n", "\n[" + event + ",\n" + event + " \n"}) {
            const auto trace = core::readEventTrace(text, "t.json");
            QVERIFY2(trace.has_value(), text.c_str());
            QCOMPARE(trace->lanes.size(), std::size_t(1));
        }
        for (const char* text : {"[1, 2", "[{\"ph\": \"X\", \"name\": \"a", "[{\"ph\": \"X\"}, {\"ph\": "})
            QVERIFY2(errorOf(text) != "read", text);
    }

    void warnsOfSlicesThatAreLeftOut() {
        const auto trace = core::readEventTrace(
            R"([{"ph": "b", "id": 1, "ts": 0}, {"ph": "e", "id": 1, "ts": 2}])", "t.json");
        QVERIFY(trace.has_value() && trace->lanes.empty());
        QCOMPARE(trace->warnings.front().code, std::string("trace/asynchronous"));
        QVERIFY(trace->warnings.front().message.starts_with("2 asynchronous events"));
    }

    void readsTheTracksOfAPerfettoTracePackedOrNot() {
        for (const std::string& bytes : {perfettoSample(), bundleOf(perfettoSample())}) {
            const auto trace = core::readEventTrace(bytes, "t");
            QVERIFY2(trace.has_value(), trace ? "" : trace.error().front().message.c_str());
            QCOMPARE(textOf(*trace), std::string("IPU 0/compute: outer 0+300, inner 0+50; "));
        }
    }

    void whatCannotBeTrueIsRefusedAtItsPlace_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const std::string& bytes, const char* error) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << error;
        };
        row("nothing", " \n ", " trace/format");
        row("another format", "PK\x03\x04", " trace/format");
        row("gzip", "\x1f\x8b\x08", " trace/packed");
        row("other JSON", R"({"nodes": []})", " trace/format");
        row("events that are no list", R"({"traceEvents": {}})", " trace/format");
        row("cut off", R"([{"ph": "X")", "1:12 json/syntax");
        row("no event", "[3]", "/0 trace/member");
        row("no phase", "[{}]", "/0 trace/member");
        row("no start", eventList(complete(R"("dur": 1)")), "/0 trace/member");
        row("no duration", eventList(complete(R"("ts": 1)")), "/0 trace/member");
        row("a duration of text", eventList(complete(R"("ts": 1, "dur": "2")")), "/0 trace/member");
        row("a negative duration", eventList(complete(R"("ts": 1, "dur": -2)")), "/0 trace/time");
        row("an endless duration", eventList(complete(R"("ts": 1, "dur": 1e300)")), "/0 trace/time");
        row("a start beyond counting", eventList(complete(R"("ts": -1e300, "dur": 1)")), "/0 trace/time");
        row("a number beyond all", eventList(complete(R"("ts": 1e999, "dur": 1)")), "1:57 json/syntax");
        row("an end too many", R"({"traceEvents": [{"ph": "E", "pid": 1, "tid": 1, "ts": 1}]})",
            "/traceEvents/0 trace/unbalanced");
        row("an end too few", R"([{"ph": "B", "name": "a", "pid": 1, "tid": 1, "ts": 1}])",
            " trace/unbalanced");
        row("an end before its begin",
            R"([{"ph": "B", "pid": 1, "tid": 1, "ts": 5}, {"ph": "E", "pid": 1, "tid": 1, "ts": 4}])",
            "/1 trace/time");
        std::string deep;
        for (int i = 0; i < 600; ++i)
            deep += fmt::format(R"({}{{"ph": "B", "pid": 1, "tid": 1, "ts": {}}})", i == 0 ? "" : ",", i);
        row("begins too deep", eventList(deep), "/512 trace/depth");
        std::string nested;
        for (int i = 0; i < 600; ++i)
            nested += (i == 0 ? "" : ",") + complete(fmt::format(R"("ts": {}, "dur": 1000)", i));
        row("slices too deep", eventList(nested), " trace/depth");
        row("JSON too deep", std::string(100000, '['), "");
        WireWriter endless;
        addEvent(endless, 5, 1, 1, "a");
        row("a Perfetto slice without end", endless.bytes(), "packet 1 trace/unbalanced");
        WireWriter unbegun;
        addEvent(unbegun, 5, 2, 1);
        row("a Perfetto slice without begin", unbegun.bytes(), "packet 1 trace/unbalanced");
        WireWriter late;
        addEvent(late, ~std::uint64_t{0}, 1, 1, "a");
        row("a Perfetto time beyond counting", late.bytes(), "packet 1 trace/time");
        row("half a packet", perfettoSample().substr(0, perfettoSample().size() - 1),
            "packet 5 trace/damaged");
        row("a bundle in a bundle", bundleOf(bundleOf(perfettoSample())), "packet 2 trace/damaged");
        WireWriter broken;
        broken.message(1, [](WireWriter& packet) { packet.text(50, "no zlib"); });
        row("a bundle that is none", broken.bytes(), "packet 1 trace/damaged");
        row("a bundle of very much", bundleOf(std::string(std::size_t{100} << 20U, '\0')),
            "packet 1 trace/damaged");
    }
    void whatCannotBeTrueIsRefusedAtItsPlace() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, error);
        const std::string found = errorOf(bytes.toStdString());
        if (error.isEmpty())
            QVERIFY2(found.ends_with("json/depth"), found.c_str());
        else
            QCOMPARE(QString::fromStdString(found), error);
        const auto trace = core::readEventTrace(bytes.toStdString(), "t.json");
        QCOMPARE(trace.error().front().location.file, std::string("t.json"));
        QVERIFY(!trace.error().front().hints.front().empty());
    }

    void tracksThatAreTheirOwnParentsHaveAName() {
        WireWriter trace;
        addTrack(trace, 1, 2, "a");
        addTrack(trace, 2, 1, "b");
        addEvent(trace, 0, 1, 1, "slice");
        addEvent(trace, 5, 2, 1);
        const auto read = core::readEventTrace(trace.bytes(), "t");
        QVERIFY(read.has_value());
        QCOMPARE(read->lanes.front().name, std::string("b/a"));
    }

    void damagedTracesAreReadOrRefusedOnce() {
        const std::vector<std::string> seeds{chromeSample, perfettoSample(), bundleOf(perfettoSample())};
        std::mt19937 random(11);
        std::size_t refusals = 0;
        for (int i = 0; i < 6000; ++i) {
            std::string bytes = seeds[static_cast<std::size_t>(i) % seeds.size()];
            for (unsigned k = 0; k < 1 + random() % 4; ++k)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            if (i % 4 == 0)
                bytes.resize(random() % bytes.size());
            const auto trace = core::readEventTrace(bytes, "t");
            if (trace) {
                for (const EventLane& lane : trace->lanes)
                    for (const EventSlice& slice : lane.slices)
                        QVERIFY(slice.start >= 0 && slice.duration >= 0);
                continue;
            }
            ++refusals;
            QCOMPARE(trace.error().size(), std::size_t(1));
            QVERIFY(!trace.error().front().hints.front().empty());
        }
        QVERIFY(refusals > 1000);
    }
};

REGISTER_TEST("event_trace", EventTraceTest)
#include "event_trace_test.moc"
