#include "core/config/ipu_config/ipu_config.h"
#include "core/config/ipu_config/ipu_config_json.h"
#include "core/config/ipu_config/ipu_config_table.h"
#include "core/config/ipu_config/ipu_config_values.h"
#include "core/config/ipu_config/poplar_option_table.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <set>

using core::Json;

namespace {

core::Diagnostics findingsOf(const char* text) {
    core::Diagnostics findings;
    (void)core::readIpuConfig(Json::parse(text), "p", "/ipu_config", findings);
    return findings;
}

} // namespace

class IpuConfigTableTest : public QObject {
    Q_OBJECT

private slots:
    void holdsEveryOptionOfThePythonApi() {
        // Counted in the API reference: 7 options at the top and 43 in the categories.
        QCOMPARE(core::ipuConfigOptions().size(), std::size_t{50});
        QCOMPARE(core::ipuConfigOptions().front().name, std::string_view("allow_recompute"));
        QCOMPARE(core::ipuConfigOptions().back().name,
                 std::string_view("scheduling.maximum_scheduler_search_space_size"));
    }

    void saysOfEveryOptionWhatItMeansAndChanges() {
        std::set<std::string_view> names;
        for (const core::IpuConfigOption& option : core::ipuConfigOptions()) {
            QVERIFY2(names.insert(option.name).second, option.name.data());
            QVERIFY2(option.documentation.size() > 20, option.name.data());
            QVERIFY2(option.effectText.size() > 20, option.name.data());
            const bool saysNone = option.effectText.starts_with("no effect on the simulated system");
            QCOMPARE(saysNone, option.effect == core::OptionEffect::None);
        }
    }

    void readsEveryDefaultAsAValueOfItsOwnOption() {
        Json all = Json::object();
        for (const core::IpuConfigOption& option : core::ipuConfigOptions())
            all[std::string(option.name)] = core::defaultValue(option);
        core::Diagnostics findings;
        const core::IpuConfig config = core::readIpuConfig(all, "p", "", findings);
        QVERIFY(findings.empty());
        QCOMPARE(core::toJson(config).size(), all.size());
    }

    void refusesAnUnknownOptionWithTheNearestName() {
        const auto findings = findingsOf(R"({"matmuls.clear_pas_type": true})");
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(findings[0].code, std::string("value-error/unknown-option"));
        QCOMPARE(findings[0].location.place, std::string("/ipu_config/matmuls.clear_pas_type"));
        QCOMPARE(findings[0].hints[0], std::string("did you mean \"matmuls.clear_pass_type\"?"));
    }

    void findsAnOptionWrittenWithoutItsCategory() {
        QCOMPARE(findingsOf(R"({"clear_pass_type": true})")[0].hints[0],
                 std::string("did you mean \"matmuls.clear_pass_type\"?"));
    }

    void namesTheReplacementOfAnOlderFunction() {
        const auto findings = findingsOf(R"({"set_matmul_options": {}})");
        QVERIFY(findings[0].hints[0].find("options of matmuls") != std::string::npos);
    }

    void replacesOlderArgumentsByOptionsThatExist() {
        for (const core::OlderConfigFunction& function : core::olderConfigFunctions()) {
            for (const auto& argument : function.arguments) {
                const bool exists =
                    argument.option.empty() || core::findIpuConfigOption(argument.option) != nullptr;
                QVERIFY2(exists, argument.option.data());
            }
        }
    }

