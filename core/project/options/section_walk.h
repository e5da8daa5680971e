#pragma once

#include "core/project/options/option_table.h"

#include <functional>
#include <span>
#include <string_view>

namespace core {

/// A part of a section that is no option of one value (the optimizer, a dataset), at its place among them.
struct SectionPart {
    int place = 0;
    std::function<void(ObjectReader&)> read;
    std::function<void(Json&)> write;
};

/// Reads the options whose parent is `section` and the parts, in the order of the file. The caller owns the
/// reader and finishes it.
void readSection(std::string_view section, ObjectReader& reader, Project& project,
                 std::span<const SectionPart> parts = {});

/// Adds what differs from its default to `object`, in the order of the file.
void writeSection(std::string_view section, const Project& project, Json& object,
                  std::span<const SectionPart> parts = {});

} // namespace core
