#include "core/interchange/project/project_file.h"
#include "core/interchange/python/writer/program_writer.h"
#include "core/model/graph/model_builder.h"
#include "core/project/options/option_table.h"
#include "core/project/project_setting.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>
#include <map>
#include <set>

using core::Json;
using Type = core::ProjectOptionType;

namespace {

core::Project smallest() {
    core::Project project;
    project.name = "options";
    project.model = core::sequentialModel("options", {1}, {{"Dense", "dense", {{"units", 1}}}});
    return project;
}

/// Most options are of training.
core::Project trained(core::Project project) {
    if (project.training.losses.empty())
        project.training.losses.push_back({"MeanSquaredError", Json::object()});
    return project;
}

core::Result<core::ProjectFile> with(std::string_view path, const Json& value) {
    auto applied = core::withSettings(core::toJson(smallest()), {{std::string(path), value}});
    if (!applied)
        return core::failure(applied.error());
    return core::readProjectDocument(applied->project, "options.ipuproj");
}

const Json* valueAt(const Json& document, std::string_view path) {
    std::string pointer = "/" + std::string(path);
    std::ranges::replace(pointer, '.', '/');
    const Json::json_pointer at(pointer);
    return document.contains(at) ? &document[at] : nullptr;
}

/// A value other than the default.
Json otherValue(const core::ProjectOption& option) {
    static const std::map<std::string_view, Json> objects{
        {"pipeline.outfeed_mask", Json::array({true})},
        {"pipeline.recompute_stages", Json::array({0})},
        {"pipeline.offload_stages", Json::array({0})},
        {"pipeline.forward_propagation_stages_poplar_options",
         Json::array({{{"matmul_options", {{"partialsType", "half"}}}}})},
        {"pipeline.backward_propagation_stages_poplar_options",
         Json::array({{{"matmul_options", {{"partialsType", "half"}}}}})},
        {"pipeline.weight_update_poplar_options", {{"matmul_options", {{"partialsType", "half"}}}}},
        {"training.synthetic_data", Json::array({"infeed"})},
    };
    const Json preset = core::defaultValue(option);
    switch (option.type) {
    case Type::Switch:
    case Type::OptionalSwitch:
        return preset != true;
    case Type::Integer:
        return static_cast<std::int64_t>(std::max(option.range.low, 7.0));
    case Type::Number:
        return (option.range.low + option.range.high) / 4;
    case Type::Text:
        return "some text";
    case Type::Choice:
    case Type::OpenChoice:
        return option.range.choices.front() == preset ? option.range.choices.back()
                                                      : option.range.choices.front();
    case Type::Integers:
        return Json::array({0});
    case Type::Json:
        return objects.at(option.path);
    }
    return {};
}

} // namespace

class OptionTableTest : public QObject {
    Q_OBJECT

private slots:
    void everyOptionHasAllItsParts() {
        std::set<std::string_view> paths;
        for (const core::ProjectOption& option : core::projectOptions()) {
            QVERIFY2(paths.insert(option.path).second, option.path.data());
            QVERIFY2(!option.documentation.empty() && !option.effectText.empty(), option.path.data());
            QVERIFY2(!option.section.empty() && !option.label.empty(), option.path.data());
            QVERIFY2(option.field.read != nullptr && option.field.value != nullptr, option.path.data());
            const Json preset = core::defaultValue(option);
            const bool isChoice = option.type == Type::Choice || option.type == Type::OpenChoice;
            QVERIFY2(isChoice == !option.range.choices.empty(), option.path.data());
            QVERIFY2(!isChoice || preset.is_null() ||
                         std::ranges::find(option.range.choices, preset.get<std::string>()) !=
                             option.range.choices.end(),
                     option.path.data());
            QVERIFY2(core::findProjectOption(option.path) == &option, option.path.data());
        }
    }

    /// The older pipeline() takes 26 arguments; those that are no options (stages, inputs, queues, the
    /// optimizer's function) stand at 0 and 5 to 8.
    void theArgumentsOfTheOlderPipelineCallAreRows() {
        std::set<std::size_t> positions{0, 5, 6, 7, 8};
        for (const core::ProjectOption& option : core::projectOptions())
            if (const auto position = option.python.pipelinePosition)
                QVERIFY2(positions.insert(*position).second, option.path.data());
        QCOMPARE(positions.size(), std::size_t{26});
        QCOMPARE(*positions.rbegin(), std::size_t{25});
        QCOMPARE(core::projectOption("pipeline.gradient_accumulation_steps_per_replica").olderKeyword(),
                 std::string_view("gradient_accumulation_count"));
        QCOMPARE(core::projectOption("pipeline.schedule").olderKeyword(),
                 std::string_view("pipeline_schedule"));
        QCOMPARE(core::projectOption("pipeline.outfeed_mask").olderKeyword(),
                 std::string_view("outfeed_mask"));
    }

