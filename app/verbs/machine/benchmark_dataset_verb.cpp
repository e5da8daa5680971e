#include "app/reports/report_table.h"
#include "app/services/run/project_wants.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "core/base/file_limit.h"
#include "core/config/dataset_catalogue.h"
#include "core/interchange/project/project_file.h"
#include "core/project/validate.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "simulator/data/readers/open_dataset.h"
#include "simulator/data/samples/benchmark_dataset.h"
#include "simulator/engine/training/training_feed.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>

namespace app {

namespace {

/// A dataset and the samples of one of its elements.
struct MeasuredDataset {
    std::shared_ptr<const simulator::SampleSource> source;
    std::int64_t batchSize = 1;
    /// Of a project: which of its data are not in its folder.
    std::optional<core::Diagnostic> outside{};
};

core::Diagnostic noDataset(const std::string& file) {
    return core::makeError(core::Trouble::Input, "dataset/none", {file, "/training/dataset"},
                           "the project has no dataset", {"add training.dataset, or name a data file"});
}

/// The dataset of a project, shaped for its model; an element is a micro-batch.
core::Result<MeasuredDataset> ofProject(const std::filesystem::path& path) {
    const auto file = core::loadProject(path);
    if (!file)
        return core::failure(file.error());
    const core::TrainingOptions& training = file->project.training;
    if (!training.dataset)
        return core::failure(noDataset(path.string()));
    simulator::DatasetRequest request{*training.dataset, path.parent_path(), {}, {}};
    // Only made-up samples need the model.
    if (const auto valid = core::validate(file->project, core::RunMode::Train, {}, path.string()))
        if (const auto graph = simulator::buildTrainingGraph(*valid)) {
            request.inputs = simulator::wantedInputs(*graph);
            request.targets = simulator::wantedTargets(*graph);
        }
    auto source = simulator::openDataset(request);
    if (!source)
        return core::failure(source.error());
    return MeasuredDataset{std::move(*source), training.batchSize,
                           dataOutside(file->project, path.parent_path(), path.string())};
}

/// A dataset section of a project file.
core::Result<MeasuredDataset> ofSection(const core::Json& section, const std::string& file,
                                        const std::filesystem::path& folder) {
    core::Diagnostics findings;
    const auto spec = core::readDatasetSpec(section, file, "", findings);
    if (!spec)
        return core::failure(std::move(findings));
    auto source = simulator::openDataset({*spec, folder, {}, {}});
    if (!source)
        return core::failure(source.error());
    return MeasuredDataset{std::move(*source)};
}

/// A data file by its name, or a folder of pictures; whatever is nothing else is taken for IDX.
core::Result<MeasuredDataset> ofFile(const std::filesystem::path& path) {
    struct Kind {
        std::string_view extension;
        std::string_view kind;
        std::string_view key;
    };
    static constexpr std::array kinds{Kind{".csv", "csv", "file"}, Kind{".npy", "npy", "inputs"},
                                      Kind{".npz", "npz", "file"}, Kind{".bin", "cifar10", "files"},
                                      Kind{"", "idx", "images"}};
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return ofSection({{"kind", "image_folder"}, {"folder", "."}}, path.string(), path);
    const std::string extension = path.extension().string();
    const auto* kind = std::ranges::find_if(
        kinds, [&](const Kind& row) { return row.extension.empty() || row.extension == extension; });
    auto dataset = ofSection({{"kind", kind->kind}, {std::string(kind->key), path.filename().string()}},
                             path.string(), path.parent_path());
    if (!dataset && kind->extension.empty() && dataset.error().front().code == "dataset/not-idx")
        return core::failure(
            core::makeError(core::Trouble::Input, "dataset/unknown-format", {path.string(), ""},
                            "is not a dataset of a known kind",
                            {"give a .csv, .npy, .npz, IDX or CIFAR-10 .bin file, a folder with a folder of "
                             "pictures per class, or a project"}));
    return dataset;
}

core::Result<MeasuredDataset> measured(const std::string& argument) {
    if (argument.starts_with('{')) {
        const auto section = core::parseJson(argument, "DATASET");
        return section ? ofSection(*section, "DATASET", {}) : core::failure(section.error());
    }
    const std::filesystem::path path = argument;
    if (path.extension() == ".ipuproj")
        return ofProject(path);
    if (path.extension() != ".json")
        return ofFile(path);
    const auto text = core::readFile(path, core::FileLimit::project);
    if (!text)
        return core::failure(text.error());
    const auto document = core::parseJson(*text, path.string());
    if (!document)
        return core::failure(document.error());
    return document->contains("format") ? ofProject(path)
                                        : ofSection(*document, path.string(), path.parent_path());
}

/// Measures how fast a dataset is read.
class BenchmarkDatasetVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command
            .add_option("DATASET", m_dataset,
                        "A data file (IDX, .csv, .npy, .npz, CIFAR-10's .bin), a folder with a folder of "
                        "pictures per "
                        "class, a project, or a dataset section as JSON")
            ->required();
        addWholeNumber(command, "--epochs", m_epochs, 1, 1'000'000, "How often the dataset is run through")
            ->type_name("N")
            ->default_str("5");
        addWholeNumber(command, "--elements", m_elements, 1, 1'000'000'000'000,
                       "Elements of an epoch; default: all the dataset has")
            ->type_name("N");
        addWholeNumber(command, "--batch-size", m_batchSize, 1, 1'000'000,
                       "Samples of an element; default: 1, of a project its batch size")
            ->type_name("N");
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto dataset = measured(m_dataset);
        if (!dataset)
            return core::failure(dataset.error());
        const std::int64_t batch = m_batchSize.value_or(dataset->batchSize);
        const std::int64_t elements =
            m_elements.value_or(std::max<std::int64_t>(1, dataset->source->samples() / batch));
        const auto epochs =
            simulator::benchmarkDataset(*dataset->source, batch, m_epochs, elements, context.job);
        if (!epochs)
            return core::failure(epochs.error());
        Report measurement = report(*epochs);
        if (dataset->outside)
            measurement.diagnostics.push_back(*dataset->outside);
        return measurement;
    }

private:
    static Report report(const std::vector<simulator::DatasetStatistics>& epochs) {
        Report report;
        report.json = reportJson("benchmark-dataset");
        constexpr auto right = ReportTable::Align::Right;
        ReportTable table({ReportTable::textColumn("epoch", right),
                           {"elements_processed", right},
                           {"total_bytes_processed", right},
                           {"time_elapsed", right},
                           {"elements_per_second", right},
                           {"bandwidth", right}});
        for (const simulator::DatasetStatistics& epoch : epochs) {
            table.add({&epoch - epochs.data(),
                       epoch.elements,
                       epoch.bytes,
                       {epoch.seconds, fmt::format("{:.6f}", epoch.seconds)},
                       {epoch.elementsPerSecond(), fmt::format("{:.1f}", epoch.elementsPerSecond())},
                       {epoch.bandwidth(), fmt::format("{:.6f}", epoch.bandwidth())}});
        }
        table.writeTo(report, "epochs");
        return report;
    }

    std::string m_dataset;
    std::int64_t m_epochs = 5;
    std::optional<std::int64_t> m_elements;
    std::optional<std::int64_t> m_batchSize;
};

} // namespace

VerbDefinition benchmarkDatasetVerb() {
    return {.name = "benchmark-dataset",
            .summary = "How fast a dataset is read: elements, bytes (time in s, bandwidth in GB/s) per epoch",
            .examples = {"benchmark-dataset train-images-idx3-ubyte --epochs 5 --elements 10000 --json",
                         "benchmark-dataset mnist.ipuproj --epochs 3"},
            .make = makeVerb<BenchmarkDatasetVerb>,
            .hasCsv = true};
}

} // namespace app
