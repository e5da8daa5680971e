#pragma once

#include "core/base/file.h"
#include "core/interchange/archive/zip_directory.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace simulator {

/// How much of a dataset is kept in memory.
inline constexpr std::uint64_t defaultMemoryLimit = std::uint64_t{256} << 20U;

/// The bytes of a dataset file: read from the file as they are needed. A gzip file is unpacked when it is
/// opened: into memory up to a limit, beyond into a temporary file that goes with the source. Copies share
/// all of this.
class ByteSource {
public:
    /// Errors: those of core::FileReader; "dataset/damaged-gzip"; "dataset/no-space" when the temporary file
    /// cannot be written.
    [[nodiscard]] static core::Result<ByteSource> open(const std::filesystem::path& path,
                                                       std::uint64_t memoryLimit = defaultMemoryLimit);
    /// A member of a ZIP archive: a stored one is read where it is, a deflated one unpacked as a gzip
    /// file is. Errors: those of zipMembers, "dataset/missing-array" where there is no such member,
    /// "dataset/no-space".
    [[nodiscard]] static core::Result<ByteSource> openMember(const std::filesystem::path& archive,
                                                             const core::ZipMembers& members,
                                                             const std::string& name,
                                                             std::uint64_t memoryLimit = defaultMemoryLimit);
    /// Bytes that are in memory already; `path` is for messages.
    ByteSource(std::filesystem::path path, std::string bytes)
        : m_path(std::move(path))
        , m_bytes(std::make_shared<const std::string>(std::move(bytes))) {}

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::uint64_t size() const { return m_file ? m_size : m_bytes->size(); }
    [[nodiscard]] core::Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) const;
    /// The bytes at `offset`, fewer than `count` at the end.
    [[nodiscard]] core::Result<std::string> text(std::uint64_t offset, std::uint64_t count) const;

private:
    explicit ByteSource(std::filesystem::path path, core::FileReader file)
        : m_path(std::move(path))
        , m_file(std::make_shared<const core::FileReader>(std::move(file)))
        , m_size(m_file->size()) {}

    std::filesystem::path m_path;
    /// One of the two.
    std::shared_ptr<const core::FileReader> m_file;
    std::shared_ptr<const std::string> m_bytes;
    /// The part of the file that is meant.
    std::uint64_t m_begin = 0;
    std::uint64_t m_size = 0;
};

/// The table of contents of a ZIP archive. Errors: those of core::readZipDirectory.
[[nodiscard]] core::Result<core::ZipMembers> zipMembers(const std::filesystem::path& archive);

/// A complaint about the content of a dataset file.
[[nodiscard]] core::Diagnostic datasetTrouble(std::string code, const std::filesystem::path& file,
                                              std::string place, std::string message, std::string hint);

} // namespace simulator
