#include "simulator/cost/query/cost_query.h"

#include "core/text/nearest_name.h"
#include "simulator/cost/convolution_plan.h"
#include "simulator/cost/query/cost_arguments.h"
#include "simulator/cost/query/query_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace simulator {

namespace {

using core::Json;

const std::vector<PricedOperation>& pricedOperations() {
    static const std::vector<PricedOperation> operations = [] {
        std::vector<PricedOperation> all;
        for (auto group : {vertexAndProgramOperations, plannedOperations, communicationOperations})
            for (PricedOperation& operation : group())
                all.push_back(std::move(operation));
        return all;
    }();
    return operations;
}

const PricedOperation* findOperation(std::string_view name) {
    const auto found = std::ranges::find_if(pricedOperations(), [&](const PricedOperation& operation) {
        return operation.description.name == name;
    });
    return found == pricedOperations().end() ? nullptr : &*found;
}

core::Diagnostic unknownOperation(const std::string& name) {
    std::vector<std::string> names;
    for (const PricedOperation& operation : pricedOperations())
        names.push_back(operation.description.name);
    std::vector<std::string> hints;
    if (const auto nearest = core::nearestName(name, names))
        hints.push_back(fmt::format("did you mean \"{}\"?", *nearest));
    hints.emplace_back("`cost --list` names the operations and their keys");
    return costFinding("cost/unknown-operation", "", fmt::format("there is no operation \"{}\"", name),
                       std::move(hints));
}

core::Diagnostic unknownKey(const CostOperation& operation, const std::string& key) {
    std::vector<std::string> names;
    for (const CostKey& known : operation.keys)
        names.emplace_back(known.name);
    std::vector<std::string> hints;
    if (const auto nearest = core::nearestName(key, names))
        hints.push_back(fmt::format("did you mean \"{}\"?", *nearest));
    hints.push_back(fmt::format("keys of {}: {}", operation.name, fmt::join(names, ", ")));
    return costFinding("cost/unknown-key", key, fmt::format("{} has no key \"{}\"", operation.name, key),
                       std::move(hints));
}

bool isWhole(const Json& value) {
    constexpr double exact = 9007199254740992.0;
    return value.is_number_integer() ||
           (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>() &&
            std::abs(value.get<double>()) <= exact);
}

bool liesIn(const CostKey& key, const Json& value) {
    const double number = value.get<double>();
    return number >= key.low && number <= key.high;
}

bool isWholeIn(const CostKey& key, const Json& value) {
    return isWhole(value) && liesIn(key, value);
}

/// "128x1024" as a list of whole numbers; anything else as it is.
Json withListsRead(const CostKey& key, const Json& value) {
    if (!value.is_string() || (key.kind != CostKeyKind::WindowSize && key.kind != CostKeyKind::IntegerList))
        return value;
    Json list = Json::array();
    std::string_view rest = value.get_ref<const std::string&>();
    while (!rest.empty()) {
        const std::size_t end = rest.find_first_of("x,");
        const Json entry = Json::parse(rest.substr(0, end), nullptr, false);
        if (!isWhole(entry))
            return value;
        list.push_back(entry);
        rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    }
    return list;
}

/// What is wrong with a value of a key; empty when nothing is.
std::string complaint(const CostKey& key, const Json& value) {
    const auto range = [&] { return fmt::format("from {} to {}", key.low, key.high); };
    const auto allIn = [&] {
        return value.is_array() && !value.empty() &&
               std::ranges::all_of(value, [&](const Json& entry) { return isWholeIn(key, entry); });
    };
    switch (key.kind) {
    case CostKeyKind::Integer:
        return isWholeIn(key, value) ? "" : "a whole number " + range();
    case CostKeyKind::Number:
        return value.is_number() && liesIn(key, value) ? "" : "a number " + range();
    case CostKeyKind::Switch:
        return value.is_boolean() ? "" : "true or false";
    case CostKeyKind::Choice:
        return value.is_string() &&
                       std::ranges::find(key.choices, value.get<std::string>()) != key.choices.end()
                   ? ""
                   : fmt::format("one of {}", fmt::join(key.choices, ", "));
    case CostKeyKind::Type:
        return value.is_string() && core::dataTypeFromName(value.get<std::string>())
                   ? ""
                   : "an element type such as float16 or float32";
    case CostKeyKind::WindowSize:
        return isWholeIn(key, value) || (allIn() && value.size() <= 3)
                   ? ""
                   : "a whole number or up to three of them (3x3) " + range();
    case CostKeyKind::IntegerList:
        return isWholeIn(key, value) || allIn() ? "" : "whole numbers joined by x (128x1024) " + range();
    case CostKeyKind::Text:
        break;
    }
    return "";
}

Json defaultOf(const CostKey& key) {
    const Json parsed = Json::parse(key.defaultValue, nullptr, false);
    return parsed.is_discarded() ? Json(std::string(key.defaultValue)) : parsed;
}

using Values = std::map<std::string, Json, std::less<>>;

/// Checked values of all keys, defaults filled in; findings for whatever is wrong.
Values readValues(const CostOperation& operation, const Json& arguments, core::Diagnostics& findings) {
    Values values;
    for (const auto& [name, value] : arguments.items())
        if (std::ranges::find(operation.keys, name, &CostKey::name) == operation.keys.end())
            findings.push_back(unknownKey(operation, name));
    for (const CostKey& key : operation.keys) {
        const std::string name(key.name);
        const bool given = arguments.contains(name);
        if (!given && key.defaultValue.empty()) {
            findings.push_back(
                costFinding("cost/missing-key", name,
                            fmt::format("{} needs \"{}\" ({})", operation.name, name, key.meaning),
                            {fmt::format("write {}=VALUE", name)}));
            continue;
        }
        const Json value = withListsRead(key, given ? arguments.at(name) : defaultOf(key));
        if (const std::string wanted = complaint(key, value); !wanted.empty())
            findings.push_back(costFinding("cost/wrong-value", name,
                                           fmt::format("\"{}\" cannot be {}", name, core::toText(value, -1)),
                                           {fmt::format("give {}", wanted)}));
        else
            values.emplace(name, value);
    }
    return values;
}

} // namespace

