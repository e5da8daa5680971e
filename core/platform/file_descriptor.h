#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace core {

/// What the system calls an open file; closed on every way out.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int value)
        : m_value(value) {}
    ~FileDescriptor() { close(); }
    FileDescriptor(FileDescriptor&& other) noexcept
        : m_value(std::exchange(other.m_value, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(m_value, other.m_value);
        return *this;
    }

    [[nodiscard]] int get() const { return m_value; }
    [[nodiscard]] bool isOpen() const { return m_value >= 0; }
    /// Some file systems tell only now that the disk is full: false with `errno`.
    bool close();

private:
    int m_value = -1;
};

/// Writes all of `content`, however many calls that takes; false with `errno` when one is refused.
[[nodiscard]] bool writeAll(const FileDescriptor& file, std::string_view content);
/// Reads up to as many bytes as fit; 0 at the end, nothing with `errno` when it is refused.
[[nodiscard]] std::optional<std::size_t> readSome(const FileDescriptor& file, std::span<std::byte> bytes);
/// The same from `offset` on, for several threads at once.
[[nodiscard]] std::optional<std::size_t> readSomeAt(const FileDescriptor& file, std::uint64_t offset,
                                                    std::span<std::byte> bytes);
[[nodiscard]] std::optional<std::size_t> readSomeOfStandardInput(std::span<std::byte> bytes);

enum class OpenOutcome : std::uint8_t {
    Opened,
    Missing,
    IsFolder,
    NotRegular, ///< a pipe, a device, a socket, or what a system makes up as it is read
    Refused,    ///< `errno` says why
};
struct OpenedFile {
    OpenOutcome outcome = OpenOutcome::Refused;
    FileDescriptor file = {};
    /// Bytes when it was opened.
    std::uint64_t size = 0;
};
/// Whether nothing lies on a disk there: the system makes the content up as it is read (/proc, /sys), which
/// may wait, never end, or do something. Of a link, whether that holds for what it leads to.
[[nodiscard]] bool isMadeUp(const std::filesystem::path& path);
/// The one door of every file that is read. What it is gets known before it is opened, for opening a FIFO
/// waits for its writer and opening a device may do something; and once more afterwards, for it may have been
/// replaced.
[[nodiscard]] OpenedFile openRegularFile(const std::filesystem::path& path);
/// The folder at an absolute path, through real folders alone: not open, with `errno`, where one of them is a
/// symbolic link. Files are made in it by way of `pathOf`.
[[nodiscard]] FileDescriptor openRealFolder(const std::filesystem::path& path);
/// A path to what is open, whatever has happened to its name meanwhile.
[[nodiscard]] std::filesystem::path pathOf(const FileDescriptor& file);
/// A pipe or a device, as it is; a FIFO waits for its reader. Not open, with `errno`, where that is refused.
[[nodiscard]] FileDescriptor openInPlace(const std::filesystem::path& path);

/// Whether this person may write there; false with `errno`.
[[nodiscard]] bool isWritable(const std::filesystem::path& path);
/// Whether an `errno` says that there is no more space.
[[nodiscard]] bool isDiskFull(int reason);
/// Permission bits of an existing file, those of a new one otherwise.
[[nodiscard]] std::uint32_t modeToWrite(const std::filesystem::path& path);

/// Size, time and place of a regular file: while they are the same nobody needs to look into it.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t node = 0;
    std::int64_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;

    bool operator==(const FileStamp&) const = default;
};
/// Nothing where there is no such file.
[[nodiscard]] std::optional<FileStamp> stampOf(const std::filesystem::path& path);

/// The right to decide about a file, which one process at a time has. It ends with this object, and with the
/// process.
class FileLock {
public:
    /// Nothing when another process has it just now, or has removed or replaced the file meanwhile. A file
    /// system without locks has nobody to wait for either.
    [[nodiscard]] static std::optional<FileLock> take(const std::filesystem::path& path);

private:
    explicit FileLock(FileDescriptor file)
        : m_file(std::move(file)) {}

    FileDescriptor m_file;
};

} // namespace core
