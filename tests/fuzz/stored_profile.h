#pragma once

#include <filesystem>

/// Opens a profile database as whoever looks at it does and asks every query about its first runs.
void readStoredProfile(const std::filesystem::path& path);
