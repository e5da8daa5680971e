#pragma once

#include "core/platform/shared_memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What a helper may use beyond what the program itself takes.
struct HelperBounds {
    /// Address space in bytes, the input's own apart.
    std::uint64_t memory = 0;
    /// In seconds.
    std::uint64_t processor = 2;
    std::uint64_t wall = 30;
};

/// This very program, started once more for code that can loop, crash or fill the memory. It is started with
/// posix_spawn, which other threads of the caller do not disturb; it dies with its caller. The caller
/// believes nothing of what it answers.
class HelperProcess {
public:
    enum class Ending : std::uint8_t {
        Done,    ///< ended by itself, with the code 0
        Exited,  ///< the same with another code
        TooSlow, ///< was ended: it took too long
        Stopped, ///< was ended: who asked is asked to stop
        Crashed, ///< a signal ended it, which `signal` names
    };

    /// Whether the program's main has passed by `serveHelper`, so that it can be started as its own helper.
    [[nodiscard]] static bool isAvailable();

    /// For one answer about an input, within bounds; no file can be opened. Null when no process can be made.
    /// `arguments` come back in the task.
    [[nodiscard]] static std::unique_ptr<HelperProcess> start(const std::string& task, std::string_view input,
                                                              const HelperBounds& bounds,
                                                              const std::vector<std::string>& arguments);
    /// For many questions, until this object ends; without bounds but those of each question. The helper
    /// shares `memory`, which the task finds behind `helperMemory`.
    [[nodiscard]] static std::unique_ptr<HelperProcess>
    startService(const std::string& task, const SharedMemory& memory,
                 const std::vector<std::string>& arguments);
    ~HelperProcess();
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    /// Of a service: a question, whose answer `read` waits for so long and no longer than `stop`
    /// allows. False when nobody listens.
    [[nodiscard]] bool ask(std::span<const std::byte> question, std::int64_t milliseconds,
                           std::stop_token stop);
    /// Fills `bytes` with the next ones of the answer; false when it ends before, or takes too long.
    [[nodiscard]] bool read(std::span<std::byte> bytes);
    /// Waits for the end, or makes one; a service that has not ended is ended.
    [[nodiscard]] Ending finish();
    /// The signal that ended it, in words of the system.
    [[nodiscard]] const std::string& signal() const { return m_signal; }

private:
    HelperProcess(int process, int answer)
        : m_process(process)
        , m_answer(answer) {}
    static std::unique_ptr<HelperProcess> make(std::vector<std::string> texts, int input,
                                               std::array<int, 2> ends);

    int m_process = -1;
    int m_answer = -1;
    bool m_isService = false;
    bool m_isLate = false;
    bool m_isAtEnd = false;
    std::stop_token m_stop;
    std::string m_signal;
    /// Milliseconds of the clock that never goes back.
    std::int64_t m_end = 0;
};

/// The side of the helper.
class HelperAnswer {
public:
    explicit HelperAnswer(int descriptor)
        : m_descriptor(descriptor) {}
    void write(std::span<const std::byte> bytes) const;
    /// The next question of a service; false when nobody asks any more.
    [[nodiscard]] bool read(std::span<std::byte> question) const;

private:
    int m_descriptor = -1;
};

struct HelperTask {
    std::string_view name;
    std::function<void(std::string_view input, std::span<const std::string> arguments,
                       const HelperAnswer& answer)>
        run;
};

/// Makes a task known to `serveHelper`; before `main`, from a variable of the file that does it.
bool addHelperTask(HelperTask task);

/// The memory that a service shares with whoever asks it.
[[nodiscard]] FileDescriptor helperMemory();

/// Does the task when the arguments of the program (its name left out) are those of a helper, and answers the
/// exit code; nothing for all others. A `main` calls it before anything else.
[[nodiscard]] std::optional<int> serveHelper(std::span<const std::string> arguments);

} // namespace core
