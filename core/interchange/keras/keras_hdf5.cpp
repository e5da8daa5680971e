#include "core/interchange/keras/keras_hdf5.h"

#include "core/base/json.h"
#include "core/interchange/archive/hdf5_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace core {

namespace {

using Handle = Hdf5Handle;

std::optional<std::string> readText(hid_t attribute, std::size_t fileSize) {
    const Handle type(H5Aget_type(attribute), H5Tclose);
    const Handle space(H5Aget_space(attribute), H5Sclose);
    if (!type.isOpen() || !space.isOpen() || H5Tget_class(type.id()) != H5T_STRING ||
        H5Sget_simple_extent_npoints(space.id()) != 1)
        return std::nullopt;
    if (H5Tis_variable_str(type.id()) > 0) {
        const Handle memory(H5Tget_native_type(type.id(), H5T_DIR_DEFAULT), H5Tclose);
        char* text = nullptr;
        if (H5Aread(attribute, memory.id(), &text) < 0 || text == nullptr)
            return std::nullopt;
        std::string copy(text);
        H5free_memory(text);
        return copy;
    }
    constexpr std::size_t largest = std::size_t{64} * 1024 * 1024;
    const std::size_t size = H5Tget_size(type.id());
    if (size == 0 || size > std::min(largest, fileSize))
        return std::nullopt;
    std::string text(size, '\0');
    if (H5Aread(attribute, type.id(), text.data()) < 0)
        return std::nullopt;
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
}

} // namespace

bool isHdf5(std::string_view bytes) {
    return bytes.starts_with("\x89HDF\r\n\x1a\n");
}

Result<std::string> readHdf5ModelText(std::string_view bytes, std::string_view file) {
    const Hdf5Silence silence;
    const auto opened = Hdf5File::open(bytes, file);
    if (!opened)
        return failure(opened.error());
    if (H5Aexists(opened->id(), "model_config") <= 0)
        return failure(hdf5Finding("hdf5/no-model", file, "the file holds weights, but no model",
                                   "save the whole model with model.save(), or give model.to_json()"));
    const auto attributeText = [&](const char* name) {
        const Handle attribute(H5Aopen(opened->id(), name, H5P_DEFAULT), H5Aclose);
        return attribute.isOpen() ? readText(attribute.id(), bytes.size()) : std::nullopt;
    };
    const auto model = attributeText("model_config");
    if (!model)
        return failure(hdf5Finding("hdf5/damaged", file, "the attribute \"model_config\" is no text",
                                   "save the model again"));
    // What the model was compiled with is no reason to refuse it.
    const auto training =
        H5Aexists(opened->id(), "training_config") > 0 ? attributeText("training_config") : std::nullopt;
    if (!training || !parseJson(*training, file))
        return *model;
    return fmt::format(R"({{"model_config": {}, "training_config": {}}})", *model, *training);
}

} // namespace core
