#include "app/services/feature_table.h"
#include "app/window/dialogs/information.h"
#include "core/base/file.h"
#include "tests/app/workbench.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QProcess>
#include <QtTest/QTest>
#include <filesystem>
#include <set>

using app::FeatureEvidence;
using tests::Answer;
using tests::Workbench;

namespace {

std::vector<FeatureEvidence> evidenceOf(FeatureEvidence::Kind kind) {
    std::vector<FeatureEvidence> list;
    for (const app::Feature& feature : app::featureTable()) {
        for (const FeatureEvidence& evidence : feature.evidence) {
            if (evidence.kind == kind)
                list.push_back(evidence);
        }
    }
    return list;
}

} // namespace

/// `features`: every row is shown by something that exists, and every command answers.
class FeaturesVerbTest : public QObject {
    Q_OBJECT

private slots:
    void everyRowIsShownBySomething() {
        std::set<std::string_view> ids;
        for (const app::Feature& feature : app::featureTable()) {
            QVERIFY2(ids.insert(feature.id).second, feature.id.data());
            QVERIFY2(!feature.evidence.empty(), feature.id.data());
        }
        const Workbench workbench;
        const core::Json json = workbench.run({"features", "--json"}).json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("ipu-workbench/features"));
        QCOMPARE(json["features"].size(), app::featureTable().size());
        QVERIFY(workbench.run({"features", "--csv"}).out.startsWith("id,title,kind,shown_by"));
    }

    void everyRowOfTheProgrammingSystemIsListed() {
        std::set<std::string, std::less<>> ids;
        for (const app::Feature& feature : app::featureTable())
            ids.insert(std::string(feature.id));
        const auto missing = [&](int first, int last) {
            QByteArray names;
            for (int row = first; row <= last; ++row) {
                const std::string id = "P" + std::to_string(row);
                names += ids.contains(id) ? "" : " " + QByteArray::fromStdString(id);
            }
            return names;
        };
        QCOMPARE(missing(1, 40), QByteArray());
    }

    void theHelpListsTheSameRows() {
        const QString page = app::featurePage();
        for (const app::Feature& feature : app::featureTable()) {
            QVERIFY2(
                page.contains(
                    QString::fromUtf8(feature.title.data(), qsizetype(feature.title.size())).toHtmlEscaped()),
                feature.id.data());
            for (const FeatureEvidence& evidence : feature.evidence)
                QVERIFY2(
                    page.contains(QString::fromUtf8(evidence.text.data(), qsizetype(evidence.text.size()))
                                      .toHtmlEscaped()),
                    evidence.text.data());
        }
    }

    void everyNamedProjectExists() {
        for (const FeatureEvidence& evidence : evidenceOf(FeatureEvidence::Kind::Project))
            QVERIFY2(std::filesystem::exists(tests::projectRoot() / "projects" / evidence.text),
                     evidence.text.data());
    }

    void everyNamedTestExists() {
        for (const FeatureEvidence& evidence : evidenceOf(FeatureEvidence::Kind::Test)) {
            const std::string name(evidence.text);
            const auto at = name.find(':');
            QVERIFY2(at != std::string::npos, name.c_str());
            const auto source =
                core::readFile(tests::projectRoot() / "tests" / (name.substr(0, at) + "_test.cpp"));
            QVERIFY2(source.has_value(), name.c_str());
            QVERIFY2(QByteArray::fromStdString(*source).contains(QByteArray("void ") +
                                                                 name.substr(at + 1).c_str() + "()"),
                     name.c_str());
        }
    }

    void everyCommandAnswers() {
        const Workbench workbench;
        std::filesystem::create_directory_symlink(tests::projectRoot() / "projects",
                                                  workbench.path("projects"));
        for (const FeatureEvidence& evidence : evidenceOf(FeatureEvidence::Kind::Command)) {
            const QString line =
                QString::fromUtf8(evidence.text.data(), static_cast<qsizetype>(evidence.text.size()));
            const Answer answer = workbench.run(QProcess::splitCommand(line) + QStringList{"--quiet"});
            QVERIFY2(answer.code == 0, (line.toUtf8() + "\n" + answer.err).constData());
        }
    }
};

REGISTER_TEST("features_verb", FeaturesVerbTest)
#include "features_verb_test.moc"
