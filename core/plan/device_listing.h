#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// One entry of the device listing: a single IPU or a group of closely linked ones.
struct ListedDevice {
    std::int64_t id = 0;
    /// Ids of its single IPUs, in order of their position (DNC id) in the group.
    std::vector<std::int64_t> ipus;

    [[nodiscard]] bool isMulti() const { return ipus.size() > 1; }
    /// "single" or "multi".
    [[nodiscard]] std::string_view type() const { return isMulti() ? "multi" : "single"; }
    bool operator==(const ListedDevice&) const = default;
};

/// The listing of a system: the single IPUs, then pairs, quads, … up to all of them (as far as whole groups
/// go when the count is no power of two).
[[nodiscard]] std::vector<ListedDevice> listDevices(std::int64_t ipus);

/// The numbers that `auto_select_ipus` or `select_ipus` holds: one, a list, or none.
[[nodiscard]] std::vector<std::int64_t> deviceNumbers(const Json& option);

/// `auto_select_ipus`: the first free device of each wanted size, so that no IPU is given twice. Error
/// "failed-precondition/no-device" for a size that no free device has.
[[nodiscard]] Result<std::vector<ListedDevice>> selectByCount(std::span<const ListedDevice> listing,
                                                              std::span<const std::int64_t> counts);

/// `select_ipus`: the devices of those ids. Errors "value-error/duplicate-device" and
/// "failed-precondition/no-device".
[[nodiscard]] Result<std::vector<ListedDevice>> selectById(std::span<const ListedDevice> listing,
                                                           std::span<const std::int64_t> ids);

} // namespace core
