#include "core/interchange/keras/keras_hdf5.h"

#include "core/interchange/archive/hdf5_handle.h"
#include "core/interchange/keras/keras_json.h"

#include <algorithm>
#include <optional>
#include <string>

namespace core {

namespace {

using Handle = Hdf5Handle;

std::optional<std::string> readText(hid_t attribute) {
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
    if (size == 0 || size > largest)
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

namespace {

// The first letter of what the child says.
constexpr char isText = 't';
constexpr char isUnreadable = 'u';
constexpr char hasNoModel = 'n';
constexpr char isNoText = 'x';

/// In a process of its own: the library can loop for ever over a damaged file.
void readConfig(std::string_view bytes, const ChildWriter& write) {
    const Hdf5Silence silence;
    closeHdf5Doors();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    constexpr std::size_t increment = 65536;
    H5Pset_fapl_core(access.id(), increment, 0);
    // The library only reads the image: the file is opened read-only.
    H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size());
    const Handle root(H5Fopen("model.h5", H5F_ACC_RDONLY, access.id()), H5Fclose);
    if (!root.isOpen())
        return write({&isUnreadable, 1});
    if (H5Aexists(root.id(), "model_config") <= 0)
        return write({&hasNoModel, 1});
    const Handle attribute(H5Aopen(root.id(), "model_config", H5P_DEFAULT), H5Aclose);
    const auto text = attribute.isOpen() ? readText(attribute.id()) : std::nullopt;
    if (!text)
        return write({&isNoText, 1});
    write({&isText, 1});
    write(*text);
}

} // namespace

Result<ModelGraph> readKerasHdf5(std::string_view bytes, std::string_view file, Diagnostics& warnings) {
    const ChildAnswer answer = [&] {
        const std::scoped_lock lock(hdf5Mutex());
        return askChild([&](const ChildWriter& write) { readConfig(bytes, write); },
                        hdf5Limits(bytes.size(), 0));
    }();
    if (answer.end != ChildEnd::Answered)
        return failure(hdf5ChildFinding(answer.end, file));
    switch (answer.text.empty() ? isUnreadable : answer.text.front()) {
    case isText:
        return readKerasModelText(std::string_view(answer.text).substr(1), file, warnings);
    case hasNoModel:
        return failure(hdf5Finding("hdf5/no-model", file, "the file holds weights, but no model",
                                   "save the whole model with model.save(), or give model.to_json()"));
    case isNoText:
        return failure(hdf5Finding("hdf5/damaged", file, "the attribute \"model_config\" is no text",
                                   "save the model again"));
    default:
        return failure(
            hdf5Finding("hdf5/damaged", file, "the HDF5 file cannot be opened", "check that it is whole"));
    }
}

} // namespace core
