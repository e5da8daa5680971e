#include "app/services/run/project_check.h"

#include "core/base/file.h"
#include "core/interchange/templates/template_project.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <chrono>
#include <filesystem>
#include <thread>

namespace {

core::Project smallProject() {
    core::Json arguments = core::Json::object();
    arguments["stages"] = "2";
    return core::newProject("mlp", arguments, "small").value();
}

/// Rows of two inputs and a class.
std::string table(int rows) {
    std::string text = "a,b,label\n";
    for (int row = 0; row < rows; ++row)
        text += std::to_string(row) + ",1.5," + std::to_string(row % 2) + "\n";
    return text;
}

void write(const QTemporaryDir& folder, int rows) {
    const std::filesystem::path path = folder.filePath("data.csv").toStdString();
    QVERIFY(core::writeFileAtomically(path, table(rows), core::Overwrite::Replace).has_value());
}

core::Project csvProject() {
    core::Project project = smallProject();
    project.training.dataset = core::DatasetSpec{"csv", core::Json{{"file", "data.csv"}, {"header", true}}};
    return project;
}

} // namespace

class ProjectCheckTest : public QObject {
    Q_OBJECT

private slots:
    /// The window's findings are those of a check.
    void aCheckNamesDataOutsideTheFolder() {
        const QTemporaryDir folder;
        write(folder, 40);
        const std::filesystem::path base = folder.path().toStdString();
        std::filesystem::create_directory(base / "net");
        core::Project project = csvProject();
        app::DatasetFactsCache cache;
        const auto isNamed = [&](const std::filesystem::path& from) {
            const auto check = app::checkProject(project, "p.ipuproj", from, cache);
            return std::ranges::any_of(check.outcome.findings, [](const core::Diagnostic& finding) {
                return finding.code == "project/data-outside" && finding.severity == core::Severity::Note;
            });
        };
        QVERIFY(!isNamed(base));
        project.training.dataset->parameters["file"] = "../data.csv";
        QVERIFY(isNamed(base / "net"));
    }

    void aDatasetIsOpenedAgainOnlyWhenItsFilesChange() {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        write(folder, 40);
        core::Project project = csvProject();
        app::DatasetFactsCache cache;
        const auto first = cache.facts(project, core::RunMode::Train, base);
        QVERIFY2(first.has_value(), first ? "" : first.error().front().message.c_str());
        QCOMPARE((*first)->samples, std::int64_t(40));
        // An edit of something else.
        project.training.batchSize += 1;
        QCOMPARE((*cache.facts(project, core::RunMode::Train, base))->samples, std::int64_t(40));
        QCOMPARE(cache.openings(), std::size_t(1));
        // The split is taken off what is remembered.
        project.training.validationSplit = 0.25;
        QCOMPARE((*cache.facts(project, core::RunMode::Train, base))->samples, std::int64_t(30));
        QCOMPARE(cache.openings(), std::size_t(1));
        project.training.validationSplit = 0;
        write(folder, 50);
        QCOMPARE((*cache.facts(project, core::RunMode::Train, base))->samples, std::int64_t(50));
        QCOMPARE(cache.openings(), std::size_t(2));
    }

    void whatCannotBeOpenedIsTriedAgain() {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        const core::Project project = csvProject();
        app::DatasetFactsCache cache;
        QVERIFY(!cache.facts(project, core::RunMode::Train, base));
        write(folder, 8);
        QCOMPARE((*cache.facts(project, core::RunMode::Train, base))->samples, std::int64_t(8));
    }

    void whoeverAsksAboutASnapshotGetsOneCheck() {
        app::ProjectChecks checks;
        const auto snapshot = std::make_shared<const core::Project>(smallProject());
        std::array<std::shared_ptr<const app::ProjectCheck>, 8> answers;
        {
            std::vector<std::jthread> askers;
            for (auto& answer : answers)
                askers.emplace_back([&] { answer = checks.check(snapshot, "small.ipuproj", {}); });
        }
        QCOMPARE(checks.count(), std::size_t(1));
        for (const auto& answer : answers)
            QVERIFY(answer != nullptr && answer == answers.front());
        QVERIFY(answers.front()->outcome.project.has_value());
        // Another snapshot is another question, even where nothing differs.
        const auto other = std::make_shared<const core::Project>(*snapshot);
        QVERIFY(checks.check(other, "small.ipuproj", {}) != answers.front());
        QCOMPARE(checks.count(), std::size_t(2));
        // Both are remembered: what is under the mouse, and the project itself.
        QVERIFY(checks.check(snapshot, "small.ipuproj", {}) == answers.front());
        QCOMPARE(checks.count(), std::size_t(2));
    }

    void findingsOfRulesSystemAndDatasetStandTogether() {
        core::Project project = csvProject();
        project.system.target = "ipu9";
        project.pipeline.gradientAccumulationSteps = 3;
        app::DatasetFactsCache cache;
        const app::ProjectCheck check = app::checkProject(project, "p.ipuproj", "/nowhere", cache);
        QVERIFY(!check.outcome.project && !check.facts);
        const auto has = [&](std::string_view place) {
            return std::ranges::any_of(check.outcome.findings, [&](const core::Diagnostic& finding) {
                return finding.location.place.starts_with(place) ||
                       finding.location.file.find(place) != std::string::npos;
            });
        };
        QVERIFY(has("/system/target"));
        QVERIFY(has("/pipeline"));
        QVERIFY(has("data.csv"));
    }
};

REGISTER_TEST("project_check", ProjectCheckTest)
#include "project_check_test.moc"
