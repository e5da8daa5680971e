#include "core/base/file.h"

#include "core/base/file_limit.h"
#include "core/process/temporary_file.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace core {

namespace fs = std::filesystem;

namespace {

Diagnostic worldRefused(const fs::path& path, std::string code, std::string message, std::string hint) {
    return makeError(Trouble::World, std::move(code), {path.string(), ""}, std::move(message),
                     {std::move(hint)});
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

Diagnostic writeRefused(const fs::path& path, int error) {
    if (error == ENOSPC || error == EDQUOT)
        return worldRefused(path, "file/disk-full", "the disk is full",
                            "free some space; nothing was changed");
    return worldRefused(path, "file/not-writable", fmt::format("cannot be written: {}", std::strerror(error)),
                        "check the permissions of the file and its folder");
}

/// A device or a pipe holds nothing that could be lost, and must not be replaced by a file.
Result<void> writeInPlace(const fs::path& path, const ContentPieces& content) {
    const Descriptor descriptor = [&] {
        const ReadingScope waiting; // a FIFO waits for its reader
        return Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    }();
    if (!descriptor.isOpen())
        return failure(writeRefused(path, errno));
    return content([&](std::string_view piece) -> Result<void> {
        if (!writeAll(descriptor.get(), piece))
            return failure(writeRefused(path, errno));
        return {};
    });
}

} // namespace

namespace {

struct OpenedFile {
    int descriptor = -1;
    std::uint64_t size = 0;
};

Diagnostic notRegular(const fs::path& path) {
    return worldRefused(path, "file/unreadable", "is not a regular file", "copy it into a file");
}

/// The one door of every file that is read. What it is gets known before it is opened, for opening a FIFO
/// waits for its writer and opening a device may do something; and once more afterwards, for it may have been
/// replaced.
Result<OpenedFile> openForReading(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return failure(worldRefused(path, "file/missing", "no such file", "check the spelling of the path"));
    if (S_ISDIR(status.st_mode))
        return failure(
            worldRefused(path, "file/is-a-folder", "is a folder, not a file", "name a file inside it"));
    if (status.st_mode != 0 && !S_ISREG(status.st_mode))
        return failure(notRegular(path));
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return failure(worldRefused(path, "file/unreadable",
                                    fmt::format("cannot be read: {}", std::strerror(errno)),
                                    "check the permissions of the file"));
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return failure(notRegular(path));
    }
    return OpenedFile{descriptor, static_cast<std::uint64_t>(status.st_size)};
}

} // namespace

Result<FileReader> FileReader::open(const fs::path& path) {
    const auto opened = openForReading(path);
    if (!opened)
        return failure(opened.error());
    FileReader reader(path, opened->descriptor);
    reader.m_size = opened->size;
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
    const ReadingScope reading;
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

namespace {

Diagnostic tooLarge(const fs::path& path, std::uintmax_t limit) {
    return worldRefused(path, "file/too-large", fmt::format("has more than {} bytes", limit),
                        "is this the right file?");
}

/// To its end and not to its size: files of /proc say 0, others grow meanwhile.
Result<std::string> readToEnd(int descriptor, const fs::path& path, std::string content,
                              std::uintmax_t limit) {
    std::array<char, 1 << 16> block{};
    while (true) {
        const ssize_t count = ::read(descriptor, block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failure(worldRefused(path, "file/unreadable",
                                        fmt::format("cannot be read: {}", std::strerror(errno)),
                                        "is the disk healthy?"));
        if (count == 0)
            return content;
        if (content.size() + static_cast<std::size_t>(count) > limit)
            return failure(tooLarge(path, limit));
        content.append(block.data(), static_cast<std::size_t>(count));
    }
}

} // namespace

Result<std::string> readFile(const fs::path& path, std::uintmax_t limit) {
    const ReadingScope reading;
    const auto opened = openForReading(path);
    if (!opened)
        return failure(opened.error());
    const Descriptor descriptor(opened->descriptor);
    if (opened->size > limit)
        return failure(tooLarge(path, limit));
    std::string content;
    content.reserve(static_cast<std::size_t>(opened->size));
    return readToEnd(descriptor.get(), path, std::move(content), limit);
}

Result<std::string> readStandardInput(std::uintmax_t limit) {
    const ReadingScope reading;
    return readToEnd(STDIN_FILENO, "stdin", {}, limit);
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view content, Overwrite overwrite) {
    return writePiecesAtomically(
        path, [&](const WritePiece& write) { return write(content); }, overwrite);
}

Result<void> writePiecesAtomically(const fs::path& path, const ContentPieces& content, Overwrite overwrite) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::directory)
        return failure(worldRefused(path, "file/is-a-folder", "is a folder", "name a file inside it"));
    const bool exists = fs::exists(status);
    if (exists && !fs::is_regular_file(status))
        return writeInPlace(path, content);
    if (exists && overwrite == Overwrite::Refuse)
        return failure(worldRefused(path, "file/exists", "exists already", "use --force to replace it"));
    if (!exists && fs::is_symlink(path, error))
        return failure(worldRefused(path, "file/dangling-link", "is a symbolic link to nothing that exists",
                                    "name the file itself, or remove the link"));
    const fs::path target = exists ? fs::canonical(path, error) : path;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        return failure(worldRefused(path, "file/missing-folder",
                                    fmt::format("the folder {} does not exist", folder.string()),
                                    "make the folder first"));
    if (exists && ::access(target.c_str(), W_OK) != 0)
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
    Result<void> whole;
    const auto pieces = [&](const PieceWriter& write) {
        whole = content([&](std::string_view piece) -> Result<void> {
            if (!write(piece))
                return failure(writeRefused(path, errno));
            return {};
        });
        return whole.has_value();
    };
    if (const int refused = replaceFile(target, pieces, mode); refused != 0 && whole)
        return failure(writeRefused(path, refused));
    return whole;
}

} // namespace core