    void refusesValuesOfTheWrongType_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* text, const char* code) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(code);
        };
        row(R"({"allow_recompute": 1})", "type-error/option-type");
        row(R"({"allow_recompute": "true"})", "type-error/option-type");
        row(R"({"io_tiles.num_io_tiles": 1.5})", "type-error/option-type");
        row(R"({"io_tiles.num_io_tiles": -1})", "value-error/option-value");
        row(R"({"io_tiles.available_memory_proportion": 1.1})", "value-error/option-value");
        row(R"({"selection_order": "SNAIL"})", "value-error/option-value");
        row(R"({"selection_order": 2})", "type-error/option-type");
        row(R"({"auto_select_ipus": [1, "2"]})", "type-error/option-type");
        row(R"({"auto_select_ipus": 0})", "value-error/option-value");
        row(R"({"select_ipus": 1e300})", "value-error/option-value");
        row(R"({"matmuls.poplar_options": "half"})", "type-error/option-type");
        row(R"({"matmuls.poplar_options": {"availableMemoryProportion": "2"}})", "value-error/poplar-option");
        row(R"({"matmuls.poplar_options": {"availableMemoryProportion": " 0.6"}})",
            "value-error/poplar-option");
        row(R"({"matmuls.poplar_options": {"availableMemoryProportion": "0x1p-1"}})",
            "value-error/poplar-option");
        row(R"({"convolutions.poplar_options": {"availableMemoryProportion": "0.6x"}})",
            "value-error/poplar-option");
        row(R"({"matmuls.poplar_options": {"partialsType": ["half"]}})", "project/wrong-type");
    }

    void refusesValuesOfTheWrongType() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);
        const auto findings = findingsOf(text.constData());
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(findings[0].code, code.toStdString());
        QVERIFY(!findings[0].hints.empty());
    }

    void readsEnumerationsWithOrWithoutTheirClass() {
        core::Diagnostics findings;
        const core::IpuConfig config = core::readIpuConfig(
            Json::parse(
                R"({"selection_order": "SelectionOrder.HOOF", "scheduling.algorithm": "CLUSTERING"})"),
            "p", "", findings);
        QVERIFY(findings.empty());
        QCOMPARE(core::optionText(config, "selection_order"), std::string("HOOF"));
        QCOMPARE(core::optionText(config, "scheduling.algorithm"), std::string("CLUSTERING"));
    }

    void answersDefaultsWhereNothingIsSet() {
        const core::IpuConfig config;
        QCOMPARE(core::optionIsOn(config, "optimizations.prefetch_data_streams"), true);
        QCOMPARE(core::optionInteger(config, "optimizations.minimum_remote_tensor_size"), std::int64_t{128});
        QCOMPARE(core::optionNumber(config, "io_tiles.available_memory_proportion"), 0.9);
        QVERIFY(!core::poplarOption(config, "matmuls.poplar_options", "partialsType"));
    }

    void readsPoplarNumbersAsText() {
        core::Diagnostics findings;
        const core::IpuConfig config = core::readIpuConfig(
            Json::parse(R"({"matmuls.poplar_options": {"availableMemoryProportion": 0.3}})"), "p", "",
            findings);
        QCOMPARE(
            core::poplarOption(config, "matmuls.poplar_options", "availableMemoryProportion").value_or(""),
            std::string("0.3"));
    }

    void tellsThePlannerWhatPoplarOptionsSay() {
        const core::PoplarPlanHints hints =
            core::planHints(core::PoplarOperation::MatMul, {{"availableMemoryProportion", "0.25"},
                                                            {"partialsType", "half"},
                                                            {"use128BitConvUnitLoad", "true"},
                                                            {"inputRHSIsPreArranged", "true"}});
        QVERIFY(hints == (core::PoplarPlanHints{0.25, core::DataType::Float16, true}));
        using enum core::PoplarOperation;
        const core::PoplarFlags least{{"planMinimisationTarget", "memory"}};
        QVERIFY(core::planHints(Slice, least).availableMemoryProportion == 0.0);
        QVERIFY(core::planHints(Slice, {{"planMinimisationTarget", "cycles"}}) == core::PoplarPlanHints());
        // Of a product the option is unknown, as the warning says.
        QVERIFY(core::planHints(MatMul, least) == core::PoplarPlanHints());
    }

    void theCompilerKnowsTheNamesOfTheTable() {
        using core::ipu_config_rows::option;
        static_assert(option("allow_recompute").type == core::OptionType::Switch);
        static_assert(option("floating_point_behaviour.esr").name == "floating_point_behaviour.esr");
        for (const core::IpuConfigOption& row : core::ipuConfigOptions())
            QVERIFY2(core::findIpuConfigOption(row.name) == &row, row.name.data());
    }

    void warnsOfAnUnknownPoplarOption() {
        const auto findings =
            findingsOf(R"({"matmuls.poplar_options": {"availableMemoryProportions": "0.3"}})");
        QVERIFY(findings[0].severity == core::Severity::Warning);
        QCOMPARE(findings[0].hints[0], std::string("did you mean \"availableMemoryProportion\"?"));
    }

    void turnsOnEveryBehaviourWithSetAll() {
        core::IpuConfig config;
        QVERIFY(!core::floatingPointBehaviourIsOn(config, "esr"));
        config.values["floating_point_behaviour.set_all"] = true;
        QVERIFY(core::floatingPointBehaviourIsOn(config, "esr"));
    }
};

REGISTER_TEST("ipu_config_table", IpuConfigTableTest)
#include "ipu_config_table_test.moc"
