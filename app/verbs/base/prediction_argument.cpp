#include "app/verbs/base/prediction_argument.h"

#include "app/verbs/base/verb.h"
#include "core/base/file.h"
#include "core/project/run_figures.h"
#include "simulator/engine/training/output_collector.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace app {

namespace fs = std::filesystem;

namespace {

tl::unexpected<core::Diagnostics> refused(std::string message, std::string hint) {
    return core::failure(
        usageError("usage/predictions", "--predictions", std::move(message), std::move(hint)));
}

/// Of files that need not be there.
fs::path fullPath(const fs::path& file) {
    std::error_code error;
    return fs::weakly_canonical(fs::absolute(file, error), error);
}

} // namespace

void PredictionArgument::addOption(CLI::App& command) {
    command
        .add_option("--predictions", m_file,
                    "Write what the model gives for each sample to this file (.npz or .csv), with --mode "
                    "predict or evaluate")
        ->type_name("FILE");
}

core::Result<void> PredictionArgument::prepare(simulator::RunRequest& request, const OutputOptions& output) {
    if (m_file.empty())
        return {};
    const auto format = predictionFormat(m_file);
    if (!format)
        return refused("the file's name ends with neither .npz nor .csv", "name it predictions.npz");
    if (request.project.mode() == core::RunMode::Train)
        return refused("a run that trains keeps no predictions", "add --mode predict or --mode evaluate");
    if (!request.numerics)
        return refused("without numerics nothing is predicted", "leave --no-numerics out");
    if (core::datasetOf(request.project.project().training, request.project.mode()) == nullptr)
        return refused("the project has no dataset to predict", "name one in /training/dataset");
    if (auto checked = checkKept(request.kept); !checked)
        return checked;
    if (output.toFile() && fullPath(output.file) == fullPath(m_file))
        return refused("is the file of -o too", "name two files");
    if (auto checked = checkOutput({.file = m_file, .force = output.force}); !checked)
        return checked;
    m_isReplacing = output.force;
    request.outputs = [this, format](std::span<const simulator::ModelOutput> outputs) {
        m_content = predictionBytes(outputs, *format);
    };
    return {};
}

core::Result<void> PredictionArgument::checkKept(std::span<const fs::path> kept) const {
    std::error_code error;
    const auto isSame = [&](const fs::path& path) { return fs::equivalent(path, m_file, error); };
    if (m_file.empty() || std::ranges::none_of(kept, isSame))
        return {};
    return refused("the run reads this file or records into it", "name another file");
}

core::Result<void> PredictionArgument::write() const {
    if (m_file.empty())
        return {};
    return core::writeFileAtomically(m_file, m_content,
                                     m_isReplacing ? core::Overwrite::Replace : core::Overwrite::Refuse);
}

} // namespace app
