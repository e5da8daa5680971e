#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <cstdint>

using tests::Answer;
using tests::Workbench;

namespace {

/// Two stages, the first of which ends with a dropout where the rate is not zero.
core::Json runWithDropout(const Workbench& workbench, const QString& rate) {
    const Answer made = workbench.run({"new", "mlp", "hidden=64,64", "dropout=" + rate, "stages=2",
                                       "accumulation=8", "micro_batch=4", "-o", "net.ipuproj", "--force"});
    const Answer run = workbench.run({"run", "net.ipuproj", "--no-numerics", "--json"});
    return made.code == 0 && run.code == 0 ? run.json() : core::Json();
}

} // namespace

class DropoutTest : public QObject {
    Q_OBJECT

private slots:
    void nothingIsKeptForItsGradientAsTheFactorsAreDrawnAgain() {
        const Workbench workbench;
        const core::Json plain = runWithDropout(workbench, "0");
        const core::Json dropped = runWithDropout(workbench, "0.5");
        QVERIFY(plain.is_object() && dropped.is_object());
        const core::Json& stash = plain["stages"][0]["stash_bytes"];
        QVERIFY(stash.get<std::int64_t>() > 0);
        QCOMPARE(dropped["stages"][0]["stash_bytes"], stash);
        // Drawing costs time, forward and backward.
        for (const char* phase : {"forward_cycles", "backward_cycles"})
            QVERIFY(dropped["stages"][0][phase].get<std::int64_t>() >
                    plain["stages"][0][phase].get<std::int64_t>());
    }
};

REGISTER_TEST("dropout", DropoutTest)
#include "dropout_test.moc"
