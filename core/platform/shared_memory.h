#pragma once

#include "core/platform/file_descriptor.h"

#include <cstddef>
#include <span>

namespace core {

/// Memory that this process and a helper of it see at once. It never shrinks, whatever the helper does, so
/// that reading it is safe; what stands in it is the helper's word.
class SharedMemory {
public:
    /// Nothing in it yet; without a file of memory `reserve` fails.
    SharedMemory();
    /// The one that came through a descriptor.
    explicit SharedMemory(FileDescriptor file)
        : m_file(std::move(file)) {}
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    /// Makes it at least that large; what stood in it stays, elsewhere. False with `errno` when there is not
    /// as much memory.
    [[nodiscard]] bool reserve(std::size_t bytes);
    /// The same for the side that did not make it, after the other one has.
    [[nodiscard]] bool follow(std::size_t bytes);
    [[nodiscard]] std::span<std::byte> bytes() const { return m_bytes; }
    [[nodiscard]] const FileDescriptor& file() const { return m_file; }

private:
    FileDescriptor m_file;
    std::span<std::byte> m_bytes;
};

} // namespace core