core::Diagnostic costFinding(std::string code, std::string key, std::string message,
                             std::vector<std::string> hints) {
    return core::makeError(core::Trouble::Usage, std::move(code), {"", std::move(key)}, std::move(message),
                           std::move(hints));
}

std::int64_t CostArguments::tiles() const {
    const std::int64_t all = std::max<std::int64_t>(target().tiles, 1);
    std::int64_t wanted = m_query.tiles;
    if (const auto found = m_values.find("tiles"); found != m_values.end() && found->second.is_number())
        wanted = integer("tiles");
    return wanted > 0 ? std::min(wanted, all) : all;
}

std::int64_t CostArguments::integer(std::string_view key) const {
    const Json& value = m_values.find(key)->second;
    return value.is_number_float() ? static_cast<std::int64_t>(value.get<double>())
                                   : value.get<std::int64_t>();
}

double CostArguments::number(std::string_view key) const {
    return m_values.find(key)->second.get<double>();
}

bool CostArguments::isOn(std::string_view key) const {
    return m_values.find(key)->second.get<bool>();
}

std::string CostArguments::text(std::string_view key) const {
    const Json& value = m_values.find(key)->second;
    return value.is_string() ? value.get<std::string>() : value.dump();
}

core::DataType CostArguments::type(std::string_view key) const {
    return core::dataTypeFromName(text(key)).value_or(core::DataType::Float32);
}

std::vector<std::int64_t> CostArguments::window(std::string_view key, std::size_t axes) const {
    std::vector<std::int64_t> entries = integers(key);
    entries.resize(axes, entries.empty() ? 1 : entries.back());
    return entries;
}

