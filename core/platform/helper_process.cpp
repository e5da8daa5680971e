#include "core/platform/helper_process.h"

#include "core/platform/work_scope.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace core {

namespace {

/// First argument of a helper. No verb and no option: people have no use for it.
constexpr std::string_view helperMark = "--as-helper-process";
/// In the place of the bounds of one that answers many questions.
constexpr std::string_view serviceMark = "service";
constexpr int inputDescriptor = 3;
constexpr int answerDescriptor = 4;

std::atomic<bool>& isServing() {
    static std::atomic<bool> serving = false;
    return serving;
}

std::vector<HelperTask>& knownTasks() {
    static std::vector<HelperTask> tasks;
    return tasks;
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
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ})
        sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    // A group of its own, with what it starts itself.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
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

/// A service belongs to a process, not to the thread that started it, as PR_SET_PDEATHSIG would have it; and
/// it may be deep in code of others when nobody asks any more. What a terminal sends to both is for the
/// asker.
void serveAsLongAsAsked() {
    limit(RLIMIT_CORE, 0);
    for (const int signal : {SIGINT, SIGHUP, SIGQUIT})
        std::signal(signal, SIG_IGN);
    // What foreign code says does not belong into the answer of the program.
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    pthread_t watch{};
    const auto endWithTheAsker = [](void*) -> void* {
        pollfd asker{answerDescriptor, POLLRDHUP, 0};
        // A poll that has begun does not see that foreign code closes what it waits for.
        constexpr int interval = 50;
        while (::poll(&asker, 1, interval) <= 0) {
        }
        _exit(0);
    };
    if (::pthread_create(&watch, nullptr, endWithTheAsker, nullptr) != 0)
        _exit(1);
}

std::int64_t milliseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Without taking its status.
bool hasEnded(int process) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
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

std::unique_ptr<HelperProcess> HelperProcess::make(std::vector<std::string> texts, int input,
                                                   std::array<int, 2> ends) {
    texts.insert(texts.begin(), {"ipu-workbench", std::string(helperMark)});
    const int answer = movedUp(ends[1]);
    const int process = spawn(std::move(texts), input, answer);
    ::close(input);
    ::close(answer);
    if (process < 0) {
        ::close(ends[0]);
        return nullptr;
    }
    return std::unique_ptr<HelperProcess>(new HelperProcess(process, ends[0]));
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
    std::vector<std::string> texts{task, std::to_string(bounds.memory), std::to_string(bounds.processor)};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    auto helper = make(std::move(texts), file, ends);
    if (helper)
        helper->m_end = milliseconds() + static_cast<std::int64_t>(1000 * bounds.wall);
    return helper;
}

std::unique_ptr<HelperProcess> HelperProcess::startService(const std::string& task,
                                                           const SharedMemory& memory,
                                                           const std::vector<std::string>& arguments) {
    const int file = memory.file().isOpen() ? movedUp(::fcntl(memory.file().get(), F_DUPFD_CLOEXEC, 0)) : -1;
    std::array<int, 2> ends{-1, -1};
    if (file < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        ::close(file);
        return nullptr;
    }
    std::vector<std::string> texts{task, std::string(serviceMark), std::string(serviceMark)};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    auto helper = make(std::move(texts), file, ends);
    if (helper)
        helper->m_isService = true;
    return helper;
}

HelperProcess::~HelperProcess() {
    (void)finish();
}

bool HelperProcess::ask(std::span<const std::byte> question, std::int64_t patience, std::stop_token stop) {
    m_end = milliseconds() + patience;
    m_stop = std::move(stop);
    while (!question.empty()) {
        const ssize_t count = ::send(m_answer, question.data(), question.size(), MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            m_isAtEnd = true;
            return false;
        }
        question = question.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

bool HelperProcess::read(std::span<std::byte> bytes) {
    constexpr std::int64_t stopInterval = 50;
    std::optional<ReadingScope> reading;
    if (!m_isService)
        reading.emplace();
    while (!bytes.empty()) {
        const std::int64_t left = m_end - milliseconds();
        if (left <= 0 || m_stop.stop_requested()) {
            m_isLate = true;
            return false;
        }
        pollfd wanted{m_answer, POLLIN, 0};
        const int ready = ::poll(
            &wanted, 1, static_cast<int>(std::min(left, m_stop.stop_possible() ? stopInterval : 1'000'000)));
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        const ssize_t count = ready < 0 ? -1 : ::read(m_answer, bytes.data(), bytes.size());
        if (count < 0 && ready >= 0 && errno == EINTR)
            continue;
        m_isAtEnd = m_isAtEnd || count <= 0;
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
    if (!m_isService && !m_isLate && !m_isAtEnd)
        (void)read({&more, 1});
    // A service that has closed its end has ended, is about to, or goes on and never answers.
    while (m_isService && m_isAtEnd && !m_isLate && !hasEnded(m_process)) {
        m_isLate = milliseconds() >= m_end || m_stop.stop_requested();
        constexpr timespec pause{0, 2'000'000};
        ::nanosleep(&pause, nullptr);
    }
    if (m_isService || m_isLate || !m_isAtEnd)
        ::kill(m_process, SIGKILL);
    if (m_isService)
        ::kill(-m_process, SIGKILL);
    ::close(m_answer);
    int status = 0;
    while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {
    }
    m_process = -1;
    if (m_isLate && m_stop.stop_requested())
        return Ending::Stopped;
    // The processor's limit ends it with SIGXCPU, or SIGKILL where the soft and the hard one are the same.
    const bool isStopped = !m_isService && WIFSIGNALED(status) &&
                           (WTERMSIG(status) == SIGXCPU || (WTERMSIG(status) == SIGKILL && m_isAtEnd));
    if (m_isLate || isStopped)
        return Ending::TooSlow;
    if (WIFSIGNALED(status)) {
        m_signal = strsignal(WTERMSIG(status));
        return Ending::Crashed;
    }
    return WEXITSTATUS(status) == 0 ? Ending::Done : Ending::Exited;
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

bool HelperAnswer::read(std::span<std::byte> question) const {
    while (!question.empty()) {
        const ssize_t count = ::read(m_descriptor, question.data(), question.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        question = question.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

bool addHelperTask(HelperTask task) {
    knownTasks().push_back(std::move(task));
    return true;
}

FileDescriptor helperMemory() {
    return FileDescriptor(inputDescriptor);
}

std::optional<int> serveHelper(std::span<const std::string> arguments) {
    constexpr std::size_t ownArguments = 4;
    isServing() = true;
    if (arguments.size() < ownArguments || arguments[0] != helperMark)
        return std::nullopt;
    constexpr int wrongUse = 2;
    const auto task = std::ranges::find(knownTasks(), arguments[1], &HelperTask::name);
    struct stat status {};
    if (task == knownTasks().end() || ::fstat(inputDescriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        ::fcntl(answerDescriptor, F_GETFD) < 0)
        return wrongUse;
    const bool isService = arguments[2] == serviceMark;
    const auto size = isService ? 0 : static_cast<std::size_t>(status.st_size);
    void* const mapped =
        size == 0 ? nullptr : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, inputDescriptor, 0);
    if (mapped == MAP_FAILED)
        return wrongUse;
    if (isService)
        serveAsLongAsAsked();
    else
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
