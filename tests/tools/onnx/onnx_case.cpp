#include "tests/tools/onnx/onnx_case.h"

#include "core/base/file.h"
#include "core/interchange/importer_catalogue.h"
#include "core/interchange/onnx/input_values.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_importer.h"
#include "core/profile/records/memory_profile.h"
#include "core/profile/records/profile_sink.h"
#include "core/project/validate.h"
#include "simulator/compiler/compile.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/engine/replica/training_weights.h"
#include "simulator/engine/training/training_run.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace onnx_cases {

namespace {

using core::OnnxTensor;
using oracles::Verdict;

constexpr oracles::Tolerance tolerance{1e-3, 1e-5};

struct Output {
    simulator::Extents extents;
    std::vector<float> values;
};

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

/// Inputs by name: stored ones carry theirs, or are in the graph's order.
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

/// A folder that is gone afterwards.
class ScratchFolder {
public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "onnx_check.XXXXXX").string();
        m_path = mkdtemp(name.data());
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

core::Result<void> saveArray(const std::filesystem::path& path, const OnnxTensor& tensor) {
    const simulator::Extents extents = tensor.extents.empty() ? simulator::Extents{1} : tensor.extents;
    return core::writeFileAtomically(path, simulator::npyBytes(extents, floatsOf(tensor)),
                                     core::Overwrite::Replace);
}

/// What `import` does: the project and its weights beside it, in `folder`, and the rest of the inputs as a
/// dataset of one batch.
core::Result<core::Project> importCase(const std::string& bytes,
                                       const std::map<std::string, OnnxTensor>& inputs,
                                       const std::filesystem::path& folder) {
    auto file = core::importProject(bytes, "model.onnx");
    if (!file)
        return core::failure(file.error());
    core::Project& project = file->project;
    const auto weights = core::readOnnxWeights(bytes, "model.onnx");
    if (!weights)
        return core::failure(weights.error());
    if (!weights->empty()) {
        project.training.weights = "model.weights.npz";
        if (auto saved = simulator::saveWeightFile(folder / *project.training.weights, *weights); !saved)
            return core::failure(saved.error());
    }
    const auto model = core::readOnnxModel(bytes, "model.onnx");
    core::Json arrays = core::Json::array();
    for (const core::OnnxValue* value : model->graph.fedInputs()) {
        const OnnxTensor& tensor = inputs.at(value->name);
        arrays.push_back(fmt::format("input_{}.npy", arrays.size()));
        if (arrays.size() == 1)
            project.training.batchSize = tensor.extents.empty() ? 1 : tensor.extents.front();
        if (auto saved = saveArray(folder / arrays.back().get<std::string>(), tensor); !saved)
            return core::failure(saved.error());
    }
    project.training.dataset = core::DatasetSpec{"npy", {{"inputs", std::move(arrays)}}};
    const auto path = folder / "model.ipuproj";
    if (auto saved = core::saveProject(project, path, core::Overwrite::Replace); !saved)
        return core::failure(saved.error());
    auto read = core::loadProject(path);
    return read ? core::Result<core::Project>(std::move(read->project)) : core::failure(read.error());
}

/// Validates, compiles and runs a project on its dataset; the values of its outputs.
core::Result<std::vector<Output>> runProject(const core::Project& project,
                                             const std::filesystem::path& folder) {
    const core::DatasetFacts facts{project.training.batchSize};
    const auto validated = core::validate(project, core::RunMode::Predict, facts);
    if (!validated)
        return core::failure(validated.error());
    const auto executable = simulator::compile(*validated);
    if (!executable)
        return core::failure(executable.error());
    auto run = simulator::TrainingRun::make(*executable, {1, folder});
    if (!run)
        return core::failure(run.error());
    core::MemoryProfile profile;
    if (const auto result = run->run(profile, {}); !result)
        return core::failure(result.error());
    std::vector<Output> outputs;
    const simulator::TrainingReplica& replica = run->replica();
    for (const core::TensorId prediction : replica.graph().predictions) {
        const simulator::Tensor& tensor = replica.graph().tensor(prediction);
        // An output may be an input passed on.
        const bool isInput = tensor.role == simulator::TensorRole::Input;
        outputs.push_back(
            {tensor.extents, isInput ? replica.store().read(prediction) : replica.values(prediction)});
    }
    return outputs;
}

void runDataSet(const std::string& bytes, const std::filesystem::path& folder, Verdict& verdict) {
    auto stored = readTensors(folder, "input");
    const auto expected = readTensors(folder, "output");
    const auto model = core::readOnnxModel(bytes, "model.onnx");
    if (!stored || !expected || !model)
        return verdict.fail(core::toText((!stored     ? stored.error()
                                          : !expected ? expected.error()
                                                      : model.error())
                                             .front()));
    const auto inputs = byName(*model, std::move(*stored));
    std::map<std::string, OnnxTensor> fixed;
    for (const core::OnnxFixedInput& input : core::inputsToFix(*model))
        fixed.insert(*inputs.find(input.name));
    const ScratchFolder scratch;
    const auto project = importCase(core::withInputValues(bytes, fixed), inputs, scratch.path());
    if (!project)
        return verdict.fail(core::toText(project.error().front()));
    const auto outputs = runProject(*project, scratch.path());
    if (!outputs)
        return verdict.fail(core::toText(outputs.error().front()));
    for (std::size_t i = 0; i < expected->size(); ++i) {
        const std::string what = fmt::format("output {}", i);
        if (i >= outputs->size())
            return verdict.fail(what + " is missing");
        if ((*outputs)[i].extents != (*expected)[i].extents)
            return verdict.fail(fmt::format("{} has other extents", what));
        verdict.compare(what, (*outputs)[i].values, floatsOf((*expected)[i]), tolerance);
    }
}

} // namespace

Verdict runCase(const std::filesystem::path& folder) {
    const auto bytes = core::readFile(folder / "model.onnx");
    if (!bytes)
        return oracles::failed(bytes.error());
    Verdict verdict;
    std::size_t sets = 0;
    while (std::filesystem::is_directory(folder / fmt::format("test_data_set_{}", sets)))
        runDataSet(*bytes, folder / fmt::format("test_data_set_{}", sets++), verdict);
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
