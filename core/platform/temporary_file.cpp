#include "core/platform/temporary_file.h"

#include "core/platform/process_identity.h"
#include "core/platform/work_scope.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace core {

namespace fs = std::filesystem;

namespace {

/// What mkstemp replaces.
constexpr std::string_view variablePart = "XXXXXX";
constexpr std::time_t day = std::time_t{24} * 60 * 60;
/// A name may have 255 bytes; the tag and what is around it need fewer than the rest.
constexpr std::size_t longestName = 180;

/// The tag in the name of a temporary file: ".NAME.TAG.XXXXXX" or "PREFIX-TAG-XXXXXX".
TagOwner ownerOfName(const std::string& name) {
    if (name.size() <= variablePart.size() + 1)
        return TagOwner::Nobody;
    const std::size_t end = name.size() - variablePart.size() - 1;
    const char separator = name[end];
    if (separator == '.' && name.front() == '.') {
        const std::size_t before = name.rfind('.', end - 1);
        return before == std::string::npos
                   ? TagOwner::Nobody
                   : ownerOfTag(std::string_view(name).substr(before + 1, end - before - 1));
    }
    if (separator != '-')
        return TagOwner::Nobody;
    // The tag itself holds two dashes.
    std::size_t before = end;
    for (int dash = 0; dash < 3 && before != std::string::npos && before > 0; ++dash)
        before = name.rfind('-', before - 1);
    return before == std::string::npos
               ? TagOwner::Nobody
               : ownerOfTag(std::string_view(name).substr(before + 1, end - before - 1));
}

bool mayGo(const fs::path& path) {
    const TagOwner owner = ownerOfName(path.filename().string());
    if (owner != TagOwner::Dead && owner != TagOwner::Elsewhere)
        return false;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || status.st_uid != ::geteuid() ||
        (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
        return false;
    return owner == TagOwner::Dead || std::time(nullptr) - status.st_mtime > day;
}

/// The beginning of a name, without half a character at its end.
std::string shortened(std::string name) {
    if (name.size() <= longestName)
        return name;
    std::size_t end = longestName;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U)
        --end;
    name.resize(end);
    return name;
}

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// What mkstemp makes a name of that nobody has.
std::string patternBeside(const fs::path& folder, const fs::path& target) {
    return (folder /
            fmt::format(".{}.{}.{}", shortened(target.filename().string()), processTag(), variablePart))
        .string();
}

void tidyOnce(const fs::path& folder) {
    static std::mutex mutex;
    static std::set<fs::path> tidied;
    {
        const std::lock_guard lock(mutex);
        std::error_code error;
        if (!tidied.insert(fs::canonical(folder, error)).second)
            return;
    }
    removeTemporariesOfTheDead(folder);
}

} // namespace

void tidyBeside(const fs::path& file) {
    tidyOnce(folderOf(file));
}

fs::path emptyFileBeside(const fs::path& target) {
    std::string file = patternBeside(folderOf(target), target);
    const FileDescriptor descriptor(::mkostemp(file.data(), O_CLOEXEC));
    return descriptor.isOpen() ? fs::path(file) : fs::path();
}

int replaceFile(const fs::path& target, std::string_view content, std::uint32_t mode) {
    return replaceFile(
        target, [&](const PieceWriter& write) { return write(content); }, mode);
}

int replaceFile(const fs::path& target, const std::function<bool(const PieceWriter& write)>& content,
                std::uint32_t mode, Links links) {
    fs::path folder = folderOf(target);
    tidyOnce(folder);
    FileDescriptor held;
    if (links == Links::Refuse) {
        held = openRealFolder(folder);
        if (!held.isOpen())
            return errno;
        folder = pathOf(held);
    }
    std::string file = patternBeside(folder, target);
    const WritingScope writing;
    FileDescriptor descriptor(::mkostemp(file.data(), O_CLOEXEC));
    if (!descriptor.isOpen())
        return errno;
    int reason = 0;
    bool isWritten = content([&](std::string_view piece) {
        const bool isTaken = writeAll(descriptor, piece);
        reason = isTaken ? reason : errno;
        return isTaken;
    });
    if (!isWritten && reason == 0)
        reason = ECANCELED;
    if (isWritten &&
        (::fchmod(descriptor.get(), static_cast<mode_t>(mode)) != 0 || ::fsync(descriptor.get()) != 0)) {
        reason = errno;
        isWritten = false;
    }
    if (!descriptor.close() && isWritten) {
        reason = errno;
        isWritten = false;
    }
    if (isWritten && ::rename(file.c_str(), (folder / target.filename()).c_str()) == 0)
        return 0;
    if (isWritten)
        reason = errno;
    ::unlink(file.c_str());
    return reason;
}

std::string temporaryPattern(std::string_view prefix) {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    if (error)
        return {};
    tidyOnce(folder);
    return (folder / fmt::format("{}-{}-{}", prefix, processTag(), variablePart)).string();
}

TemporaryFile::TemporaryFile(std::string_view prefix) {
    std::string pattern = temporaryPattern(prefix);
    if (pattern.empty())
        return;
    m_file = FileDescriptor(::mkostemp(pattern.data(), O_CLOEXEC));
    if (m_file.isOpen())
        ::unlink(pattern.c_str());
}

bool TemporaryFile::append(std::string_view bytes) const {
    return m_file.isOpen() && writeAll(m_file, bytes);
}

bool TemporaryFile::readAt(std::uint64_t offset, std::span<std::byte> bytes) const {
    while (m_file.isOpen() && !bytes.empty()) {
        const std::optional<std::size_t> some = readSomeAt(m_file, offset, bytes);
        if (!some || *some == 0)
            return false;
        offset += *some;
        bytes = bytes.subspan(*some);
    }
    return bytes.empty();
}

void removeTemporariesOfTheDead(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        std::error_code refused;
        if (mayGo(entry->path()))
            fs::remove_all(entry->path(), refused);
    }
}

} // namespace core
