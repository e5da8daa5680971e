#pragma once

#include "core/base/diagnostic.h"

#include <hdf5.h>
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

/// What is wrong with an HDF5 file. `place`: the path of the object within it; "/" is the whole of it.
[[nodiscard]] inline Diagnostic hdf5Finding(std::string code, std::string_view file, std::string message,
                                            std::string hint, std::string place = "/") {
    return makeError(Trouble::Input, std::move(code), {std::string(file), std::move(place)},
                     std::move(message), {std::move(hint)});
}

/// The library prints its errors unless asked not to.
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