std::vector<std::int64_t> CostArguments::integers(std::string_view key) const {
    const Json& value = m_values.find(key)->second;
    if (!value.is_array())
        return {integer(key)};
    std::vector<std::int64_t> entries;
    for (const Json& entry : value)
        entries.push_back(static_cast<std::int64_t>(entry.get<double>()));
    return entries;
}

void addRates(CostAnswer& answer, const IpuTarget& target, core::DataType type) {
    answer.target = target.name;
    const auto cycles = static_cast<double>(answer.cycles.value());
    answer.timeNs = cycles / target.clockHz * 1e9;
    const auto flops = static_cast<double>(answer.flops.value());
    answer.flopsPerSecond = cycles > 0 ? flops / cycles * target.clockHz : 0;
    const double peak = core::real(target.peakPerTileCycle(core::elementBytes(type)).value()) *
                        core::real(target.tiles) * target.clockHz;
    answer.fractionOfPeak = answer.flopsPerSecond / peak;
}

CostAnswer answerOf(const OperationPlan& plan, const IpuTarget& target, core::DataType type) {
    CostAnswer answer;
    answer.tilesUsed = plan.tilesUsed;
    answer.cycles = plan.total();
    answer.compute = plan.compute;
    answer.exchange = plan.exchange;
    answer.sync = plan.sync;
    answer.flops = plan.flops;
    answer.temporaryPerTile = plan.temporaryPerTile;
    answer.vertexCodePerTile = plan.vertexCodePerTile;
    answer.vertexStatePerTile = plan.vertexStatePerTile;
    answer.exchangeCodePerTile = plan.exchangeCodePerTile;
    answer.controlCodePerTile = plan.controlCodePerTile;
    answer.details = {{"supersteps", static_cast<double>(plan.supersteps)},
                      {"superstep_overhead_cycles", static_cast<double>(plan.overhead.value())},
                      {"exchange_bytes", static_cast<double>(plan.exchangeBytes.value())}};
    for (const auto& [name, value] : plan.split)
        answer.plan.emplace_back(name, static_cast<double>(value));
    addRates(answer, target, type);
    return answer;
}

std::optional<double> CostAnswer::metric(std::string_view name) const {
    // Calibration cases leave out the unit of times.
    for (const auto& [key, value] : details)
        if (key == name || key == std::string(name) + "_s")
            return value;
    const std::array<std::pair<std::string_view, core::Cycles>, 6> fields{
        std::pair{"cycles", cycles}, {"tile_cycles", compute},      {"total_cycles", cycles},
        {"compute_cycles", compute}, {"exchange_cycles", exchange}, {"sync_cycles", sync}};
    for (const auto& [key, value] : fields)
        if (key == name)
            return static_cast<double>(value.value());
    return std::nullopt;
}

std::span<const CostOperation> costOperations() {
    static const std::vector<CostOperation> descriptions = [] {
        std::vector<CostOperation> all;
        for (const PricedOperation& operation : pricedOperations())
            all.push_back(operation.description);
        return all;
    }();
    return descriptions;
}

core::Result<Json> readCostArguments(std::span<const std::string> texts) {
    Json arguments = Json::object();
    core::Diagnostics findings;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            findings.push_back(costFinding("cost/not-a-pair", text,
                                           fmt::format("\"{}\" is no KEY=VALUE", text),
                                           {"write for example elements=1048576"}));
            continue;
        }
        const std::string key = text.substr(0, equals);
        if (arguments.contains(key))
            findings.push_back(
                costFinding("cost/repeated-key", key, fmt::format("\"{}\" is given twice", key), {}));
        const std::string value = text.substr(equals + 1);
        const Json parsed = Json::parse(value, nullptr, false);
        arguments[key] = parsed.is_discarded() ? Json(value) : parsed;
    }
    if (hasErrors(findings))
        return core::failure(findings);
    return arguments;
}

