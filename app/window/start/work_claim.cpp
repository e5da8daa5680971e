#include "app/window/start/work_claim.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace app {

std::optional<WorkClaim> WorkClaim::take(const QString& file) {
    const std::string path = file.toStdString();
    WorkClaim claim(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (claim.m_descriptor < 0)
        return std::nullopt;
    // A file system without locks has nobody to wait for either.
    if (::flock(claim.m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return std::nullopt;
    // Whoever had it before may have removed it, or written another in its place.
    struct stat locked {};
    struct stat present {};
    const bool isSame = ::fstat(claim.m_descriptor, &locked) == 0 && ::stat(path.c_str(), &present) == 0 &&
                        locked.st_dev == present.st_dev && locked.st_ino == present.st_ino;
    return isSame ? std::optional(std::move(claim)) : std::nullopt;
}

WorkClaim::WorkClaim(WorkClaim&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

WorkClaim& WorkClaim::operator=(WorkClaim&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

WorkClaim::~WorkClaim() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

} // namespace app
