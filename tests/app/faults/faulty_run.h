#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tests {

inline constexpr std::array faultyCalls{"write", "sync", "rename", "open", "read", "allocate"};

/// A call of the system that fails (tests/faults/fault_shim.cpp).
struct Fault {
    QByteArray call = "none";
    /// Counted from 1; 0: none, the calls are counted only.
    long at = 0;
    /// All after it fail as well.
    bool lasts = false;
};

struct FaultyRun {
    /// -1: it crashed, or did not end.
    int code = -1;
    std::string errors;
    /// Of the calls that count.
    long calls = 0;
    bool hasFailed = false;
};

/// Whether the environment variable FAULTS says how many are tried: a number for each call, or "all".
[[nodiscard]] bool areManyFaultsTried();

/// What is tried of a call that is made so often: the middle one with all after it and the last one. With
/// FAULTS so many of them from the first to the last, alone and with all after it.
[[nodiscard]] std::vector<Fault> faultsOf(const QByteArray& call, long count);

/// A sanitizer wants to be loaded before anything else, and answers allocations itself.
[[nodiscard]] bool isSanitized();

/// A program in `folder`, below which calls fail; its settings and its home are `folder` as well.
[[nodiscard]] FaultyRun runWithFault(const QString& program, const std::filesystem::path& folder,
                                     const QStringList& arguments, const Fault& fault);

[[nodiscard]] std::string bytesOf(const std::filesystem::path& path);
/// Of everything below a folder, hidden files with it.
[[nodiscard]] std::set<std::string> namesIn(const std::filesystem::path& folder);
/// Lines of a program's errors that begin one.
[[nodiscard]] long errorLines(const std::string& errors);

} // namespace tests
