#include "core/base/file.h"
#include "core/interchange/project/project_file.h"
#include "core/project/validate.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <filesystem>
#include <fmt/format.h>
#include <map>

using tests::Answer;
using tests::Workbench;

namespace {

/// A project that has every section.
core::Json fullProject() {
    const auto text =
        core::readFile(tests::projectRoot() / "projects" / "tutorial" / "3-pipelined-functional.ipuproj");
    core::Json project = core::Json::parse(*text);
    project.merge_patch(core::Json::parse(R"({
        "pipeline": {"device_mapping": [0, 1], "schedule": "Grouped",
            "forward_propagation_stages_poplar_options": [{"matmul_options": {"availableMemoryProportion": "0.2"}}, {}]},
        "training": {"infeed": {"prefetch_depth": 3}, "dataset": null},
        "replicas": 1,
        "ipu_config": {"allow_recompute": false, "auto_select_ipus": 2,
            "matmuls.poplar_options": {"availableMemoryProportion": "0.6"}},
        "canvas": {"positions": {"dense256": [120, 80]}}})"));
    return project;
}

/// Values that have no business where they are put.
core::Json strangeValues() {
    core::Json values =
        core::Json::parse(R"([null, true, 0, -1, 1000000000000, 1.5, 1e308, -0.0, "", "x", "../../etc/passwd",
        "a\u0000b\n\u001b[31m", [], {}, [[]], [null], {"": 1}, {"class_name": "X", "config": {}}, 9223372036854775808, 1e30])");
    constexpr std::size_t long_ = 20000;
    values.push_back(std::string(long_, 'x'));
    values.push_back(core::Json(std::vector<int>(300, 1)));
    return values;
}

std::vector<core::Json::json_pointer> placesOf(const core::Json& document) {
    std::vector<core::Json::json_pointer> places{core::Json::json_pointer()};
    const core::Json flat = document.flatten();
    for (const auto& [text, value] : flat.items()) {
        for (core::Json::json_pointer place(text); !place.empty(); place.pop_back()) {
            if (std::ranges::find(places, place) == places.end())
                places.push_back(place);
        }
    }
    return places;
}

/// What is wrong with the answer to a strange project; empty when nothing is.
std::string complaint(const core::Json& document) {
    const auto file = core::readProjectDocument(document, "h.ipuproj");
    core::Diagnostics findings;
    if (file) {
        auto outcome = core::validateAll(file->project, core::RunMode::Train, std::nullopt, "h.ipuproj");
        if (outcome.project) {
            const auto again = core::readProject(core::writeProject(file->project), "again");
            return again && again->project == file->project ? ""
                                                            : "a valid project does not read back the same";
        }
        findings = std::move(outcome.findings);
    } else {
        findings = file.error();
    }
    if (!core::hasErrors(findings))
        return "refused without an error";
    for (const core::Diagnostic& finding : findings) {
        if (finding.severity != core::Severity::Error)
            continue;
        if (finding.location.file != "h.ipuproj" || finding.hints.empty() || finding.message.empty() ||
            finding.trouble != core::Trouble::Input)
            return core::toText(finding).substr(0, 300);
        if (core::toText(
                core::Diagnostic{
                    finding.severity, finding.trouble, finding.code, finding.location, finding.message, {}})
                .find('\n') != std::string::npos)
            return "more than one line";
    }
    return "";
}

std::string nested(const char* open, const char* close) {
    constexpr int levels = 100'000;
    std::string text;
    for (int level = 0; level < levels; ++level)
        text += open;
    text += "1";
    for (int level = 0; level < levels; ++level)
        text += close;
    return text;
}

} // namespace

