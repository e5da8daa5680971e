#pragma once

#include <string>

namespace core {

/// A library of foreign code in this process, until its end.
class SharedLibrary {
public:
    /// Loading runs the constructors of the library.
    explicit SharedLibrary(const std::string& path);

    [[nodiscard]] bool isLoaded() const { return m_handle != nullptr; }
    /// Why it is not.
    [[nodiscard]] const std::string& reason() const { return m_reason; }
    /// Null where it has none of this name.
    [[nodiscard]] void* symbol(const std::string& name) const;

private:
    void* m_handle = nullptr;
    std::string m_reason;
};

} // namespace core
