#include "simulator/compiler/executable_file.h"

#include "core/base/cbor.h"
#include "core/base/fingerprint.h"
#include "core/base/version.h"
#include "core/config/device_connection.h"
#include "core/interchange/project/project_file.h"
#include "core/profile/records/project_difference.h"
#include "core/profile/records/run_records.h"
#include "core/project/options/option_table.h"
#include "core/project/run_figures.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "simulator/cost/cost_model_version.h"
#include "simulator/target/target_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {

namespace {

using core::Json;

constexpr std::string_view magic = "ipu-workbench-executable\n";
constexpr std::size_t fingerprintLength = 32;

core::Diagnostic trouble(std::string code, std::string message, std::string hint, std::string file = {}) {
    return core::makeError(core::Trouble::Input, std::move(code), {std::move(file), {}}, std::move(message),
                           {std::move(hint)});
}

// --- plans and orders -------------------------------------------------------------------------------------

Json toJson(const OperationPlan& plan) {
    Json split = Json::array();
    for (const auto& [name, count] : plan.split)
        split.push_back({name, count});
    return Json::array(
        {plan.tilesUsed, plan.compute.value(), plan.exchange.value(), plan.sync.value(),
         plan.overhead.value(), plan.supersteps, plan.flops.value(), plan.exchangeBytes.value(),
         plan.temporaryPerTile.value(), plan.vertexCodePerTile.value(), plan.vertexStatePerTile.value(),
         plan.exchangeCodePerTile.value(), plan.controlCodePerTile.value(), plan.codelets, std::move(split)});
}

OperationPlan planFrom(const Json& json) {
    const auto number = [&](std::size_t at) { return json.at(at).get<std::int64_t>(); };
    OperationPlan plan;
    plan.tilesUsed = number(0);
    plan.compute = core::Cycles(number(1));
    plan.exchange = core::Cycles(number(2));
    plan.sync = core::Cycles(number(3));
    plan.overhead = core::Cycles(number(4));
    plan.supersteps = number(5);
    plan.flops = core::Flops(number(6));
    plan.exchangeBytes = core::Bytes(number(7));
    plan.temporaryPerTile = core::Bytes(number(8));
    plan.vertexCodePerTile = core::Bytes(number(9));
    plan.vertexStatePerTile = core::Bytes(number(10));
    plan.exchangeCodePerTile = core::Bytes(number(11));
    plan.controlCodePerTile = core::Bytes(number(12));
    plan.codelets = json.at(13).get<std::vector<std::string>>();
    for (const Json& part : json.at(14))
        plan.split.emplace_back(part.at(0).get<std::string>(), part.at(1).get<std::int64_t>());
    return plan;
}

/// Weight gradients of their own are last and only where there are any.
constexpr std::array programs{&StageOrders::forward, &StageOrders::recompute, &StageOrders::backward,
                              &StageOrders::weightUpdate, &StageOrders::weightGradient};

Json toJson(const StageOrders& orders) {
    Json json = Json::array();
    for (const auto program : programs) {
        if (program == programs.back() && (orders.*program).empty())
            break;
        Json& list = json.emplace_back(Json::array());
        for (const core::OperationId operation : orders.*program)
            list.push_back(operation.index());
    }
    return json;
}

StageOrders ordersFrom(const Json& json, std::size_t operations) {
    StageOrders orders;
    const bool isSplit = json.size() >= programs.size();
    for (std::size_t program = 0; program + (isSplit ? 0 : 1) < programs.size(); ++program)
        for (const Json& operation : json.at(program)) {
            const auto index = operation.get<std::size_t>();
            if (index < operations)
                (orders.*programs[program]).emplace_back(index);
        }
    return orders;
}

// --- reading ----------------------------------------------------------------------------------------------

core::Result<StoredExecutable> storedFrom(const Json& json, const std::string& file) {
    StoredExecutable stored;
    stored.programVersion = json.at("program_version").get<std::string>();
    stored.costModelVersion = json.at("cost_model_version").get<std::string>();
    if (json.at("version") != executableFileVersion || stored.programVersion != core::programVersion ||
        stored.costModelVersion != costModelVersion)
        return core::failure(trouble(
            "executable/version",
            fmt::format("made by version {} with cost model {}; this is version {} with cost model {}",
                        stored.programVersion, stored.costModelVersion, core::programVersion,
                        costModelVersion),
            "compile the project again", file));
    stored.mode = static_cast<core::RunMode>(json.at("mode").get<std::size_t>() % core::runModeCount);
    auto project = core::readProjectDocument(json.at("project"), file);
    if (!project)
        return core::failure(std::move(project.error()));
    stored.project = std::move(project->project);
    stored.target = json.at("target");
    for (const Json& plan : json.at("plans"))
        stored.parts.plans.push_back(planFrom(plan));
    for (const Json& orders : json.at("orders"))
        stored.parts.orders.push_back(ordersFrom(orders, stored.parts.plans.size()));
    return stored;
}

// --- differences ------------------------------------------------------------------------------------------

/// The project without what an executable does not depend on. Of the connection to the device it depends on
/// what that lets the compiler know of it: whether there is remote memory.
std::string textForComparison(core::Project project) {
    const bool hasRemoteMemory = core::runFigures(project, core::RunMode::Train, {}).hasRemoteMemory;
    project.ipuConfig = core::withoutConnection(std::move(project.ipuConfig));
    Json json = core::toJson(project);
    json["system"]["remote_memory"] = hasRemoteMemory;
    json.erase("canvas");
    json.erase("name");
    if (const auto training = json.find("training"); training != json.end()) {
        // Weights of samples are a tensor of the program; whose they are is not part of it.
        const Json data = training->value("dataset", Json::object());
        if (data.contains("sample_weights") || data.contains("class_weights"))
            (*training)["weighs_samples"] = true;
        for (const char* key : {"dataset", "validation_dataset"})
            training->erase(key);
        for (const core::ProjectOption* option : core::projectOptionsInFileOrder("training"))
            if (!option->file.isCompiledIn)
                training->erase(std::string(option->key()));
    }
    return core::toText(json);
}

std::string settingText(const std::optional<std::string>& value) {
    return value.value_or("its default");
}

core::Diagnostics differences(const core::Project& stored, const core::Project& wanted) {
    core::Diagnostics findings;
    const core::ProjectDifference difference =
        core::differenceOf(textForComparison(stored), textForComparison(wanted));
    for (const core::OptionDifference& option : difference.options)
        findings.push_back(
            trouble("executable/options",
                    fmt::format("{} is {} in the executable and {} in the project", option.path,
                                settingText(option.before), settingText(option.after)),
                    "compile the project again"));
    for (const core::LayerDifference& layer : difference.layers)
        findings.push_back(
            trouble("executable/model",
                    fmt::format("layer {} is {}{}{}", layer.layer, core::toString(layer.change),
                                layer.attribute.empty() ? "" : ": ", layer.attribute),
                    "compile the project again"));
    if (stored.assignment.stages != wanted.assignment.stages)
        findings.push_back(
            trouble("executable/model", "layers are on other stages", "compile the project again"));
    return findings;
}

core::Diagnostics targetDifferences(const Json& before, const Json& after) {
    core::Diagnostics findings;
    for (const auto& [figure, value] : before.items())
        if (!after.contains(figure) || after.at(figure) != value)
            findings.push_back(trouble("executable/target",
                                       fmt::format("{} of the target is {} in the executable and {} now",
                                                   figure, value.dump(), after.value(figure, Json()).dump()),
                                       "compile the project again for this target"));
    return findings;
}

} // namespace

