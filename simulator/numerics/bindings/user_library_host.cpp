#include "simulator/numerics/bindings/user_library_host.h"

#include "core/platform/helper_process.h"
#include "core/platform/work_scope.h"
#include "simulator/numerics/bindings/user_library_helper.h"
#include "simulator/numerics/user_operation.h"

#include <fmt/format.h>
#include <optional>

namespace simulator {
namespace {

const bool isTaskKnown = core::addHelperTask({userLibraryTask, holdUserLibrary});

core::Diagnostic finding(const std::string& library, const std::string& operation, std::string message,
                         std::string hint) {
    return core::makeError(core::Trouble::Input, "numerics/user-operation", {library, operation},
                           std::move(message), {std::move(hint)});
}

std::string inSeconds(std::chrono::milliseconds time) {
    return fmt::format("{} seconds", std::chrono::duration<double>(time).count());
}

} // namespace

/// What came of a call.
struct UserLibraryHost::Outcome {
    UserAnswer answer;
    /// What the process did instead of answering; empty: it answered.
    std::string trouble;
};

/// A process that holds a library, and the memory in which it is called.
class UserLibraryHost::Worker {
public:
    explicit Worker(const std::string& library)
        : m_process(core::HelperProcess::isAvailable()
                        ? core::HelperProcess::startService(std::string(userLibraryTask), m_memory, {library})
                        : nullptr) {}

    [[nodiscard]] std::span<std::byte> memory() const { return m_memory.bytes(); }
    [[nodiscard]] bool isUsable() const { return m_process != nullptr; }

