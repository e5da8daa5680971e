#include "core/interchange/importer_catalogue.h"

#include "core/interchange/keras/keras_archive.h"
#include "core/interchange/keras/keras_hdf5.h"
#include "core/interchange/keras/keras_json.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_importer.h"
#include "core/interchange/python/python_program.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace core {

namespace {

/// JSON starts with an object or a string, after blanks and possibly a byte order mark. Three quotes begin
/// the description of a program.
bool looksLikeJson(std::string_view bytes) {
    if (bytes.starts_with("\xef\xbb\xbf"))
        bytes.remove_prefix(3);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || bytes.substr(first).starts_with("\"\"\""))
        return false;
    return bytes[first] == '{' || bytes[first] == '"';
}

Result<ModelGraph> readJson(std::string_view bytes, std::string_view file, Diagnostics& warnings) {
    if (bytes.starts_with("\xef\xbb\xbf"))
        bytes.remove_prefix(3);
    return readKerasModelText(bytes, file, warnings);
}

constexpr std::array<Importer, 4> importers{{
    {"keras-archive", "A .keras file of Keras 3 or TensorFlow 2.12 and later", isKerasArchive,
     readKerasArchive},
    {"keras-hdf5", "A .h5 file that Keras saved", isHdf5, readKerasHdf5},
    {"onnx", "An ONNX model", isOnnx, readOnnx, readOnnxWeights},
    {"keras-json", "The text of model.to_json()", looksLikeJson, readJson},
}};

} // namespace

std::span<const Importer> importerCatalogue() {
    return importers;
}

const Importer* findImporter(std::string_view bytes) {
    const auto found = std::find_if(importers.begin(), importers.end(),
                                    [&](const Importer& importer) { return importer.recognizes(bytes); });
    return found == importers.end() ? nullptr : &*found;
}

Result<ProjectFile> importProject(std::string_view bytes, const std::string& file) {
    const bool isNamedProgram = file.ends_with(".py") && !bytes.starts_with("{");
    if (isNamedProgram || (findImporter(bytes) == nullptr && isPythonProgram(bytes)))
        return readPythonProgram(bytes, file);
    ProjectFile result;
    auto model = importModel(bytes, file, result.warnings);
    if (!model)
        return failure(std::move(model.error()));
    result.project.model = std::move(*model);
    result.project.name = !result.project.model.name.empty() ? result.project.model.name
                                                             : std::filesystem::path(file).stem().string();
    return result;
}

Result<ModelGraph> importModel(std::string_view bytes, std::string_view file, Diagnostics& warnings) {
    if (const Importer* importer = findImporter(bytes))
        return importer->read(bytes, file, warnings);
    std::vector<std::string_view> names;
    for (const Importer& importer : importers)
        names.push_back(importer.documentation);
    names.emplace_back("A Python program that makes a Keras model");
    return failure(Diagnostic{Severity::Error,
                              Trouble::Input,
                              "import/unknown-format",
                              {std::string(file), ""},
                              "this is no model of a known format",
                              {fmt::format("known are: {}", fmt::join(names, "; "))}});
}

} // namespace core
