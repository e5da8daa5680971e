#include "tests/tools/oracle/oracle_case.h"

#include "core/base/file.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace oracles {
namespace {

using core::Json;

void flatten(const Json& json, std::vector<float>& values) {
    if (json.is_array()) {
        for (const Json& item : json)
            flatten(item, values);
    } else if (json.is_number()) {
        values.push_back(json.get<float>());
    } else if (json.is_boolean()) {
        values.push_back(json.get<bool>() ? 1 : 0);
    }
}

std::vector<float> floatsFromBase64(const std::string& text) {
    static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned buffer = 0;
    int bits = 0;
    for (const char c : text) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string::npos)
            continue;
        buffer = (buffer << 6 | static_cast<unsigned>(digit)) & 0xffffffU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>(buffer >> bits & 0xffU);
        }
    }
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

bool isCaseFile(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    return path.extension() == ".json" && name != "index.json" &&
           name.find("calibration") == std::string::npos;
}

core::Result<std::vector<std::filesystem::path>>
caseFiles(const std::vector<std::filesystem::path>& folders) {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (const fs::path& folder : folders) {
        std::error_code error;
        if (fs::is_regular_file(folder, error)) {
            files.push_back(folder);
            continue;
        }
        if (!fs::is_directory(folder, error)) {
            core::Diagnostic diagnostic;
            diagnostic.trouble = core::Trouble::World;
            diagnostic.code = "file/missing";
            diagnostic.location.file = folder.string();
            diagnostic.message = "there is no such folder";
            return core::failure(std::move(diagnostic));
        }
        for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
            if (entry.is_regular_file() && isCaseFile(entry.path()))
                files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

} // namespace

std::optional<Values> valuesFromJson(const Json& json) {
    if (!json.is_object() || !json.contains("shape") || !json.contains("data"))
        return std::nullopt;
    Values values;
    for (const Json& extent : json["shape"])
        values.form.extents.push_back(extent.get<std::int64_t>());
    values.form.type =
        core::dataTypeFromName(json.value("dtype", std::string("float32"))).value_or(core::DataType::Float32);
    if (json["data"].is_string())
        values.data = floatsFromBase64(json["data"].get<std::string>());
    else
        flatten(json["data"], values.data);
    if (static_cast<std::int64_t>(values.data.size()) != simulator::elementCount(values.form.extents))
        return std::nullopt;
    return values;
}

Tolerance toleranceOf(const Json& document) {
    Tolerance tolerance;
    const auto it = document.find("tolerance");
    if (it != document.end() && it->is_object()) {
        tolerance.rtol = it->value("rtol", tolerance.rtol);
        tolerance.atol = it->value("atol", tolerance.atol);
    }
    return tolerance;
}

void Verdict::compare(const std::string& what, const std::vector<float>& results,
                      const std::vector<float>& expected, const Tolerance& tolerance) {
    if (results.size() != expected.size()) {
        fail(what + " has " + std::to_string(results.size()) + " elements, expected " +
             std::to_string(expected.size()));
        return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        // Infinities and undefined values are expected as such.
        if (results[i] == expected[i] || (std::isnan(results[i]) && std::isnan(expected[i])))
            continue;
        const double error = std::abs(static_cast<double>(results[i]) - expected[i]);
        const double share = error / (tolerance.atol + tolerance.rtol * std::abs(expected[i]));
        if (!(share <= 1) && kind == Kind::Passed)
            fail(what + "[" + std::to_string(i) + "] is " + std::to_string(results[i]) + ", expected " +
                 std::to_string(expected[i]));
        worst = std::isnan(share) ? share : std::max(worst, share);
        largestError = std::max(largestError, error);
    }
}

void Verdict::fail(std::string why) {
    kind = Kind::Failed;
    message = std::move(why);
}

Verdict unsupported(std::string why) {
    Verdict verdict;
    verdict.kind = Verdict::Kind::Unsupported;
    verdict.message = std::move(why);
    return verdict;
}

Verdict failed(const core::Diagnostics& diagnostics) {
    Verdict verdict;
    verdict.fail(diagnostics.empty() ? "" : core::toText(diagnostics.front()));
    return verdict;
}

Verdict runCase(const Json& document) {
    const std::string kind = document.value("kind", std::string());
    if (kind == "layer")
        return runLayerCase(document);
    if (kind == "loss")
        return runLossCase(document);
    if (kind == "optimizer")
        return runOptimizerCase(document);
    if (kind == "training")
        return runTrainingCase(document);
    return document.contains("op") ? runIpuCase(document) : unsupported("neither a kind nor an op");
}

core::Result<std::vector<Outcome>> runFolders(const std::vector<std::filesystem::path>& folders) {
    const auto files = caseFiles(folders);
    if (!files)
        return core::failure(files.error());
    std::vector<Outcome> outcomes;
    for (const std::filesystem::path& file : *files) {
        Outcome outcome{file, file.stem().string(), "", {}};
        const auto text = core::readFile(file);
        const auto document = text ? core::parseJson(*text, file.string()) : core::failure(text.error());
        if (!document) {
            outcome.verdict = failed(document.error());
        } else {
            outcome.name = document->value("name", outcome.name);
            outcome.kind = document->value("kind", document->value("op", std::string()));
            outcome.verdict = runCase(*document);
        }
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

} // namespace oracles
