// Put before the C library of a program (LD_PRELOAD), this makes one call fail, or every call from one on, as
// a broken disk, a full one or an exhausted memory would. Only calls on files below FAULT_FOLDER count, and
// allocations from the first such file on. By the environment:
//   FAULT_CALL    write, sync, rename, open, read or allocate
//   FAULT_AT      number of the first call that fails, from 1; 0: none
//   FAULT_LASTS   1: every call from there on
//   FAULT_FOLDER  without links
//   FAULT_SAID    a file that gets "failed N" when a call is made to fail, and "calls N" at the end

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

enum class Call { Write, Sync, Rename, Open, Read, Allocate, None };

struct Order {
    Call call = Call::None;
    long at = 0;
    bool lasts = false;
    const char* folder = nullptr;
    const char* said = nullptr;
};

std::atomic<long> calls = 0;
std::atomic<bool> isBegun = false;
thread_local bool isInside = false;

const Order& order() {
    static const Order known = [] {
        Order one;
        const char* call = std::getenv("FAULT_CALL");
        constexpr const char* names[] = {"write", "sync", "rename", "open", "read", "allocate"};
        for (int i = 0; call != nullptr && i < 6; ++i)
            if (std::strcmp(call, names[i]) == 0)
                one.call = static_cast<Call>(i);
        const char* at = std::getenv("FAULT_AT");
        one.at = at == nullptr ? 0 : std::atol(at);
        const char* lasts = std::getenv("FAULT_LASTS");
        one.lasts = lasts != nullptr && *lasts == '1';
        one.folder = std::getenv("FAULT_FOLDER");
        one.said = std::getenv("FAULT_SAID");
        return one;
    }();
    return known;
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

void say(const char* what, long number) {
    if (order().said == nullptr)
        return;
    static const auto openNext = next<int(const char*, int, ...)>("open");
    static const auto writeNext = next<ssize_t(int, const void*, std::size_t)>("write");
    const int file = openNext(order().said, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%s %ld\n", what, number);
    if (file >= 0)
        (void)!writeNext(file, text, static_cast<std::size_t>(size));
    ::close(file);
}

/// Counts a call; true when it has to fail.
bool fails(Call call) {
    if (order().call != call)
        return false;
    const long number = ++calls;
    const bool isFault = order().at > 0 && (number == order().at || (order().lasts && number > order().at));
    if (isFault && number == order().at) {
        const bool wasInside = isInside;
        isInside = true;
        say("failed", number);
        isInside = wasInside;
    }
    return isFault;
}

bool isBelow(const char* path) {
    const char* folder = order().folder;
    if (folder == nullptr || path == nullptr)
        return false;
    char whole[PATH_MAX];
    if (path[0] != '/') {
        if (::getcwd(whole, sizeof whole) == nullptr)
            return false;
        path = whole; // a relative name is below the current folder, as far as these programs use them
    }
    const std::size_t length = std::strlen(folder);
    const bool is = std::strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
    if (is)
        isBegun = true;
    return is;
}

bool isBelow(int descriptor) {
    char link[64];
    char path[PATH_MAX];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t size = ::readlink(link, path, sizeof path - 1);
    if (size <= 0)
        return false;
    path[size] = '\0';
    return path[0] == '/' && isBelow(path);
}

int refuse(int error) {
    errno = error;
    return -1;
}

struct AtEnd {
    ~AtEnd() { say("calls", calls); }
} atEnd;

} // namespace

extern "C" {

ssize_t write(int file, const void* bytes, std::size_t count) {
    static const auto real = next<ssize_t(int, const void*, std::size_t)>("write");
    if (order().call == Call::Write && isBelow(file) && fails(Call::Write))
        return refuse(ENOSPC);
    return real(file, bytes, count);
}

ssize_t pwrite64(int file, const void* bytes, std::size_t count, off64_t offset) {
    static const auto real = next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
    if (order().call == Call::Write && isBelow(file) && fails(Call::Write))
        return refuse(ENOSPC);
    return real(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t offset) {
    return pwrite64(file, bytes, count, offset);
}

ssize_t writev(int file, const iovec* pieces, int count) {
    static const auto real = next<ssize_t(int, const iovec*, int)>("writev");
    if (order().call == Call::Write && isBelow(file) && fails(Call::Write))
        return refuse(ENOSPC);
    return real(file, pieces, count);
}

int ftruncate64(int file, off64_t size) {
    static const auto real = next<int(int, off64_t)>("ftruncate64");
    if (order().call == Call::Write && isBelow(file) && fails(Call::Write))
        return refuse(ENOSPC);
    return real(file, size);
}

int ftruncate(int file, off_t size) {
    return ftruncate64(file, size);
}

int fsync(int file) {
    static const auto real = next<int(int)>("fsync");
    if (order().call == Call::Sync && isBelow(file) && fails(Call::Sync))
        return refuse(EIO);
    return real(file);
}

int fdatasync(int file) {
    static const auto real = next<int(int)>("fdatasync");
    if (order().call == Call::Sync && isBelow(file) && fails(Call::Sync))
        return refuse(EIO);
    return real(file);
}

int rename(const char* from, const char* to) {
    static const auto real = next<int(const char*, const char*)>("rename");
    if (order().call == Call::Rename && isBelow(to) && fails(Call::Rename))
        return refuse(EIO);
    return real(from, to);
}

int link(const char* from, const char* to) {
    static const auto real = next<int(const char*, const char*)>("link");
    if (order().call == Call::Rename && isBelow(to) && fails(Call::Rename))
        return refuse(EIO);
    return real(from, to);
}

int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned int flags) {
    static const auto real = next<int(int, const char*, int, const char*, unsigned int)>("renameat2");
    if (order().call == Call::Rename && isBelow(to) && fails(Call::Rename))
        return refuse(EIO);
    return real(fromFolder, from, toFolder, to, flags);
}

int open64(const char* path, int flags, ...) {
    static const auto real = next<int(const char*, int, ...)>("open64");
    std::va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    const bool is = !isInside && isBelow(path);
    if (order().call == Call::Open && is && fails(Call::Open))
        return refuse((flags & O_CREAT) != 0 ? ENOSPC : EIO);
    return real(path, flags, mode);
}

int open(const char* path, int flags, ...) {
    std::va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open64(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
    static const auto real = next<int(int, const char*, int, ...)>("openat");
    std::va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (order().call == Call::Open && isBelow(path) && fails(Call::Open))
        return refuse((flags & O_CREAT) != 0 ? ENOSPC : EIO);
    return real(folder, path, flags, mode);
}

int mkstemp64(char* pattern) {
    static const auto real = next<int(char*)>("mkstemp64");
    if (order().call == Call::Open && isBelow(pattern) && fails(Call::Open))
        return refuse(ENOSPC);
    return real(pattern);
}

int mkstemp(char* pattern) {
    return mkstemp64(pattern);
}

std::FILE* fopen64(const char* path, const char* mode) {
    static const auto real = next<std::FILE*(const char*, const char*)>("fopen64");
    if (!isInside && order().call == Call::Open && isBelow(path) && fails(Call::Open)) {
        errno = EIO;
        return nullptr;
    }
    return real(path, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
    return fopen64(path, mode);
}

ssize_t read(int file, void* bytes, std::size_t count) {
    static const auto real = next<ssize_t(int, void*, std::size_t)>("read");
    if (order().call == Call::Read && isBelow(file) && fails(Call::Read))
        return refuse(EIO);
    return real(file, bytes, count);
}

ssize_t pread64(int file, void* bytes, std::size_t count, off64_t offset) {
    static const auto real = next<ssize_t(int, void*, std::size_t, off64_t)>("pread64");
    if (order().call == Call::Read && isBelow(file) && fails(Call::Read))
        return refuse(EIO);
    return real(file, bytes, count, offset);
}

ssize_t pread(int file, void* bytes, std::size_t count, off_t offset) {
    return pread64(file, bytes, count, offset);
}

} // extern "C"

namespace {

void* allocated(std::size_t size) {
    if (isBegun && !isInside && fails(Call::Allocate))
        return nullptr;
    return std::malloc(size == 0 ? 1 : size);
}

} // namespace

void* operator new(std::size_t size) {
    void* const memory = allocated(size);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}
void* operator new[](std::size_t size) {
    return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocated(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return allocated(size);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
