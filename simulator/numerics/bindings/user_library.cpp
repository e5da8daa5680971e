#include "simulator/numerics/bindings/user_library.h"

#include "core/platform/shared_library.h"
#include "core/platform/trial_process.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <span>

namespace simulator {
namespace {

tl::unexpected<core::Diagnostics> refusal(const BindRequest& request, std::string message, std::string hint) {
    return core::failure(
        core::makeError(core::Trouble::Input, "numerics/user-operation",
                        {request.attributes<UserOperation>().library, request.operation->name},
                        std::move(message), {std::move(hint)}));
}

// How a trial ends; signals come on top.
enum Ending : int {
    Fine = 0,
    Failed = 1,
    WroteOutside = 2,
    ChangedInput = 3,
    LeftOut = 4,
    NotLoaded = 5,
    NoInterface = 6,
    OtherInterface = 7,
    NoFunction = 8
};

/// What the trial process tells its parent.
struct Report {
    int ending = Fine;
    std::array<char, 200> message{};
};

/// What a library offers, or why it does not.
struct LoadedFunction {
    int ending = Fine;
    std::string message;
    ipu_user_function function = nullptr;
};

std::string entryOf(const UserOperation& attributes) {
    return attributes.entry + (attributes.isGradient ? "_grad" : "");
}

/// Loading runs the constructors of the library.
LoadedFunction load(const UserOperation& attributes) {
    const core::SharedLibrary library(attributes.library);
    if (!library.isLoaded())
        return {NotLoaded, library.reason()};
    const auto abi = reinterpret_cast<std::uint32_t (*)()>(library.symbol("ipu_workbench_user_abi"));
    if (abi == nullptr)
        return {NoInterface, {}};
    if (const std::uint32_t version = abi(); version != IPU_WORKBENCH_USER_ABI)
        return {OtherInterface, std::to_string(version)};
    const auto function = reinterpret_cast<ipu_user_function>(library.symbol(entryOf(attributes)));
    return {function == nullptr ? NoFunction : Fine, {}, function};
}

/// One call with zeros, with guard bytes around each tensor that must stay as it is.
class Trial {
public:
    explicit Trial(const BindRequest& request)
        : m_operation(request.attributes<UserOperation>())
        , m_attributes(m_operation.attributes) {
        for (const Operand& operand : request.inputs)
            add(operand, m_inputs, 0.0F);
        for (const Operand& operand : request.outputs)
            add(operand, m_outputs, unwritten);
    }

    Report run() {
        Report report;
        const LoadedFunction loaded = load(m_operation);
        if (loaded.ending != Fine) {
            report.ending = loaded.ending;
            loaded.message.copy(report.message.data(), report.message.size() - 1);
            return report;
        }
        ipu_user_call call{IPU_WORKBENCH_USER_ABI,
                           static_cast<std::uint32_t>(m_inputs.size()),
                           static_cast<std::uint32_t>(m_outputs.size()),
                           static_cast<std::uint32_t>(report.message.size()),
                           m_inputs.data(),
                           m_outputs.data(),
                           m_attributes.c_str(),
                           report.message.data()};
        const int status = loaded.function(&call);
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

    const UserOperation& m_operation;
    std::string m_attributes;
    std::vector<std::vector<float>> m_memory;
    std::vector<ipu_user_tensor> m_inputs;
    std::vector<ipu_user_tensor> m_outputs;
};

constexpr unsigned trialSeconds = 5;

/// What a function that came back did wrong; empty when nothing.
std::string troubleOf(const Report& report) {
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

tl::unexpected<core::Diagnostics> misbehaves(const BindRequest& request, const std::string& trouble) {
    return refusal(
        request,
        fmt::format("\"{}\", tried with zeros, {}", entryOf(request.attributes<UserOperation>()), trouble),
        "correct the function; user_operation.h says what it may do");
}

/// What the trial of a library that did not crash says.
core::Result<void> verdict(const BindRequest& request, const Report& report) {
    const auto& attributes = request.attributes<UserOperation>();
    const std::string message = report.message.data();
    switch (report.ending) {
    case NotLoaded:
        return refusal(request, fmt::format("the library cannot be loaded: {}", message),
                       "give the path of a shared library built for this machine");
    case NoInterface:
        return refusal(request, "the library does not export ipu_workbench_user_abi",
                       "build it against this program's user_operation.h");
    case OtherInterface:
        return refusal(request,
                       fmt::format("the library speaks version {} of the interface, not {}", message,
                                   IPU_WORKBENCH_USER_ABI),
                       "build it against this program's user_operation.h");
    case NoFunction:
        return refusal(request, fmt::format("the library has no function \"{}\"", entryOf(attributes)),
                       attributes.isGradient ? "add the gradient, or freeze the layers before the operation"
                                             : "check op_name, and that the function is exported as C");
    default:
        break;
    }
    const std::string trouble = troubleOf(report);
    return trouble.empty() ? core::Result<void>() : misbehaves(request, trouble);
}

/// Loads the library and runs the trial in a process of its own: whatever its constructors do, they do it
/// there first.
core::Result<void> tryOut(const BindRequest& request) {
    Trial trial(request);
    Report report;
    const core::TrialEnding ending = core::tryInCopy(
        [&] { report = trial.run(); }, std::as_writable_bytes(std::span(&report, 1)), trialSeconds);
    switch (ending.kind) {
    case core::TrialEnding::Kind::Answered:
        return verdict(request, report);
    case core::TrialEnding::Kind::Exited:
        return misbehaves(request, "ends the program");
    case core::TrialEnding::Kind::Crashed:
        return misbehaves(request, fmt::format("crashes ({})", ending.signal));
    case core::TrialEnding::Kind::TooSlow:
        return misbehaves(request, fmt::format("does not come back within {} seconds", trialSeconds));
    case core::TrialEnding::Kind::NoPipe:
        return misbehaves(request, "could not be tried: there are too many open files");
    case core::TrialEnding::Kind::NotStarted:
        break;
    }
    return misbehaves(request, "could not be tried: no process could be started");
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
    // A bare name would be looked for wherever the system keeps its libraries.
    if (request.attributes<UserOperation>().library.find('/') == std::string::npos)
        return refusal(request, "the library is named without its folder", "give its path");
    if (auto result = tryOut(request); !result)
        return core::failure(result.error());
    const LoadedFunction loaded = load(request.attributes<UserOperation>());
    if (loaded.function == nullptr)
        return misbehaves(request, "loads in a process of its own and not here");
    tried[signature] = loaded.function;
    return loaded.function;
}

} // namespace simulator
