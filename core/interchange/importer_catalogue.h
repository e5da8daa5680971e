#pragma once

#include "core/base/result.h"
#include "core/interchange/keras/hdf5_weights.h"
#include "core/interchange/project/project_file.h"
#include "core/model/model_graph.h"

#include <span>
#include <string_view>
#include <vector>

namespace core {

/// A format of models that can be read. Files are told apart by what they hold, never by their name.
struct Importer {
    std::string_view name;
    std::string_view documentation;
    /// What the bytes may start with, or any other sure sign.
    bool (*recognizes)(std::string_view bytes);
    Result<ModelGraph> (*read)(std::string_view bytes, std::string_view file, Diagnostics& warnings);
    /// The values of that model's weights, layer by layer in Keras' order; null where the format has none.
    Result<std::vector<StoredWeight>> (*readWeights)(std::string_view bytes, std::string_view file) = nullptr;
};

/// In the order in which they are asked.
[[nodiscard]] std::span<const Importer> importerCatalogue();

/// The first importer that recognizes the bytes; null when none does.
[[nodiscard]] const Importer* findImporter(std::string_view bytes);

/// Reads a model of any known format. Errors: "import/unknown-format", and those of the importer.
[[nodiscard]] Result<ModelGraph> importModel(std::string_view bytes, std::string_view file,
                                             Diagnostics& warnings);

/// Reads a project from a model of any known format or from a program that makes one (see
/// `readPythonProgram`), known by its text or by a name that ends in .py. The name is the model's, or that of
/// the file.
[[nodiscard]] Result<ProjectFile> importProject(std::string_view bytes, const std::string& file);

} // namespace core
