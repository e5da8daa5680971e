#include "core/plan/device_listing.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <set>

namespace core {

namespace {

Diagnostic noDevice(std::string message) {
    return makeError(Trouble::Input, "failed-precondition/no-device", {}, std::move(message),
                     {"see the device listing (`devices`): groups have 1, 2, 4, 8, 16, … IPUs"});
}

} // namespace

std::vector<ListedDevice> listDevices(std::int64_t ipus) {
    std::vector<ListedDevice> devices;
    for (std::int64_t size = 1; size <= ipus; size *= 2) {
        for (std::int64_t first = 0; first + size <= ipus; first += size) {
            ListedDevice device;
            device.id = static_cast<std::int64_t>(devices.size());
            device.ipus.resize(static_cast<std::size_t>(size));
            std::iota(device.ipus.begin(), device.ipus.end(), first);
            devices.push_back(std::move(device));
        }
    }
    return devices;
}

std::vector<std::int64_t> deviceNumbers(const Json& option) {
    std::vector<std::int64_t> numbers;
    if (option.is_number())
        numbers.push_back(option.get<std::int64_t>());
    for (const Json& item : option.is_array() ? option : Json::array())
        numbers.push_back(item.get<std::int64_t>());
    return numbers;
}

Result<std::vector<ListedDevice>> selectByCount(std::span<const ListedDevice> listing,
                                                std::span<const std::int64_t> counts) {
    std::set<std::int64_t> taken;
    std::vector<ListedDevice> chosen;
    for (const std::int64_t count : counts) {
        const auto free = std::ranges::find_if(listing, [&](const ListedDevice& device) {
            return static_cast<std::int64_t>(device.ipus.size()) == count &&
                   std::ranges::none_of(device.ipus, [&](std::int64_t ipu) { return taken.contains(ipu); });
        });
        if (free == listing.end())
            return failure(noDevice(fmt::format("no free device with {} IPUs is attached", count)));
        taken.insert(free->ipus.begin(), free->ipus.end());
        chosen.push_back(*free);
    }
    return chosen;
}

Result<std::vector<ListedDevice>> selectById(std::span<const ListedDevice> listing,
                                             std::span<const std::int64_t> ids) {
    std::vector<ListedDevice> chosen;
    for (const std::int64_t id : ids) {
        const auto found = std::ranges::find(listing, id, &ListedDevice::id);
        if (found == listing.end())
            return failure(noDevice(fmt::format("there is no device {}", id)));
        if (std::ranges::count(ids, id) > 1) {
            return failure(makeError(
                Trouble::Input, "value-error/duplicate-device", {},
                fmt::format("device {} is selected more than once in [{}]", id, fmt::join(ids, ", ")),
                {"name each device once"}));
        }
        chosen.push_back(*found);
    }
    return chosen;
}

} // namespace core
