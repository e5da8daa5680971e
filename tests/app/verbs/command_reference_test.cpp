#include "app/verbs/command_reference.h"

#include "app/verbs/completion_script.h"
#include "app/verbs/manual_page.h"
#include "app/verbs/verb_table.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <algorithm>

using tests::Answer;
using tests::Workbench;

/// What the program tells of its verbs. tests/resources/package_test.sh has the shells and `man` read it.
class CommandReferenceTest : public QObject {
    Q_OBJECT

private slots:
    void everyVerbIsInTheManualPageAndInEveryCompletion() {
        const auto verbs = app::commandReference();
        QCOMPARE(verbs.size(), app::verbTable().size());
        const QByteArray page = QByteArray::fromStdString(app::manualPage(verbs));
        for (const app::VerbReference& verb : verbs) {
            const QByteArray name(verb.name.data(), qsizetype(verb.name.size()));
            QVERIFY2(page.contains("\n.SS " + QByteArray(name).replace("-", "\\-") + "\n"), name);
            QVERIFY2(!verb.examples.empty(), name);
            for (const app::Shell shell : {app::Shell::Bash, app::Shell::Zsh, app::Shell::Fish}) {
                const QByteArray script = QByteArray::fromStdString(app::completionScript(shell, verbs));
                for (const app::OptionReference& option : verb.options) {
                    const QByteArray last = QByteArray::fromStdString(option.names.back());
                    QVERIFY2(option.isArgument || last.startsWith("--"), last);
                    QVERIFY2(!option.text.empty(), last);
                    if (!option.isArgument)
                        QVERIFY2(script.contains(shell == app::Shell::Fish ? " -l " + last.mid(2) : last),
                                 last);
                }
            }
        }
    }

    void anOptionIsKnownAsItsParserKnowsIt() {
        const auto verbs = app::commandReference();
        const auto run = std::ranges::find(verbs, "run", &app::VerbReference::name);
        QVERIFY(run != verbs.end());
        const auto named = [&](const std::string& name) {
            const auto found = std::ranges::find_if(run->options, [&](const app::OptionReference& option) {
                return option.names.back() == name;
            });
            return found == run->options.end() ? app::OptionReference() : *found;
        };
        QVERIFY(named("PROJECT").isArgument && named("PROJECT").isRequired);
        QCOMPARE(named("--set").value, std::string("PATH=VALUE"));
        QVERIFY(named("--set").isRepeated && !named("--mode").isRepeated);
        QCOMPARE(named("--output").names, (std::vector<std::string>{"-o", "--output"}));
        QVERIFY(named("--no-numerics").value.empty());
    }

    void whatIsPrintedIsTheSameEveryTime() {
        const Workbench bench;
        for (const QStringList& line :
             {QStringList{"man"}, QStringList{"completion", "bash"}, QStringList{"completion", "zsh"},
              QStringList{"completion", "fish"}}) {
            const Answer first = bench.run(line);
            QCOMPARE(first.code, 0);
            QVERIFY(first.err.isEmpty() && !first.out.isEmpty());
            QCOMPARE(bench.run(line).out, first.out);
            QCOMPARE(QByteArray::fromStdString(
                         bench.run(line + QStringList{"--json"}).json()["content"].get<std::string>()),
                     first.out);
        }
        const Answer unknown = bench.run({"completion", "tcsh"});
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.contains("allowed: bash, zsh, fish"), unknown.err);
    }
};

REGISTER_TEST("command_reference", CommandReferenceTest)
#include "command_reference_test.moc"
