#include "core/platform/shared_memory.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>

namespace core {

SharedMemory::SharedMemory()
    : m_file(::memfd_create("shared", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    // Who could make it smaller could crash whoever reads it.
    if (m_file.isOpen() && ::fcntl(m_file.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0)
        m_file.close();
}

SharedMemory::~SharedMemory() {
    if (!m_bytes.empty())
        ::munmap(m_bytes.data(), m_bytes.size());
}

bool SharedMemory::reserve(std::size_t bytes) {
    if (bytes <= m_bytes.size())
        return true;
    // Taken now: a page that is missing later would be a crash.
    if (const int reason = ::posix_fallocate(m_file.get(), 0, static_cast<off_t>(bytes)); reason != 0) {
        errno = reason;
        return false;
    }
    return follow(bytes);
}

bool SharedMemory::follow(std::size_t bytes) {
    if (bytes <= m_bytes.size())
        return true;
    void* const mapped = m_bytes.empty()
                             ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file.get(), 0)
                             : ::mremap(m_bytes.data(), m_bytes.size(), bytes, MREMAP_MAYMOVE);
    if (mapped == MAP_FAILED)
        return false;
    m_bytes = {static_cast<std::byte*>(mapped), bytes};
    return true;
}

} // namespace core
