#include "tests/tools/onnx/onnx_case.h"

#include "core/base/file.h"
#include "core/interchange/onnx/onnx_file.h"
#include "simulator/compiler/onnx/onnx_lowering.h"
#include "tests/tools/oracle/graph_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace onnx_cases {

namespace {

using core::OnnxTensor;
using oracles::Verdict;

constexpr oracles::Tolerance tolerance{1e-3, 1e-5};

core::Result<OnnxTensor> readTensor(const std::filesystem::path& path) {
    const auto bytes = core::readFile(path);
    return bytes ? core::readOnnxTensor(*bytes, path.string()) : core::failure(bytes.error());
}

/// input_0.pb, input_1.pb, …
core::Result<std::vector<OnnxTensor>> readTensors(const std::filesystem::path& folder, const char* kind) {
    std::vector<OnnxTensor> tensors;
    for (int i = 0; std::filesystem::exists(folder / fmt::format("{}_{}.pb", kind, i)); ++i) {
        auto tensor = readTensor(folder / fmt::format("{}_{}.pb", kind, i));
        if (!tensor)
            return core::failure(tensor.error());
        tensors.push_back(std::move(*tensor));
    }
    return tensors;
}

std::vector<float> floatsOf(const OnnxTensor& tensor) {
    const std::vector<double> numbers = numbersOf(tensor);
    std::vector<float> floats;
    std::transform(numbers.begin(), numbers.end(), std::back_inserter(floats),
                   [](double number) { return static_cast<float>(number); });
    return floats;
}

/// Inputs by name: stored ones carry theirs, or stand in the graph's order.
std::map<std::string, OnnxTensor> byName(const core::OnnxModel& model, std::vector<OnnxTensor> inputs) {
    std::map<std::string, OnnxTensor> named;
    std::vector<const core::OnnxValue*> places = model.graph.fedInputs();
    if (places.size() < inputs.size()) {
        places.clear();
        for (const core::OnnxValue& value : model.graph.inputs)
            places.push_back(&value);
    }
    for (std::size_t i = 0; i < inputs.size() && i < places.size(); ++i)
        named[places[i]->name] = std::move(inputs[i]);
    return named;
}

void runDataSet(const core::OnnxModel& model, const std::filesystem::path& folder, Verdict& verdict) {
    auto inputs = readTensors(folder, "input");
    const auto expected = readTensors(folder, "output");
    if (!inputs || !expected) {
        verdict.fail(core::toText((inputs ? expected.error() : inputs.error()).front()));
        return;
    }
    oracles::GraphRun run;
    const simulator::OnnxRequest request{&model, byName(model, std::move(*inputs))};
    const auto tensors = simulator::lowerOnnx(run.build(), request);
    if (!tensors) {
        verdict = oracles::unsupported(core::toText(tensors.error().front()));
        return;
    }
    for (const auto& [name, id] : tensors->inputs)
        run.feed(id, floatsOf(request.inputs.at(name)));
    std::vector<core::TensorId> results;
    for (const auto& [name, id] : tensors->outputs)
        results.push_back(id);
    if (const auto done = run.run(results); !done) {
        verdict = oracles::failed(done.error());
        return;
    }
    for (std::size_t i = 0; i < expected->size(); ++i) {
        const std::string what = i < results.size() ? tensors->outputs[i].name : fmt::format("output {}", i);
        if (i >= results.size())
            return verdict.fail(what + " is missing");
        if (run.build().extents(results[i]) != (*expected)[i].extents)
            return verdict.fail(fmt::format("{} has other extents", what));
        verdict.compare(what, run.read(results[i]), floatsOf((*expected)[i]), tolerance);
    }
}

} // namespace

Verdict runCase(const std::filesystem::path& folder) {
    const auto bytes = core::readFile(folder / "model.onnx");
    if (!bytes)
        return oracles::failed(bytes.error());
    const auto model = core::readOnnxModel(*bytes, (folder / "model.onnx").string());
    if (!model)
        return oracles::failed(model.error());
    Verdict verdict;
    std::size_t sets = 0;
    while (std::filesystem::is_directory(folder / fmt::format("test_data_set_{}", sets)))
        runDataSet(*model, folder / fmt::format("test_data_set_{}", sets++), verdict);
    return sets == 0 ? oracles::unsupported("there are no data sets") : verdict;
}

core::Result<std::vector<oracles::Outcome>> runFolders(const std::vector<std::filesystem::path>& folders) {
    std::set<std::filesystem::path> cases;
    for (const std::filesystem::path& folder : folders) {
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error))
            return core::failure(core::Diagnostic{core::Severity::Error,
                                                  core::Trouble::World,
                                                  "file/missing",
                                                  {folder.string(), ""},
                                                  "there is no such folder",
                                                  {}});
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
            if (entry.path().filename() == "model.onnx")
                cases.insert(entry.path().parent_path());
        }
    }
    std::vector<oracles::Outcome> outcomes;
    for (const std::filesystem::path& path : cases)
        outcomes.push_back({path / "model.onnx", path.filename().string(), "onnx", runCase(path)});
    return outcomes;
}

} // namespace onnx_cases
