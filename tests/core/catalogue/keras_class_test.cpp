#include "core/base/json.h"
#include "core/catalogue/callbacks.h"
#include "core/catalogue/losses.h"
#include "core/catalogue/optimizers.h"
#include "core/text/text_case.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <set>

namespace {

std::vector<const core::KerasCatalogue*> allCatalogues() {
    return {&core::optimizerCatalogue(), &core::learningRateScheduleCatalogue(), &core::lossCatalogue(),
            &core::metricCatalogue(), &core::callbackCatalogue()};
}

} // namespace

class KerasClassTest : public QObject {
    Q_OBJECT

private slots:
    void everyKeyHasADefaultOfItsKindInItsRange() {
        for (const core::KerasCatalogue* catalogue : allCatalogues()) {
            for (const core::KerasClass& type : catalogue->classes) {
                std::set<std::string_view> names;
                for (const core::KerasParameter& key : type.parameters) {
                    const std::string place = std::string(type.className) + "." + std::string(key.name);
                    QVERIFY2(names.insert(key.name).second, place.c_str());
                    if (key.defaultText.empty())
                        continue;
                    const core::Json preset = core::Json::parse(key.defaultText, nullptr, false);
                    QVERIFY2(!preset.is_discarded(), place.c_str());
                    if (preset.is_number())
                        QVERIFY2(preset.get<double>() >= key.low && preset.get<double>() <= key.high,
                                 place.c_str());
                    if (key.type == core::KerasParameterType::Switch)
                        QVERIFY2(preset.is_boolean(), place.c_str());
                }
            }
        }
    }

    void everyTextNamesOneClass() {
        for (const core::KerasCatalogue* catalogue : allCatalogues()) {
            std::set<std::string> texts;
            for (const core::KerasClass& type : catalogue->classes) {
                QCOMPARE(catalogue->named(type.className), &type);
                QVERIFY2(texts.insert(std::string(type.className)).second, type.className.data());
                for (const std::string_view alias : type.aliases)
                    QVERIFY2(texts.insert(std::string(alias)).second, alias.data());
            }
        }
    }

    void slotsNameKeysOfTheirOptimizer() {
        for (const core::OptimizerDefinition& optimizer : core::optimizers()) {
            for (const core::OptimizerSlot& slot : optimizer.slotVariables) {
                QVERIFY2(slot.initialKey.empty() || optimizer.parameter(slot.initialKey) != nullptr,
                         optimizer.className.data());
                for (const std::string_view key : {slot.onlyWith, slot.orWith})
                    QVERIFY2(key.empty() || optimizer.parameter(key) != nullptr, optimizer.className.data());
            }
        }
    }

    void findsAClassInAnySpelling() {
        QCOMPARE(core::findOptimizer("rmsprop")->className, std::string_view("RMSprop"));
        QCOMPARE(core::findLoss("kl_divergence")->className, std::string_view("KLDivergence"));
        QCOMPARE(core::findMetric("mean_io_u")->className, std::string_view("MeanIoU"));
        QCOMPARE(core::findMetric("AUC")->className, std::string_view("AUC"));
        QVERIFY(core::findOptimizer("Sophia") == nullptr);
    }

    void snakeCaseIsThatOfKeras() {
        QCOMPARE(core::snakeCase("MaxPooling2D"), std::string("max_pooling2d"));
        QCOMPARE(core::snakeCase("ReLU"), std::string("re_lu"));
        QCOMPARE(core::snakeCase("ConvLSTM2D"), std::string("conv_lst_m2d"));
        QCOMPARE(core::lowerCase("RMSprop 2"), std::string("rmsprop 2"));
    }
};

REGISTER_TEST("keras_class", KerasClassTest)
#include "keras_class_test.moc"