std::string writeExecutable(const Executable& executable) {
    Json json = {{"version", executableFileVersion},
                 {"program_version", core::programVersion},
                 {"cost_model_version", costModelVersion},
                 {"mode", static_cast<std::size_t>(executable.project.mode())},
                 {"project", core::toJson(executable.project.project())},
                 {"target", toJson(executable.system.target)},
                 {"plans", Json::array()},
                 {"orders", Json::array()}};
    for (const OperationPlan& plan : executable.plans)
        json["plans"].push_back(toJson(plan));
    for (const StageOrders& orders : executable.orders)
        json["orders"].push_back(toJson(orders));
    const std::vector<std::uint8_t> body = Json::to_cbor(json);
    const std::string bytes(body.begin(), body.end());
    return std::string(magic) + core::fingerprint(bytes) + bytes;
}

core::Result<StoredExecutable> readExecutable(std::string_view content, const std::string& file) {
    const auto refuse = [&](std::string_view what) {
        return core::failure(
            trouble("executable/format", std::string(what), "give a file that `compile` has written", file));
    };
    if (!content.starts_with(magic) || content.size() < magic.size() + fingerprintLength)
        return refuse("this is no executable");
    const std::string_view mark = content.substr(magic.size(), fingerprintLength);
    const std::string_view body = content.substr(magic.size() + fingerprintLength);
    if (core::fingerprint(body) != mark)
        return refuse("the executable is damaged: its content does not match its fingerprint");
    const auto json = core::parseCbor(body, file);
    if (!json)
        return core::failure(json.error());
    try {
        return storedFrom(*json, file);
    } catch (const Json::exception&) {
        return refuse("the executable is damaged");
    }
}

core::Result<Executable> loadExecutable(const StoredExecutable& stored, const core::ValidatedProject& project,
                                        const std::filesystem::path& folder, const core::JobContext& job) {
    const auto system = systemOf(project, folder);
    if (!system)
        return core::failure(system.error());
    core::Diagnostics findings = differences(stored.project, project.project());
    if (stored.mode != project.mode())
        findings.push_back(trouble("executable/mode",
                                   fmt::format("compiled to {}, not to {}", core::toString(stored.mode),
                                               core::toString(project.mode())),
                                   "compile the project for this mode"));
    for (core::Diagnostic& finding : targetDifferences(stored.target, toJson(system->target)))
        findings.push_back(std::move(finding));
    if (!findings.empty())
        return core::failure(std::move(findings));
    auto graph = buildTrainingGraph(project);
    if (!graph)
        return core::failure(std::move(graph.error()));
    auto pipeline = compileGraph(std::move(*graph), compileOptions(project), *system, stored.parts, job);
    if (!pipeline)
        return core::failure(std::move(pipeline.error()));
    return Executable{std::move(*pipeline), project};
}

} // namespace simulator
