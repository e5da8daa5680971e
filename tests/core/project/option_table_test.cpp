#include "core/interchange/project/project_file.h"
#include "core/model/graph/model_builder.h"
#include "core/project/option_table.h"
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
        {"pipeline.forward_propagation_stages_poplar_options",
         Json::array({{{"matmul_options", {{"partialsType", "half"}}}}})},
        {"pipeline.backward_propagation_stages_poplar_options",
         Json::array({{{"matmul_options", {{"partialsType", "half"}}}}})},
        {"pipeline.weight_update_poplar_options", {{"matmul_options", {{"partialsType", "half"}}}}},
        {"training.synthetic_data", Json::array({"infeed"})},
    };
    const Json preset = Json::parse(option.defaultText);
    switch (option.type) {
    case Type::Switch:
    case Type::OptionalSwitch:
        return preset != true;
    case Type::Integer:
        return static_cast<std::int64_t>(std::max(option.low, 7.0));
    case Type::Number:
        return (option.low + option.high) / 4;
    case Type::Text:
        return "some text";
    case Type::Choice:
    case Type::OpenChoice:
        return option.choices.front() == preset ? option.choices.back() : option.choices.front();
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
            const Json preset = Json::parse(option.defaultText, nullptr, false);
            QVERIFY2(!preset.is_discarded(), option.path.data());
            const bool isChoice = option.type == Type::Choice || option.type == Type::OpenChoice;
            QVERIFY2(isChoice == !option.choices.empty(), option.path.data());
            QVERIFY2(!isChoice || preset.is_null() ||
                         std::ranges::find(option.choices, preset.get<std::string>()) != option.choices.end(),
                     option.path.data());
            QVERIFY2(core::findProjectOption(option.path) == &option, option.path.data());
        }
    }

    void everyDefaultIsThatOfTheReader() {
        const Json plain = core::toJson(smallest());
        for (const core::ProjectOption& option : core::projectOptions()) {
            const Json preset = Json::parse(option.defaultText);
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

    void whatIsOutsideTheLimitsIsRefused() {
        for (const core::ProjectOption& option : core::projectOptions()) {
            const bool isNumber = option.type == Type::Integer || option.type == Type::Number;
            if (isNumber && std::isfinite(option.low))
                QVERIFY2(!with(option.path, static_cast<std::int64_t>(option.low) - 1), option.path.data());
            if (isNumber && std::isfinite(option.high))
                QVERIFY2(!with(option.path, static_cast<std::int64_t>(option.high) + 1), option.path.data());
            if (option.type == Type::Choice)
                QVERIFY2(!with(option.path, "no such choice"), option.path.data());
            if (option.type == Type::Switch || option.type == Type::OptionalSwitch)
                QVERIFY2(!with(option.path, "yes"), option.path.data());
        }
    }
};

REGISTER_TEST("option_table", OptionTableTest)
#include "option_table_test.moc"
