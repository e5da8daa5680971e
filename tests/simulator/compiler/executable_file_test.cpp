#include "simulator/compiler/executable_file.h"

#include "simulator/compiler/compile.h"
#include "simulator/planner/estimate.h"
#include "tests/simulator/project_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

core::Project someProject() {
    core::Project project = tests::denseProject({128, 256, 128, 64}, 2);
    project.ipuConfig.values["allow_recompute"] = true;
    return project;
}

simulator::StoredExecutable stored(const core::Project& project) {
    const auto executable = simulator::compile(tests::validated(project)).value();
    return simulator::readExecutable(simulator::writeExecutable(executable), "net.ipuexe").value();
}

/// Codes of the refusals, each once, apart by spaces; "accepted".
QString answer(const core::Project& compiled, const core::Project& wanted,
               core::RunMode mode = core::RunMode::Train) {
    const auto executable = simulator::loadExecutable(stored(compiled), tests::validated(wanted, mode));
    if (executable)
        return "accepted";
    QStringList codes;
    for (const core::Diagnostic& diagnostic : executable.error())
        codes << QString::fromStdString(diagnostic.code);
    codes.removeDuplicates();
    return codes.join(' ');
}

} // namespace

class ExecutableFileTest : public QObject {
    Q_OBJECT

private slots:
    void anExecutableReadsBackToTheSamePipeline() {
        const core::Project project = someProject();
        const auto executable = simulator::compile(tests::validated(project)).value();
        const std::string bytes = simulator::writeExecutable(executable);
        const auto read = simulator::readExecutable(bytes, "");
        QVERIFY2(read.has_value(), read ? "" : core::toText(read.error().front()).c_str());
        const auto loaded = simulator::loadExecutable(*read, tests::validated(project));
        QVERIFY(loaded.has_value());
        QVERIFY(loaded->plans == executable.plans);
        const core::PlanEstimate before = simulator::estimateOf(executable);
        const core::PlanEstimate after = simulator::estimateOf(*loaded);
        QCOMPARE(after.step, before.step);
        for (std::size_t ipu = 0; ipu < executable.memory.ipus.size(); ++ipu)
            QCOMPARE(loaded->memory.ipus[ipu].live, executable.memory.ipus[ipu].live);
        QVERIFY(simulator::writeExecutable(*loaded) == bytes);
    }

    void whatItWasNotCompiledForIsRefusedByName() {
        core::Project other = someProject();
        other.pipeline.schedule = "Interleaved";
        QCOMPARE(answer(someProject(), other), QString("executable/options"));
        other = someProject();
        other.training.batchSize = 8;
        QCOMPARE(answer(someProject(), other), QString("executable/options"));
        other = someProject();
        other.system.target = "bow";
        QCOMPARE(answer(someProject(), other), QString("executable/options executable/target"));
        other = someProject();
        other.assignment.stages[1] = core::StageId(1);
        QCOMPARE(answer(someProject(), other), QString("executable/model"));
        other = someProject();
        other.model = tests::denseModel({128, 256, 128, 32}, 64);
        QCOMPARE(answer(someProject(), other), QString("executable/model"));
        QCOMPARE(answer(someProject(), someProject(), core::RunMode::Predict), QString("executable/mode"));
    }

    void howLongAndOnWhichDataItRunsMayDiffer() {
        core::Project other = someProject();
        other.name = "renamed";
        other.training.epochs = 7;
        other.training.seed = 3;
        other.training.stepsPerEpoch = 128;
        QCOMPARE(answer(someProject(), other), QString("accepted"));
        const auto executable = simulator::loadExecutable(stored(someProject()), tests::validated(other));
        QCOMPARE(executable->execution.epochs, std::int64_t(7));
    }

    void filesThatAreNoExecutablesOrDamagedAreRefused() {
        std::string bytes =
            simulator::writeExecutable(simulator::compile(tests::validated(someProject())).value());
        for (const std::string& content :
             {std::string(), std::string("{}"), bytes.substr(0, 40), bytes.substr(0, bytes.size() / 2)}) {
            const auto read = simulator::readExecutable(content, "net.ipuexe");
            QVERIFY(!read.has_value());
            QCOMPARE(read.error().front().code, std::string("executable/format"));
            QCOMPARE(read.error().front().location.file, std::string("net.ipuexe"));
        }
        bytes[bytes.size() / 2] ^= 1;
        QVERIFY(!simulator::readExecutable(bytes, "").has_value());
    }
};

REGISTER_TEST("executable_file", ExecutableFileTest)

#include "executable_file_test.moc"
