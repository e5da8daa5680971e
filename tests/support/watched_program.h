#pragma once

#include "tests/support/workbench.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <zlib.h>

// The program with its time and memory watched, and archives that are written byte by byte.

namespace tests {

namespace fs = std::filesystem;

inline constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

/// What became of a process and what it took.
struct Outcome {
    /// -1 when a signal ended it, -2 when it had to be ended.
    int code = -1;
    double seconds = 0;
    std::uint64_t peak = 0;
    std::string errors;
};

struct Order {
    QStringList arguments;
    /// Sent half a second after the start; 0 for none.
    int signal = 0;
    /// Of a written file, in bytes; 0 for none.
    rlim_t largestFile = 0;
};

/// The most memory that a process has had resident since it was started, in bytes.
inline std::uint64_t peakOf(pid_t process) {
    std::ifstream status(fmt::format("/proc/{}/status", process));
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes)
            return kibibytes * 1024;
    }
    return 0;
}

class Kitchen {
public:
    [[nodiscard]] fs::path path(const char* name) const { return m_workbench.path(name); }
    [[nodiscard]] const Workbench& workbench() const { return m_workbench; }

    [[nodiscard]] Outcome run(const Order& order) const {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<std::string> texts{qEnvironmentVariable("IPU_WORKBENCH").toStdString()};
        for (const QString& argument : order.arguments)
            texts.push_back(argument.toStdString());
        std::vector<char*> arguments;
        for (std::string& text : texts)
            arguments.push_back(text.data());
        arguments.push_back(nullptr);
        const std::string folder = path(".").string();
        const std::string errors = path("stderr.txt").string();
        // Closed by exec: what is measured is the program, not this process that it was forked from.
        std::array<int, 2> started{};
        if (::pipe2(started.data(), O_CLOEXEC) != 0)
            return {};
        const pid_t child = ::fork();
        if (child == 0) {
            const int file = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            const int nothing = ::open("/dev/null", O_RDWR);
            ::dup2(nothing, STDIN_FILENO);
            ::dup2(nothing, STDOUT_FILENO);
            ::dup2(file, STDERR_FILENO);
            ::signal(SIGHUP, SIG_DFL);
            const rlimit files{order.largestFile, order.largestFile};
            const bool isReady = ::chdir(folder.c_str()) == 0 &&
                                 (order.largestFile == 0 || ::setrlimit(RLIMIT_FSIZE, &files) == 0);
            if (isReady)
                ::execv(arguments[0], arguments.data());
            _exit(99);
        }
        ::close(started[1]);
        char nothing = 0;
        (void)!::read(started[0], &nothing, 1);
        ::close(started[0]);
        return awaited(child, order, begin);
    }

private:
    Outcome awaited(pid_t child, const Order& order, std::chrono::steady_clock::time_point begin) const {
        const auto passed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        constexpr double patience = 60;
        Outcome outcome;
        int status = 0;
        double sent = 0;
        bool isEnded = false;
        while (::waitpid(child, &status, WNOHANG) == 0) {
            outcome.peak = std::max(outcome.peak, peakOf(child));
            if (order.signal != 0 && sent == 0 && passed() > 0.5) {
                ::kill(child, order.signal);
                sent = passed();
            }
            if (passed() > patience && !isEnded) {
                ::kill(child, SIGKILL);
                isEnded = true;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        outcome.seconds = passed() - sent;
        outcome.code = isEnded ? -2 : WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        std::stringstream text;
        text << std::ifstream(path("stderr.txt")).rdbuf();
        outcome.errors = text.str();
        return outcome;
    }

    Workbench m_workbench;
};

inline std::string describe(const Outcome& outcome) {
    return fmt::format("code {}, {:.2f} s, {} MiB: {}", outcome.code, outcome.seconds,
                       outcome.peak / mebibyte, outcome.errors.substr(0, 600));
}

/// The bound that every reader keeps.
inline bool isModest(const Outcome& outcome, std::uint64_t input) {
#ifdef __SANITIZE_ADDRESS__
    return true; // which keeps what is freed
#else
    return outcome.peak <= 20 * input + 64 * mebibyte;
#endif
}

inline std::string deflated(const std::string& content) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string littleEndian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text.push_back(static_cast<char>(value >> (8 * i) & 0xffU));
    return text;
}

/// A ZIP file of one deflated member that announces `size` bytes.
inline std::string archiveOf(const std::string& name, const std::string& packed, std::uint64_t size,
                             std::uint32_t checksum) {
    const bool isWide = size > 0xffffffffU;
    const std::string extra =
        isWide ? littleEndian(1, 2) + littleEndian(8, 2) + littleEndian(size, 8) : std::string();
    const std::string facts = littleEndian(45, 2) + littleEndian(0, 2) + littleEndian(8, 2) +
                              littleEndian(0x210000, 4) + littleEndian(checksum, 4) +
                              littleEndian(packed.size(), 4) + littleEndian(isWide ? 0xffffffffU : size, 4) +
                              littleEndian(name.size(), 2) + littleEndian(extra.size(), 2);
    const std::string local = "PK\x03\x04" + facts + name + extra + packed;
    const std::string directory =
        "PK\x01\x02" + littleEndian(45, 2) + facts + littleEndian(0, 10) + littleEndian(0, 4) + name + extra;
    return local + directory + "PK\x05\x06" + littleEndian(0, 4) + littleEndian(1, 2) + littleEndian(1, 2) +
           littleEndian(directory.size(), 4) + littleEndian(local.size(), 4) + littleEndian(0, 2);
}

} // namespace tests
