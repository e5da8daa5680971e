#include "simulator/numerics/bindings/user_library.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <sys/wait.h>
#include <unistd.h>

namespace simulator {
namespace {

tl::unexpected<core::Diagnostics> refusal(const BindRequest& request, std::string message, std::string hint) {
    core::Diagnostic diagnostic;
    diagnostic.code = "numerics/user-operation";
    diagnostic.location.file = request.attributes<UserOperation>().library;
    diagnostic.location.place = request.operation->name;
    diagnostic.message = std::move(message);
    diagnostic.hints.push_back(std::move(hint));
    return core::failure(std::move(diagnostic));
}

// How a trial ends; signals come on top.
enum Ending : int { Fine = 0, Failed = 1, WroteOutside = 2, ChangedInput = 3, LeftOut = 4 };

/// What the trial process tells its parent.
struct Report {
    int ending = Fine;
    std::array<char, 200> message{};
};

/// One call with zeros, with room around each tensor that must stay as it is.
class Trial {
public:
    Trial(const BindRequest& request, ipu_user_function function)
        : m_attributes(request.attributes<UserOperation>().attributes)
        , m_function(function) {
        for (const Operand& operand : request.inputs)
            add(operand, m_inputs, 0.0F);
        for (const Operand& operand : request.outputs)
            add(operand, m_outputs, unwritten);
    }

    Report run() {
        Report report;
        ipu_user_call call{IPU_WORKBENCH_USER_ABI,
                           static_cast<std::uint32_t>(m_inputs.size()),
                           static_cast<std::uint32_t>(m_outputs.size()),
                           static_cast<std::uint32_t>(report.message.size()),
                           m_inputs.data(),
                           m_outputs.data(),
                           m_attributes.c_str(),
                           report.message.data()};
        const int status = m_function(&call);
        report.message.back() = 0;
        report.ending = status != 0 ? Failed : inspect();
        return report;
    }

private:
    static constexpr std::size_t margin = 64;
    static constexpr float guard = -1.234567e30F;
    static constexpr float unwritten = 7.654321e30F;

    void add(const Operand& operand, std::vector<ipu_user_tensor>& tensors, float value) {
        const auto count = static_cast<std::size_t>(operand.elements());
        std::vector<float>& memory = m_memory.emplace_back(count + 2 * margin, guard);
        std::fill_n(memory.begin() + margin, count, value);
        tensors.push_back({static_cast<std::int32_t>(operand.extents().size()), operand.extents().data(),
                           memory.data() + margin});
    }

    [[nodiscard]] int inspect() const {
        for (std::size_t i = 0; i < m_memory.size(); ++i) {
            const std::vector<float>& memory = m_memory[i];
            const auto isGuard = [](float value) { return value == guard; };
            if (!std::all_of(memory.begin(), memory.begin() + margin, isGuard) ||
                !std::all_of(memory.end() - margin, memory.end(), isGuard))
                return WroteOutside;
            const bool isInput = i < m_inputs.size();
            const auto isExpected = [&](float value) { return isInput ? value == 0.0F : value != unwritten; };
            if (!std::all_of(memory.begin() + margin, memory.end() - margin, isExpected))
                return isInput ? ChangedInput : LeftOut;
        }
        return Fine;
    }

    std::string m_attributes;
    ipu_user_function m_function;
    std::vector<std::vector<float>> m_memory;
    std::vector<ipu_user_tensor> m_inputs;
    std::vector<ipu_user_tensor> m_outputs;
};

constexpr unsigned trialSeconds = 5;

/// What went wrong in a trial; empty when nothing did.
std::string troubleOf(const Report& report, int status) {
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? fmt::format("does not come back within {} seconds", trialSeconds)
                                           : fmt::format("crashes ({})", strsignal(WTERMSIG(status)));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return "ends the program";
    switch (report.ending) {
    case Failed:
        return report.message.front() == 0 ? std::string("fails without saying why")
                                           : fmt::format("fails: {}", report.message.data());
    case WroteOutside:
        return "writes outside its tensors";
    case ChangedInput:
        return "changes its inputs";
    case LeftOut:
        return "leaves elements of its outputs unwritten";
    default:
        return {};
    }
}

/// Runs the trial in a process of its own.
std::string tryOut(const BindRequest& request, ipu_user_function function) {
    std::array<int, 2> ends{};
    Trial trial(request, function);
    if (pipe(ends.data()) != 0)
        return {};
    const pid_t child = fork();
    if (child == 0) {
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
            std::signal(signal, SIG_DFL);
        alarm(trialSeconds);
        const Report report = trial.run();
        const bool isTold = write(ends[1], &report, sizeof(report)) == sizeof(report);
        _exit(isTold ? 0 : 1);
    }
    close(ends[1]);
    Report report;
    int status = 0;
    const bool isRead = child > 0 && read(ends[0], &report, sizeof(report)) == sizeof(report);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return {};
    return isRead || status != 0 ? troubleOf(report, status) : "ends the program";
}

/// Operations that passed their trial, with the extents of their operands.
std::string signatureOf(const BindRequest& request) {
    const auto& attributes = request.attributes<UserOperation>();
    std::string text = fmt::format("{}\n{}\n{}\n{}", attributes.library, attributes.entry,
                                   attributes.isGradient, attributes.attributes);
    for (const auto& operands : {request.inputs, request.outputs}) {
        for (const Operand& operand : operands)
            text += fmt::format("\n{}", fmt::join(operand.extents(), ","));
    }
    return text;
}

} // namespace

core::Result<ipu_user_function> loadUserFunction(const BindRequest& request) {
    static std::mutex mutex;
    static std::map<std::string, ipu_user_function> tried;
    const std::lock_guard lock(mutex);
    const std::string signature = signatureOf(request);
    if (const auto known = tried.find(signature); known != tried.end())
        return known->second;
    const auto& attributes = request.attributes<UserOperation>();
    void* library = dlopen(attributes.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* why = dlerror();
        return refusal(request, fmt::format("the library cannot be loaded: {}", why == nullptr ? "" : why),
                       "give the path of a shared library built for this machine");
    }
    const auto abi = reinterpret_cast<std::uint32_t (*)()>(dlsym(library, "ipu_workbench_user_abi"));
    if (abi == nullptr || abi() != IPU_WORKBENCH_USER_ABI)
        return refusal(request,
                       abi == nullptr ? std::string("the library does not export ipu_workbench_user_abi")
                                      : fmt::format("the library speaks version {} of the interface, not {}",
                                                    abi(), IPU_WORKBENCH_USER_ABI),
                       "build it against this program's user_operation.h");
    const std::string entry = attributes.entry + (attributes.isGradient ? "_grad" : "");
    const auto function = reinterpret_cast<ipu_user_function>(dlsym(library, entry.c_str()));
    if (function == nullptr)
        return refusal(request, fmt::format("the library has no function \"{}\"", entry),
                       attributes.isGradient ? "add the gradient, or freeze the layers before the operation"
                                             : "check op_name, and that the function is exported as C");
    if (const std::string trouble = tryOut(request, function); !trouble.empty())
        return refusal(request, fmt::format("\"{}\", tried with zeros, {}", entry, trouble),
                       "correct the function; user_operation.h says what it may do");
    tried[signature] = function;
    return function;
}

} // namespace simulator
