#include "core/base/file.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace core {

namespace fs = std::filesystem;

namespace {

Diagnostic worldRefused(const fs::path& path, std::string code, std::string message, std::string hint) {
    return {Severity::Error,     Trouble::World,     std::move(code),
            {path.string(), ""}, std::move(message), {std::move(hint)}};
}

/// Closes a file descriptor on every way out.
class Descriptor {
public:
    explicit Descriptor(int value)
        : m_value(value) {}
    ~Descriptor() {
        if (m_value >= 0)
            ::close(m_value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return m_value; }
    [[nodiscard]] bool isOpen() const { return m_value >= 0; }

private:
    int m_value;
};

bool writeAll(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

Diagnostic writeRefused(const fs::path& path, int error) {
    if (error == ENOSPC || error == EDQUOT)
        return worldRefused(path, "file/disk-full", "the disk is full",
                            "free some space; nothing was changed");
    return worldRefused(path, "file/not-writable", fmt::format("cannot be written: {}", std::strerror(error)),
                        "check the permissions of the file and its folder");
}

/// A device or a pipe holds nothing that could be lost, and must not be replaced by a file.
Result<void> writeInPlace(const fs::path& path, std::string_view content) {
    const Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!descriptor.isOpen() || !writeAll(descriptor.get(), content))
        return failure(writeRefused(path, errno));
    return {};
}

} // namespace

namespace {

Result<int> openForReading(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return failure(worldRefused(path, "file/missing", "no such file", "check the spelling of the path"));
    if (status.type() == fs::file_type::directory)
        return failure(
            worldRefused(path, "file/is-a-folder", "is a folder, not a file", "name a file inside it"));
    const auto notRegular = [&] {
        return failure(worldRefused(path, "file/unreadable", "is not a regular file", "copy it into a file"));
    };
    // A pipe would block whoever opens it, a device never ends.
    if (fs::exists(status) && !fs::is_regular_file(status))
        return notRegular();
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return failure(worldRefused(path, "file/unreadable",
                                    fmt::format("cannot be read: {}", std::strerror(errno)),
                                    "check the permissions of the file"));
    // What was looked at above may have been replaced since.
    struct stat opened {};
    if (::fstat(descriptor, &opened) != 0 || !S_ISREG(opened.st_mode)) {
        ::close(descriptor);
        return notRegular();
    }
    return descriptor;
}

Result<std::string> readToTheEnd(const Descriptor& descriptor, const fs::path& path, std::uintmax_t limit) {
    std::string content;
    std::array<char, 1 << 16> block{};
    while (true) {
        const ssize_t count = ::read(descriptor.get(), block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failure(worldRefused(path, "file/unreadable",
                                        fmt::format("cannot be read: {}", std::strerror(errno)),
                                        "is the disk healthy?"));
        if (count == 0)
            return content;
        content.append(block.data(), static_cast<std::size_t>(count));
        if (content.size() > limit)
            return failure(worldRefused(path, "file/too-large", fmt::format("has more than {} bytes", limit),
                                        "is this the right file?"));
    }
}

/// Where a symbolic link leads whose end is not there (yet); nothing when it leads round and round.
std::optional<fs::path> endOfLink(fs::path path) {
    constexpr int longestChain = 40;
    std::error_code error;
    for (int i = 0; i < longestChain; ++i) {
        if (!fs::is_symlink(fs::symlink_status(path, error)))
            return path;
        const fs::path next = fs::read_symlink(path, error);
        if (error)
            return std::nullopt;
        path = path.parent_path() / next;
    }
    return std::nullopt;
}

} // namespace

Result<FileReader> FileReader::open(const fs::path& path) {
    const auto descriptor = openForReading(path);
    if (!descriptor)
        return failure(descriptor.error());
    FileReader reader(path, *descriptor);
    struct stat status {};
    if (::fstat(*descriptor, &status) != 0)
        return failure(worldRefused(path, "file/unreadable", "cannot be looked at", "is the disk healthy?"));
    reader.m_size = static_cast<std::uint64_t>(status.st_size);
    return reader;
}

FileReader::~FileReader() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

FileReader::FileReader(FileReader&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_size(other.m_size) {}

FileReader& FileReader::operator=(FileReader&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_size, other.m_size);
    return *this;
}

Result<void> FileReader::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t count = ::pread(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return failure(worldRefused(
                m_path, "file/unreadable",
                count < 0 ? fmt::format("cannot be read: {}", std::strerror(errno))
                          : fmt::format("ends at byte {}: it became shorter while it was read", offset),
                "check the file and its disk"));
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

Result<std::string> readFile(const fs::path& path, std::uintmax_t limit) {
    const auto opened = openForReading(path);
    if (!opened)
        return failure(opened.error());
    const Descriptor descriptor(*opened);
    return readToTheEnd(descriptor, path, limit);
}

Result<std::string> readFileOrInput(const fs::path& path, std::uintmax_t limit) {
    if (path != "-")
        return readFile(path, limit);
    const Descriptor input(::dup(STDIN_FILENO));
    return readToTheEnd(input, "standard input", limit);
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view content, Overwrite overwrite) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::directory)
        return failure(worldRefused(path, "file/is-a-folder", "is a folder", "name a file inside it"));
    const bool exists = fs::exists(status);
    if (exists && !fs::is_regular_file(status))
        return writeInPlace(path, content);
    if (exists && overwrite == Overwrite::Refuse)
        return failure(worldRefused(path, "file/exists", "exists already", "use --force to replace it"));
    const auto end = exists ? std::optional(fs::canonical(path, error)) : endOfLink(path);
    if (!end)
        return failure(worldRefused(path, "file/not-writable", "is a symbolic link that leads nowhere",
                                    "remove the link, or name another file"));
    const fs::path& target = *end;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        return failure(worldRefused(path, "file/missing-folder",
                                    fmt::format("the folder {} does not exist", folder.string()),
                                    "make the folder first"));
    if (exists && ::access(target.c_str(), W_OK) != 0)
        return failure(writeRefused(path, errno));

    std::string pattern = (folder / fmt::format(".{}.XXXXXX", target.filename().string())).string();
    const Descriptor descriptor(::mkostemp(pattern.data(), O_CLOEXEC));
    if (!descriptor.isOpen())
        return failure(writeRefused(path, errno));
    mode_t mode = 0;
    struct stat information = {};
    if (exists && ::stat(target.c_str(), &information) == 0) {
        mode = information.st_mode & 07777U;
    } else {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        mode = 0666U & ~mask;
    }
    const bool isWritten = writeAll(descriptor.get(), content) && ::fchmod(descriptor.get(), mode) == 0 &&
                           ::fsync(descriptor.get()) == 0 && ::rename(pattern.c_str(), target.c_str()) == 0;
    if (!isWritten) {
        const int reason = errno;
        ::unlink(pattern.c_str());
        return failure(writeRefused(path, reason));
    }
    return {};
}

} // namespace core
