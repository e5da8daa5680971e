#pragma once

#include "core/base/result.h"
#include "core/interchange/archive/hdf5_handle.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// An HDF5 file held in memory, opened for reading. libhdf5 loads no plugin and leaves the file nowhere: a
/// file with a link into another file is refused.
class Hdf5File {
public:
    /// `bytes` must outlive the call only. Errors: "hdf5/damaged", "hdf5/external".
    [[nodiscard]] static Result<Hdf5File> open(std::string_view bytes, std::string_view file);
    ~Hdf5File();
    Hdf5File(Hdf5File&& other) noexcept;
    Hdf5File& operator=(Hdf5File&&) = delete;

    [[nodiscard]] hid_t id() const { return m_id; }

private:
    explicit Hdf5File(hid_t id)
        : m_id(id) {}

    hid_t m_id = -1;
};

/// "hdf5/external": `what` is kept in another file.
[[nodiscard]] Diagnostic externalHdf5(std::string_view file, std::string_view what);

/// What is against reading a dataset of a file of `size` bytes: its values are in other files, or a chunk of
/// it is announced larger than `most` bytes.
[[nodiscard]] std::optional<Diagnostic> objectionToDataset(hid_t dataset, std::string_view file,
                                                           const std::string& name, std::uint64_t most);

} // namespace core
