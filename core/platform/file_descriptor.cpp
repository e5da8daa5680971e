#include "core/platform/file_descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <linux/magic.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace core {

namespace {

/// Of configfs, which <linux/magic.h> does not have.
constexpr std::int64_t configurationMagic = 0x62656570;

template <typename Read>
std::optional<std::size_t> uninterrupted(const Read& read) {
    while (true) {
        const ssize_t count = read();
        if (count >= 0)
            return static_cast<std::size_t>(count);
        if (errno != EINTR)
            return std::nullopt;
    }
}

} // namespace

bool FileDescriptor::close() {
    const int value = std::exchange(m_value, -1);
    return value < 0 || ::close(value) == 0;
}

bool writeAll(const FileDescriptor& file, std::string_view content) {
    while (!content.empty()) {
        const auto written =
            uninterrupted([&] { return ::write(file.get(), content.data(), content.size()); });
        if (!written)
            return false;
        content.remove_prefix(*written);
    }
    return true;
}

std::optional<std::size_t> readSome(const FileDescriptor& file, std::span<std::byte> bytes) {
    return uninterrupted([&] { return ::read(file.get(), bytes.data(), bytes.size()); });
}

std::optional<std::size_t> readSomeAt(const FileDescriptor& file, std::uint64_t offset,
                                      std::span<std::byte> bytes) {
    return uninterrupted(
        [&] { return ::pread(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
}

std::optional<std::size_t> readSomeOfStandardInput(std::span<std::byte> bytes) {
    return uninterrupted([&] { return ::read(STDIN_FILENO, bytes.data(), bytes.size()); });
}

bool isMadeUp(const std::filesystem::path& path) {
    struct statfs system {};
    constexpr std::array<std::int64_t, 13> madeUp{
        PROC_SUPER_MAGIC,   SYSFS_MAGIC,         DEBUGFS_MAGIC,     TRACEFS_MAGIC,  SECURITYFS_MAGIC,
        CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,      EFIVARFS_MAGIC, PSTOREFS_MAGIC,
        SELINUX_MAGIC,      DEVPTS_SUPER_MAGIC,  configurationMagic};
    return ::statfs(path.c_str(), &system) == 0 && std::ranges::find(madeUp, system.f_type) != madeUp.end();
}

OpenedFile openRegularFile(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return {OpenOutcome::Missing};
    if (S_ISDIR(status.st_mode))
        return {OpenOutcome::IsFolder};
    if ((status.st_mode != 0 && !S_ISREG(status.st_mode)) || isMadeUp(path))
        return {OpenOutcome::NotRegular};
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file.isOpen())
        return {OpenOutcome::Refused};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return {OpenOutcome::NotRegular};
    return {OpenOutcome::Opened, std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

FileDescriptor openRealFolder(const std::filesystem::path& path) {
    constexpr int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    FileDescriptor folder(::open("/", flags));
    for (const std::filesystem::path& part : path.relative_path()) {
        if (!folder.isOpen())
            break;
        if (!part.empty())
            folder = FileDescriptor(::openat(folder.get(), part.c_str(), flags));
    }
    return folder;
}

std::filesystem::path pathOf(const FileDescriptor& file) {
    return "/proc/self/fd/" + std::to_string(file.get());
}

FileDescriptor openInPlace(const std::filesystem::path& path) {
    return FileDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
}

bool isWritable(const std::filesystem::path& path) {
    return ::access(path.c_str(), W_OK) == 0;
}

bool isDiskFull(int reason) {
    return reason == ENOSPC || reason == EDQUOT;
}

std::uint32_t modeToWrite(const std::filesystem::path& path) {
    struct stat information = {};
    if (::stat(path.c_str(), &information) == 0)
        return information.st_mode & 07777U;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666U & ~mask;
}

std::optional<FileStamp> stampOf(const std::filesystem::path& path) {
    struct stat status {};
    if (path.empty() || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return std::nullopt;
    return FileStamp{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec};
}

std::optional<FileLock> FileLock::take(const std::filesystem::path& path) {
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.isOpen())
        return std::nullopt;
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return std::nullopt;
    // Whoever had it before may have removed it, or written another in its place.
    struct stat locked {};
    struct stat present {};
    const bool isSame = ::fstat(file.get(), &locked) == 0 && ::stat(path.c_str(), &present) == 0 &&
                        locked.st_dev == present.st_dev && locked.st_ino == present.st_ino;
    return isSame ? std::optional(FileLock(std::move(file))) : std::nullopt;
}

} // namespace core
