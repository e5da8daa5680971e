#pragma once

#include "core/base/diagnostic.h"
#include "core/interchange/archive/bounded_child.h"

#include <H5PLpublic.h>
#include <hdf5.h>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace core {

/// Closes an HDF5 handle.
class Hdf5Handle {
public:
    using Close = herr_t (*)(hid_t);

    Hdf5Handle(hid_t id, Close close)
        : m_id(id)
        , m_close(close) {}
    ~Hdf5Handle() {
        if (m_id >= 0)
            m_close(m_id);
    }
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;

    [[nodiscard]] hid_t id() const { return m_id; }
    [[nodiscard]] bool isOpen() const { return m_id >= 0; }

private:
    hid_t m_id;
    Close m_close;
};

/// What is wrong with an HDF5 file.
[[nodiscard]] inline Diagnostic hdf5Finding(std::string code, std::string_view file, std::string message,
                                            std::string hint) {
    return {Severity::Error,         Trouble::Input,     std::move(code),
            {std::string(file), ""}, std::move(message), {std::move(hint)}};
}

/// The library is used by one thread at a time.
inline std::mutex& hdf5Mutex() {
    static std::mutex mutex;
    return mutex;
}

/// The answer of a child that did not come to an answer of its own, as a finding about the file it read.
[[nodiscard]] inline Diagnostic hdf5ChildFinding(ChildEnd end, std::string_view file) {
    if (end == ChildEnd::NotStarted) {
        Diagnostic finding = hdf5Finding(
            "hdf5/not-read", file, "no process could be started to read the file", "close other programs");
        finding.trouble = Trouble::World;
        return finding;
    }
    if (end == ChildEnd::TookTooMuch)
        return hdf5Finding("hdf5/too-large", file, "the file unpacks to more than a model of this size needs",
                           "check that it is the file of this model");
    return hdf5Finding("hdf5/damaged", file,
                       end == ChildEnd::TookTooLong ? "the HDF5 file takes too long to read: it is damaged"
                                                    : "the HDF5 file cannot be read",
                       "check that it is whole");
}

/// Time and memory for a file of so many bytes.
[[nodiscard]] inline ChildLimits hdf5Limits(std::size_t fileBytes, std::uint64_t valueBytes) {
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
    constexpr std::uint64_t bytesPerSecond = 32 * mebibyte;
    // The library holds an image of the file and one weight at a time.
    return {64 * mebibyte + 4 * fileBytes + 2 * valueBytes, 5 + (fileBytes + valueBytes) / bytesPerSecond,
            16 * mebibyte + 2 * (fileBytes + valueBytes)};
}

/// For a process that only reads one damaged or hostile file: no filter is loaded from a folder of plugins,
/// and no link to another file is followed, not even behind a soft one.
inline void closeHdf5Doors() {
    H5PLset_loading_state(0);
    H5Lunregister(H5L_TYPE_EXTERNAL);
}

/// The library prints its errors unless told not to.
class Hdf5Silence {
public:
    Hdf5Silence() {
        H5Eget_auto2(H5E_DEFAULT, &m_function, &m_data);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, m_function, m_data); }
    Hdf5Silence(const Hdf5Silence&) = delete;
    Hdf5Silence& operator=(const Hdf5Silence&) = delete;

private:
    H5E_auto2_t m_function = nullptr;
    void* m_data = nullptr;
};

} // namespace core
