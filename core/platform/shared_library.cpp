#include "core/platform/shared_library.h"

#include <dlfcn.h>

namespace core {

SharedLibrary::SharedLibrary(const std::string& path)
    : m_handle(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (m_handle != nullptr)
        return;
    const char* why = dlerror();
    m_reason = why == nullptr ? "" : why;
}

void* SharedLibrary::symbol(const std::string& name) const {
    return dlsym(m_handle, name.c_str());
}

} // namespace core
