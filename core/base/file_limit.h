#pragma once

#include <cstdint>

namespace core {

/// The most bytes that a file of each kind may have to be read whole; real ones are far smaller. Limits for
/// `readFile`, which holds them while it reads.
struct FileLimit {
    static constexpr std::uintmax_t mebibyte = std::uintmax_t{1} << 20U;

    /// Projects, their pieces, and documents of JSON.
    static constexpr std::uintmax_t project = 512 * mebibyte;
    /// Models with their weights, weights alone, backups of a training.
    static constexpr std::uintmax_t weights = 4096 * mebibyte;
    /// Measurements, schedules and other tables.
    static constexpr std::uintmax_t table = 256 * mebibyte;
    /// One picture, packed.
    static constexpr std::uintmax_t picture = 256 * mebibyte;
    /// What comes through a pipe, which nobody can look at before it is read.
    static constexpr std::uintmax_t standardInput = 256 * mebibyte;
    /// What `compile` stores.
    static constexpr std::uintmax_t executable = 1024 * mebibyte;
};

} // namespace core