    /// Room for a call; false when there is not as much memory.
    [[nodiscard]] bool reserve(const UserCall& call) { return m_memory.reserve(call.bytes()); }
    [[nodiscard]] Outcome ask(const UserCall& call, std::chrono::milliseconds patience,
                              std::stop_token stop) {
        const std::uint64_t bytes = call.bytes();
        Outcome outcome;
        if (m_process->ask(std::as_bytes(std::span(&bytes, 1)), patience.count(), std::move(stop)) &&
            m_process->read(std::as_writable_bytes(std::span(&outcome.answer, 1)))) {
            outcome.answer.message.back() = 0;
            return outcome;
        }
        switch (m_process->finish()) {
        case core::HelperProcess::Ending::Done:
        case core::HelperProcess::Ending::Exited:
            outcome.trouble = "ends the program";
            break;
        case core::HelperProcess::Ending::TooSlow:
            outcome.trouble = fmt::format("does not come back within {}", inSeconds(patience));
            break;
        case core::HelperProcess::Ending::Stopped:
            outcome.trouble = "was stopped";
            break;
        case core::HelperProcess::Ending::Crashed:
            outcome.trouble = fmt::format("crashes ({})", m_process->signal());
            break;
        }
        m_process = nullptr;
        return outcome;
    }

private:
    core::SharedMemory m_memory;
    std::unique_ptr<core::HelperProcess> m_process;
};

namespace {

constexpr const char* notStarted = "could not be tried: no process could be started";
constexpr const char* noMemory = "could not be called: there is not enough memory";

/// What a library is refused for before any of its functions is called.
std::optional<core::Diagnostic> refusalOf(const UserAnswer& answer, const std::string& library,
                                          const std::string& operation, const UserCall& call,
                                          bool isGradient) {
    const std::string message = answer.message.data();
    switch (answer.ending) {
    case UserAnswer::NotLoaded:
        return finding(library, operation, fmt::format("the library cannot be loaded: {}", message),
                       "give the path of a shared library built for this machine");
    case UserAnswer::NoInterface:
        return finding(library, operation, "the library does not export ipu_workbench_user_abi",
                       "build it against this program's user_operation.h");
    case UserAnswer::OtherInterface:
        return finding(library, operation,
                       fmt::format("the library speaks version {} of the interface, not {}", message,
                                   IPU_WORKBENCH_USER_ABI),
                       "build it against this program's user_operation.h");
    case UserAnswer::NoFunction:
        return finding(library, operation, fmt::format("the library has no function \"{}\"", call.entry()),
                       isGradient ? "add the gradient, or freeze the layers before the operation"
                                  : "check op_name, and that the function is exported as C");
    default:
        return std::nullopt;
    }
}

/// What a function that came back did wrong; empty when nothing.
std::string troubleOf(const UserAnswer& answer, const UserCall& call, std::span<const std::byte> memory) {
    if (answer.ending != UserAnswer::Fine)
        return answer.message.front() == 0 ? std::string("fails without saying why")
                                           : fmt::format("fails: {}", answer.message.data());
    return call.isGuarded(memory) ? std::string() : "writes outside its tensors";
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

constexpr const char* correctIt = "correct the function; user_operation.h says what it may do";

} // namespace

UserLibraryHost::UserLibraryHost(UserPatience patience)
    : m_patience(patience) {}

UserLibraryHost::~UserLibraryHost() = default;

std::unique_ptr<UserLibraryHost::Worker> UserLibraryHost::idleWorker(const std::string& library) {
    {
        const std::lock_guard lock(m_mutex);
        auto& idle = m_idle[library];
        if (!idle.empty()) {
            auto worker = std::move(idle.back());
            idle.pop_back();
            return worker;
        }
    }
    return std::make_unique<Worker>(library);
}

void UserLibraryHost::keep(const std::string& library, std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(m_mutex);
    m_idle[library].push_back(std::move(worker));
}

core::Result<void> UserLibraryHost::tryOut(const BindRequest& request) {
    const auto& attributes = request.attributes<UserOperation>();
    const std::string& operation = request.operation->name;
    const std::string signature = signatureOf(request);
    {
        const std::lock_guard lock(m_mutex);
        if (m_tried.contains(signature))
            return {};
    }
    // A bare name would be looked for wherever the system keeps its libraries.
    if (attributes.library.find('/') == std::string::npos)
        return core::failure(finding(attributes.library, operation, "the library is named without its folder",
                                     "give its path"));
    const UserCall call(request);
    const auto misbehaves = [&](const std::string& trouble) {
        return core::failure(finding(attributes.library, operation,
                                     fmt::format("\"{}\", tried with zeros, {}", call.entry(), trouble),
                                     correctIt));
    };
    auto worker = idleWorker(attributes.library);
    if (!worker->isUsable())
        return misbehaves(notStarted);
    if (!worker->reserve(call))
        return misbehaves(noMemory);
    call.writeTrial(worker->memory());
    // Nothing has been computed yet that waiting for it would save.
    const core::ReadingScope reading;
    const Outcome outcome = worker->ask(call, m_patience.trial, m_stop);
    if (!outcome.trouble.empty())
        return misbehaves(outcome.trouble);
    if (auto refusal = refusalOf(outcome.answer, attributes.library, operation, call, attributes.isGradient))
        return core::failure(std::move(*refusal));
    std::string trouble = troubleOf(outcome.answer, call, worker->memory());
    if (trouble.empty() && !call.keptInputs(worker->memory()))
        trouble = "changes its inputs";
    if (trouble.empty() && !call.filledOutputs(worker->memory()))
        trouble = "leaves elements of its outputs unwritten";
    if (!trouble.empty())
        return misbehaves(trouble);
    keep(attributes.library, std::move(worker));
    const std::lock_guard lock(m_mutex);
    m_tried.insert(signature);
    return {};
}

void UserLibraryHost::call(const std::string& library, const UserCall& call) {
    constexpr std::size_t bytesPerSecond = std::size_t{16} << 20U;
    std::stop_token stop;
    {
        const std::lock_guard lock(m_mutex);
        stop = m_stop;
        if (!m_state || stop.stop_requested()) {
            call.spoilOutputs();
            return;
        }
    }
    auto worker = idleWorker(library);
    std::string trouble;
    if (!worker->isUsable())
        trouble = notStarted;
    else if (!worker->reserve(call))
        trouble = noMemory;
    if (trouble.empty()) {
        call.write(worker->memory());
        const auto patience = m_patience.call + std::chrono::seconds(call.bytes() / bytesPerSecond);
        const Outcome outcome = worker->ask(call, patience, stop);
        trouble =
            outcome.trouble.empty() ? troubleOf(outcome.answer, call, worker->memory()) : outcome.trouble;
    }
    if (trouble.empty()) {
        call.readOutputs(worker->memory());
        keep(library, std::move(worker));
        return;
    }
    call.spoilOutputs();
    const std::lock_guard lock(m_mutex);
    if (m_state && !stop.stop_requested())
        m_state = core::failure(
            finding(library, call.operation(), fmt::format("\"{}\" {}", call.entry(), trouble), correctIt));
}

void UserLibraryHost::obey(std::stop_token stop) {
    const std::lock_guard lock(m_mutex);
    m_stop = std::move(stop);
}

bool UserLibraryHost::isStopped() const {
    const std::lock_guard lock(m_mutex);
    return m_stop.stop_requested();
}

core::Result<void> UserLibraryHost::state() const {
    const std::lock_guard lock(m_mutex);
    return m_state;
}

} // namespace simulator