core::FigureClass figureClass(std::string_view name) {
    CostQuery query;
    query.operation = name;
    const PricedOperation* operation = findOperation(withKnownNames(query).operation);
    if (operation == nullptr)
        return core::FigureClass::Operation;
    const CostOperation& known = operation->description;
    return known.name == "amp_conv1x1"                      ? core::FigureClass::Vertex
           : known.name == "conv" || known.name == "matmul" ? core::FigureClass::Product
           : known.group == "vertex and program"            ? core::FigureClass::Program
                                                            : core::FigureClass::Operation;
}

core::Result<CostAnswer> queryCost(const CostQuery& asked) {
    const CostQuery query = withKnownNames(asked);
    const PricedOperation* operation = findOperation(query.operation);
    if (operation == nullptr)
        return core::failure(unknownOperation(query.operation));
    core::Diagnostics findings;
    const Values values = readValues(operation->description, query.arguments, findings);
    if (hasErrors(findings))
        return core::failure(findings);
    auto answer = operation->price(CostArguments(query, values), operation->description);
    if (answer) {
        answer->operation = query.operation;
        answer->interval = query.target.intervals.of(figureClass(query.operation));
    }
    return answer;
}

Json toJson(const CostAnswer& answer) {
    const auto listed = [](const std::vector<std::pair<std::string, double>>& entries) {
        Json object = Json::object();
        for (const auto& [name, value] : entries) {
            if (std::floor(value) == value && std::abs(value) < 1e15)
                object[name] = static_cast<std::int64_t>(value);
            else
                object[name] = value;
        }
        return object;
    };
    Json json;
    json["schema"] = "ipu-workbench/cost";
    json["version"] = 1;
    json["operation"] = answer.operation;
    json["target"] = answer.target;
    json["tiles_used"] = answer.tilesUsed;
    json["cycles"] = answer.cycles.value();
    json["compute_cycles"] = answer.compute.value();
    json["exchange_cycles"] = answer.exchange.value();
    json["sync_cycles"] = answer.sync.value();
    json["time_ns"] = std::llround(std::min(answer.timeNs, 9e18));
    const auto bound = [](double figure, double factor) {
        return std::llround(std::min(figure * factor, 9e18));
    };
    const core::PredictionInterval& interval = answer.interval;
    const auto cycles = core::real(answer.cycles.value());
    json["intervals"] = {
        {"coverage", core::intervalCoverage},
        {"cycles", {bound(cycles, interval.low), bound(cycles, interval.high)}},
        {"time_ns", {bound(answer.timeNs, interval.low), bound(answer.timeNs, interval.high)}},
        {"class", core::toString(figureClass(answer.operation))},
        {"rows", interval.rows},
        {"own_rows", interval.ownRows}};
    json["flops"] = answer.flops.value();
    json["flops_per_second"] = answer.flopsPerSecond;
    json["fraction_of_peak"] = answer.fractionOfPeak;
    json["memory"] = {{"temporary_bytes_per_tile", answer.temporaryPerTile.value()},
                      {"vertex_code_bytes_per_tile", answer.vertexCodePerTile.value()},
                      {"vertex_state_bytes_per_tile", answer.vertexStatePerTile.value()},
                      {"exchange_code_bytes_per_tile", answer.exchangeCodePerTile.value()},
                      {"control_code_bytes_per_tile", answer.controlCodePerTile.value()}};
    json["plan"] = listed(answer.plan);
    if (const auto method = json["plan"].find("method"); method != json["plan"].end())
        *method = methodName(static_cast<ConvolutionMethod>(method->get<int>()));
    if (const auto swapped = json["plan"].find("swapOperands"); swapped != json["plan"].end())
        *swapped = *swapped == 1;
    json["details"] = listed(answer.details);
    return json;
}

} // namespace simulator