    void everyDefaultIsThatOfTheReader() {
        const Json plain = core::toJson(smallest());
        for (const core::ProjectOption& option : core::projectOptions()) {
            const Json preset = core::defaultValue(option);
            if (preset.is_null())
                continue;
            const auto file = with(option.path, preset);
            QVERIFY2(file, file ? "" : core::toText(file.error().front()).c_str());
            QVERIFY2(core::toJson(file->project) == plain, option.path.data());
        }
    }

    void everyOptionIsReadAndWritten() {
        for (const core::ProjectOption& option : core::projectOptions()) {
            const Json value = otherValue(option);
            const auto file = with(option.path, value);
            QVERIFY2(file, file ? "" : core::toText(file.error().front()).c_str());
            const Json written = core::toJson(file->project);
            const Json* back = valueAt(written, option.path);
            QVERIFY2(back != nullptr, option.path.data());
            const bool isSame =
                value.is_number() ? back->get<double>() == value.get<double>() : *back == value;
            QVERIFY2(isSame, option.path.data());
        }
    }

    void everyOptionIsWrittenOnceInAFile() {
        std::set<std::pair<std::string_view, int>> places;
        for (const core::ProjectOption& option : core::projectOptions()) {
            const bool isNew = option.file.place == core::OptionPlace{}.place;
            QVERIFY2(isNew || places.emplace(option.parent(), option.file.place).second, option.path.data());
            const auto ordered = core::projectOptionsInFileOrder(option.parent());
            QCOMPARE(std::ranges::count(ordered, &option), 1);
        }
    }

    void everyOptionWithAWordInPythonIsInTheProgram() {
        // Schedules of other systems, a share of samples that fit() takes of arrays only, and what Keras
        // decides by itself of the outfeed.
        const std::set<std::string_view> refusedIn24{"pipeline.schedule", "training.validation_split",
                                                     "pipeline.outfeed_loss", "pipeline.outfeed_mask"};
        for (const core::PythonApi api : {core::PythonApi::TensorFlow24, core::PythonApi::TensorFlow21})
            for (const core::ProjectOption& option : core::projectOptions()) {
                const bool isOld = api == core::PythonApi::TensorFlow21;
                const core::PythonSpelling& python =
                    isOld && option.olderPython ? *option.olderPython : option.python;
                if (python.site == core::PythonSite::None)
                    continue;
                const auto file = with(option.path, otherValue(option));
                QVERIFY2(file, option.path.data());
                // Most options of the pipeline need stages; Keras sets repeat_count itself.
                core::Project project = trained(file->project);
                if (option.parent() == "pipeline")
                    project.assignment.stages = {core::StageId(0)};
                if (option.path == "pipeline.repeat_count")
                    continue;
                // Without metrics the loss is all that Keras gives to the host.
                if (option.path == "pipeline.outfeed_loss")
                    project.training.metrics.push_back({"accuracy"});
                const auto program = core::writeProgramText(project, api);
                if (!program) { // what an edition has no word for is refused at its place
                    std::string place = "/" + std::string(option.path);
                    std::ranges::replace(place, '.', '/');
                    QCOMPARE(program.error().front().location.place, place);
                    QVERIFY2(isOld || refusedIn24.contains(option.path), option.path.data());
                    continue;
                }
                const bool isStatement = python.site == core::PythonSite::BeforeCompile ||
                                         python.site == core::PythonSite::AfterCompile;
                const std::string_view keyword = python.keyword.empty() ? option.key() : python.keyword;
                const std::string word = isStatement
                                             ? std::string(python.text.substr(0, python.text.find('{')))
                                             : std::string(keyword) + "=";
                QVERIFY2(program->find(word) != std::string::npos, option.path.data());
                // Left out, the models of TensorFlow 2.1 run all steps of an epoch at once; samples that are
                // made up have no end, so an epoch always says its own.
                if ((isOld && option.path == "training.steps_per_execution") ||
                    option.path == "training.steps_per_epoch")
                    continue;
                const auto plain = core::writeProgramText(trained(smallest()), api);
                QVERIFY2(plain && plain->find(word) == std::string::npos, option.path.data());
            }
    }

    void whatIsOutsideTheLimitsIsRefused() {
        for (const core::ProjectOption& option : core::projectOptions()) {
            const bool isNumber = option.type == Type::Integer || option.type == Type::Number;
            if (isNumber && std::isfinite(option.range.low))
                QVERIFY2(!with(option.path, static_cast<std::int64_t>(option.range.low) - 1),
                         option.path.data());
            if (isNumber && std::isfinite(option.range.high))
                QVERIFY2(!with(option.path, static_cast<std::int64_t>(option.range.high) + 1),
                         option.path.data());
            if (option.type == Type::Choice)
                QVERIFY2(!with(option.path, "no such choice"), option.path.data());
            if (option.type == Type::Switch || option.type == Type::OptionalSwitch)
                QVERIFY2(!with(option.path, "yes"), option.path.data());
        }
    }
};

REGISTER_TEST("option_table", OptionTableTest)
#include "option_table_test.moc"
