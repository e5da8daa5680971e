#include "core/interchange/sweep/sweep_axes.h"
#include "tests/support/test_registry.h"

#include <QtTest>
#include <map>
#include <string>
#include <vector>

namespace {

/// Grid, list and random points over paths that they share.
core::Sweep mixedSweep() {
    return core::readSweep(R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"a": [1, 2, 1.0, "1", null, 2], "b": ["x", [1, 0], {"k": 1}]},
 "list": [{"c": 4}, {"b": [1, 0], "a": 2}, {"a": {"k": 1}}, {}],
 "random": {"samples": 40, "seed": 9, "ranges": {"a": {"choices": [2, 5, "1"]}, "c": [2, 6], "d": [0.5, 1.5],
  "e": [-4000000000000000000, 4000000000000000000]}}})",
                           "s.json")
        .value();
}

/// The value of a path at a point as text; empty where the point does not set it.
std::string textAt(const core::Sweep& sweep, std::int64_t point, const std::string& path) {
    for (const core::ProjectSetting& setting : sweep.point(point))
        if (setting.path == path)
            return core::toText(setting.value, -1);
    return {};
}

} // namespace

/// The numbers that stand for the values of a sweep's points.
class SweepAxesTest : public QObject {
    Q_OBJECT

private slots:
    void whatHasTheSameNumberHasTheSameValue() {
        const core::Sweep sweep = mixedSweep();
        const core::SweepAxes axes(sweep);
        QCOMPARE(axes.paths(), sweep.paths());
        std::vector<std::map<std::uint64_t, std::string>> texts(axes.paths().size());
        std::vector<std::uint64_t> numbers;
        for (std::int64_t point = 0; point < sweep.pointCount(); ++point) {
            axes.numbersOf(point, numbers);
            for (std::size_t path = 0; path < axes.paths().size(); ++path) {
                const std::string text = textAt(sweep, point, axes.paths()[path]);
                QCOMPARE(numbers[path] == core::SweepAxes::unset, text.empty());
                const auto [known, isNew] = texts[path].emplace(numbers[path], text);
                QCOMPARE(known->second, text);
            }
        }
        // 1, 2, 1.0, "1", null, {"k": 1}, 5 and unset: those that the file names twice have one number.
        QCOMPARE(texts[0].size(), std::size_t(8));
    }

    void theValuesOfAPointAreThoseOfItsSettings() {
        const core::Sweep sweep = mixedSweep();
        const core::SweepAxes axes(sweep);
        std::vector<std::uint64_t> numbers;
        for (std::int64_t point = 0; point < sweep.pointCount(); ++point) {
            core::Json values = core::Json::array();
            for (const std::string& path : axes.paths()) {
                const std::string text = textAt(sweep, point, path);
                values.push_back(text.empty() ? core::Json() : core::Json::parse(text));
            }
            axes.numbersOf(point, numbers);
            QCOMPARE(axes.valuesOf(numbers), core::toText(values, -1));
        }
    }

    void theOrderOfSettingsIsThatOfTheirSource() {
        const core::Sweep sweep = mixedSweep();
        const core::SweepAxes axes(sweep);
        QCOMPARE(axes.orderOf(0), axes.orderOf(17));
        QVERIFY(axes.orderOf(17) != axes.orderOf(18));
        QVERIFY(axes.orderOf(18) != axes.orderOf(19));
        QVERIFY(axes.orderOf(21) != axes.orderOf(22));
        QCOMPARE(axes.orderOf(22), axes.orderOf(61));
    }
};

REGISTER_TEST("sweep_axes", SweepAxesTest)
#include "sweep_axes_test.moc"
