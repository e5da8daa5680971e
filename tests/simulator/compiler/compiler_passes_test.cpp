#include "simulator/compiler/passes/compiler_passes.h"

#include "core/interchange/project/project_file.h"
#include "core/project/validate.h"
#include "simulator/compiler/compile.h"
#include "tests/support/golden_file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using simulator::PassProduct;

namespace {

const std::string goldenFolder = "tests/simulator/compiler/golden/";

/// Three Dense layers on two stages and two replicas, recomputing.
core::ValidatedProject twoStages() {
    const auto file = core::loadProject(tests::projectRoot() / goldenFolder / "two_stages.ipuproj");
    return core::validate(file.value().project, core::RunMode::Train).value();
}

/// The text of every pass, in the order in which they ran.
std::vector<std::pair<std::string, std::string>> textsOf(const core::ValidatedProject& project) {
    std::vector<std::pair<std::string, std::string>> texts;
    const auto executable = simulator::compile(project, {}, nullptr, {}, [&](const PassProduct& product) {
        texts.emplace_back(simulator::passOf(product).name, simulator::productText(product));
    });
    return executable ? texts : std::vector<std::pair<std::string, std::string>>{};
}

} // namespace

class CompilerPassesTest : public QObject {
    Q_OBJECT

private slots:
    /// UPDATE_GOLDEN=1 ctest --preset ci -R simulator/compiler/compiler_passes writes the files anew.
    void eachPassGivesWhatItsGoldenSays() {
        for (const auto& [name, text] : textsOf(twoStages())) {
            const std::string difference = tests::differenceFromGolden(goldenFolder + name + ".txt", text);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }

    void thePassesRunInTheOrderOfTheirTable() {
        const auto texts = textsOf(twoStages());
        const auto passes = simulator::compilerPasses();
        QCOMPARE(texts.size(), passes.size());
        for (std::size_t pass = 0; pass < passes.size(); ++pass) {
            QCOMPARE(texts[pass].first, std::string(passes[pass].name));
            QVERIFY(texts[pass].second.starts_with("# " + texts[pass].first + ": "));
            QCOMPARE(simulator::findCompilerPass(passes[pass].name), &passes[pass]);
        }
        QVERIFY(simulator::findCompilerPass("folded") == nullptr);
    }

    void theTextsOfTwoCompilationsAreTheSame() { QVERIFY(textsOf(twoStages()) == textsOf(twoStages())); }
};

REGISTER_TEST("compiler_passes", CompilerPassesTest)
#include "compiler_passes_test.moc"
