#pragma once

#include <QString>
#include <optional>

namespace app {

/// The right to decide about an autosave file that a crash left: one process at a time has it, so that two
/// that open the same project do not both restore it, nor one discards what the other shows. It ends with
/// this object, and with the process.
class WorkClaim {
public:
    /// Nothing when another process decides about the file just now, or has: then it is gone.
    [[nodiscard]] static std::optional<WorkClaim> take(const QString& file);

    WorkClaim(WorkClaim&& other) noexcept;
    WorkClaim& operator=(WorkClaim&& other) noexcept;
    ~WorkClaim();

private:
    explicit WorkClaim(int descriptor)
        : m_descriptor(descriptor) {}

    int m_descriptor = -1;
};

} // namespace app
