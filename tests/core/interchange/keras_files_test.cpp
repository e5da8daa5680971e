#include "core/base/file.h"
#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/model_summary.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <nlohmann/json.hpp>

namespace {

using core::Json;

core::Result<core::ModelGraph> load(const std::string& name, core::Diagnostics& warnings) {
    const auto text = core::readFile(tests::sharedData() / "keras" / name);
    if (!text)
        return core::failure(text.error());
    return core::readKerasModelText(*text, name, warnings);
}

Json expectations() {
    const auto text = core::readFile(tests::sharedData() / "keras" / "expected.json");
    return text ? core::parseJson(*text, "expected.json").value_or(Json()) : Json();
}

std::string firstLine(const core::Diagnostics& diagnostics) {
    return diagnostics.empty() ? "no diagnostics" : core::toText(diagnostics.front());
}

/// Rows as expected.json lists them: inner rows after their model's, by path.
void collectRows(const std::vector<core::LayerSummary>& rows, const std::string& prefix, Json& list) {
    for (const core::LayerSummary& row : rows) {
        list.push_back(
            {{"name", prefix + row.name},
             {"class", row.className},
             {"output_shape", row.outputShapes.empty() ? Json() : core::toJson(row.outputShapes[0])},
             {"params", row.parameters},
             {"trainable", row.trainableParameters}});
        collectRows(row.layers, prefix + row.name + "/", list);
    }
}

QString difference(const Json& actual, const Json& expected) {
    for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
        if (actual[i] != expected[i])
            return QString::fromStdString("row " + std::to_string(i) + ": " + actual[i].dump() +
                                          " instead of " + expected[i].dump());
    }
    return actual.size() == expected.size() ? QString() : QStringLiteral("different numbers of rows");
}

/// Keys in any order.
nlohmann::json unordered(const Json& value) {
    return nlohmann::json::parse(value.dump());
}

} // namespace

/// Keras' own files of many editions, with facts worked out by independent programs.
class KerasFilesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { REQUIRE_SHARED_DATA(); }

    void everyFileGivesTheExpectedFacts_data() { listFiles(); }
    void everyFileGivesTheExpectedFacts() {
        QFETCH(QString, file);
        const Json expected = expectations()[file.toStdString()];
        core::Diagnostics warnings;
        const auto graph = load(file.toStdString(), warnings);
        QVERIFY2(graph.has_value(), graph ? "" : firstLine(graph.error()).c_str());
        const auto summary = core::summarize(*graph, 1);
        QVERIFY2(summary.has_value(), summary ? "" : firstLine(summary.error()).c_str());
        Json rows = Json::array();
        collectRows(summary->layers, "", rows);
        const QString rowDifference = difference(rows, expected["layers"]);
        QVERIFY2(rowDifference.isEmpty(), qPrintable(rowDifference));
        QCOMPARE(summary->layerCount, expected["layer_count"].get<std::size_t>());
        QCOMPARE(summary->parameters, expected["total_params"].get<std::int64_t>());
        QCOMPARE(summary->trainableParameters, expected["trainable_params"].get<std::int64_t>());
        Json shapes = Json::array();
        for (const core::Shape& shape : summary->outputShapes)
            shapes.push_back(core::toJson(shape));
        QCOMPARE(shapes.dump(), expected["output_shapes"].dump());
    }

    void onlyCustomThingsAreWarnedOf_data() { listFiles(); }
    void onlyCustomThingsAreWarnedOf() {
        QFETCH(QString, file);
        core::Diagnostics warnings;
        QVERIFY(load(file.toStdString(), warnings).has_value());
        if (file.startsWith("custom_layer")) {
            QVERIFY(!warnings.empty());
            QVERIFY(warnings.front().message.find("BinaryDense") != std::string::npos);
            return;
        }
        QVERIFY2(warnings.empty(), firstLine(warnings).c_str());
    }

    void whatIsWrittenAgainIsTheFile_data() { listFiles(); }
    void whatIsWrittenAgainIsTheFile() {
        QFETCH(QString, file);
        core::Diagnostics warnings;
        const auto graph = load(file.toStdString(), warnings);
        QVERIFY(graph.has_value());
        const Json written = core::writeKerasModel(*graph);
        const auto again = core::readKerasModel(written, "again", warnings);
        QVERIFY2(again.has_value(), again ? "" : firstLine(again.error()).c_str());
        QVERIFY(*again == *graph);
        const auto text = core::readFile(tests::sharedData() / "keras" / file.toStdString());
        const nlohmann::json difference =
            nlohmann::json::diff(nlohmann::json::parse(*text), unordered(written));
        QVERIFY2(difference.empty(), difference.dump().substr(0, 400).c_str());
    }

private:
    static void listFiles() {
        QTest::addColumn<QString>("file");
        const Json all = expectations();
        for (const auto& [file, facts] : all.items())
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
};

REGISTER_TEST("keras_files", KerasFilesTest)
#include "keras_files_test.moc"
