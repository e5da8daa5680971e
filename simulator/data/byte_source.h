#pragma once

#include "core/base/file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace simulator {

/// The bytes of a dataset file: read from the file as they are needed, or, of a gzip file, unpacked into
/// memory when it is opened.
class ByteSource {
public:
    /// Errors: those of core::readFile; "dataset/damaged-gzip".
    [[nodiscard]] static core::Result<ByteSource> open(const std::filesystem::path& path);
    /// Bytes that are in memory already; `path` is for messages.
    ByteSource(std::filesystem::path path, std::string bytes)
        : m_path(std::move(path))
        , m_bytes(std::move(bytes)) {}

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::uint64_t size() const { return m_file ? m_file->size() : m_bytes.size(); }
    [[nodiscard]] core::Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) const;
    /// The bytes at `offset`, fewer than `count` at the end.
    [[nodiscard]] core::Result<std::string> text(std::uint64_t offset, std::uint64_t count) const;

private:
    explicit ByteSource(std::filesystem::path path, core::FileReader file)
        : m_path(std::move(path))
        , m_file(std::move(file)) {}

    std::filesystem::path m_path;
    std::optional<core::FileReader> m_file;
    std::string m_bytes;
};

/// A complaint about the content of a dataset file.
[[nodiscard]] core::Diagnostic datasetTrouble(std::string code, const std::filesystem::path& file,
                                              std::string place, std::string message, std::string hint);

} // namespace simulator
