// Gives every fuzz target the inputs that are kept for it: FOLDER/TARGET/*, and an empty one. A reader that
// crashes, or that a sanitizer stops, ends the program; so does a target whose inputs are missing.
//
// With a number of mutations, each target reads so many random changes of its inputs as well, for compilers
// without libFuzzer. The input that ends the program, or takes longer than 10 s, is in the file `mutation` of
// the current folder then.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): a line per target, as CMake lists them
#define TARGET(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "targets.inc"
#undef TARGET

extern "C" int LLVMFuzzerInitialize(const int* count, char*** words);

namespace {

struct Target {
    const char* name;
    int (*read)(const std::uint8_t* data, std::size_t size);
};

constexpr Target targets[] = {
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define TARGET(name) {#name, fuzz_##name},
#include "targets.inc"
#undef TARGET
};

void read(const Target& target, const std::string& bytes) {
    target.read(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

/// Of the folder, in the order of their names.
std::vector<std::filesystem::path> inputsOf(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

class Mutator {
public:
    Mutator(std::vector<std::string> inputs, unsigned int seed)
        : m_inputs(std::move(inputs))
        , m_random(seed) {}

    std::string next() {
        std::string bytes = m_inputs[below(m_inputs.size())];
        for (std::size_t left = 1 + below(4) * below(3); left > 0; --left)
            change(bytes);
        return bytes;
    }

private:
    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : m_random() % bound; }

    void change(std::string& bytes) {
        static const std::vector<std::string> tokens{"0",
                                                     "-1",
                                                     "1e999",
                                                     "null",
                                                     "[]",
                                                     "{}",
                                                     "\"\"",
                                                     "true",
                                                     "9223372036854775808",
                                                     "NaN",
                                                     "\n",
                                                     ",",
                                                     "(",
                                                     "\xff\xff\xff\xff",
                                                     std::string(8, '\0'),
                                                     "\x7f\xff\xff\xff",
                                                     "'",
                                                     "\\",
                                                     "=",
                                                     ":",
                                                     "\x80",
                                                     "[[[[",
                                                     "\"a\": ",
                                                     "lambda x: "};
        const std::size_t at = below(bytes.size() + 1);
        const std::size_t some = std::min(bytes.size() - at, std::size_t{1} << below(8));
        switch (below(8)) {
        case 0:
            bytes.erase(at, below(some + 1));
            break;
        case 1:
            bytes.insert(at, bytes.substr(below(bytes.size() + 1), some));
            break;
        case 2: {
            const std::string& other = m_inputs[below(m_inputs.size())];
            bytes.replace(at, some, other.substr(below(other.size() + 1), some));
            break;
        }
        case 3:
            bytes.insert(at, tokens[below(tokens.size())]);
            break;
        case 4:
            bytes.replace(at, some, tokens[below(tokens.size())]);
            break;
        case 5:
            if (below(20) == 0)
                bytes.resize(at);
            break;
        default:
            if (at < bytes.size())
                bytes[at] = static_cast<char>(below(2) == 0 ? m_random() : bytes[at] ^ (1 << below(8)));
        }
    }

    std::vector<std::string> m_inputs;
    std::mt19937 m_random;
};

/// Ends the program after so many seconds of the processor, or thirty times as many in all; 0: never. A busy
/// machine makes no input slow.
void giveTime(unsigned int seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    ::setitimer(ITIMER_PROF, &timer, nullptr);
    ::alarm(30 * seconds);
}

void readMutations(const Target& target, std::vector<std::string> inputs, long count, unsigned int seed) {
    using Clock = std::chrono::steady_clock;
    constexpr unsigned int patience = 10;
    Mutator mutator(std::move(inputs), seed);
    const Clock::time_point begin = Clock::now();
    double slowest = 0;
    for (long i = 0; i < count; ++i) {
        const std::string bytes = mutator.next();
        std::ofstream("mutation", std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        giveTime(patience);
        const Clock::time_point start = Clock::now();
        read(target, bytes);
        slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
    }
    giveTime(0);
    std::filesystem::remove("mutation");
    std::printf("%-20s %8ld mutations in %.0f s, the slowest %.2f s\n", target.name, count,
                std::chrono::duration<double>(Clock::now() - begin).count(), slowest);
    std::fflush(stdout);
}

} // namespace

int main(int count, char** words) {
    LLVMFuzzerInitialize(&count, &words);
    if (count < 2 || count > 5) {
        std::cerr << "usage: fuzz_corpora FOLDER [MUTATIONS [SEED [TARGET]]]\n";
        return 2;
    }
    const long mutations = count > 2 ? std::atol(words[2]) : 0;
    const auto seed = static_cast<unsigned int>(count > 3 ? std::atol(words[3]) : 1);
    for (const Target& target : targets) {
        if (count > 4 && std::string(words[4]) != target.name)
            continue;
        target.read(nullptr, 0);
        std::vector<std::string> inputs;
        for (const std::filesystem::path& path : inputsOf(std::filesystem::path(words[1]) / target.name)) {
            std::ifstream file(path, std::ios::binary);
            inputs.emplace_back((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
            if (mutations == 0)
                std::cout << target.name << ' ' << path.filename().string() << std::endl;
            read(target, inputs.back());
        }
        if (inputs.empty()) {
            std::cerr << words[1] << ": no inputs for " << target.name << '\n';
            return 1;
        }
        if (mutations > 0)
            readMutations(target, std::move(inputs), mutations, seed);
    }
    return 0;
}
