#pragma once

#include "core/base/result.h"
#include "core/interchange/keras/hdf5_weights.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/python/import_choice.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A format that projects are made from. Files are distinguished by what they hold.
struct Importer {
    /// "keras-archive": unique, for reports.
    std::string_view id;
    /// Program it comes from, as people name it: "Keras", "ONNX", "Python".
    std::string_view family;
    /// "A .keras file of Keras 3": one line for help and errors.
    std::string_view title;
    /// Endings of its files with the dot, the usual one first.
    std::span<const std::string_view> endings;
    /// What the bytes may start with, or any other sure sign.
    bool (*recognizes)(std::string_view bytes) = nullptr;
    /// The name of the project is the model's, or that of the file.
    Result<ProjectFile> (*read)(std::string_view bytes, const std::string& file) = nullptr;
    /// The values of the model's weights, layer by layer in Keras' order; null where the format has none.
    Result<std::vector<StoredWeight>> (*readWeights)(std::string_view bytes, std::string_view file) = nullptr;
    /// Files that nobody recognizes by their content are taken for this format by their ending.
    bool isKnownByName = false;
    /// As a person chooses; null where the format has no choice.
    Result<ProjectFile> (*readChosen)(std::string_view bytes, const std::string& file,
                                      const ImportChoice& choice) = nullptr;
};

/// In the order in which they are asked.
[[nodiscard]] std::span<const Importer> importerCatalogue();

/// The first importer that recognizes the bytes, else one that knows the file by its name; null when none
/// does.
[[nodiscard]] const Importer* findImporter(std::string_view bytes, std::string_view file);

/// Reads a project from a file of any known format. Errors: "import/unknown-format", "import/one-model" where
/// a model is named of a format that holds one, "import/no-program" where one that is no program is given a
/// command line, and those of the importer.
[[nodiscard]] Result<ProjectFile> importProject(std::string_view bytes, const std::string& file,
                                                const ImportChoice& choice = {});

/// The importers of one program.
struct ImporterFamily {
    std::string_view name;
    /// Of all its importers: ".keras", ".h5", …
    std::vector<std::string_view> endings;
};
[[nodiscard]] std::vector<ImporterFamily> importerFamilies();

/// "Keras (.keras, .h5), ONNX (.onnx) or Python (.py)".
[[nodiscard]] std::string importableFiles();

} // namespace core
