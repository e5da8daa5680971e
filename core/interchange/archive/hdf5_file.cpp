#include "core/interchange/archive/hdf5_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

/// Kinds of links above the built-in ones lead out of the file. Answers 1, which ends the visit, at the
/// first.
herr_t findOutward(hid_t, const char* name, const H5L_info_t* link, void* found) {
    if (link->type < H5L_TYPE_UD_MIN)
        return 0;
    *static_cast<std::string*>(found) = name;
    return 1;
}

/// Once for the library: neither code nor files of others come in through a file.
void closeTheDoors() {
    static const bool areClosed = [] {
        H5PLset_loading_state(0);
        H5Lunregister(H5L_TYPE_EXTERNAL);
        return true;
    }();
    (void)areClosed;
}

} // namespace

Result<Hdf5File> Hdf5File::open(std::string_view bytes, std::string_view file) {
    constexpr std::size_t increment = 65536;
    // Before the silence of the caller ends: unregistering what is unregistered complains.
    closeTheDoors();
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.id(), increment, 0);
    // The library only reads the image: the file is opened read-only.
    H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size());
    Hdf5File opened(H5Fopen("image.h5", H5F_ACC_RDONLY, access.id()));
    if (opened.id() < 0)
        return failure(
            hdf5Finding("hdf5/damaged", file, "the HDF5 file cannot be opened", "check that it is whole"));
    std::string outward;
    if (H5Lvisit(opened.id(), H5_INDEX_NAME, H5_ITER_NATIVE, findOutward, &outward) > 0)
        return failure(externalHdf5(file, outward));
    return opened;
}

Hdf5File::~Hdf5File() {
    if (m_id >= 0)
        H5Fclose(m_id);
}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept
    : m_id(std::exchange(other.m_id, -1)) {}

Diagnostic externalHdf5(std::string_view file, std::string_view what) {
    constexpr std::size_t longest = 80;
    return hdf5Finding(
        "hdf5/external", file,
        fmt::format("\"{}\" is kept in another file, which is not read", what.substr(0, longest)),
        "save everything into one file");
}

std::optional<Diagnostic> objectionToDataset(hid_t dataset, std::string_view file, const std::string& name,
                                             std::uint64_t most) {
    const Hdf5Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    if (!creation.isOpen())
        return hdf5Finding("hdf5/damaged", file, "the HDF5 file cannot be read", "check that it is whole");
    const H5D_layout_t layout = H5Pget_layout(creation.id());
    if (H5Pget_external_count(creation.id()) != 0 || layout == H5D_VIRTUAL)
        return externalHdf5(file, name);
    if (layout != H5D_CHUNKED)
        return std::nullopt;
    std::array<hsize_t, H5S_MAX_RANK> extents{};
    const int rank = H5Pget_chunk(creation.id(), static_cast<int>(extents.size()), extents.data());
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
    std::uint64_t bytes = std::max<std::uint64_t>(H5Tget_size(type.id()), 1);
    for (int axis = 0; axis < rank; ++axis) {
        const std::uint64_t extent = std::max<std::uint64_t>(extents[static_cast<std::size_t>(axis)], 1);
        bytes = bytes > most / extent ? most + 1 : bytes * extent;
    }
    if (bytes > most)
        return hdf5Finding("hdf5/size", file,
                           fmt::format("\"{}\" announces more than the file can hold", name.substr(0, 80)),
                           "save the file again without compression");
    return std::nullopt;
}

} // namespace core
