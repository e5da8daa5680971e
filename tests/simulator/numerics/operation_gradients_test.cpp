#include "tests/simulator/numerics/gradient_families.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace tests;

class OperationGradientsTest : public QObject {
    Q_OBJECT

private slots:
    void gradientsAgreeWithCentralDifferences_data() {
        QTest::addColumn<const GradientFamily*>("family");
        for (const auto families : {elementwiseFamilies(), reductionFamilies(), productFamilies(),
                                    recurrentFamilies(), movementFamilies(), lossFamilies()}) {
            for (const GradientFamily& family : families)
                QTest::addRow("%s", family.name) << &family;
        }
    }

    /// Over random attributes and shapes, small ones, ones of size 1 and empty ones.
    void gradientsAgreeWithCentralDifferences() {
        QFETCH(const GradientFamily*, family);
        constexpr std::uint32_t casesPerFamily = 120;
        for (std::uint32_t seed = 0; seed < casesPerFamily; ++seed) {
            RandomOperands random(seed * 7919 + 1, static_cast<int>(seed % 3));
            const GradientCase one = family->make(random);
            const std::string trouble = gradientDisagreement(one, random);
            if (!trouble.empty())
                QFAIL(qPrintable(QString("case %1: %2").arg(seed).arg(trouble.c_str())));
        }
    }
};

REGISTER_TEST("operation_gradients", OperationGradientsTest)
#include "operation_gradients_test.moc"