/// Project files that nobody wrote in good faith.
class HostileProjectTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatIsWrongWhateverStandsWhere() {
        const core::Json project = fullProject();
        QCOMPARE(complaint(project), std::string());
        const core::Json values = strangeValues();
        std::map<std::string, std::string> complaints;
        for (const auto& place : placesOf(project)) {
            for (const core::Json& value : values) {
                core::Json changed = project;
                changed[place] = value;
                const std::string found = complaint(changed);
                if (!found.empty())
                    complaints.emplace(found.substr(found.rfind('[') + 1),
                                       fmt::format("{} = {}: {}", place.to_string(),
                                                   core::toText(value, -1).substr(0, 40), found));
            }
        }
        for (const auto& [code, text] : complaints)
            qWarning("%s", text.c_str());
        QVERIFY(complaints.empty());
    }

    void refusesUnknownKeysOutsideTheModel() {
        const core::Json project = fullProject();
        for (const auto& place : placesOf(project)) {
            // Figures of the system are the simulator's matter, positions may name any layer.
            if (!project[place].is_object() || place.to_string().starts_with("/model") ||
                place.to_string() == "/system" || place.to_string().starts_with("/canvas/positions"))
                continue;
            core::Json changed = project;
            changed[place]["bogus_key"] = 1;
            const auto file = core::readProjectDocument(changed, "h");
            const std::string where = place.to_string();
            // Options of PopLibs and keys of later editions are kept, with a warning.
            QVERIFY2(!file || !file->warnings.empty(), where.c_str());
        }
    }

    void refusesBytesThatAreNoProject_data() {
        QTest::addColumn<QByteArray>("bytes");
        const std::string text = core::toText(fullProject());
        const auto replaced = [&](const std::string& from, const std::string& to) {
            std::string changed = text;
            changed.replace(changed.find(from), from.size(), to);
            return QByteArray::fromStdString(changed);
        };
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("blank") << QByteArray(" \n ");
        QTest::newRow("binary") << QByteArray("\x00\x01\x02\xff\xfe", 5);
        QTest::newRow("UTF-16") << QByteArray("\xff\xfe{\x00}\x00", 6);
        QTest::newRow("a number") << QByteArray("5");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("cut") << QByteArray::fromStdString(text.substr(0, text.size() / 2));
        QTest::newRow("something behind") << QByteArray::fromStdString(text + "x");
        QTest::newRow("NaN") << replaced("0.01", "NaN");
        QTest::newRow("beyond a double") << replaced("0.01", "1e999");
        QTest::newRow("a number of 400 digits")
            << replaced("\"epochs\": 4", fmt::format("\"epochs\": 1{:0<400}", ""));
        QTest::newRow("a key twice") << replaced("\"version\": 1", "\"version\": 1, \"version\": 1");
        QTest::newRow("invalid UTF-8") << replaced("multipleIPUfunctional", "\xff\xfe\x80");
        QTest::newRow("half a surrogate") << replaced("multipleIPUfunctional", "\\ud800");
        QTest::newRow("100,000 lists") << QByteArray::fromStdString(nested("[", "]"));
        QTest::newRow("100,000 objects") << QByteArray::fromStdString(nested("{\"a\":", "}"));
        for (const char* section : {"model", "pipeline", "training", "system", "ipu_config", "canvas"})
            QTest::addRow("100,000 levels in %s", section) << replaced(
                "\"format\"", fmt::format("\"{}\": {}, \"format\"", section, nested("{\"a\":", "}")));
    }

    void refusesBytesThatAreNoProject() {
        QFETCH(const QByteArray, bytes);
        const Workbench workbench;
        workbench.write("h.ipuproj", bytes.toStdString());
        for (const QStringList& verb : {QStringList{"validate"}, QStringList{"run", "--no-numerics"}}) {
            const Answer answer = workbench.run(verb + QStringList{"h.ipuproj"});
            QVERIFY2(answer.code == 3, answer.err);
            QVERIFY2(answer.err.startsWith("h.ipuproj:"), answer.err);
            QVERIFY2(answer.err.contains("\nhint: "), answer.err);
            QVERIFY(answer.out.size() < 200);
        }
        std::size_t files = 0;
        for ([[maybe_unused]] const auto& entry :
             std::filesystem::directory_iterator(workbench.path("h.ipuproj").parent_path()))
            ++files;
        QCOMPARE(files, std::size_t{1});
    }

    void keepsShortWhateverItIsGiven() {
        const Workbench workbench;
        core::Json project = fullProject();
        project["model"]["config"]["layers"] = std::vector<int>(5000, 1);
        workbench.write("h.ipuproj", core::toText(project));
        const Answer answer = workbench.run({"validate", "h.ipuproj"});
        QCOMPARE(answer.code, 3);
        QVERIFY(answer.err.contains("more; --json tells all"));
        QVERIFY(answer.err.size() < 50'000);
    }

    void readsAFileWithAByteOrderMark() {
        const Workbench workbench;
        workbench.write("h.ipuproj", std::string("\xef\xbb\xbf").append(core::toText(fullProject())));
        QCOMPARE(workbench.run({"validate", "h.ipuproj"}).code, 0);
    }

    void saysWhatIsWrongWithItsData_data() {
        QTest::addColumn<QByteArray>("images");
        QTest::addColumn<QByteArray>("labels");
        const QByteArray labels = QByteArray("\0\0\x08\x01\0\0\0\x02", 8) + QByteArray("\0\1", 2);
        QTest::newRow("empty") << QByteArray() << labels;
        QTest::newRow("another magic") << QByteArray("\1\2\3\4\0\0\0\1\0\0\0\1\0\0\0\1\7", 17) << labels;
        QTest::newRow("cut in its head") << QByteArray("\0\0\x08\x03\0\0", 6) << labels;
        QTest::newRow("fewer bytes than it says")
            << QByteArray("\0\0\x08\x03\0\0\0\x02\0\0\0\x1c\0\0\0\x1c", 16) << labels;
        QTest::newRow("four thousand million images")
            << QByteArray("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16) << labels;
        QTest::newRow("more images than labels")
            << QByteArray("\0\0\x08\x03\0\0\0\x03\0\0\0\x1c\0\0\0\x1c", 16) + QByteArray(3 * 28 * 28, 'a')
            << labels;
    }

    void saysWhatIsWrongWithItsData() {
        QFETCH(const QByteArray, images);
        QFETCH(const QByteArray, labels);
        const Workbench workbench;
        core::Json project = fullProject();
        project["training"]["dataset"] = {
            {"kind", "idx"}, {"images", "images"}, {"labels", "labels"}, {"shape", {28, 28, 1}}};
        workbench.write("h.ipuproj", core::toText(project));
        workbench.write("images", images.toStdString());
        workbench.write("labels", labels.toStdString());
        const Answer answer = workbench.run({"run", "h.ipuproj"});
        QVERIFY2(answer.code == 3, answer.err);
        QVERIFY2(answer.err.contains("hint: "), answer.err);
        QVERIFY(!std::filesystem::exists(workbench.path("h.profiles.sqlite")));
        std::filesystem::remove(workbench.path("images"));
        QCOMPARE(workbench.run({"run", "h.ipuproj"}).code, 4);
    }
};

REGISTER_TEST("hostile_project", HostileProjectTest)
#include "hostile_project_test.moc"
