#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
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

/// This very program, started once more to read an input with a library that a hostile file can make loop,
/// crash or fill the memory. It opens no file, gets the input as bytes, and answers bytes that the caller
/// must check. It is started with posix_spawn, which other threads of the caller do not disturb; it dies with
/// its caller.
class HelperProcess {
public:
    enum class Ending : std::uint8_t { Done, TooSlow, Crashed };

    /// Whether the program's main has passed by `serveHelper`, so that it can be started as its own helper.
    [[nodiscard]] static bool isAvailable();

    /// Null when no process can be made. `arguments` come back in the task.
    [[nodiscard]] static std::unique_ptr<HelperProcess> start(const std::string& task, std::string_view input,
                                                              const HelperBounds& bounds,
                                                              const std::vector<std::string>& arguments);
    ~HelperProcess();
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    /// Fills `bytes` with the next ones of the answer; false when it ends before, or takes too long.
    [[nodiscard]] bool read(std::span<std::byte> bytes);
    /// Waits for the end, or makes one.
    [[nodiscard]] Ending finish();

private:
    HelperProcess(int process, int answer, std::uint64_t wall);

    int m_process = -1;
    int m_answer = -1;
    bool m_isLate = false;
    /// Milliseconds of the clock that never goes back.
    std::int64_t m_end = 0;
};

/// The side of the helper: writes its answer.
class HelperAnswer {
public:
    explicit HelperAnswer(int descriptor)
        : m_descriptor(descriptor) {}
    void write(std::span<const std::byte> bytes) const;

private:
    int m_descriptor = -1;
};

struct HelperTask {
    std::string_view name;
    std::function<void(std::string_view input, std::span<const std::string> arguments,
                       const HelperAnswer& answer)>
        run;
};

/// Does the task when the arguments of the program (its name left out) are those of a helper, and answers the
/// exit code; nothing for all others. A `main` calls it before anything else.
[[nodiscard]] std::optional<int> serveHelper(std::span<const std::string> arguments,
                                             std::span<const HelperTask> tasks);

} // namespace core
