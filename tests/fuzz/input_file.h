#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

/// A file in memory that holds the bytes of the next execution, for readers that open their files themselves.
class InputFile {
public:
    /// `name` has the ending by which its reader knows it.
    explicit InputFile(const std::string& name)
        : m_folder(std::filesystem::path("/dev/shm") / ("fuzz-" + std::to_string(getpid()) + "-" + name))
        , m_path(m_folder / name) {
        std::filesystem::create_directories(m_folder);
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile() {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }

    void write(std::string_view bytes) const {
        std::ofstream(m_path, std::ios::binary | std::ios::trunc)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    std::filesystem::path m_folder;
    std::filesystem::path m_path;
};
