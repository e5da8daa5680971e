#include "app/services/features/feature_table.h"
#include "app/window/dialogs/information.h"
#include "core/base/file.h"
#include "tests/app/verbs/features/feature_evidence.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <filesystem>
#include <set>

using tests::Answer;
using tests::Workbench;

namespace {

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

} // namespace

/// `features`: every row says how to see it, and every command answers.
class FeaturesVerbTest : public QObject {
    Q_OBJECT

private slots:
    void everyRowHasACommandToPaste() {
        std::set<std::string_view> ids;
        for (const app::Feature& feature : app::featureTable()) {
            QVERIFY2(ids.insert(feature.id).second, feature.id.data());
            QVERIFY2(!feature.commands.empty(), feature.id.data());
        }
        const Workbench workbench;
        const core::Json json = workbench.run({"features", "--json"}).json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("ipu-workbench/features"));
        QCOMPARE(json["features"].size(), app::featureTable().size());
        const std::string command = "\"text\":\"ipu-workbench ";
        for (const core::Json& row : json["features"])
            QVERIFY2(row["shown_by"].dump().find(command) != std::string::npos, row.dump().c_str());
        QVERIFY(workbench.run({"features", "--csv"}).out.startsWith("id,title,kind,shown_by"));
    }

    void everyRowOfTheProgrammingSystemIsListed() {
        std::set<std::string, std::less<>> ids;
        for (const app::Feature& feature : app::featureTable())
            ids.insert(std::string(feature.id));
        for (const char* id : {"37", "98", "N5", "N13", "N15"})
            QVERIFY2(ids.contains(std::string_view(id)), id);
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

    void theHelpSaysTheSameInWords() {
        const QString page = app::featurePage();
        for (const app::Feature& feature : app::featureTable()) {
            QVERIFY2(page.contains(textOf(feature.title).toHtmlEscaped()), feature.id.data());
            QVERIFY2(page.contains(textOf(feature.how).toHtmlEscaped()), feature.id.data());
            // A person reads what works, not its number in a list.
            QVERIFY2(!page.contains('>' + textOf(feature.id) + '<'), feature.id.data());
        }
        QVERIFY(!page.contains("_test") && !page.contains("views/"));
    }

    void everyFeatureIsTestedByTestsThatExist() {
        std::set<std::string_view> ids;
        for (const app::Feature& feature : app::featureTable())
            ids.insert(feature.id);
        for (const auto& [id, evidence] : tests::featureEvidence()) {
            QVERIFY2(ids.contains(id), id.data());
            for (const std::string_view text : evidence) {
                const std::string name(text);
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
    }

    void everyRowOfTheProgrammingSystemHasItsFigureChecked() {
        QByteArray sources;
        for (const auto& entry :
             std::filesystem::directory_iterator(tests::projectRoot() / "tests/app/verbs/features"))
            if (entry.path().filename().string().ends_with("_features_test.cpp"))
                sources += QByteArray::fromStdString(core::readFile(entry.path()).value_or(""));
        for (int row = 1; row <= 40; ++row) {
            const QByteArray id = QByteArray::number(row);
            QVERIFY2(sources.contains("ShownFeature shown(\"P" + id + "\""), id.constData());
            QVERIFY2(sources.contains("void p" + id), id.constData());
        }
    }

    void whatARowDoesNotHoldIsSaid() {
        const Workbench workbench;
        const QByteArray text = workbench.run({"features"}).out;
        const QString page = app::featurePage();
        int parts = 0;
        for (const app::Feature& feature : app::featureTable()) {
            if (feature.except.empty())
                continue;
            ++parts;
            QVERIFY2(text.contains("except   " +
                                   QByteArray(feature.except.data(), qsizetype(feature.except.size()))),
                     feature.id.data());
            QVERIFY2(page.contains(textOf(feature.except).toHtmlEscaped()), feature.id.data());
        }
        QVERIFY(parts > 0);
    }

    void everyCommandAnswers() {
        const Workbench workbench;
        std::filesystem::create_directory_symlink(tests::projectRoot() / "projects",
                                                  workbench.path("projects"));
        std::set<std::string_view> done;
        for (const app::Feature& feature : app::featureTable()) {
            // Those of the programming system are run where their figures are checked.
            if (feature.id.starts_with('P'))
                continue;
            for (const std::string_view command : feature.commands) {
                if (!done.insert(command).second)
                    continue;
                if (app::opensTheWindow(command)) {
                    QVERIFY2(std::filesystem::exists(tests::projectRoot() / command), command.data());
                    continue;
                }
                const Answer answer = workbench.runLine(textOf(command) + " --quiet");
                QVERIFY2(answer.code == 0, (textOf(command).toUtf8() + "\n" + answer.err).constData());
            }
        }
    }
};

REGISTER_TEST("features_verb", FeaturesVerbTest)
#include "features_verb_test.moc"
