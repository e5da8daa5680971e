#include "core/platform/helper_process.h"

#include "core/platform/reading_scope.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace core {

namespace {

/// First argument of a helper. No verb and no option: people have no use for it.
constexpr std::string_view helperMark = "--as-helper-process";
constexpr int inputDescriptor = 3;
constexpr int answerDescriptor = 4;

std::atomic<bool>& isServing() {
    static std::atomic<bool> serving = false;
    return serving;
}

/// Above those that the helper gets, so that putting one in place does not overwrite another.
int movedUp(int descriptor) {
    constexpr int first = 16;
    const int moved = descriptor < 0 ? -1 : ::fcntl(descriptor, F_DUPFD_CLOEXEC, first);
    if (descriptor >= 0)
        ::close(descriptor);
    return moved;
}

/// The input in a file of memory that the helper can map.
int fileOfMemory(std::string_view input) {
    const int file = movedUp(::memfd_create("input", MFD_CLOEXEC));
    while (file >= 0 && !input.empty()) {
        const ssize_t written = ::write(file, input.data(), input.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            ::close(file);
            return -1;
        }
        input.remove_prefix(static_cast<std::size_t>(written));
    }
    return file;
}

/// The process, or -1.
int spawn(std::vector<std::string> texts, int input, int answer) {
    std::vector<char*> arguments;
    for (std::string& text : texts)
        arguments.push_back(text.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input, inputDescriptor);
    posix_spawn_file_actions_adddup2(&actions, answer, answerDescriptor);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU})
        sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t process = -1;
    const int outcome =
        posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return outcome == 0 ? process : -1;
}

void limit(__rlimit_resource what, std::uint64_t most) {
    const rlimit bound{most, most};
    ::setrlimit(what, &bound);
}

std::uint64_t addressSpace() {
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    std::array<char, 64> text{};
    const ssize_t count = ::read(file, text.data(), text.size());
    ::close(file);
    std::uint64_t pages = 0;
    std::from_chars(text.data(), text.data() + std::max<ssize_t>(count, 0), pages);
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// The sanitizers take terabytes of addresses for themselves, and pipes to probe them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isSanitized = true;
#elif defined(__has_feature)
constexpr bool isSanitized = __has_feature(address_sanitizer);
#else
constexpr bool isSanitized = false;
#endif

void restrict(std::uint64_t memory, std::uint64_t seconds) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CPU, seconds);
    if (const std::uint64_t own = isSanitized ? 0 : addressSpace(); own > 0)
        limit(RLIMIT_AS, own + memory);
    // Nothing can be opened any more, whatever a file names.
    if (!isSanitized)
        limit(RLIMIT_NOFILE, answerDescriptor + 1);
}

std::int64_t milliseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

std::uint64_t numberOf(const std::string& text) {
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

bool HelperProcess::isAvailable() {
    return isServing();
}

std::unique_ptr<HelperProcess> HelperProcess::start(const std::string& task, std::string_view input,
                                                    const HelperBounds& bounds,
                                                    const std::vector<std::string>& arguments) {
    const int file = fileOfMemory(input);
    std::array<int, 2> ends{-1, -1};
    if (file < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
        ::close(file);
        return nullptr;
    }
    std::vector<std::string> texts{"ipu-workbench", std::string(helperMark), task,
                                   std::to_string(bounds.memory), std::to_string(bounds.processor)};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    const int answer = movedUp(ends[1]);
    const int process = spawn(std::move(texts), file, answer);
    ::close(file);
    ::close(answer);
    if (process < 0) {
        ::close(ends[0]);
        return nullptr;
    }
    return std::unique_ptr<HelperProcess>(new HelperProcess(process, ends[0], bounds.wall));
}

HelperProcess::HelperProcess(int process, int answer, std::uint64_t wall)
    : m_process(process)
    , m_answer(answer)
    , m_end(milliseconds() + static_cast<std::int64_t>(1000 * wall)) {}

HelperProcess::~HelperProcess() {
    (void)finish();
}

bool HelperProcess::read(std::span<std::byte> bytes) {
    const ReadingScope reading;
    while (!bytes.empty()) {
        const std::int64_t left = m_end - milliseconds();
        pollfd wanted{m_answer, POLLIN, 0};
        const int ready =
            left <= 0 ? 0 : ::poll(&wanted, 1, static_cast<int>(std::min<std::int64_t>(left, 1'000'000)));
        if (ready < 0 && errno == EINTR)
            continue;
        m_isLate = m_isLate || ready == 0;
        if (ready <= 0)
            return false;
        const ssize_t count = ::read(m_answer, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

HelperProcess::Ending HelperProcess::finish() {
    if (m_process < 0)
        return Ending::Done;
    // What is not at its end when its answer is read has nothing more to say.
    std::byte more{};
    const bool isAtEnd = !m_isLate && !read({&more, 1}) && !m_isLate;
    if (!isAtEnd)
        ::kill(m_process, SIGKILL);
    ::close(m_answer);
    int status = 0;
    while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
    }
    m_process = -1;
    // The processor's limit ends it with SIGXCPU, or SIGKILL where the soft and the hard one are the same.
    const bool isStopped =
        WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || (WTERMSIG(status) == SIGKILL && isAtEnd));
    if (m_isLate || isStopped)
        return Ending::TooSlow;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Ending::Done : Ending::Crashed;
}

void HelperAnswer::write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t count = ::write(m_descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            _exit(1);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
}

std::optional<int> serveHelper(std::span<const std::string> arguments, std::span<const HelperTask> tasks) {
    constexpr std::size_t ownArguments = 4;
    isServing() = true;
    if (arguments.size() < ownArguments || arguments[0] != helperMark)
        return std::nullopt;
    constexpr int wrongUse = 2;
    const auto task = std::ranges::find(tasks, arguments[1], &HelperTask::name);
    struct stat status {};
    if (task == tasks.end() || ::fstat(inputDescriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        ::fcntl(answerDescriptor, F_GETFD) < 0)
        return wrongUse;
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const mapped =
        size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, inputDescriptor, 0);
    if (mapped == MAP_FAILED)
        return wrongUse;
    restrict(numberOf(arguments[2]), numberOf(arguments[3]));
    try {
        task->run({static_cast<const char*>(mapped), size}, arguments.subspan(ownArguments),
                  HelperAnswer(answerDescriptor));
    } catch (const std::exception&) {
        _exit(1);
    }
    // No destructors: the library may be in any state.
    _exit(0);
}

} // namespace core
