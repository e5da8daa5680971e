#pragma once

#include "core/base/result.h"
#include "simulator/numerics/bindings/bound_operation.h"
#include "simulator/numerics/bindings/user_call.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace simulator {

/// How long a function of a library may take.
struct UserPatience {
    std::chrono::milliseconds trial{5'000};
    /// 1 s for every 16 MiB of tensors come on top.
    std::chrono::milliseconds call{30'000};
};

/// The libraries of the user operations of a run. Each is loaded in a process of its own and nowhere else,
/// that lasts until its last operation goes; callers that meet have one each. Tensors are copied into memory
/// that both see, and results out of it, so that a library reaches nothing but what it was given.
class UserLibraryHost : public std::enable_shared_from_this<UserLibraryHost> {
public:
    explicit UserLibraryHost(UserPatience patience = {});
    ~UserLibraryHost();
    UserLibraryHost(const UserLibraryHost&) = delete;
    UserLibraryHost& operator=(const UserLibraryHost&) = delete;

    /// Tries the function of a user operation with zeros, once for each library, function and extents.
    /// Refuses
    /// ("numerics/user-operation") a library named without a folder (the system's are never searched), one
    /// that cannot be loaded, was built against another interface, misses the function, or whose function
    /// fails, crashes, ends its process, hangs or writes where it should not.
    [[nodiscard]] core::Result<void> tryOut(const BindRequest& request);

    /// A call: fills its outputs, with numbers that are none where that failed before or fails now; then
    /// `state` says why.
    void call(const std::string& library, const UserCall& call);

    /// Calls end within moments when `stop` says so, and fail from then on.
    void obey(std::stop_token stop);
    [[nodiscard]] bool isStopped() const;
    /// What the first call that failed failed with.
    [[nodiscard]] core::Result<void> state() const;

private:
    class Worker;
    struct Outcome;

    [[nodiscard]] std::unique_ptr<Worker> idleWorker(const std::string& library);
    void keep(const std::string& library, std::unique_ptr<Worker> worker);

    UserPatience m_patience;
    mutable std::mutex m_mutex;
    std::map<std::string, std::vector<std::unique_ptr<Worker>>> m_idle;
    std::set<std::string> m_tried;
    std::stop_token m_stop;
    core::Result<void> m_state;
};

} // namespace simulator
