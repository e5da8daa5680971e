#include "core/interchange/importer_catalogue.h"

#include "core/interchange/keras/hdf5_helper.h"
#include "core/interchange/keras/keras_archive.h"
#include "core/interchange/keras/keras_hdf5.h"
#include "core/interchange/keras/keras_json.h"
#include "core/interchange/keras/saved_model.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_importer.h"
#include "core/interchange/project/compile_config.h"
#include "core/interchange/python/python_program.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

/// A text in quotes is all that such a document holds; behind that of a program its statements follow. One
/// that is never closed is a document that was cut off.
bool isOneText(std::string_view bytes) {
    for (std::size_t at = 1; at < bytes.size(); ++at) {
        if (bytes[at] == '\\')
            ++at;
        else if (bytes[at] == '"')
            return bytes.find_first_not_of(" \t\r\n", at + 1) == std::string_view::npos;
    }
    return true;
}

/// JSON starts with an object or is one text, after blanks and possibly a byte order mark.
bool looksLikeJson(std::string_view bytes) {
    if (bytes.starts_with("\xef\xbb\xbf"))
        bytes.remove_prefix(3);
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return false;
    return bytes[first] == '{' || (bytes[first] == '"' && isOneText(bytes.substr(first)));
}

Result<std::string> jsonText(std::string_view bytes, std::string_view) {
    if (bytes.starts_with("\xef\xbb\xbf"))
        bytes.remove_prefix(3);
    return std::string(bytes);
}

Result<ProjectFile> projectOf(Result<ModelGraph> model, const std::string& file, Diagnostics warnings) {
    if (!model)
        return failure(std::move(model.error()));
    ProjectFile result;
    result.warnings = std::move(warnings);
    result.project.model = std::move(*model);
    result.project.name = !result.project.model.name.empty() ? result.project.model.name
                                                             : std::filesystem::path(file).stem().string();
    return result;
}

Result<ProjectFile> readOnnxProject(std::string_view bytes, const std::string& file) {
    Diagnostics warnings;
    auto model = readOnnx(bytes, file, warnings);
    return projectOf(std::move(model), file, std::move(warnings));
}

/// The project of a format that holds Keras' document of a model, with what the model was compiled with.
template <Result<std::string> (*Text)(std::string_view, std::string_view)>
Result<ProjectFile> readKeras(std::string_view bytes, const std::string& file) {
    const auto text = Text(bytes, file);
    if (!text)
        return failure(text.error());
    const auto document = parseJson(*text, file);
    if (!document)
        return failure(document.error());
    Diagnostics warnings;
    auto model = readKerasModel(*document, file, warnings);
    auto result = projectOf(std::move(model), file, std::move(warnings));
    if (result)
        takeCompileConfig(compileConfigOf(*document), file, result->project, result->warnings);
    return result;
}

constexpr std::array<std::string_view, 1> archiveEndings{".keras"};
constexpr std::array<std::string_view, 2> hdf5Endings{".h5", ".hdf5"};
constexpr std::array<std::string_view, 1> metadataEndings{".pb"};
constexpr std::array<std::string_view, 1> onnxEndings{".onnx"};
constexpr std::array<std::string_view, 1> jsonEndings{".json"};
constexpr std::array<std::string_view, 1> pythonEndings{".py"};

constexpr std::array importers{
    Importer{"keras-archive", "Keras", "A .keras file of Keras 3 or TensorFlow 2.12 and later",
             archiveEndings, isKerasArchive, readKeras<kerasArchiveText>},
    Importer{"keras-hdf5", "Keras", "A .h5 file that Keras saved", hdf5Endings, isHdf5,
             readKeras<hdf5ModelText>},
    Importer{"saved-model", "Keras", "The keras_metadata.pb of a TensorFlow SavedModel", metadataEndings,
             isSavedModelMetadata, readKeras<savedModelText>},
    Importer{"onnx", "ONNX", "An ONNX model", onnxEndings, isOnnx, readOnnxProject, readOnnxWeights},
    Importer{"keras-json", "Keras", "The text of model.to_json()", jsonEndings, looksLikeJson,
             readKeras<jsonText>},
    Importer{"python", "Python", "A Python program that makes a Keras model", pythonEndings, isPythonProgram,
             readPythonProgram, nullptr, true, readPythonProgram},
};

} // namespace

std::span<const Importer> importerCatalogue() {
    return importers;
}

const Importer* findImporter(std::string_view bytes, std::string_view file) {
    // A program may start with a text in quotes, as JSON does: there its name is the surer sign.
    for (const Importer& importer : importers) {
        const auto endsSo = [&](std::string_view ending) { return file.ends_with(ending); };
        if (importer.isKnownByName && !bytes.starts_with('{') &&
            std::ranges::any_of(importer.endings, endsSo))
            return &importer;
    }
    for (const Importer& importer : importers) {
        if (importer.recognizes(bytes))
            return &importer;
    }
    return nullptr;
}

Result<ProjectFile> importProject(std::string_view bytes, const std::string& file,
                                  const ImportChoice& choice) {
    if (const Importer* importer = findImporter(bytes, file)) {
        if (importer->readChosen != nullptr)
            return importer->readChosen(bytes, file, choice);
        if (!choice.commandLine.empty())
            return failure(makeError(Trouble::Input, "import/no-program", {file, "--arguments"},
                                     "this is no program: it takes no arguments", {"leave --arguments out"}));
        if (choice.model.empty())
            return importer->read(bytes, file);
        return failure(makeError(Trouble::Input, "import/one-model", {file, "--model"},
                                 "this format holds one model", {"leave --model out"}));
    }
    std::vector<std::string_view> titles;
    for (const Importer& importer : importers)
        titles.push_back(importer.title);
    constexpr std::size_t shown = 12;
    const std::string begin = bytes.empty()
                                  ? std::string("is empty")
                                  : fmt::format("begins with \"{}\"", visibleText(bytes.substr(0, shown)));
    return failure(makeError(Trouble::Input, "import/unknown-format", {file, "byte 0"},
                             "this is no model of a known format: the file " + begin,
                             {fmt::format("known are: {}", fmt::join(titles, "; "))}));
}

std::vector<ImporterFamily> importerFamilies() {
    std::vector<ImporterFamily> families;
    for (const Importer& importer : importers) {
        auto family = std::ranges::find(families, importer.family, &ImporterFamily::name);
        if (family == families.end())
            family = families.insert(families.end(), {importer.family, {}});
        family->endings.insert(family->endings.end(), importer.endings.begin(), importer.endings.end());
    }
    return families;
}

std::string importableFiles() {
    std::vector<std::string> texts;
    for (const ImporterFamily& family : importerFamilies())
        texts.push_back(fmt::format("{} ({})", family.name, fmt::join(family.endings, ", ")));
    const std::string last = texts.back();
    texts.pop_back();
    return fmt::format("{} or {}", fmt::join(texts, ", "), last);
}

} // namespace core
